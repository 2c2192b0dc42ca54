/**
 * `GET /public/premium/owner/` answers 200: docs/decisions/owner-matching.md, rules 6 to 9 of
 * docs/matching.md.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Query, startService } from '../../service.ts'
import { assertAscending, parcelIds, recordIds } from '../look.ts'
import { promiseHttp } from '../promises.ts'
import { OWNERS, PATH } from './roll.ts'

const service = await startService(OWNERS)
after(() => service.close())

const search = (query: Query, key?: string) =>
  service.get(PATH, typeof query === 'string' ? query : { state: 'WI', ...query }, {
    ...(key !== undefined && { key }),
  })
const found = async (query: Exclude<Query, string>) => parcelIds(await search(query)).sort()

promiseHttp(service, { path: PATH, query: { state: 'WI', lastName: 'Varek' }, tokenCost: 1 })

test('the body holds only properties and metadata with limit, offset and count', async () => {
  const { body } = await search({ lastName: 'Quillon' })
  assert.deepEqual(Object.keys(body), ['properties', 'metadata'])
  assert.deepEqual(body.metadata, { limit: 10, offset: 0, count: 4 })
  assert.equal(body.properties.length, 4)
})

test('both recorded slots are searched', async () => {
  assert.deepEqual(await found({ lastName: 'Hollin' }), ['A1', 'B2'])
  assert.deepEqual(await found({ lastName: 'Quillon' }), ['A1', 'A2', 'A3', 'A5'])
})

test('a parcel that matches in both slots is answered once', async () => {
  assert.deepEqual(await found({ nameContains: 'mara' }), ['A1', 'A5'])
})

test('a state answers its own parcels only', async () => {
  assert.deepEqual(await found({ state: 'IL', lastName: 'Quillon' }), ['IL1'])
})

test('lastName ignores case and accents', async () => {
  for (const lastName of ['quillon', 'QUILLON', 'qUiLLoN', ' Quillon ']) {
    assert.deepEqual(await found({ lastName }), ['A1', 'A2', 'A3', 'A5'], lastName)
  }
  assert.deepEqual(await found({ lastName: 'Senales' }), ['B1'])
  assert.deepEqual(await found({ lastName: 'SEÑALES' }), ['B1'])
})

test('lastName takes a company name, also its beginning, but no part of a word', async () => {
  assert.deepEqual(await found({ lastName: 'Brightwater Holdings LLC' }), ['A4'])
  assert.deepEqual(await found({ lastName: 'brightwater' }), ['A4'])
  assert.deepEqual(await found({ lastName: 'brightwater hold' }), [])
  assert.deepEqual(await found({ lastName: 'holdings' }), [])
})

test('lastName is the whole surname, never its beginning', async () => {
  assert.deepEqual(await found({ lastName: 'Quill' }), [])
})

test('a care-of slot is not an owner', async () => {
  assert.deepEqual(await found({ nameContains: 'hiddenhand' }), [])
  assert.deepEqual(await found({ lastName: 'Marlowe' }), ['B3'])
})

test('firstName is a given-name prefix of the same person', async () => {
  assert.deepEqual(await found({ lastName: 'Quillon', firstName: 'Mar' }), ['A1'])
  assert.deepEqual(await found({ lastName: 'Quillon', firstName: 'mara' }), ['A1'])
  assert.deepEqual(await found({ lastName: 'Quillon', firstName: 'petra' }), [])
  assert.deepEqual(await found({ lastName: 'Quillon', firstName: 'ara' }), [])
  assert.deepEqual(await found({ lastName: 'Hollin', firstName: 'tes' }), ['B2'])
})

test('firstName leaves organizations out', async () => {
  assert.deepEqual(await found({ lastName: 'Quillon', firstName: 'Family' }), [])
})

test('firstName without lastName does not narrow', async () => {
  assert.deepEqual(await found({ nameContains: 'trust', firstName: 'Zeb' }), ['A3'])
})

test('nameContains may stand alone; all words match in one slot, in any order', async () => {
  assert.deepEqual(await found({ nameContains: 'trust quillon' }), ['A3'])
  assert.deepEqual(await found({ nameContains: 'TRUST family Trust quillon' }), ['A3'])
  assert.deepEqual(await found({ nameContains: 'mara petra' }), [])
  assert.deepEqual(await found({ nameContains: 'mara quillon' }), ['A1'])
})

test('nameContains matches whole words, no substrings', async () => {
  assert.deepEqual(await found({ nameContains: 'famil' }), [])
  assert.deepEqual(await found({ nameContains: 'rust' }), [])
})

test('lastName and nameContains together match the same recorded owner name', async () => {
  assert.deepEqual(await found({ lastName: 'Quillon', nameContains: 'family' }), ['A3'])
  assert.deepEqual(await found({ lastName: 'Quillon', nameContains: 'petra' }), [])
})

test('fuzzy is false by default', async () => {
  assert.deepEqual(await found({ lastName: 'Quillan' }), ['F1'])
  assert.deepEqual(await found({ lastName: 'Quillan', fuzzy: false }), ['F1'])
})

test('fuzzy allows one edit of a name, and keeps its first two characters', async () => {
  const all = ['A1', 'A2', 'A3', 'A5', 'F1', 'F2', 'F3', 'F4']
  for (const fuzzy of ['true', 'TRUE', 'True', '1']) {
    assert.deepEqual(await found({ lastName: 'Quillon', fuzzy }), all)
  }
})

test('exact records come before fuzzy ones, each by ascending id', async () => {
  const answer = await search({ lastName: 'Quillon', fuzzy: true })
  const names = parcelIds(answer)
  assert.ok(names.slice(0, 4).every((name) => name.startsWith('A')))
  assert.ok(names.slice(4).every((name) => name.startsWith('F')))
  assertAscending(recordIds(answer).slice(0, 4))
  assertAscending(recordIds(answer).slice(4))
})

test('pages of a fuzzy search go through the same order', async () => {
  const whole = recordIds(await search({ lastName: 'Quillon', fuzzy: true }))
  const pages: string[] = []
  for (let offset = 0; offset < whole.length; offset += 3) {
    const page = await search({ lastName: 'Quillon', fuzzy: true, limit: 3, offset })
    pages.push(...recordIds(page))
  }
  assert.deepEqual(pages, whole)
})

test('firstName stays a prefix when fuzzy', async () => {
  const near = { lastName: 'Quillon', fuzzy: true }
  assert.deepEqual(await found({ ...near, firstName: 'Ad' }), ['F2', 'F3', 'F4'])
  assert.deepEqual(await found({ ...near, firstName: 'Adx' }), [])
  assert.deepEqual(await found({ ...near, firstName: 'Maar' }), [])
})

test('nameContains is fuzzy word by word', async () => {
  assert.deepEqual(await found({ nameContains: 'trst quilloon', fuzzy: true }), ['A3'])
  assert.deepEqual(await found({ nameContains: 'quillon trutsx', fuzzy: true }), [])
  assert.deepEqual(await found({ nameContains: 'xrust family', fuzzy: true }), [])
})

test('nameContains is fuzzy on words that have a short form', async () => {
  assert.deepEqual(await found({ nameContains: 'familly quillon', fuzzy: true }), ['A3'])
})

test('county filters by name, in its forms, and by FIPS code', async () => {
  for (const county of ['Milwaukee', 'milwaukee county', '55079', '079', 'MILWAUKEE']) {
    assert.deepEqual(await found({ lastName: 'Quillon', county }), ['A2'], county)
  }
  assert.deepEqual(await found({ lastName: 'Quillon', county: 'Dane' }), ['A1', 'A3', 'A5'])
})

test('an empty county, firstName or nameContains counts as missing', async () => {
  const empty = { county: '', firstName: ' ', nameContains: '', fuzzy: '', limit: '', offset: '' }
  assert.deepEqual(await found({ lastName: 'Quillon', ...empty }), ['A1', 'A2', 'A3', 'A5'])
})

test('limit is 10 by default, and a number above 25 is capped at 25', async () => {
  const cases = [
    [{}, 10],
    [{ limit: 1 }, 1],
    [{ limit: 25 }, 25],
    [{ limit: 26 }, 25],
    [{ limit: 100_000 }, 25],
    [{ limit: '99999999999999999999' }, 25],
  ] as const
  for (const [given, limit] of cases) {
    const { body } = await search({ lastName: 'Farnaby', ...given })
    assert.deepEqual(body.metadata, { limit, offset: 0, count: limit })
    assert.equal(body.properties.length, limit)
  }
})

test('offset is 0 by default and skips matched records', async () => {
  const first = recordIds(await search({ lastName: 'Farnaby', limit: 25 }))
  const second = await search({ lastName: 'Farnaby', limit: 25, offset: 25 })
  assert.deepEqual(second.body.metadata, { limit: 25, offset: 25, count: 15 })
  const all = [...first, ...recordIds(second)]
  assert.equal(all.length, 40)
  assertAscending(all)
  const middle = await search({ lastName: 'Farnaby', limit: 5, offset: 7 })
  assert.deepEqual(recordIds(middle), all.slice(7, 12))
})

test('cursor pagination is not supported: cursor is ignored whatever it holds', async () => {
  const plain = await search({ lastName: 'Quillon' })
  for (const cursor of ['', 'x', '%zz', '%00']) {
    const answer = await search(`state=WI&lastName=Quillon&cursor=${cursor}&cursor=2`)
    assert.deepEqual([answer.status, answer.text], [200, plain.text])
  }
})

test('an answer that is whole has no X-Result-Truncated', async () => {
  const { headers } = await search({ lastName: 'Farnaby', limit: 1 })
  assert.equal(headers.get('x-result-truncated'), null)
})

test('X-Tokens-Charged is 1; X-Tokens-Remaining counts down; absent without a limit', async () => {
  const free = await search({ lastName: 'Varek' })
  assert.equal(free.headers.get('x-tokens-charged'), '1')
  assert.equal(free.headers.get('x-tokens-remaining'), null)
  const key = await service.keyFor({ includedTokens: 2, overageCap: 1 })
  for (const left of ['2', '1', '0']) {
    const { headers } = await search({ lastName: 'Varek' }, key)
    assert.equal(headers.get('x-tokens-charged'), '1')
    assert.equal(headers.get('x-tokens-remaining'), left)
  }
})

test('v2 reads search by lastName, firstName and county, flat', async () => {
  const key = await service.keyFor({ dataReads: 'v2' })
  const { body } = await search({ lastName: 'Quillon', firstName: 'T', county: 'Milwaukee' }, key)
  assert.deepEqual(
    body.properties.map((property: { parcelId: string }) => property.parcelId),
    ['A2'],
  )
})

test('fuzzy=false does not count as a use of fuzzy on v2 reads', async () => {
  const key = await service.keyFor({ dataReads: 'v2' })
  for (const fuzzy of ['false', '0', 'FALSE', '']) {
    assert.equal((await search({ lastName: 'Varek', fuzzy }, key)).status, 200)
  }
})

test('lastName accepts a whole name as people write it, with X-Match', async () => {
  for (const lastName of ['Mara Quillon', 'Quillon, Mara', 'QUILLON MARA', 'Quillon, Mara Q']) {
    const answer = await search({ lastName })
    assert.deepEqual(parcelIds(answer), ['A1'], lastName)
    assert.equal(answer.headers.get('x-match'), 'full-name')
  }
  assert.deepEqual(await found({ lastName: 'Mara, Quillon' }), [])
  assert.deepEqual(await found({ lastName: 'Petra Quillon' }), [])
  const { headers } = await search({ lastName: 'Quillon' })
  assert.equal(headers.get('x-match'), null)
})

test('pages of a whole name follow each other, on v2 reads too', async () => {
  const v2 = await service.keyFor({ dataReads: 'v2' })
  for (const key of [undefined, v2]) {
    const pages = [0, 25].map((offset) =>
      search({ lastName: 'Abel Farnaby', limit: 25, offset }, key),
    )
    const all = (await Promise.all(pages)).flatMap(({ body }) => body.properties)
    const ids = all.map((one) => one.parcelId ?? one.propertyIdentification.parcelId)
    assert.equal(new Set(ids).size, 40)
  }
})

test('prefix=true takes the beginning of a surname, and narrows by firstName', async () => {
  assert.deepEqual(await found({ lastName: 'Quill', prefix: true }), [
    ...['A1', 'A2', 'A3', 'A5', 'F1', 'F3', 'F4', 'G2'],
  ])
  assert.deepEqual(await found({ lastName: 'quill', prefix: true, firstName: 'ot' }), ['A5', 'F1'])
  assert.deepEqual(await found({ lastName: 'Brightw', prefix: true }), [])
})
