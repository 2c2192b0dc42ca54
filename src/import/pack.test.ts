import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { StagedParcel } from '../store/store.ts'
import { packParcels, packRows, unpackParcels, unpackRows } from './pack.ts'

const text = fc.string({ unit: 'binary', maxLength: 20 })
const number = fc.integer({ min: -50_000, max: 2 ** 31 })
const orNull = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: null })

const parcel: fc.Arbitrary<StagedParcel> = fc.record({
  row: number,
  state: text,
  fips: number,
  municipality: text,
  identity: text,
  parcelKey: text,
  strippedKey: text,
  leaves: text,
  keys: text,
  rollYear: orNull(number),
  city: text,
  zip: text,
  useCode: text,
  residential: orNull(fc.boolean()),
  transferDay: orNull(number),
  assigned: fc.boolean(),
  unit: text,
  filled: number,
  geometry: orNull(text),
})

test('parcels come out of the pack as they went in', () => {
  fc.assert(
    fc.property(fc.array(parcel), (parcels) => {
      const through = unpackParcels(structuredClone(packParcels(parcels)))
      assert.deepEqual(
        through,
        parcels.map((one) => ({ ...one })),
      )
    }),
  )
})

test('rows of one width come out of the pack as they went in; others are not packed', () => {
  const rows = fc
    .integer({ min: 1, max: 6 })
    .chain((width) => fc.array(fc.array(text, { minLength: width, maxLength: width })))
  fc.assert(
    fc.property(rows, (list) => {
      const packed = packRows(list)
      if (packed === undefined) assert.equal(list.length, 0)
      else assert.deepEqual(unpackRows(structuredClone(packed)), list)
    }),
  )
  assert.equal(packRows([['a'], ['b', 'c']]), undefined)
})
