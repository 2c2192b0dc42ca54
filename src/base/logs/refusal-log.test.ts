import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openRefusalLog, readRefusals, withoutValues } from './refusal-log.ts'

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'platbook-refusals-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

let clock = Date.UTC(2026, 2, 10, 12)
const entry = (requestId: string, more: object = {}) => ({
  ...{ requestId, operation: 'addressLookup', status: 400, reason: 'state is required' },
  ...{ keyId: 'key_1', prefix: null, ...more },
})

function write(dataDir: string, entries: ReturnType<typeof entry>[]): void {
  const log = openRefusalLog({
    dataDir,
    now: () => ++clock,
    fail: (error) => assert.fail(String(error)),
  })
  for (const one of entries) log.note(one)
  log.close()
}

test('refusals are found newest first, in a file that only its owner reads', (t) => {
  const folder = makeFolder(t)
  write(folder, [entry('a'), entry('b', { status: 404 }), entry('c')])
  const ids = (most: number) =>
    readRefusals(folder, () => true, most).map(({ requestId }) => requestId)
  assert.deepEqual(ids(10), ['c', 'b', 'a'])
  assert.deepEqual(ids(1), ['c'])
  assert.equal(statSync(join(folder, 'refused.log')).mode & 0o777, 0o600)
  assert.deepEqual(
    readRefusals(join(folder, 'none'), () => true, 10),
    [],
  )
})

test('a flood without a key pushes out no refusal of a caller with one', (t) => {
  const folder = makeFolder(t)
  write(folder, [entry('asked'), entry('other', { status: 404 })])
  for (let round = 0; round < 3; round += 1) {
    const flood = Array.from({ length: 9000 }, (_, at) =>
      entry(`f${round}-${at}`, {
        keyId: null,
        status: 401,
        reason: 'Unauthorized: Invalid API key',
      }),
    )
    write(folder, flood)
  }
  const find = (id: string) => readRefusals(folder, ({ requestId }) => requestId === id, 10).length
  assert.equal(find('asked'), 1)
  assert.equal(find('f2-0'), 1)
  // The oldest of the flood, and the 404 among it, are forgotten.
  assert.equal(find('f0-0'), 0)
  assert.equal(find('other'), 0)
})

test('a line that a kill cut off hides none of the others', (t) => {
  const folder = makeFolder(t)
  write(folder, [entry('a')])
  const file = join(folder, 'refused.log')
  appendFileSync(file, '{"at":"2026-03-10T12:00:00.000Z","requestId":"cut')
  writeFileSync(join(folder, 'refused.log.1'), `${readFileSync(file, 'utf8')}\nnull\n7\n`)
  assert.equal(readRefusals(folder, () => true, 10).length, 2)
})

test('a reason is cut to its longest length', (t) => {
  const folder = makeFolder(t)
  write(folder, [entry('a', { reason: 'x'.repeat(5000) })])
  assert.ok(statSync(join(folder, 'refused.log')).size <= 400)
})

for (const [text, query, shown] of [
  ['state is required', 'lastName=Zwetschke', 'state is required'],
  ['filter is not understood, at "x = \'Zwetschke\'"', '', 'filter is not understood, at "…"'],
  ['at "a"Zwetschke"b"', 'filter=a%22Zwetschke%22b', 'at "…"…"…"'],
  ['fields has no field Zwetschke', 'fields=city,Zwetschke', 'fields has no field …'],
  ['There is no collection Ng', 'x=Ng', 'There is no collection …'],
  // Near misses: words of the sentence that are values too.
  ['limit must be 25 or less', 'limit=26&q=must+be', 'limit must be 25 or less'],
  ['offset + limit must not exceed 1000', 'offset=1000', 'offset + limit must not exceed …'],
] as const) {
  test(`of "${text}" and ?${query} is kept: ${shown}`, () => {
    assert.equal(withoutValues(text, query), shown)
  })
}
