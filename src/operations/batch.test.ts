import assert from 'node:assert/strict'
import test from 'node:test'
import type { AccountFacts } from '../base/model/account.ts'
import { answerRow, readBatch } from './batch.ts'
import type { RequestContext } from './operation.ts'

test('a batch with a whole number above 2^53 is refused, because parsing rounds it', () => {
  const said = /Row 2: (?:parcelId|id) is a number above 2\^53: send it as text/
  const first = '{"parcelId":"232605000000011011"}'
  for (const row of ['{"parcelId":232605000000011011}', '{"id":1e400,"apn":"1"}']) {
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

test('a row with an object for a value is 400, also when it cannot become a text', async () => {
  const odd = [
    '{"toString":null}',
    '{"valueOf":1,"toString":1}',
    '{"__proto__":null}',
    '[[]]',
    '[]',
  ]
  for (const name of ['parcelId', 'address', 'apn', 'latitude', 'propertyId', 'realieParcelId']) {
    for (const value of odd) {
      const row = JSON.parse(`{"state":"WI","county":"Dane","${name}":${value}}`)
      const { status, body } = await answerRow(row, {} as AccountFacts, {} as RequestContext)
      assert.equal(status, 400, `${name}: ${value}`)
      assert.match(body, /must be a single value/)
    }
  }
})
