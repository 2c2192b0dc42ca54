/**
 * `GET /public/property/owner/` answers 404: docs/decisions/owner-matching.md and
 * docs/decisions/http-interface.md. Its 503 is tested with that of the premium search.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'
import { OWNERS, PLAIN_PATH } from '../owner-search/roll.ts'

const service = await startService(OWNERS)
after(() => service.close())

const nothing: [string, Record<string, string>][] = [
  ['a name that nobody has', { lastName: 'Nobodyatall' }],
  ['a state that is not loaded', { lastName: 'Quillon', state: 'TX' }],
  ['an offset behind the last record', { lastName: 'Quillon', offset: '4' }],
]

for (const [what, query] of nothing) {
  test(`${what} is 404 and costs nothing`, async () => {
    const key = await service.keyFor()
    const { status, body } = await service.get(PLAIN_PATH, { state: 'WI', ...query }, { key })
    assert.deepEqual([status, body], [404, { error: 'No properties found' }])
    assert.equal(await service.charges(key), 0)
  })
}
