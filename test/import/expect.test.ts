/** Expectations of a mapping: checked by dry run and import, drafted by inspect. */
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { loadMapping, type MappingDocument, readMapping } from '../../src/import/mapping/mapping.ts'
import { draftDocument } from '../../src/inspect/compose/show-draft.ts'
import { inspectFile } from '../../src/inspect/inspect.ts'
import { csvRow } from '../../src/sample/write.ts'
import { importRoll, makeFolder, TODAY, write } from './small-roll.ts'

const HEAD = ['id', 'owner', 'street', 'city', 'mail', 'mailCity', 'mailState', 'use', 'sold']

const FIELDS = {
  parcelId: 'id',
  ownerName1: 'owner',
  address: 'street',
  city: 'city',
  ownerAddressLine1: 'mail',
  ownerCity: 'mailCity',
  ownerState: 'mailState',
  useDescription: 'use',
}

/** 40 parcels, of which `states` have a mailing state. */
function makeRoll(t: TestContext, states: number): { data: string; file: string } {
  const data = makeFolder(t)
  const rows = Array.from({ length: 40 }, (_, at) => {
    const street = `${100 + at} MAPLE ST`
    const isAway = at % 2 === 0
    return csvRow([
      `12-${1000 + at}`,
      'CARVER MARY',
      street,
      'ALACHUA',
      isAway ? `${900 + at} OAK AVE` : street,
      'ALACHUA',
      at < states ? 'FL' : '',
      at < 30 ? 'RETAIL STORE' : `KIND ${at}`,
      at < 6 ? `SOON ${at}` : '2020-01-02',
    ])
  })
  return { data, file: write(data, 'roll.csv', `${csvRow(HEAD)}${rows.join('')}`) }
}

const mappingOf = (expect?: Record<string, string>): MappingDocument => ({
  ...loadMapping('platbook'),
  name: 'x',
  fields: FIELDS,
  transfers: [{ transferDate: 'sold' }],
  ...(expect === undefined ? {} : { expect }),
})
const place = { state: 'FL', county: 'Alachua' }

test('equal IDs of several counties in turn are each a parcel', async (t) => {
  const data = makeFolder(t)
  const rows = Array.from({ length: 240 }, (_, at) => {
    const county = ['ALACHUA', 'BAKER', 'CLAY', 'DIXIE'][at % 4] ?? ''
    return csvRow([String(1000 + Math.floor(at / 4)), county, at % 4 === 0 ? '' : 'CARVER MARY'])
  })
  const file = write(data, 'roll.csv', `${csvRow(['id', 'county', 'owner'])}${rows.join('')}`)
  const fields = { parcelId: 'id', county: 'county', ownerName1: 'owner' }
  const mapping = { ...mappingOf({ ownerName1: '>= 60 %' }), fields, transfers: [] }
  const { loaded } = await importRoll(data, [file], { mapping, state: 'FL' })
  assert.equal(loaded, 240)
})

test('a roll that misses what its mapping expects is refused, and --force loads it', async (t) => {
  const { data, file } = makeRoll(t, 10)
  const mapping = mappingOf({ ownerState: '>= 95 %', ownerOccupied: '20..95 %' })
  const shares = 'ownerState: 25\\.0 % of the 40 parcels with a mailing city'
  await assert.rejects(importRoll(data, [file], { mapping, ...place }), {
    message: new RegExp(`${shares}; the mapping expects >= 95 %.*--force`),
  })
  const { loaded } = await importRoll(data, [file], { mapping, ...place, force: true })
  assert.equal(loaded, 40)
})

test('a dry run reports that a load would be refused', async (t) => {
  const { data, file } = makeRoll(t, 10)
  const mapping = mappingOf({ ownerState: '>= 95 %' })
  const { refused } = await importRoll(data, [file], { mapping, ...place, dryRun: true })
  assert.match(refused ?? '', /ownerState: 25\.0 %/)
})

for (const [expect, isMet] of [
  ['>= 25 %', true],
  ['> 25 %', false],
  ['<= 25 %', true],
  ['< 25 %', false],
  ['20..30 %', true],
  ['25.1..30%', false],
] as const) {
  test(`a quarter ${isMet ? 'meets' : 'does not meet'} ${expect}`, async (t) => {
    const { data, file } = makeRoll(t, 10)
    const mapping = mappingOf({ ownerState: expect })
    const { refused } = await importRoll(data, [file], { mapping, ...place, dryRun: true })
    assert.equal(refused === null, isMet)
  })
}

test('an expectation of an unknown field, or in an unknown form, is an error', async (t) => {
  const { data, file } = makeRoll(t, 40)
  const mapping = mappingOf({ ownerStat: '>= 95 %' })
  await assert.rejects(importRoll(data, [file], { mapping, ...place }), {
    message: /expect\.ownerStat: no such field; did you mean .*ownerState/,
  })
  for (const share of ['80..20 %', '> 100 %', '>= 101 %', '< 0 %']) {
    const mapping = mappingOf({ ownerState: share })
    const message = `expect.ownerState: no share is ${share}`
    await assert.rejects(importRoll(data, [file], { mapping, ...place }), { message })
  }
  const text = JSON.stringify({ ...mappingOf(), expect: { ownerState: 'most' } })
  assert.throws(() => readMapping(text, 'x.json'), /"most" is not a share as ">= 95 %"/)
})

test('a dry run shows shares, common values, unread texts and one served parcel', async (t) => {
  const { data, file } = makeRoll(t, 10)
  const options = { mapping: mappingOf(), ...place, dryRun: true }
  const { preview, unreadSamples } = await importRoll(data, [file], options)
  const share = preview?.shares.find(({ field }) => field === 'ownerState')
  assert.deepEqual([share?.count, share?.of], [10, 40])
  assert.ok(preview?.warnings.includes('30 parcels have a mailing city and no state'))
  const uses = preview?.commonest.find(({ field }) => field === 'useDescription')
  assert.deepEqual(uses?.values[0], ['RETAIL STORE', 30])
  assert.equal(uses?.values.length, 11)
  assert.deepEqual(unreadSamples.transferDate, ['SOON 0', 'SOON 1', 'SOON 2', 'SOON 3', 'SOON 4'])
  const served = preview?.served as { propertyLocation: { city: string } }
  assert.equal(served.propertyLocation.city, 'ALACHUA')
})

test('a flag that is the same in all parcels is a warning', async (t) => {
  const { data, file } = makeRoll(t, 40)
  const fields = { ...FIELDS, residential: { constant: false } }
  const mapping = { ...mappingOf(), fields }
  const { preview } = await importRoll(data, [file], { mapping, ...place, dryRun: true })
  assert.ok(preview?.warnings.includes('residential is false in all parcels that have it'))
})

test('a draft expects what most rolls have; inspect reports rows that miss it', async (t) => {
  const { file } = makeRoll(t, 40)
  const { draft } = await inspectFile(file, { today: TODAY, mappings: [], ...place })
  const { expect } = draftDocument(draft)
  assert.equal(expect?.ownerState, '>= 95 %')
  assert.equal(expect?.ownerOccupied, '20..95 %')
  assert.equal(expect?.ownerName1, '>= 90 %')
  assert.deepEqual(draft.warnings, ['residential is false in all parcels that have it'])
  const poor = makeRoll(t, 30)
  const inspection = await inspectFile(poor.file, { today: TODAY, mappings: [], ...place })
  assert.match(inspection.draft.warnings.join('\n'), /ownerState: 75\.0 % of the 40 parcels/)
})
