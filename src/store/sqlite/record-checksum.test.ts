import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DamagedData } from '../../base/errors.ts'
import { checksumRecord, verifyRecord } from './record-checksum.ts'

const PARCEL = { id: 7, loadedAt: 1_700_000_000, fieldValues: 'f0\u001f55025', geometry: null }

test('a changed bit of a record is found', () => {
  const bits = fc.record({ text: fc.string({ minLength: 1, maxLength: 3000 }), at: fc.nat() })
  fc.assert(
    fc.property(bits, ({ text, at }) => {
      const bytes = Buffer.from(text, 'latin1')
      const bit = at % (bytes.length * 8)
      const before = checksumRecord({ ...PARCEL, fieldValues: bytes.toString('latin1') })
      bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7))
      assert.notEqual(checksumRecord({ ...PARCEL, fieldValues: bytes.toString('latin1') }), before)
    }),
  )
})

test('another id, time or polygon gives another sum', () => {
  const sums = [
    PARCEL,
    { ...PARCEL, id: 8 },
    { ...PARCEL, id: 7 + 2 ** 32 },
    { ...PARCEL, loadedAt: PARCEL.loadedAt + 1 },
    { ...PARCEL, geometry: '' },
    { ...PARCEL, geometry: '{"type":"Point"}' },
    { ...PARCEL, geometry: `${'x'.repeat(40_000)}y` },
    { ...PARCEL, geometry: `${'x'.repeat(40_000)}z` },
    { ...PARCEL, geometry: `${'x'.repeat(20_000)}z${'x'.repeat(20_000)}` },
    { ...PARCEL, fieldValues: `${PARCEL.fieldValues}\0` },
  ].map(checksumRecord)
  assert.equal(new Set(sums).size, sums.length)
})

test('a sum depends on the record alone, not on what was read before it', () => {
  const sum = checksumRecord(PARCEL)
  checksumRecord({ ...PARCEL, fieldValues: 'é'.repeat(400_000), geometry: 'x'.repeat(300_000) })
  assert.equal(checksumRecord(PARCEL), sum)
})

test('a record that does not fit its sum is damaged data', () => {
  const sum = checksumRecord(PARCEL)
  assert.equal(verifyRecord(PARCEL, sum), PARCEL)
  assert.throws(() => verifyRecord(PARCEL, sum + 1), DamagedData)
})
