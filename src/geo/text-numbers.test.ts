import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TextNumbers } from './text-numbers.ts'

test('texts that differ in one character only have their own numbers', () => {
  const numbers = new TextNumbers()
  const base = 'x'.repeat(200)
  const texts = ['', ...Array.from(base, (_, at) => `${base.slice(0, at)}y${base.slice(at + 1)}`)]
  for (const [number, text] of texts.entries()) {
    assert.equal(numbers.get(text), undefined)
    numbers.add(text, number)
  }
  for (const [number, text] of texts.entries()) assert.equal(numbers.get(text), number)
})
