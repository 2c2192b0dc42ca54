import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ConsoleContext } from '../context.ts'
import { searchShape } from './selection.ts'

const PAGE = 500

/** Answers a shape search of `total` parcels, a page at a time. */
function answering(total: number, counted = total) {
  const asked: Record<string, string>[] = []
  const ask = async (_: string, query: Record<string, string>, { pageSize = 0 } = {}) => {
    asked.push(query)
    const at = Number(query.cursor ?? 0)
    const ids = Array.from({ length: Math.min(pageSize, total - at) }, (_, more) => at + more)
    const properties = ids.map((id) => ({ propertyId: `31109-${id}` }))
    const nextCursor = at + pageSize < total ? String(at + pageSize) : null
    const count = query.includeTotal === 'true' ? { total: counted, areaSqMiles: 2 } : {}
    return { status: 200, body: { properties, metadata: { ...count, nextCursor } } }
  }
  return { asked, context: { ask } as unknown as ConsoleContext }
}

test('a large area is read 500 parcels at a time, and other requests come between', async () => {
  const { asked, context } = answering(20_000)
  let others = 0
  let isDone = false
  const other = () => {
    others++
    if (!isDone) setImmediate(other)
  }
  setImmediate(other)
  const { records, total } = await searchShape(context, { polygon: 'p' }, 20_000)
  isDone = true
  assert.deepEqual([records.length, total, asked.length], [20_000, 20_000, 20_000 / PAGE])
  assert.ok(others >= asked.length, `${others} others`)
})

test('an area is read to the limit, and its total is counted once', async () => {
  const { asked, context } = answering(3000)
  const { records, total, areaSqMiles } = await searchShape(context, { polygon: 'p' }, 1000)
  assert.deepEqual([records.length, total, areaSqMiles], [1000, 3000, 2])
  assert.deepEqual(
    asked.map((query) => query.includeTotal),
    ['true', undefined],
  )
})

test('an area whose first page counted a part has at least the parcels that it lists', async () => {
  const { context } = answering(700, 0)
  const { records, total } = await searchShape(context, { polygon: 'p' }, 1000)
  assert.deepEqual([records.length, total], [700, 700])
})
