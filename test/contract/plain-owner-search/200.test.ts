/** `GET /public/property/owner/` answers 200: docs/decisions/owner-matching.md. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Query, startService } from '../../service.ts'
import { parcelIds, recordIds } from '../look.ts'
import { OWNERS, PATH, PLAIN_PATH } from '../owner-search/roll.ts'
import { promiseHttp } from '../promises.ts'

const service = await startService(OWNERS)
after(() => service.close())

promiseHttp(service, { path: PLAIN_PATH, query: { state: 'WI', lastName: 'Varek' }, tokenCost: 1 })

const search = (query: Exclude<Query, string>, path = PLAIN_PATH) =>
  service.get(path, { state: 'WI', ...query })

test('it is the engine of the premium search: the same records in the same order', async () => {
  const questions = [
    { lastName: 'Quillon' },
    { lastName: 'Quillon', fuzzy: true },
    { lastName: 'Hollin', firstName: 'tes' },
    { nameContains: 'trust quillon' },
    { lastName: 'Quillon', nameContains: 'family' },
    { lastName: 'Farnaby', offset: 30, limit: 7 },
  ]
  for (const question of questions) {
    const [plain, premium] = [await search(question), await search(question, PATH)]
    assert.deepEqual(plain.body, premium.body)
  }
})

test('limit is 10 by default, and a number above 100 is capped at 100', async () => {
  const cases = [
    [{}, 10, 10],
    [{ limit: 26 }, 26, 26],
    [{ limit: 100 }, 100, 40],
    [{ limit: 101 }, 100, 40],
    [{ limit: 5000 }, 100, 40],
  ] as const
  for (const [given, limit, count] of cases) {
    const { body } = await search({ lastName: 'Farnaby', ...given })
    assert.deepEqual(body.metadata, { limit, offset: 0, count })
  }
})

test('offset skips matched records', async () => {
  const all = recordIds(await search({ lastName: 'Farnaby', limit: 100 }))
  const rest = await search({ lastName: 'Farnaby', limit: 100, offset: 33 })
  assert.deepEqual(recordIds(rest), all.slice(33))
  assert.deepEqual(rest.body.metadata, { limit: 100, offset: 33, count: 7 })
})

test('it has no county filter: county and cursor are ignored whatever they hold', async () => {
  for (const county of ['Milwaukee', 'Nowhere', '']) {
    const ids = parcelIds(await search({ lastName: 'Quillon', county, cursor: 'x' }))
    assert.deepEqual(ids.sort(), ['A1', 'A2', 'A3', 'A5'])
  }
})

test('it charges one token per 200', async () => {
  const key = await service.keyFor({ includedTokens: 5 })
  const query = { state: 'WI', lastName: 'Farnaby', limit: 40 }
  const { headers } = await service.get(PLAIN_PATH, query, { key })
  assert.equal(headers.get('x-tokens-charged'), '1')
  assert.equal(headers.get('x-tokens-remaining'), '4')
  assert.equal(await service.charges(key), 1)
})
