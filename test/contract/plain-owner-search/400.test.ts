/**
 * `GET /public/property/owner/` answers 400: docs/decisions/owner-matching.md and
 * docs/decisions/http-interface.md.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'
import { OWNERS, PLAIN_PATH } from '../owner-search/roll.ts'
import { promiseParameters } from '../promises.ts'

const service = await startService(OWNERS)
after(() => service.close())

promiseParameters(
  service,
  { path: PLAIN_PATH, query: { state: 'WI', lastName: 'Quillon' }, tokenCost: 1 },
  ['state', 'lastName', 'firstName', 'nameContains', 'fuzzy', 'limit', 'offset'],
)

const refused: [string, Record<string, string>, RegExp][] = [
  ['a missing state', { lastName: 'Quillon' }, /^state is required$/],
  ['no name', { state: 'WI', firstName: 'Mara' }, /^lastName or nameContains is required$/],
  ['limit 0', { state: 'WI', lastName: 'Quillon', limit: '0' }, /^limit must be 1 or more$/],
  ['a limit in words', { state: 'WI', lastName: 'Quillon', limit: 'all' }, /^limit .*integer$/],
  ['a negative offset', { state: 'WI', lastName: 'Quillon', offset: '-1' }, /^offset must be 0/],
  ['a name without a letter', { state: 'WI', lastName: '***' }, /^lastName has no/],
  ['offset and limit over 200', { state: 'WI', lastName: 'Quillon', offset: '191' }, /200/],
  [
    'offset and the capped limit over 200',
    { state: 'WI', lastName: 'Quillon', offset: '101', limit: '999' },
    /200/,
  ],
]

for (const [what, query, text] of refused) {
  test(`${what} is 400`, async () => {
    const { status, body } = await service.get(PLAIN_PATH, query)
    assert.equal(status, 400)
    assert.match(body.error, text)
  })
}

test('nameContains and fuzzy on v2 reads are 400', async () => {
  const key = await service.keyFor({ dataReads: 'v2' })
  for (const extra of [{ nameContains: 'family' }, { fuzzy: 'true' }]) {
    const query = { state: 'WI', lastName: 'Quillon', ...extra }
    const { status, body } = await service.get(PLAIN_PATH, query, { key })
    assert.equal(status, 400)
    assert.match(body.error, new RegExp(Object.keys(extra)[0] ?? ''))
  }
})

test('county is ignored, and other filters that it does not have are 400', async () => {
  const query = { state: 'WI', lastName: 'Quillon' }
  const { status } = await service.get(PLAIN_PATH, { ...query, county: 'Nowhere' })
  assert.equal(status, 200)
  const { body } = await service.get(PLAIN_PATH, { ...query, city: 'Madison' })
  assert.equal(body.error, 'city is not a filter of this operation; leave it out')
})
