/** Cursors of `GET /public/property/search/`: docs/decisions/property-search.md. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Query, startService, type TestService } from '../../service.ts'
import { assertAscending, parcelIds, recordIds } from '../look.ts'
import { makeRoll, type Row, times } from '../rolls.ts'
import { PATH } from './roll.ts'

const house = (number: number): Row => ({
  parcelId: `H${number}`,
  address: `${number} MAIN ST`,
  city: number % 2 === 0 ? 'Madison' : 'Stoughton',
  totalAssessedValue: 1000,
})
const ROLL = makeRoll(times(30, house))

const service = await startService(ROLL)
const elsewhere = await startService(ROLL)
after(() => Promise.all([service.close(), elsewhere.close()]))

const search = (query: Exclude<Query, string>, at: TestService = service, key?: string) =>
  at.get(PATH, { state: 'WI', ...query }, key === undefined ? {} : { key })

/** Returns the cursor after a record, as the service writes it. */
const cursorAt = (id: string) => Buffer.from(`{"lastId":"${id}"}`).toString('base64url')

/** Ids of all pages from a cursor on, and the cursors between them. */
async function walk(query: Exclude<Query, string>, from = '') {
  const pages: string[][] = []
  const cursors: string[] = []
  let cursor: string | null = from
  while (cursor !== null) {
    const answer = await search({ ...query, cursor })
    pages.push(recordIds(answer))
    cursor = answer.body.metadata.nextCursor
    if (cursor !== null) cursors.push(cursor)
  }
  return { ids: pages.flat(), pages, cursors }
}

test('an empty cursor starts; metadata has limit, count, nextCursor and no offset', async () => {
  const { body } = await search({ cursor: '', limit: 7 })
  assert.deepEqual(Object.keys(body.metadata), ['limit', 'count', 'nextCursor'])
  assert.deepEqual([body.metadata.limit, body.metadata.count], [7, 7])
  assert.equal(typeof body.metadata.nextCursor, 'string')
})

test('cursor without = is an empty cursor', async () => {
  const { body } = await service.get(PATH, 'state=WI&cursor')
  assert.deepEqual(Object.keys(body.metadata), ['limit', 'count', 'nextCursor'])
})

test('nextCursor visits every record once in the order of offset mode, then is null', async () => {
  const all = recordIds(await search({ limit: 100 }))
  for (const limit of [1, 7, 10, 29, 30, 31, 100]) {
    const { ids, pages } = await walk({ limit })
    assert.deepEqual(ids, all, `limit ${limit}`)
    assert.equal(pages.length, Math.ceil(30 / limit))
  }
  assertAscending(all)
})

test('a cursor is base64url without padding of {"lastId":"<24 hex digits>"}', async () => {
  const { body } = await search({ cursor: '', limit: 3 })
  const { nextCursor } = body.metadata
  assert.match(nextCursor, /^[A-Za-z0-9_-]+$/)
  const text = Buffer.from(nextCursor, 'base64url').toString()
  assert.equal(text, `{"lastId":"${body.properties[2].id}"}`)
  assert.match(body.properties[2].id, /^[0-9a-f]{24}$/)
})

test('padding is accepted', async () => {
  const { body } = await search({ cursor: '', limit: 3 })
  const { nextCursor } = body.metadata
  const padded = nextCursor + '='.repeat((4 - (nextCursor.length % 4)) % 4)
  assert.notEqual(padded, nextCursor)
  const [plain, other] = [await search({ cursor: nextCursor }), await search({ cursor: padded })]
  assert.deepEqual(other.body, plain.body)
})

test('a cursor is portable: another account, another service, another limit', async () => {
  const { body } = await search({ cursor: '', limit: 12 })
  const cursor = body.metadata.nextCursor
  const here = await search({ cursor, limit: 5 })
  const key = await elsewhere.keyFor()
  const there = await search({ cursor, limit: 5 }, elsewhere, key)
  assert.deepEqual(parcelIds(there), parcelIds(here))
  assert.equal(there.body.metadata.nextCursor, here.body.metadata.nextCursor)
})

test('a cursor holds no filters and works with any', async () => {
  const { body } = await search({ cursor: '', limit: 12, city: 'Madison' })
  const cursor = body.metadata.nextCursor
  const lastId = body.properties[11].id
  const { ids } = await walk({ city: 'Stoughton' }, cursor)
  const all = recordIds(await search({ limit: 100, city: 'Stoughton' }))
  assert.deepEqual(
    ids,
    all.filter((id) => id > lastId),
  )
})

test('an id that no record has is fine: paging goes on after it', async () => {
  const all = recordIds(await search({ limit: 100 }))
  assert.deepEqual((await walk({}, cursorAt('0'.repeat(24)))).ids, all)
  for (const id of ['f'.repeat(24), '00000000ffffffffffffffff', '0000000000000fffffffffff']) {
    const { status, body } = await search({ cursor: cursorAt(id) })
    assert.deepEqual([status, body.properties, body.metadata.nextCursor], [200, [], null], id)
  }
})

test('state and filters that find nothing end at once', async () => {
  const { body } = await search({ cursor: '', city: 'Nowhere' })
  assert.deepEqual(body, { properties: [], metadata: { limit: 10, count: 0, nextCursor: null } })
})

const bad: [string, string][] = [
  ['text that is not base64url', '!!!'],
  ['a blank', ' '],
  ['standard base64', Buffer.from('{"lastId":"???>>>~~~"}').toString('base64')],
  ['base64 with a line break inside', 'eyJs YXN0'],
  ['bytes that are not a JSON', Buffer.from('lastId').toString('base64url')],
  ['another JSON value', Buffer.from('"0123456789abcdef01234567"').toString('base64url')],
  ['null', Buffer.from('null').toString('base64url')],
  ['an empty object', Buffer.from('{}').toString('base64url')],
  ['an array', Buffer.from('["lastId"]').toString('base64url')],
  ['another field', json({ id: '0'.repeat(24) })],
  ['one more field', json({ lastId: '0'.repeat(24), more: 1 })],
  ['a number', json({ lastId: 5 })],
  ['no digits', json({ lastId: '' })],
  ['23 digits', json({ lastId: '0'.repeat(23) })],
  ['25 digits', json({ lastId: '0'.repeat(25) })],
  ['digits that are not hexadecimal', json({ lastId: `${'0'.repeat(23)}g` })],
  ['upper-case digits', json({ lastId: `${'0'.repeat(23)}A` })],
  ['JSON with spaces', Buffer.from(`{"lastId": "${'0'.repeat(24)}"}`).toString('base64url')],
  [
    'a line feed behind the JSON',
    Buffer.from(`{"lastId":"${'0'.repeat(24)}"}\n`).toString('base64url'),
  ],
  ['bare digits', '0'.repeat(24)],
  ['more padding than there can be', `${cursorAt('0'.repeat(24))}===`],
  ['more than 512 characters', 'A'.repeat(513)],
  ['the beginning of a cursor', cursorAt('0'.repeat(24)).slice(0, -1)],
]
for (const [what, cursor] of bad) {
  test(`${what} is 400 Invalid cursor`, async () => {
    const { status, body } = await search({ cursor })
    assert.deepEqual([status, body], [400, { error: 'Invalid cursor' }])
  })
}

test('a saved cursor finds exactly the records added since, over every re-import', async () => {
  const before = recordIds(await search({ limit: 100 }))
  const saved = cursorAt(before.at(-1) ?? '')
  const nothingNew = await search({ cursor: saved })
  assert.deepEqual(nothingNew.body, {
    properties: [],
    metadata: { limit: 10, count: 0, nextCursor: null },
  })
  // H2 and H30, the newest, are removed, H4 has changed, and the new rows precede all others.
  const changed = times(30, house)
    .filter(({ parcelId }) => parcelId !== 'H2' && parcelId !== 'H30')
    .map((row) => (row.parcelId === 'H4' ? { ...row, totalAssessedValue: 2000 } : row))
  const added = times(3, (number) => ({ ...house(number + 100), parcelId: `A${number}` }))
  const report = await service.importRoll(makeRoll([...added, ...changed]), { force: true })
  assert.deepEqual([report.loaded, report.updated, report.removed], [3, 1, 2])

  const since = await search({ cursor: saved })
  assert.deepEqual(parcelIds(since).sort(), ['A1', 'A2', 'A3'])
  const stayed = recordIds(await search({ limit: 100 })).filter((id) => before.includes(id))
  assert.equal(stayed.length, 28)

  // H30 comes back: it is a new record.
  await service.importRoll(makeRoll([...added, ...changed, house(30)]))
  const again = await search({ cursor: saved })
  assert.deepEqual(parcelIds(again).sort(), ['A1', 'A2', 'A3', 'H30'])
  assert.ok(!before.includes(recordIds(again).at(-1) ?? ''))
  assert.equal(parcelIds(again).at(-1), 'H30')
})

function json(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
