import assert from 'node:assert/strict'
import test from 'node:test'
import { parseJson, showDouble, showWritten } from './long-numbers.ts'

test('long numbers of JSON keep their digits', () => {
  for (const [json, value] of [
    ['{"a":232605000000011011}', '232605000000011011'],
    ['{"a":-232605000000011011}', '-232605000000011011'],
    ['{"a":2326050000000110.0}', 2326050000000110],
    ['{"a":232605000000011011.0}', '232605000000011011'],
    ['{"a":2.32605000000011011E17}', '232605000000011011'],
    ['{"a":2.32605E+17}', '2.32605E+17'],
    ['{"a":1e300}', '1E+300'],
    ['{"a":9007199254740991}', 9007199254740991],
    ['{"a":9007199254740993}', '9007199254740993'],
    ['{"a":1.2E6}', 1200000],
    ['{"a":-96.70000000000000123}', -96.7],
    ['{"a":"232605000000011011,5"}', '232605000000011011,5'],
    ['{"a":"1e5"}', '1e5'],
  ] as const) {
    assert.equal((parseJson(json) as { a: unknown }).a, value, json)
  }
})

test('a double above 2^53 is shown in exponent form, others as they are', () => {
  assert.equal(showDouble(Number('232605000000011011')), '2.32605000000011E+17')
  assert.equal(showDouble(9007199254740991), '9007199254740991')
  assert.equal(showDouble(-96.7), '-96.7')
  assert.equal(showDouble(1e22), '1E+22')
  assert.equal(showWritten('000123'), '123')
  assert.equal(showWritten('2.3260500000001101E17'), '2.32605000000011E+17')
})
