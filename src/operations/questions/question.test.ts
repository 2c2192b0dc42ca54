import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { BARE_PARCEL } from '../../../test/parcel.ts'
import { encodeParcel } from '../../record/stored.ts'
import { FactLoader } from '../../store/facts/block.ts'
import { decodeCursor } from '../cursor.ts'
import { askPage, ID_ORDER } from './question.ts'

/** Three blocks of five parcels each. */
const FIRST = [1, 16_385, 32_769]
const IDS = FIRST.flatMap((first) => [0, 1, 2, 3, 4].map((at) => first + at))
const loader = new FactLoader()
const record = { state: 'WI', owner: 1, unit: '', fieldValues: encodeParcel(BARE_PARCEL) }
for (const id of IDS) loader.add(id, record)
const BLOCKS = loader.finish().blocks

const read: number[] = []
const parcels = {
  factHeads: async () => BLOCKS,
  // Longer than a turn, so that the deadline is noticed.
  async factChunks(_state: string, fact: number, from: number, to: number) {
    read.push(from)
    await wait(5)
    return BLOCKS.filter(({ block }) => block >= from && block <= to).map((one) => {
      // Another version, so that nothing is kept in memory.
      return { ...one, data: one.chunks[fact] as Uint8Array }
    })
  },
  coverage: async () => [],
  byIds: async (_state: string, ids: number[]) => ids.map((id) => ({ ...record, id })),
}

type Paging = Partial<Parameters<typeof askPage>[2]>

/** Asks for a page when the time is already up. */
function askLate(includeTotal: boolean, paging: Paging) {
  for (const one of BLOCKS) one.version += 1
  const context = { parcels, startedAt: performance.now() - 10, searchTimeMs: 0, pause() {} }
  return askPage(
    { tests: [], order: undefined, countOnly: false, includeTotal, name: undefined },
    { states: ['WI'], filter: { assignedOnly: false } },
    { after: undefined, skip: 0, limit: 10, order: ID_ORDER, ...paging },
    context as unknown as Parameters<typeof askPage>[3],
  )
}

for (const includeTotal of [false, true]) {
  const name = includeTotal ? ', with totals too' : ''
  test(`pages by cursor end early at the deadline, and the next lose nothing${name}`, async () => {
    const found: number[] = []
    let after: Paging['after']
    for (let pages = 1; ; pages += 1) {
      const page = await askLate(includeTotal, { after, mayEnd: true })
      found.push(...page.parcels.map(({ id }) => id))
      assert.deepEqual(page.totals, includeTotal ? { total: 5, totalIs: 'atLeast' } : {})
      if (page.nextCursor === null) break
      assert.ok(pages < 4 && page.parcels.length < 10)
      after = { id: decodeCursor(page.nextCursor), key: 0 }
    }
    assert.deepEqual(found, IDS)
  })
}

test('a page by offset is unavailable at the deadline, and one by another order', async () => {
  await assert.rejects(askLate(false, {}), /took too long/)
  const order = { by: 'id', descending: true } as const
  await assert.rejects(askLate(false, { order, mayEnd: true }), /took too long/)
})

test('a page that is full at the deadline is answered, with a total of at least', async () => {
  const { parcels: own, totals, nextCursor } = await askLate(true, { limit: 3 })
  assert.deepEqual(
    own.map(({ id }) => id),
    [1, 2, 3],
  )
  assert.deepEqual(totals, { total: 5, totalIs: 'atLeast' })
  assert.equal(decodeCursor(nextCursor ?? ''), 3)
})

test('blocks before the cursor are not read', async () => {
  read.length = 0
  await askLate(false, { after: { id: 32_770, key: 0 }, mayEnd: true })
  assert.deepEqual([...new Set(read)], [2])
})
