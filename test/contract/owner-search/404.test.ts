/** `GET /public/premium/owner/` answers 404: docs/decisions/http-interface.md. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'
import { OWNERS, PATH } from './roll.ts'

const service = await startService(OWNERS)
after(() => service.close())

const nothing: [string, Record<string, string>][] = [
  ['a name that nobody has', { lastName: 'Nobodyatall' }],
  ['an unrecognized county', { lastName: 'Quillon', county: 'Nowhere' }],
  ['a county of another state', { lastName: 'Quillon', county: 'Cook' }],
  ['a county code of another state', { lastName: 'Quillon', county: '17031' }],
  ['a county that is not loaded', { lastName: 'Quillon', county: 'Brown' }],
  ['a county that has no such owner', { lastName: 'Varek', county: 'Milwaukee' }],
  ['a state that is not loaded', { lastName: 'Quillon', state: 'TX' }],
  ['an offset behind the last record', { lastName: 'Quillon', offset: '4' }],
]

for (const [what, query] of nothing) {
  test(`${what} is 404 and costs nothing`, async () => {
    const key = await service.keyFor()
    const { status, body, headers } = await service.get(PATH, { state: 'WI', ...query }, { key })
    assert.deepEqual([status, body], [404, { error: 'No properties found' }])
    assert.equal(headers.get('x-tokens-charged'), null)
    assert.equal(await service.charges(key), 0)
  })
}
