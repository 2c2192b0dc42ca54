import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { remember } from './remember.ts'

test('a cached value is what would be read, whether texts repeat or not', () => {
  const read = (text: string) => (text.length % 3 === 0 ? null : `${text}!`)
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 50 })), (texts) => {
      const recall = remember(read)
      for (const text of [...texts, ...texts]) assert.equal(recall(text), read(text))
    }),
  )
})

test('a text that comes back is not read again; a column of new texts is soon read plainly', () => {
  let reads = 0
  const recall = remember((text) => {
    reads += 1
    return text.length
  })
  for (let at = 0; at < 5000; at += 1) recall(`R-${at % 10}`)
  assert.equal(reads, 10)
  for (let at = 0; at < 5000; at += 1) assert.equal(recall(`P-${at}`), `P-${at}`.length)
  for (let at = 0; at < 5000; at += 1) recall('R-1')
  assert.equal(reads, 10_010)
})
