import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BARE_PARCEL, FULL_PARCEL } from '../../test/parcel.ts'
import {
  blankBuilding,
  blankParcel,
  ITEM_PROPERTIES,
  type Parcel,
  STORED_FIELDS,
} from './parcel.ts'
import {
  carryOver,
  decodeParcel,
  encodeParcel,
  openTexts,
  ownRecord,
  slotOf,
  splitFields,
} from './stored.ts'

test('the stored text of a parcel is the one that earlier versions wrote', () => {
  assert.equal(encodeParcel(BARE_PARCEL), '50000000100000000000\u001f55025\u001f"1"\u001ffalse')
  const parcel = blankParcel('A-1', 31109)
  const [full] = FULL_PARCEL.buildings as [Parcel['buildings'][0], ...Parcel['buildings']]
  const first = ITEM_PROPERTIES.buildings.slice(0, 15).map((name) => [name, full[name]])
  parcel.buildings = [{ ...blankBuilding(), ...Object.fromEntries(first) }]
  parcel.rollYear = 2025
  const building = '900|1890|1950|1.5|2|1.5|"WOOD FRAME"|"CLAPBOARD"|"GABLE"|"STONE"|"FULL"'
  assert.equal(
    encodeParcel(parcel),
    `50000000108000000001/31109/"A-1"/false/${building}|"STEAM"|"NONE"|0|1|/2025`
      .replaceAll('/', '\u001f')
      .replaceAll('|', '\u001e'),
  )
})

test('a stored text of an earlier version, with a shorter shape, is read', () => {
  const parcel = decodeParcel('5\u001f55025\u001f"1"')
  assert.deepEqual(parcel, { ...BARE_PARCEL, addressAssigned: null })
})

test('the order of a parcel’s properties does not count', () => {
  const turned = Object.fromEntries(Object.entries(FULL_PARCEL).reverse()) as Parcel
  assert.equal(encodeParcel(turned), encodeParcel(FULL_PARCEL))
  assert.deepEqual(decodeParcel(encodeParcel(turned)), FULL_PARCEL)
})

test('a blank parcel has every stored field, in the order of the slots', () => {
  assert.deepEqual(
    Object.keys(blankParcel('1', 55025)),
    STORED_FIELDS.map(([name]) => name),
  )
  assert.notEqual(blankParcel('1', 1).buildings, blankParcel('1', 1).buildings)
})

test('the invented full parcel fills every stored field, and every field survives storing', () => {
  const texts = splitFields(encodeParcel(FULL_PARCEL))
  const empty = STORED_FIELDS.filter((_, slot) => texts[slot] === '').map(([name]) => name)
  assert.deepEqual(empty, [])
  assert.deepEqual(decodeParcel(encodeParcel(FULL_PARCEL)), FULL_PARCEL)
})

test('single fields are cut out of any record as splitting it gives them', () => {
  const names = STORED_FIELDS.map(([name]) => name)
  const some = fc.array(fc.boolean(), { minLength: names.length, maxLength: names.length })
  fc.assert(
    fc.property(some, fc.shuffledSubarray(names), (given, asked) => {
      const blank = blankParcel('1', 55025)
      const filled = names.filter((_, at) => given[at]).map((name) => [name, FULL_PARCEL[name]])
      const stored = encodeParcel({ ...blank, ...Object.fromEntries(filled) })
      const texts = splitFields(stored)
      const expected = Object.fromEntries(asked.map((name) => [name, texts[slotOf(name)]]))
      assert.deepEqual(openTexts(asked)(stored), expected)
    }),
  )
})

test('any list of buildings survives storing, whatever of them is null', () => {
  const [building] = FULL_PARCEL.buildings
  const names = Object.keys(building as object)
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.boolean(), { minLength: names.length }), { minLength: 1 }),
      (all) => {
        const buildings = all.map((given) =>
          Object.fromEntries(
            Object.entries(building as object).map(([name, value], at) => [
              name,
              given[at] ? value : null,
            ]),
          ),
        ) as Parcel['buildings']
        const parcel = { ...BARE_PARCEL, buildings }
        assert.deepEqual(decodeParcel(encodeParcel(parcel)).buildings, buildings)
      },
    ),
  )
})

test('carried assessments are marked, survive storing, and are left out of the own record', () => {
  const year = (value: number, more = {}) =>
    ({ ...FULL_PARCEL.assessments[0], year: value, ...more }) as never
  const old = { ...BARE_PARCEL, assessments: [year(2024)] }
  const fresh = { ...BARE_PARCEL, assessments: [year(2025)] }
  const joined = { ...BARE_PARCEL, assessments: [year(2025), year(2024, { carried: true })] }
  const carried = carryOver(encodeParcel(old), encodeParcel(fresh), false)
  assert.equal(carried, encodeParcel(joined))
  assert.equal(encodeParcel(decodeParcel(carried)), carried)
  assert.equal(carryOver(carried, encodeParcel(fresh), false), carried)
  assert.equal(ownRecord(carried), encodeParcel(fresh))
})

test('the area of a polygon that stays is carried, unless the new record has its own', () => {
  const old = encodeParcel({ ...BARE_PARCEL, calculatedAcres: 1.25 })
  const acresOf = (own: number | null, keepsPolygon: boolean) => {
    const fresh = encodeParcel({ ...BARE_PARCEL, calculatedAcres: own })
    return decodeParcel(carryOver(old, fresh, keepsPolygon)).calculatedAcres
  }
  assert.deepEqual([acresOf(null, true), acresOf(null, false), acresOf(2, true)], [1.25, null, 2])
})
