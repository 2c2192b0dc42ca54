/** What fails after the commit of a roll is only a warning, because the roll is loaded. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test from 'node:test'
import { importCommand } from '../../src/cli/commands/rolls/import.ts'
import { runCommand } from '../command.ts'
import { fixture, importRoll, makeFolder, write } from './small-roll.ts'

const SOLD = `state,county,parcelId,address,transferDate,transferPrice,latitude,longitude
NE,Lancaster,P1,1 OAK ST,2025-05-01,250000,40.81,-96.7
NE,Nowhere,P2,2 OAK ST,2025-05-02,260000,40.82,-96.7
`

function countParcels(data: string): number {
  if (!existsSync(join(data, 'parcels.db'))) return 0
  const db = new DatabaseSync(join(data, 'parcels.db'), { readOnly: true })
  try {
    return Number(db.prepare('SELECT count(*) AS n FROM parcels').get()?.n)
  } finally {
    db.close()
  }
}

/** Makes every write of a sale test fail. */
function refuseSaleTests(data: string): void {
  const db = new DatabaseSync(join(data, 'parcels.db'))
  db.exec(`CREATE TRIGGER refuse BEFORE INSERT ON sale_tests
    BEGIN SELECT RAISE(ABORT, 'no test is taken'); END`)
  db.close()
}

test('estimates that cannot be measured: the roll is loaded, its rejects are kept', async (t) => {
  const data = makeFolder(t)
  await importRoll(data, [fixture('plain.csv')])
  refuseSaleTests(data)
  const report = await importRoll(data, [write(data, 'sold.csv', SOLD)], { force: true })
  assert.match(report.warnings.join('\n'), /^the roll is loaded, but .*no test is taken$/)
  assert.equal(report.loaded, 1)
  assert.equal(countParcels(data), 1)
  assert.match(readFileSync(report.rejectsFile ?? '', 'utf8'), /P2/)
})

test('rows that cannot be recorded: the roll is loaded, its rejects are kept', async (t) => {
  const data = makeFolder(t)
  const report = await importRoll(data, [write(data, 'sold.csv', SOLD)], {
    forcedOrder: 'last-first',
    newer: { filter: async () => writeFileSync(join(data, 'refresh'), '') },
  })
  assert.equal(report.warnings.length, 1)
  assert.match(report.warnings[0] ?? '', /its rows were not recorded/)
  assert.equal(countParcels(data), 1)
  assert.ok(existsSync(report.rejectsFile ?? ''))
})

for (const [roll, earlier] of [
  ['first', []],
  ['later', ['plain.csv']],
] as const) {
  test(`checksums of a ${roll} roll that cannot be written: the roll is loaded`, async (t) => {
    const data = makeFolder(t)
    for (const name of earlier) await importRoll(data, [fixture(name)])
    const report = await importRoll(data, [write(data, 'sold.csv', SOLD)], {
      force: true,
      newer: {
        async filter() {
          rmSync(join(data, 'parcels.sums'), { force: true })
          mkdirSync(join(data, 'parcels.sums'))
        },
      },
    })
    assert.match(
      report.warnings[0] ?? '',
      /checksums of the store were not renewed.*sums is a folder/,
    )
    assert.equal(countParcels(data), 1)
  })

  test(`a stop after the commit of a ${roll} roll comes too late`, async (t) => {
    const data = makeFolder(t)
    for (const name of earlier) await importRoll(data, [fixture(name)])
    const sink = {
      ...{ terminal: false, report: () => {}, draw: () => {} },
      now: () => Date.parse('2026-06-01T00:00:00Z'),
      isStopped: () => countParcels(data) === 1,
    }
    const report = await importRoll(data, [write(data, 'sold.csv', SOLD)], { force: true, sink })
    assert.deepEqual([report.loaded, report.warnings], [1, []])
  })
}

test('import reports a warning and exits with 0', async (t) => {
  const data = makeFolder(t)
  await importRoll(data, [fixture('plain.csv')])
  refuseSaleTests(data)
  const file = write(data, 'sold.csv', SOLD)
  const words = [file, '--mapping', 'platbook', '--force', '--json']
  const { code, err, json } = await runCommand(importCommand, words, { data })
  assert.equal(code, 0)
  assert.match(err, /^warning: the roll is loaded, but /m)
  assert.deepEqual([json().loaded, (json().warnings as string[]).length], [1, 1])
})
