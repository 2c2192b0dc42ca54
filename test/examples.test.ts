import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { collectExamples, EXAMPLES_PATH, type Examples } from '../scripts/write-examples.ts'
import { OPERATIONS } from '../src/operations/operations.ts'
import { listShown } from '../src/record/layout.ts'

const written = JSON.parse(readFileSync(EXAMPLES_PATH, 'utf8')) as Examples

test('the examples of the OpenAPI document are what the service answers', async () => {
  assert.deepEqual(written, await collectExamples(), 'run npm run examples')
})

test('every operation has an example of each status that a caller can cause', () => {
  assert.deepEqual(Object.keys(written).sort(), OPERATIONS.map((one) => one.operationId).sort())
  for (const { operationId, refusals, tokenCost } of OPERATIONS) {
    const shown = refusals.filter((status) => ![204, 304, 503].includes(status))
    const expected = [200, 401, 403, ...shown]
    if (tokenCost > 0) expected.push(503)
    const { query: _, ...bodies } = written[operationId] ?? {}
    assert.deepEqual(Object.keys(bodies), expected.sort().map(String))
  }
})

test('the example record leaves no group of fields empty', () => {
  const lookup = written.addressLookup?.[200] as { property: Record<string, unknown> }
  for (const [name, group] of Object.entries(lookup.property)) {
    if (['liens', 'foreclosures', 'suppressed'].includes(name)) continue
    assert.notDeepEqual(group, [], `${name} is empty`)
    assert.notDeepEqual(group, {}, `${name} is empty`)
  }
})

test('the example record shows a value in nine of ten fields', () => {
  const lookup = written.addressLookup?.[200] as { property: unknown }
  const empty = nulls(lookup.property)
  const all = listShown('nested').length
  assert.ok(empty.length < all / 10, `${all} fields; null are ${empty.join(', ')}`)
})

/** Paths of the fields that hold null. */
function nulls(value: unknown, path: string[] = []): string[] {
  if (value === null) return [path.join('.')]
  if (typeof value !== 'object') return []
  return Object.entries(value)
    .flatMap(([name, inner]) => nulls(inner, [...path, name]))
    .sort()
}
