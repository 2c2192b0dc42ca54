/** Every refusal that the contract names: status, text, headers; none is billed. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { AccountFacts } from '../../../src/base/model/account.ts'
import { type Query, startService } from '../../service.ts'
import { makeRoll } from '../rolls.ts'

const OWNER = '/public/premium/owner/'
const ADDRESS = '/public/property/address/'
const PARCEL = '/public/property/parcelId/'
const SEARCH = '/public/property/search/'

const service = await startService(
  makeRoll([{ parcelId: 'A', address: '1 OAK ST', ownerName1: 'ROE JANE' }]),
)
after(() => service.close())
const facts = { includedTokens: 5 }
const keys = {
  v3: await service.keyFor(facts),
  v2: await service.keyFor({ ...facts, dataReads: 'v2' }),
}

const roe = { state: 'WI', lastName: 'Roe' }
const lot = { state: 'WI', county: 'Dane', parcelId: 'A' }
const NONE = 'No properties found'
const WINDOW = 'offset + limit must not exceed 200; refine the search instead'

type Reads = keyof typeof keys
const REFUSED: [
  what: string,
  reads: Reads,
  path: string,
  query: Query,
  status: number,
  text: string,
][] = [
  ['owner: no state', 'v3', OWNER, { lastName: 'Roe' }, 400, 'state is required'],
  ['owner: no name', 'v3', OWNER, { state: 'WI' }, 400, 'lastName or nameContains is required'],
  [
    'owner: a first name alone',
    'v3',
    OWNER,
    { state: 'WI', firstName: 'J' },
    400,
    'lastName or nameContains is required',
  ],
  ['owner: past the window', 'v3', OWNER, { ...roe, offset: 191 }, 400, WINDOW],
  ['owner: the cap counts', 'v3', OWNER, { ...roe, offset: 176, limit: 99 }, 400, WINDOW],
  ['owner: at the window', 'v3', OWNER, { ...roe, offset: 190 }, 404, NONE],
  ['owner: v2 has no window', 'v2', OWNER, { ...roe, offset: 500 }, 404, NONE],
  ['owner: unknown county', 'v3', OWNER, { ...roe, county: 'Nowhere' }, 404, NONE],
  ['owner: nobody', 'v3', OWNER, { state: 'WI', lastName: 'Nobody' }, 404, NONE],
  ['owner: limit 0', 'v3', OWNER, { ...roe, limit: 0 }, 400, 'limit must be 1 or more'],
  ['owner: offset -1', 'v3', OWNER, { ...roe, offset: -1 }, 400, 'offset must be 0 or more'],
  [
    'owner: fuzzy is no word',
    'v3',
    OWNER,
    { ...roe, fuzzy: 'yes' },
    400,
    'fuzzy must be true or false',
  ],
  ['address: no state', 'v3', ADDRESS, { address: '1 Oak St' }, 400, 'state is required'],
  ['address: no address', 'v3', ADDRESS, { state: 'WI' }, 400, 'address is required'],
  [
    'address: none there',
    'v3',
    ADDRESS,
    { state: 'WI', address: '2 Oak St' },
    404,
    'Address not found',
  ],
  ['parcel: no state', 'v3', PARCEL, { ...lot, state: '' }, 400, 'state is required'],
  ['parcel: no county', 'v3', PARCEL, { ...lot, county: '' }, 400, 'county is required'],
  ['parcel: no ID', 'v3', PARCEL, { ...lot, parcelId: '' }, 400, 'parcelId is required'],
  ['parcel: none', 'v3', PARCEL, { ...lot, parcelId: 'B' }, 404, 'Property not found'],
  ['search: no state', 'v3', SEARCH, {}, 400, 'state is required'],
  ['search: a bad cursor', 'v3', SEARCH, { state: 'WI', cursor: 'x' }, 400, 'Invalid cursor'],
]
for (const [what, reads, path, query, status, text] of REFUSED) {
  test(`${what}: ${status} ${text}, not billed`, async () => {
    const answer = await service.get(path, query, { key: keys[reads] })
    assert.deepEqual([answer.status, answer.body], [status, { error: text }])
    assert.equal(await service.charges(keys[reads]), 0)
  })
}

test('v2 reads refuse nameContains and fuzzy by name; v3 reads take both', async () => {
  for (const more of [{ nameContains: 'roe' }, { fuzzy: true }]) {
    const refused = await service.get(OWNER, { ...roe, ...more }, { key: keys.v2 })
    assert.equal(refused.status, 400)
    assert.match(refused.body.error, new RegExp(Object.keys(more).join()))
    assert.equal((await service.get(OWNER, { ...roe, ...more })).status, 200)
  }
})

test('address: a city without county is 400 and says what to send', async () => {
  const asked = { state: 'WI', address: '1 Oak St', city: 'Madison' }
  const { status, body } = await service.get(ADDRESS, asked, { key: keys.v3 })
  assert.equal(status, 400)
  assert.match(body.error, /^county is required when city is given: .*zipCode/)
})

for (const [path, query] of [
  [OWNER, roe],
  [ADDRESS, { state: 'WI', address: '1 Oak St' }],
  [PARCEL, lot],
  [SEARCH, { state: 'WI' }],
] as const) {
  test(`${path}: 401 without a key and with a wrong one, each with a scheme`, async () => {
    for (const [key, text] of [
      [null, 'Unauthorized: Missing API key'],
      ['pbk_wrong', 'Unauthorized: Invalid API key'],
    ] as const) {
      const answer = await service.get(path, query, { key })
      assert.deepEqual([answer.status, answer.body], [401, { error: text }])
      assert.equal(answer.headers.get('www-authenticate'), 'ApiKey realm="platbook"')
    }
  })
}

const BLOCKED: [Partial<AccountFacts>, code: string][] = [
  [{ suspended: true }, 'access_denied'],
  [{ billing: 'misconfigured' }, 'billing_configuration_error'],
  [{ billing: 'unavailable' }, 'billing_unavailable'],
  [{ subscription: 'none' }, 'subscription_required'],
  [{ subscription: 'canceled' }, 'subscription_ended'],
  [{ subscription: 'past_due', unpaidInvoices: 2 }, 'subscription_inactive'],
  [{ paymentMethod: 'none' }, 'payment_method_required'],
  [{ paymentMethod: 'unverified' }, 'card_not_verified'],
  [{ unpaidInvoices: 1 }, 'unpaid_invoices'],
  [{ includedTokens: 0, overageCap: 0 }, 'overage_limit_exceeded'],
]
for (const [blocked, code] of BLOCKED) {
  test(`403 ${code}: four members, an absolute billing_url, not billed`, async () => {
    const key = await service.keyFor(blocked)
    const { status, body } = await service.get(OWNER, roe, { key })
    assert.equal(status, 403)
    assert.deepEqual(Object.keys(body), ['error', 'code', 'action', 'billing_url'])
    assert.equal(body.code, code)
    assert.match(body.action, /^[A-Z].*\.$/)
    assert.ok(URL.canParse(body.billing_url))
    assert.equal(await service.charges(key), 0)
  })
}

test('a 200 costs one token, and metadata are limit, offset and count', async () => {
  const key = await service.keyFor(facts)
  for (const [limit, applied] of [
    ['', 10],
    [25, 25],
    [26, 25],
  ] as const) {
    const { status, body } = await service.get(OWNER, { ...roe, limit, cursor: 'x' }, { key })
    assert.equal(status, 200)
    assert.deepEqual(body.metadata, { limit: applied, offset: 0, count: 1 })
  }
  assert.equal(await service.charges(key), 3)
})

test('search: offset mode without cursor, cursor mode with it, deprecated offsets', async () => {
  const page = async (query: Record<string, string>) => {
    const { headers, body } = await service.get(SEARCH, { state: 'WI', ...query })
    return [headers.get('deprecation'), Object.keys(body.metadata)]
  }
  assert.deepEqual(await page({}), [null, ['limit', 'offset', 'count']])
  assert.deepEqual(await page({ cursor: '' }), [null, ['limit', 'count', 'nextCursor']])
  assert.deepEqual(await page({ offset: '1' }), [
    'true',
    ['limit', 'offset', 'count', 'deprecationNotice'],
  ])
})
