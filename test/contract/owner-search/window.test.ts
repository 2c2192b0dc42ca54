/**
 * The result window of owner searches: docs/decisions/owner-matching.md and
 * docs/decisions/http-interface.md.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Query, startService } from '../../service.ts'
import { assertAscending, recordIds } from '../look.ts'
import { makeRoll, times } from '../rolls.ts'
import { PATH, PLAIN_PATH } from './roll.ts'

/**
 * 205 of one name with 120 in one county, exactly 200 of another, 195 exact and 10 near ones of a
 * third.
 */
const ROLL = makeRoll([
  ...times(205, (number) => ({
    parcelId: `O${number}`,
    ownerName1: `OVERMANY, ${number % 3 === 0 ? 'CORA' : 'ABEL'}`,
    county: number <= 120 ? 'Dane' : 'Milwaukee',
  })),
  ...times(200, (number) => ({ parcelId: `E${number}`, ownerName1: 'EVENLY, ABEL' })),
  ...times(10, (number) => ({ parcelId: `N${number}`, ownerName1: 'NEARLING, ABEL' })),
  ...times(195, (number) => ({ parcelId: `X${number}`, ownerName1: 'NEARLINGS, ABEL' })),
])

const service = await startService(ROLL)
after(() => service.close())
const v2 = await service.keyFor({ dataReads: 'v2' })

const search = (query: Exclude<Query, string>, key?: string, path = PATH) =>
  service.get(path, { state: 'WI', ...query }, key === undefined ? {} : { key })

/** All pages of 25 that the window allows. */
async function walk(query: Exclude<Query, string>): Promise<{ ids: string[]; cut: boolean[] }> {
  const ids: string[] = []
  const cut: boolean[] = []
  for (let offset = 0; offset <= 175; offset += 25) {
    const answer = await search({ ...query, limit: 25, offset })
    if (answer.status === 404) break
    ids.push(...recordIds(answer))
    cut.push(answer.headers.get('x-result-truncated') === 'true')
  }
  return { ids, cut }
}

test('the window has the first 200 of 205; each of its pages is marked as truncated', async () => {
  const { ids, cut } = await walk({ lastName: 'Overmany' })
  assert.equal(ids.length, 200)
  assertAscending(ids)
  assert.deepEqual(cut, Array(8).fill(true))
})

test('exactly 200 are a whole answer', async () => {
  const { ids, cut } = await walk({ lastName: 'Evenly' })
  assert.equal(ids.length, 200)
  assert.deepEqual(cut, Array(8).fill(false))
})

test('the last record of the window can be reached, the next one cannot', async () => {
  const last = await search({ lastName: 'Overmany', limit: 1, offset: 199 })
  assert.equal(recordIds(last).length, 1)
  const behind = await search({ lastName: 'Overmany', limit: 1, offset: 200 })
  assert.equal(behind.status, 400)
})

test('county and firstName refine the window: it counts parcels that match all', async () => {
  const county = await walk({ lastName: 'Overmany', county: 'Milwaukee' })
  assert.deepEqual([county.ids.length, county.cut.includes(true)], [85, false])
  const firstName = await walk({ lastName: 'Overmany', firstName: 'co' })
  assert.deepEqual([firstName.ids.length, firstName.cut.includes(true)], [68, false])
  const contains = await walk({ lastName: 'Overmany', nameContains: 'cora' })
  assert.deepEqual(contains.ids, firstName.ids)
})

test('exact records fill the window before fuzzy ones', async () => {
  const exact = await walk({ lastName: 'Nearlings' })
  assert.equal(exact.ids.length, 195)
  const both = await walk({ lastName: 'Nearlings', fuzzy: true })
  assert.deepEqual([both.ids.length, both.cut.includes(false)], [200, false])
  assert.deepEqual(both.ids.slice(0, 195), exact.ids)
  assertAscending(both.ids.slice(195))
  const near = (await walk({ lastName: 'Nearling' })).ids
  assert.ok(both.ids.slice(195).every((id) => near.includes(id)))
})

test('the plain owner search has the same window', async () => {
  const page = await search(
    { lastName: 'Overmany', limit: 100, offset: 100 },
    undefined,
    PLAIN_PATH,
  )
  assert.equal(recordIds(page).length, 100)
  assert.equal(page.headers.get('x-result-truncated'), 'true')
  const behind = await search(
    { lastName: 'Overmany', limit: 100, offset: 101 },
    undefined,
    PLAIN_PATH,
  )
  assert.equal(behind.status, 400)
})

test('v2 reads have no window: all 205 are reached and no page is marked truncated', async () => {
  const ids: string[] = []
  for (let offset = 0; offset < 205; offset += 25) {
    const { body, headers } = await search({ lastName: 'Overmany', limit: 25, offset }, v2)
    ids.push(...body.properties.map((property: { _id: string }) => property._id))
    assert.equal(headers.get('x-result-truncated'), null)
  }
  assert.equal(ids.length, 205)
  assertAscending(ids)
  assert.equal((await search({ lastName: 'Overmany', limit: 25, offset: 205 }, v2)).status, 404)
})
