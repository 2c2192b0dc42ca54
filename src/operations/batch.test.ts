import assert from 'node:assert/strict'
import test from 'node:test'
import { readBatch } from './batch.ts'

test('a batch with a whole number above 2^53 is refused, because parsing rounds it', () => {
  const said = /Row 2: (?:parcelId|id) is a number above 2\^53: send it as text/
  const first = '{"parcelId":"232605000000011011"}'
  for (const row of ['{"parcelId":232605000000011011}', '{"id":9007199254740993,"apn":"1"}']) {
    assert.throws(() => readBatch(`[${first},${row}]`), said)
    assert.throws(() => readBatch(`${first}\n${row}`), said)
  }
  for (const row of [
    '{"parcelId":9007199254740991}',
    '{"latitude":40.123456789012345678}',
    'null',
  ]) {
    assert.equal(readBatch(`[${first},${row}]`).rows.length, 2)
  }
})
