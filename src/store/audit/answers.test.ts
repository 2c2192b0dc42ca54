import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { answersOf, NoteJoiner } from './answers.ts'
import type { AuditEntry, AuditNote } from './audit-store.ts'

const word = (letters: string) =>
  fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 6 })
const NOTE: fc.Arbitrary<AuditNote> = fc.record({
  accountId: fc.constantFrom('acc_1', 'acc_2'),
  keyId: fc.constantFrom('key_1', 'key_2'),
  operation: fc.constantFrom('addressLookup', 'propertySearch'),
  requestId: word('abc-1'),
  query: word('0123abcdef'),
  ids: fc.array(word('0123456789-'), { maxLength: 80 }).map((ids) => ids.join('\n')),
})

test('joined notes give back every answer, in order within a key and operation', () => {
  fc.assert(
    fc.property(fc.array(NOTE, { maxLength: 200 }), (notes) => {
      const joiner = new NoteJoiner()
      for (const note of notes) joiner.add(note)
      assert.equal(joiner.answers, notes.length)
      const entries = joiner.take().map((note, at) => asEntry(note, at))
      assert.deepEqual(sort(entries.flatMap(answersOf).map(asNote)), sort(notes.map(asNote)))
      assert.deepEqual([joiner.answers, joiner.take()], [0, []])
    }),
  )
})

test('a single answer is unchanged', () => {
  const note = { ...of('r1'), ids: '55025-1\n55025-2' }
  const joiner = new NoteJoiner()
  joiner.add(note)
  assert.deepEqual(joiner.take(), [note])
})

test('an entry takes answers until it has 64 lines', () => {
  const joiner = new NoteJoiner()
  for (let at = 0; at < 33; at += 1) joiner.add({ ...of(`r${at}`), ids: `55025-${at}` })
  const sizes = joiner.take().map((note, at) => answersOf(asEntry(note, at)).length)
  assert.deepEqual(sizes, [32, 1])
})

function of(requestId: string): AuditNote {
  const who = { accountId: 'acc_1', keyId: 'key_1', operation: 'addressLookup' }
  return { ...who, requestId, query: 'ab', ids: '' }
}

function asEntry(note: AuditNote, at: number): AuditEntry {
  return { ...note, id: at + 1, at: 0, hash: new Uint8Array(32) }
}

function asNote({ accountId, keyId, operation, requestId, query, ids }: AuditNote): AuditNote {
  return { accountId, keyId, operation, requestId, query, ids }
}

/** A stable sort by key and operation keeps the order within each. */
function sort(notes: AuditNote[]): AuditNote[] {
  const name = (note: AuditNote) => `${note.accountId} ${note.keyId} ${note.operation}`
  return [...notes].sort((one, other) =>
    name(one) < name(other) ? -1 : Number(name(one) > name(other)),
  )
}
