import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { repetitions } from '../../test/repetitions.ts'
import { deletions, withinOneEdit } from './word-edits.ts'

const word = fc
  .array(fc.constantFrom(...'ABC1'), { minLength: 0, maxLength: 9 })
  .map((letters) => letters.join(''))

test('withinOneEdit allows one insertion, deletion, replacement or swap of neighbours', () => {
  assert.ok(withinOneEdit('MARTINEZ', 'MARTINEZ'))
  assert.ok(withinOneEdit('MARTINEZ', 'MARTINES'))
  assert.ok(withinOneEdit('MARTINEZ', 'MARTINE'))
  assert.ok(withinOneEdit('MARTINE', 'MARTINEZ'))
  assert.ok(withinOneEdit('MARTINEZ', 'MARTIENZ'))
  assert.ok(withinOneEdit('MARTINEZ', 'MARXTINEZ'))
})

test('withinOneEdit refuses two edits, another start and short words', () => {
  assert.ok(!withinOneEdit('MARTINEZ', 'MORTINEZ'))
  assert.ok(!withinOneEdit('MARTINEZ', 'MRATINEZ'))
  assert.ok(!withinOneEdit('MARTINEZ', 'MARITENZ'))
  assert.ok(!withinOneEdit('MARTINEZ', 'MARTI'))
  assert.ok(!withinOneEdit('LI', 'LIU'))
  assert.ok(!withinOneEdit('LIU', 'LI'))
})

test('withinOneEdit agrees with the table of distances, both ways', () => {
  fc.assert(
    fc.property(word, word, (a, b) => {
      assert.equal(withinOneEdit(a, b), isNearByTable(a, b))
      assert.equal(withinOneEdit(a, b), withinOneEdit(b, a))
    }),
    { numRuns: repetitions(150) },
  )
})

test('words within one edit share a deletion, so that the index finds them', () => {
  fc.assert(
    fc.property(word, word, (a, b) => {
      if (!withinOneEdit(a, b)) return
      const forms = new Set(deletions(a))
      assert.ok(deletions(b).some((form) => forms.has(form)))
    }),
    { numRuns: repetitions(250) },
  )
})

test('deletions keep the first two characters and hold the word itself', () => {
  assert.deepEqual(deletions('ABCD'), ['ABCD', 'ABD', 'ABC'])
  assert.deepEqual(deletions('AB'), [])
})

/** Optimal string alignment by its full table. */
function isNearByTable(a: string, b: string): boolean {
  if (a.length < 3 || b.length < 3 || a.slice(0, 2) !== b.slice(0, 2)) return false
  const [x, y] = [a.slice(2), b.slice(2)]
  const rows: number[][] = [Array.from({ length: y.length + 1 }, (_, index) => index)]
  const cell = (row: number, column: number) => rows[row]?.[column] ?? 0
  for (let i = 1; i <= x.length; i++) {
    rows.push([i])
    for (let j = 1; j <= y.length; j++) {
      const cost = x[i - 1] === y[j - 1] ? 0 : 1
      let best = Math.min(cell(i - 1, j) + 1, cell(i, j - 1) + 1, cell(i - 1, j - 1) + cost)
      if (i > 1 && j > 1 && x[i - 1] === y[j - 2] && x[i - 2] === y[j - 1]) {
        best = Math.min(best, cell(i - 2, j - 2) + 1)
      }
      rows[i]?.push(best)
    }
  }
  return cell(x.length, y.length) <= 1
}
