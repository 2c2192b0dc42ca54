/** Points, ZIP codes and cities outside the county are counted, and a roll elsewhere is refused. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import test, { type TestContext } from 'node:test'
import { inspectFile } from '../../src/inspect/inspect.ts'
import { importRoll, makeFolder, type Options, TODAY, write } from './small-roll.ts'

type Row = { longitude?: number; latitude?: number; city?: string; zipCode?: string }

/** Writes 40 parcels of Perry County, Kentucky; the first `count` are changed by `change`. */
function writeRoll(t: TestContext, count: number, change: Row) {
  const lines = Array.from({ length: 40 }, (_, at) => {
    const own = { longitude: -83.2 + at / 1000, latitude: 37.25, city: 'HAZARD', zipCode: '41701' }
    const row = { ...own, ...(at < count && change) }
    return `KY,Perry,A${at + 1},${at + 1} MAIN ST,${Object.values(row).join(',')},HARLOW PAUL`
  })
  const names = 'state,county,parcelId,address,longitude,latitude,city,zipCode,ownerName1'
  return write(makeFolder(t), 'roll.csv', [names, ...lines, ''].join('\n'))
}

const load = (t: TestContext, file: string, options: Options = {}) =>
  importRoll(makeFolder(t), [file], options)

test('a roll within its county has nothing outside', async (t) => {
  const report = await load(t, writeRoll(t, 0, {}))
  assert.deepEqual(report.outside, [])
})

test('what is outside is counted with its first parcel', async (t) => {
  for (const [change, what, example] of [
    [{ longitude: -82.2, latitude: 39.75 }, 'points', 'parcel A1 at -82.2000, 39.7500'],
    [{ zipCode: '45701' }, 'zips', 'parcel A1 at 45701'],
    [{ city: 'OSHKOSH' }, 'cities', 'parcel A1 at OSHKOSH'],
  ] as const) {
    const file = writeRoll(t, 5, change)
    const report = await load(t, file)
    assert.deepEqual(report.outside, [{ what, parcels: 5, of: 40, example }])
    assert.equal(report.loaded, 40)
    const inspection = await inspectFile(file, { mappings: [], today: TODAY })
    assert.deepEqual(inspection.outside, report.outside)
  }
})

test('a point near the line and a city that no state has are not outside', async (t) => {
  for (const change of [{ longitude: -83.352, latitude: 37.25 }, { city: 'VICCO HOLLER' }]) {
    assert.deepEqual((await load(t, writeRoll(t, 20, change))).outside, [])
  }
})

test('above a fifth of the points the guard refuses, and says so in a dry run', async (t) => {
  for (const change of [{ longitude: -82.2, latitude: 39.75 }, { longitude: 83.2 }]) {
    await assert.rejects(load(t, writeRoll(t, 9, change)), /9 of 40 points of PERRY, KY are more/)
    const dry = await load(t, writeRoll(t, 9, change), { dryRun: true })
    assert.match(dry.refused ?? '', /^this roll was not loaded: 9 of 40 points/)
    assert.equal((await load(t, writeRoll(t, 9, change), { force: true })).loaded, 40)
    assert.equal((await load(t, writeRoll(t, 8, change))).loaded, 40)
  }
})

test('the refusal names the first parcel of the county that it refuses', async (t) => {
  const file = writeRoll(t, 9, { longitude: -82.2, latitude: 39.75 })
  const [names, ...lines] = readFileSync(file, 'utf8').split('\n')
  const elsewhere = 'KY,Knott,K1,1 MAIN ST,-82.2,39.75,HINDMAN,41822,HARLOW PAUL'
  writeFileSync(file, [names, elsewhere, ...lines].join('\n'))
  await assert.rejects(load(t, file), /points of PERRY, KY .* \(first: parcel A1 at/)
})

test('a refresh judges its changed rows among all', async (t) => {
  // With a given order of names only the changed rows are read again.
  for (const forcedOrder of [undefined, 'last-first'] as const) {
    const folder = makeFolder(t)
    await importRoll(folder, [writeRoll(t, 0, {})], { forcedOrder })
    const file = writeRoll(t, 3, { longitude: -82.2, latitude: 39.75 })
    const report = await importRoll(folder, [file], { forcedOrder })
    assert.equal(report.updated, 3)
    assert.deepEqual(report.outside, [
      { what: 'points', parcels: 3, of: 40, example: 'parcel A1 at -82.2000, 39.7500' },
    ])
  }
})

test('a county whose points have left it is not excused by unchanged ones of others', async (t) => {
  const folder = makeFolder(t)
  const [names, ...lines] = readFileSync(writeRoll(t, 0, {}), 'utf8').split('\n')
  const others = Array.from(
    { length: 20 },
    (_, at) => `KY,Knott,K${at + 1},${at + 1} MAIN ST,-82.97,37.34,HINDMAN,41822,HARLOW PAUL`,
  )
  const text = [names, ...others, ...lines].join('\n')
  await importRoll(folder, [write(folder, 'all.csv', text)], { forcedOrder: 'last-first' })
  const moved = (count: number) =>
    others.map((line, at) => (at < count ? line.replace('-82.97,37.34', '-82.2,39.75') : line))
  const again = (count: number) => {
    const file = write(folder, 'all.csv', [names, ...moved(count), ...lines].join('\n'))
    return importRoll(folder, [file], { forcedOrder: 'last-first' })
  }
  await assert.rejects(again(5), /5 of 20 points of KNOTT, KY/)
  assert.equal((await again(4)).updated, 4)
})
