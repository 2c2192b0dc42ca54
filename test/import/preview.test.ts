import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { loadMapping, type MappingDocument } from '../../src/import/mapping/mapping.ts'
import { showPreview } from '../../src/import/preview.ts'
import { disguise } from './disguise.ts'
import { fixture, importRoll, makeFolder, write } from './small-roll.ts'

test('a dry run shows rows before and after, and makes no store', async (t) => {
  const data = join(makeFolder(t), 'none')
  const { preview } = await importRoll(data, [fixture('esri-local-government.csv')], {
    mapping: 'esri-local-government',
    state: 'OH',
    county: 'Wood',
    dryRun: true,
  })
  const [first] = preview?.parcels ?? []
  assert.deepEqual(
    first?.before.find(([name]) => name === 'STATEDAREA'),
    ['STATEDAREA', '0.25 ac'],
  )
  const after = new Map(first?.after)
  assert.equal(after.get('acres'), '0.25')
  assert.equal(after.get('ownerName1'), 'TESTERMAN WALT')
  assert.equal(after.get('transferDate'), '2018-03-04')
  assert.ok(!existsSync(join(data, 'parcels.db')))
})

test('a dry run names the fields that stay empty, those of the mapping apart', async (t) => {
  const { preview } = await importRoll(makeFolder(t), [fixture('mt-cadastral.csv')], {
    mapping: 'mt-cadastral',
    dryRun: true,
  })
  assert.deepEqual(preview?.empty.mapped, ['unitNumberStripped'])
  assert.ok(preview?.empty.unmapped.includes('grantor'))
  assert.ok(!preview?.empty.unmapped.includes('streetName'))
})

test('rows without a parcel are listed by reason, the commonest first', async (t) => {
  const data = makeFolder(t)
  const rows = ['A,1,ROAD', 'B,2,lot', ',,', 'C,,LOT', 'D,4,road', 'E,5,LOT', 'F,6,ROAD']
  const file = write(data, 'roll.csv', `owner,id,kind\n${rows.join('\n')}\n`)
  const mapping: MappingDocument = {
    ...loadMapping('platbook'),
    name: 'x',
    fields: { parcelId: 'id', ownerName1: 'owner' },
    skip: [{ value: 'kind', is: ['ROAD'] }],
  }
  const place = { state: 'FL', county: 'Alachua', dryRun: true }
  const { skipped, skips } = await importRoll(data, [file], { mapping, ...place })
  assert.equal(skipped, 5)
  assert.deepEqual(skips, [
    ['no parcel: ROAD', 2],
    ['blank row', 1],
    ['no parcel ID', 1],
    ['no parcel: road', 1],
  ])
})

test('a dry run gives lines of rows that repeat another, also of merged ones', async (t) => {
  const data = makeFolder(t)
  const rows = ['A,1,x', 'A,1,x', 'B,2,x', 'B,2,y', 'C,3,x', 'D,3,x']
  const file = write(data, 'roll.csv', `owner,id,note\n${rows.join('\n')}\n`)
  const mapping: MappingDocument = {
    ...loadMapping('platbook'),
    ...{ name: 'x', fields: { parcelId: 'id', ownerName1: 'owner' } },
    repeats: { merge: ['owners'] },
  }
  const place = { state: 'FL', county: 'Alachua', dryRun: true }
  const { duplicates, equalLines } = await importRoll(data, [file], { mapping, ...place })
  assert.deepEqual([duplicates, equalLines], [3, [3, 5, 7]])
})

test('of a long roll twenty parcels are shown, from its beginning to its end', async (t) => {
  const data = makeFolder(t)
  const { csv } = disguise(2, 0, 6000)
  const file = write(data, 'roll.csv', csv)
  const rows = csv.trimEnd().split('\n').slice(1)
  const [id = ''] = csv.split(',')
  const mapping = { ...loadMapping('platbook'), name: 'x', fields: { parcelId: id } }
  const place = { state: 'FL', county: 'Alachua', dryRun: true }
  const { preview } = await importRoll(data, [file], { mapping, ...place })
  const places = (preview?.parcels ?? []).map(({ before }) =>
    rows.findIndex((row) => row.startsWith(`${before[0]?.[1]},`)),
  )
  assert.equal(places.length, 20)
  assert.equal(places[0], 0)
  assert.ok((places.at(-1) ?? 0) > rows.length * 0.7, String(places))
  assert.deepEqual(
    places,
    [...places].sort((a, b) => a - b),
  )
})

test('an import that loads shows no preview', async (t) => {
  assert.equal((await importRoll(makeFolder(t), [fixture('plain.csv')])).preview, undefined)
})

test('before and after are side by side, no line wider than the terminal', () => {
  const lines = showPreview(
    {
      before: [
        ['OWNER', 'A NAME THAT IS LONGER THAN ANY COLUMN OF A TERMINAL EVER WAS OR WILL BE'],
        ['ACRES', '1'],
      ],
      after: [['ownerName1', 'A NAME']],
    },
    60,
  )
  assert.deepEqual(lines, [
    'OWNER  A NAME THAT IS LONGE… │ ownerName1  A NAME',
    'ACRES  1                     │',
  ])
})
