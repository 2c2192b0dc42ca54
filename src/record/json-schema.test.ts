import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerOf, close, textsOf } from './json-schema.ts'

test('an answer of the table has kinds, descriptions and what the code gives', () => {
  assert.deepEqual(answerOf('relative', { kind: { enum: ['split'] }, evidence: {} }), {
    type: 'object',
    properties: {
      at: { type: 'string', description: 'Day of the roll that made the change.' },
      kind: { enum: ['split'], description: 'What happened.' },
      ...Object.fromEntries(
        ['shareOfParent', 'shareOfChild'].map((name) => [
          name,
          {
            ...{ type: ['number', 'null'], minimum: 0, maximum: 1 },
            description: 'Of its area; null: no polygons.',
          },
        ]),
      ),
      evidence: {
        ...{ type: 'array', items: {} },
        description: 'What speaks for it: common land, a former ID, equal address, equal owner.',
      },
    },
    required: ['at', 'kind', 'shareOfParent', 'shareOfChild', 'evidence'],
  })
})

test('an object without other members requires what may not be absent', () => {
  assert.deepEqual(close(answerOf('Gone')).required, ['error'])
  assert.deepEqual(close(answerOf('Metadata')).required, [])
})

test('a section that is not in the table is a defect', () => {
  assert.throws(() => answerOf('nothing'), /no section "nothing"/)
  assert.throws(() => textsOf('cells'), /cells has no description/)
})
