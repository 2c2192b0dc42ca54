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

test('two changed bits of a record are found, each of 200,000 pairs', () => {
  const text = Buffer.alloc(400, 'f0 55025 2200 NW 15TH RD ')
  const before = checksumRecord({ ...PARCEL, fieldValues: text.toString() })
  let drawn = 1
  const draw = (below: number) => {
    drawn = (Math.imul(drawn, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((drawn / 2 ** 32) * below)
  }
  for (let pair = 0; pair < 200_000; pair += 1) {
    const flips = [0, 1].map(() => ({ at: draw(400), bit: 1 << draw(7) }))
    for (const { at, bit } of flips) text[at] = (text[at] as number) ^ bit
    const same = flips[0]?.at === flips[1]?.at && flips[0]?.bit === flips[1]?.bit
    const sum = checksumRecord({ ...PARCEL, fieldValues: text.toString('latin1') })
    assert.equal(sum === before, same, JSON.stringify(flips))
    for (const { at, bit } of flips) text[at] = (text[at] as number) ^ bit
  }
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
