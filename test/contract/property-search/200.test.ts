/**
 * `GET /public/property/search/` in offset mode: docs/decisions/property-search.md and
 * docs/decisions/http-interface.md.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Query, startService } from '../../service.ts'
import { assertAscending, recordIds } from '../look.ts'
import { promiseHttp } from '../promises.ts'
import { makeRoll, times } from '../rolls.ts'
import { PATH } from './roll.ts'

const service = await startService(
  makeRoll(times(130, (number) => ({ address: `${number} MAIN ST`, city: 'Madison' }))),
  { publicUrl: 'https://plat.example/base' },
)
after(() => service.close())

promiseHttp(service, { path: PATH, query: { state: 'WI' }, tokenCost: 0 })

const search = (query: Exclude<Query, string> = {}) => service.get(PATH, { state: 'WI', ...query })

test('the body holds properties and metadata with limit, offset and count only', async () => {
  const { body } = await search()
  assert.deepEqual(Object.keys(body), ['properties', 'metadata'])
  assert.deepEqual(body.metadata, { limit: 10, offset: 0, count: 10 })
  assert.equal(body.properties.length, 10)
})

test('limit is 10 by default, and a number above 100 is capped at 100', async () => {
  const cases = [
    [{ limit: 1 }, 1],
    [{ limit: 100 }, 100],
    [{ limit: 101 }, 100],
    [{ limit: 100_000 }, 100],
    [{ limit: '' }, 10],
  ] as const
  for (const [given, limit] of cases) {
    const { body } = await search(given)
    assert.deepEqual(body.metadata, { limit, offset: 0, count: limit })
  }
})

test('offset skips matched records, in ascending record ID', async () => {
  const first = recordIds(await search({ limit: 100 }))
  const rest = recordIds(await search({ limit: 100, offset: 100 }))
  assert.equal(rest.length, 30)
  const all = [...first, ...rest]
  assertAscending(all)
  assert.deepEqual(recordIds(await search({ limit: 7, offset: 55 })), all.slice(55, 62))
  assert.deepEqual(recordIds(await search({ limit: 9, offset: 125 })), all.slice(125))
})

test('with offset above 0: Deprecation, Link and deprecationNotice', async () => {
  const { body, headers } = await search({ offset: 1 })
  assert.equal(headers.get('deprecation'), 'true')
  assert.equal(headers.get('link'), '<https://plat.example/base/openapi.json>; rel="deprecation"')
  assert.deepEqual(Object.keys(body.metadata), ['limit', 'offset', 'count', 'deprecationNotice'])
  assert.match(body.metadata.deprecationNotice, /deprecated/)
})

test('with offset 0 or none: neither header nor notice', async () => {
  for (const query of [{}, { offset: 0 }, { offset: '' }]) {
    const { body, headers } = await search(query)
    assert.equal(headers.get('deprecation'), null)
    assert.equal(headers.get('link'), null)
    assert.deepEqual(Object.keys(body.metadata), ['limit', 'offset', 'count'])
  }
})

test('an offset after the last record is 200 with an empty list', async () => {
  for (const offset of [130, 131, 1_000_000, '99999999999999999999']) {
    const { status, body } = await search({ offset })
    assert.deepEqual([status, body.properties, body.metadata.count], [200, [], 0])
  }
})

test('no match is 200 with an empty list, not 404', async () => {
  for (const query of [{ city: 'Nowhere' }, { county: 'Nowhere' }, { state: 'TX' }]) {
    const { status, body } = await search(query)
    assert.deepEqual([status, body.properties], [200, []])
    assert.deepEqual(body.metadata, { limit: 10, offset: 0, count: 0 })
  }
})

test('cursor and offset together: the cursor wins', async () => {
  const { body, headers } = await search({ cursor: '', offset: 50, limit: 5 })
  const first = await search({ limit: 5 })
  assert.deepEqual(body.properties, first.body.properties)
  assert.deepEqual(Object.keys(body.metadata), ['limit', 'count', 'nextCursor'])
  assert.equal(headers.get('deprecation'), null)
})

test('it costs no token', async () => {
  const { headers } = await search()
  assert.equal(headers.get('x-tokens-charged'), null)
})
