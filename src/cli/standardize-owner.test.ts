import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standardizeOwner } from './commands/rolls/standardize.ts'

test('a line answers input, persons, organization, roles and words', () => {
  assert.deepEqual(standardizeOwner(['Smith John A & Mary, Trustees'], 'last-first'), [
    {
      input: 'Smith John A & Mary, Trustees',
      persons: [
        { surname: 'SMITH', given: ['JOHN', 'A'], suffix: null },
        { surname: 'SMITH', given: ['MARY'], suffix: null },
      ],
      organization: null,
      roles: ['TRUSTEES'],
      words: ['SMITH', 'JOHN', 'A', 'AND', 'MARY', 'TRUSTEES'],
    },
  ])
})

test('a line that names nobody still answers', () => {
  assert.deepEqual(standardizeOwner([''], 'mixed'), [
    { input: '', persons: [], organization: null, roles: [], words: [] },
  ])
})

test('mixed order learns from all lines before it reads the first', () => {
  const lines = ['OMBRELLE ZYLAND', ...Array(5).fill('ZYLAND, OMBRELLE')]
  const [first] = standardizeOwner(lines, 'mixed')
  assert.equal(first?.persons[0]?.surname, 'ZYLAND')
})
