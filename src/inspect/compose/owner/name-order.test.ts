import assert from 'node:assert/strict'
import test from 'node:test'
import { findNameOrder } from './name-order.ts'

const many = (names: string[]) => Array.from({ length: 5 }, () => names).flat()

test('a closing initial and names that are only given names show the order', () => {
  const lastFirst = ['BIRCHFIELD DAVID B', 'CORWELL MARY ANN', 'OAKHURST SUSAN & PAUL']
  const firstLast = ['DAVID B BIRCHFIELD', 'MARY ANN CORWELL', 'SUSAN OAKHURST']
  assert.equal(findNameOrder(many(lastFirst)).value, 'last-first')
  assert.equal(findNameOrder(many(firstLast)).value, 'first-last')
  assert.equal(findNameOrder(many([...lastFirst, ...firstLast])).value, 'mixed')
})

test('commas show it without the words', () => {
  assert.equal(findNameOrder(many(['Roe, Jane Q', 'Testerman, Paul & June'])).value, 'last-first')
})

test('strokes behind one surname show it, strokes behind a whole name do not', () => {
  const strokes = ['ROE/JANE Q', 'VAN TESTERMAN/PAUL & JUNE', 'ROE JR/PAUL/AND']
  assert.equal(findNameOrder(many(strokes)).value, 'last-first')
  assert.match(findNameOrder(many(strokes)).why, /a stroke behind the surname/)
  const couples = ['JANE Q ROE/PAUL', 'JUNE A TESTERMAN/JANE', 'DAVID B ROE/ANNA']
  assert.equal(findNameOrder(many(couples)).value, 'first-last')
})

test('companies and a handful of names show nothing', () => {
  assert.equal(findNameOrder(many(['SAMPLE RANCH LLC', 'CITY OF TESTVILLE'])).value, 'mixed')
  assert.equal(findNameOrder(['BIRCHFIELD DAVID B']).value, 'mixed')
})
