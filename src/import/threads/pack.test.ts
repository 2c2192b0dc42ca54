import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/any-character.ts'
import { COLUMNS } from '../../store/columns.ts'
import type { StagedParcel } from '../../store/store.ts'
import { openRows, ParcelPacker, packRows, unpackParcels } from './pack.ts'

const text = fc.string({ unit: anyCharacter, maxLength: 20 })
const number = fc.integer({ min: -50_000, max: 2 ** 31 })
const long = fc.maxSafeNat()
const orNull = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: null })

const columns = Object.fromEntries(
  COLUMNS.map(({ property, type, nullable }) => {
    const values = { text, integer: number, long, flag: fc.boolean() }[
      type
    ] as fc.Arbitrary<unknown>
    return [property, nullable ? orNull(values) : values]
  }),
)
const parcel = fc.record({
  ...columns,
  row: number,
  identity: text,
  fieldValues: text,
  keys: text,
  geometry: orNull(text),
}) as fc.Arbitrary<unknown> as fc.Arbitrary<StagedParcel>

test('parcels come out of the pack as they went in', () => {
  fc.assert(
    fc.property(fc.array(parcel), (parcels) => {
      const packer = new ParcelPacker(parcels.length)
      for (const one of parcels) packer.add(one)
      const packed = structuredClone(packer.finish())
      const through = unpackParcels(packed)
      assert.equal(packed.bytes.length, 0, 'the memory is freed')
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
      else {
        const rows = openRows(structuredClone(packed))
        assert.equal(rows.length, list.length)
        for (const at of list.keys()) assert.deepEqual(rows.at(at), list[at])
      }
    }),
  )
  assert.equal(packRows([['a'], ['b', 'c']]), undefined)
})

test('more parcels than the pack has room for at first come out too', () => {
  const one = { ...fc.sample(parcel, 1)[0], fieldValues: 'x'.repeat(700_000), keys: 'é'.repeat(9) }
  const packer = new ParcelPacker(4)
  for (let at = 0; at < 4; at += 1) packer.add({ ...one, row: at } as StagedParcel)
  const through = unpackParcels(packer.finish())
  assert.deepEqual(
    through,
    [0, 1, 2, 3].map((row) => ({ ...one, row })),
  )
})
