/**
 * `GET /public/premium/owner/` answers 400: docs/decisions/owner-matching.md and
 * docs/decisions/http-interface.md.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'
import { promiseParameters } from '../promises.ts'
import { OWNERS, PATH } from './roll.ts'

const service = await startService(OWNERS)
after(() => service.close())
const v2 = await service.keyFor({ dataReads: 'v2' })

promiseParameters(
  service,
  { path: PATH, query: { state: 'WI', lastName: 'Quillon' }, tokenCost: 1 },
  [
    'state',
    'lastName',
    'firstName',
    'county',
    'nameContains',
    'fuzzy',
    'prefix',
    'limit',
    'offset',
  ],
)

const refused: [string, Record<string, string>, string][] = [
  ['a missing state', { lastName: 'Quillon' }, 'state is required'],
  ['an empty state', { state: '', lastName: 'Quillon' }, 'state is required'],
  [
    'neither lastName nor nameContains',
    { state: 'WI', firstName: 'Mara' },
    'lastName or nameContains is required',
  ],
  [
    'both of them empty',
    { state: 'WI', lastName: ' ', nameContains: '' },
    'lastName or nameContains is required',
  ],
  ['limit 0', { limit: '0' }, 'limit must be 1 or more'],
  ['a negative limit', { limit: '-5' }, 'limit must be 1 or more'],
  ['a limit that is not an integer', { limit: '2.5' }, 'limit must be an integer'],
  ['a limit that is not a number', { limit: 'ten' }, 'limit must be an integer'],
  ['a limit in another notation', { limit: '1e1' }, 'limit must be an integer'],
  ['a limit in hexadecimal', { limit: '0x10' }, 'limit must be an integer'],
  ['a negative offset', { offset: '-1' }, 'offset must be 0 or more'],
  ['an offset that is not an integer', { offset: '1.0' }, 'offset must be an integer'],
  ['prefix that is not a boolean', { prefix: 'yes' }, 'prefix must be true or false'],
  [
    'a prefix of two letters',
    { lastName: 'Qu.', prefix: 'true' },
    'lastName must have 3 letters or more with prefix=true',
  ],
  [
    'a prefix without lastName',
    { lastName: '', nameContains: 'trust', prefix: 'true' },
    'lastName must have 3 letters or more with prefix=true',
  ],
  ['fuzzy that is not a boolean', { fuzzy: 'yes' }, 'fuzzy must be true or false'],
  ['a lastName without a letter', { lastName: '-- & .' }, 'lastName has no letter'],
  ['a nameContains without a letter', { lastName: '', nameContains: '!!!' }, 'nameContains has no'],
]

for (const [what, query, text] of refused) {
  test(`${what} is 400`, async () => {
    const whole =
      'lastName' in query || 'state' in query ? query : { lastName: 'Quillon', ...query }
    const asked = what.includes('state') ? whole : { state: 'WI', ...whole }
    const { status, body } = await service.get(PATH, asked)
    assert.equal(status, 400)
    assert.ok(body.error.startsWith(text), body.error)
  })
}

test('nameContains and fuzzy on v2 reads are 400', async () => {
  const cases = [
    [{ nameContains: 'family' }, /nameContains.*v3/],
    [{ lastName: 'Quillon', nameContains: 'family' }, /nameContains.*v3/],
    [{ lastName: 'Quillon', fuzzy: 'true' }, /fuzzy.*v3/],
    [{ lastName: 'Quillon', fuzzy: '1' }, /fuzzy.*v3/],
  ] as const
  for (const [query, text] of cases) {
    const { status, body } = await service.get(PATH, { state: 'WI', ...query }, { key: v2 })
    assert.equal(status, 400)
    assert.match(body.error, text)
  }
})

test('offset and the applied limit may be 200 together on v3 reads, not more', async () => {
  const ask = (query: Record<string, string>, key?: string) =>
    service.get(PATH, { state: 'WI', lastName: 'Farnaby', ...query }, key ? { key } : {})
  const over = [
    { offset: '191' },
    { offset: '176', limit: '25' },
    { offset: '176', limit: '1000' },
    { offset: '200', limit: '1' },
    { offset: '99999999999999999999' },
  ]
  for (const query of over) {
    const { status, body } = await ask(query)
    assert.equal(status, 400, JSON.stringify(query))
    assert.match(body.error, /200/)
  }
  const within = [
    { offset: '190' },
    { offset: '175', limit: '1000' },
    { offset: '199', limit: '1' },
  ]
  // No record has such an offset; the test is that it is accepted.
  for (const query of within) assert.equal((await ask(query)).status, 404, JSON.stringify(query))
  for (const query of over) assert.equal((await ask(query, v2)).status, 404, JSON.stringify(query))
})

test('bad parameters are 400 before an unrecognized county is 404', async () => {
  const query = { state: 'WI', lastName: 'Quillon', county: 'Nowhere', limit: '0' }
  assert.equal((await service.get(PATH, query)).status, 400)
})

test('a filter that owner search does not have is 400 and named', async () => {
  for (const name of ['city', 'zipCode', 'latitude', 'radius_miles', 'ownerType', 'bedsMin']) {
    const { status, body } = await service.get(PATH, {
      state: 'WI',
      lastName: 'Quillon',
      [name]: '3',
    })
    assert.equal(status, 400)
    assert.equal(body.error, `${name} is not a filter of this operation; leave it out`)
  }
  const { body } = await service.get(PATH, { state: 'WI', last_name: 'Quillon' })
  assert.equal(body.error, 'last_name is not a parameter; send lastName')
})

test('an unknown parameter that is no filter is ignored', async () => {
  const query = { state: 'WI', lastName: 'Quillon', cursor: 'x', page: '2', pretty: '1' }
  assert.equal((await service.get(PATH, query)).status, 200)
})
