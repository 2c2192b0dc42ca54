import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeRank, encodeRank } from './cursor.ts'

const encode = (text: string) => Buffer.from(text).toString('base64url')

test('a cursor in an order has its number in one spelling', () => {
  const made = { id: 7, key: 12.5 }
  const cursor = encodeRank(made, 'acres')
  assert.deepEqual(decodeRank(cursor, 'acres'), made)
  const text = Buffer.from(cursor, 'base64url').toString()
  for (const key of ['12.50', '012.5', '1.25e1', '+12.5', '-0', '1e400', '.', '']) {
    const other = encode(text.replace('12.5', key))
    assert.throws(() => decodeRank(other, 'acres'), /Invalid cursor/, key)
  }
})
