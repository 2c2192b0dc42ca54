/** Facts are read from the codes of a stored text: as the decoded record has them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FULL_PARCEL } from '../../test/parcel.ts'
import { FACT_NAMES, type FactName, openFacts } from './facts.ts'
import { blankBuilding, blankParcel, blankTransfer, type Parcel } from './parcel.ts'
import { encodeParcel } from './stored.ts'

function readsOf(values: Partial<Parcel>) {
  const parcel = { ...blankParcel('A-1', 55025), ...values }
  const record = { state: 'WI', fieldValues: encodeParcel(parcel), owner: 0, unit: '' }
  return openFacts(record)
}

const day = (date: string) => Date.parse(date) / 86_400_000

test('numbers of any form are those of the record', () => {
  for (const number of [
    ...[0, 7, -3, 0.5, 0.1, -89.4012345, 1234.5678, 1e-7, 1e21, 2 ** 53, 0.1 + 0.2],
    ...[123456789012345, 1234567890123456, 1.2345678901234, 99999999999999.9],
  ]) {
    assert.equal(readsOf({ totalMarketValue: number })('marketValue'), number)
    assert.equal(readsOf({ acres: number, calculatedAcres: 3 })('acres'), number)
  }
  assert.equal(readsOf({ calculatedAcres: 3 })('acres'), 3)
  assert.equal(readsOf({ longitude: -89.5119651 })('x'), -895_119_651)
})

test('letters outside of ASCII, also those whose low byte separates, move nothing', () => {
  const ownerName = 'ĞğŽ🌲 "Ñ"'
  const reads = readsOf({ ownerName, city: 'CAÑON', zipCode: '81212', taxAmount: 5 })
  assert.deepEqual([reads('city'), reads('zip'), reads('tax')], ['CAÑON', '81212', 5])
})

test('values of items are read item by item, and missing ones are unknown', () => {
  const buildings = [
    { ...blankBuilding(), bedrooms: 2, actualYearBuilt: 1990 },
    { ...blankBuilding(), buildingArea: 900, bedrooms: 1, stories: 2, actualYearBuilt: 1950 },
    { ...blankBuilding(), buildingArea: 900, actualYearBuilt: 2001 },
  ]
  const transfers = [
    { ...blankTransfer(), recordingDate: '2025-03-01', transferPrice: 0 },
    { ...blankTransfer(), transferDate: '2020-02-29', transferPrice: 1 },
  ]
  const reads = readsOf({ buildings, transfers })
  const names: FactName[] = ['sqft', 'beds', 'stories', 'yearBuilt', 'baths', 'hasBuilding']
  assert.deepEqual(names.map(reads), [1800, 3, 2, 1950, Number.NaN, 1])
  const sales: FactName[] = ['transferDay', 'salePrice', 'saleDate']
  assert.deepEqual(sales.map(reads), [day('2025-03-01'), 1, day('2020-02-29')])
  assert.deepEqual(sales.map(readsOf({ transfers: transfers.slice(0, 1) })), [
    ...[day('2025-03-01'), Number.NaN, Number.NaN],
  ])
})

test('an owner of the same state, another, and one abroad', () => {
  for (const [values, expected] of [
    [{ ownerState: 'WI' }, 0],
    [{ ownerState: 'wi' }, 0],
    [{ ownerState: 'IL' }, 1],
    [{ ownerState: 'WISC' }, Number.NaN],
    [{ ownerCountry: 'Canada' }, 1],
    [{ ownerCountry: 'U.S.' }, Number.NaN],
    [{}, Number.NaN],
  ] satisfies [Partial<Parcel>, number][]) {
    assert.equal(readsOf(values)('outOfStateOwner'), expected, JSON.stringify(values))
  }
})

test('vacancy follows the use code, then the buildings', () => {
  for (const [values, vacant, built] of [
    [{ propertyUseCode: '8001' }, 1, 0],
    [{ propertyUseCode: '1001' }, 0, Number.NaN],
    [{ buildingCount: 0 }, 1, 0],
    [{ totalBuildingValue: 5 }, 0, 1],
    [{}, Number.NaN, Number.NaN],
  ] satisfies [Partial<Parcel>, number, number][]) {
    const reads = readsOf(values)
    assert.deepEqual([reads('vacant'), reads('hasBuilding')], [vacant, built])
  }
})

test('a long record after a short one, and a short one after it', () => {
  const small = readsOf({ ownerState: 'IL' })('ownerState')
  const extra = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`N${at}`, 'x']))
  const large = readsOf({ ...FULL_PARCEL, extra })
  const facts = FACT_NAMES.map(large)
  assert.deepEqual(facts, FACT_NAMES.map(readsOf({ ...FULL_PARCEL, extra: {} })))
  assert.deepEqual([small, readsOf({})('ownerState'), readsOf({})('beds')], ['IL', '', Number.NaN])
})

test('a short name is a surname of any number of words, with one given name or initials', () => {
  for (const [ownerName, ownerLastName, expected] of [
    ['HARLOW MARA', 'HARLOW', 1],
    ['HARLOW MARA T', 'HARLOW', 0],
    ['MARA T HARLOW', 'HARLOW', 0],
    ['HARLOW MARA & PAUL', 'HARLOW', 0],
    ['HARLOW M T', 'HARLOW', 1],
    ['HARLOW MARA JR', 'HARLOW', 1],
    ["O'DELL MARA", "O'DELL", 1],
    ["O'DELL MARA T", 'ODELL', 0],
    ['HARLOW-TRENT MARA', 'HARLOW-TRENT', 1],
    ['DE LA CRUZ, MARA', 'DELACRUZ', 1],
    ['MARA VAN DER BERG', 'VAN DER BERG', 1],
    ['VAN DER BERG MARA T', 'VAN DER BERG', 0],
    ['HARLOW MARA T', null, 0],
  ] as const) {
    const reads = readsOf({ ownerName, ownerLastName, ownerType: 'individual' })
    assert.equal(reads('shortName'), expected, ownerName)
  }
})
