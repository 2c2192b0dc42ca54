/**
 * `GET /public/property/search/` past its deadline: 503 by offset, short pages by cursor.
 * docs/decisions/property-search.md.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Query, startService } from '../../service.ts'
import { parcelIds, recordIds } from '../look.ts'
import { makeRoll, times } from '../rolls.ts'
import { PATH } from './roll.ts'

/** More parcels than two slices of a walk examine; every thousandth has an address. */
const COUNT = 12_000
const ROLL = makeRoll(
  times(COUNT, (number) => ({
    parcelId: `P${number}`,
    address: number % 1000 === 0 ? `${number} MAIN ST` : '',
    city: 'Madison',
  })),
)

// No time at all: every walk ends after its first slice.
const service = await startService(ROLL, { searchTimeMs: 0 })
after(() => service.close())

const search = (query: Exclude<Query, string>) => service.get(PATH, { state: 'WI', ...query })

test('a deep offset is 503 with Retry-After and a hint at the cursor', async () => {
  const { status, body, headers } = await search({
    offset: COUNT - 10,
    includeUnassignedAddress: true,
  })
  assert.equal(status, 503)
  assert.match(body.error, /cursor/)
  assert.match(headers.get('retry-after') ?? '', /^\d+$/)
})

test('a rare filter by offset is 503, the same without any match', async () => {
  assert.equal((await search({ limit: 100 })).status, 503)
  assert.equal((await search({ unit: '7', includeUnassignedAddress: true })).status, 503)
})

test('a shallow offset answers', async () => {
  const { body } = await search({ offset: 10, includeUnassignedAddress: true })
  assert.equal(body.metadata.count, 10)
})

test('by cursor there is no 503: short or empty pages go on and lose nothing', async () => {
  const ids: string[] = []
  const cursors: string[] = []
  let short = 0
  let cursor: string | null = ''
  while (cursor !== null) {
    const answer = await search({ cursor, limit: 100 })
    assert.equal(answer.body.metadata.count, answer.body.properties.length)
    ids.push(...recordIds(answer))
    cursor = answer.body.metadata.nextCursor
    if (cursor === null) break
    if (answer.body.metadata.count < 100) short += 1
    cursors.push(cursor)
  }
  assert.equal(ids.length, COUNT / 1000)
  assert.equal(new Set(ids).size, ids.length)
  assert.deepEqual(ids, [...ids].sort())
  assert.ok(short >= 2, 'at least two pages ended by time')
  assert.deepEqual(cursors, [...new Set(cursors)])
})

test('by cursor an empty page goes on from the last id examined, until the end', async () => {
  const query = { unit: '7', includeUnassignedAddress: true }
  let pages = 0
  let cursor: string | null = ''
  while (cursor !== null) {
    const answer = await search({ ...query, cursor })
    assert.deepEqual(parcelIds(answer), [])
    cursor = answer.body.metadata.nextCursor
    pages += 1
  }
  assert.ok(pages >= 2)
})
