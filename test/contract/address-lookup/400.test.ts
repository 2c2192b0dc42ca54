/**
 * `GET /public/property/address/` answers 400: docs/decisions/lookups.md and
 * docs/decisions/http-interface.md.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'
import { promiseParameters } from '../promises.ts'
import { ADDRESSES, PATH } from './roll.ts'

const service = await startService(ADDRESSES)
after(() => service.close())

promiseParameters(
  service,
  { path: PATH, query: { state: 'WI', address: '100 Main St' }, tokenCost: 0 },
  [
    'state',
    'address',
    'unit',
    'unitNumberStripped',
    'county',
    'city',
    'zipCode',
    'candidates',
    'apn',
    'fips',
  ],
)

const refused: [string, Record<string, string>, string][] = [
  ['a missing state', { address: '100 Main St' }, 'state is required'],
  ['an empty state', { state: '', address: '100 Main St' }, 'state is required'],
  ['a missing address', { state: 'WI' }, 'address is required'],
  ['an address of blanks', { state: 'WI', address: '  ' }, 'address is required'],
  [
    'apn without fips',
    { state: 'WI', apn: '7' },
    'fips, or state and county, is required when apn is given',
  ],
  [
    'a fips of another state',
    { state: 'IL', fips: '55025', address: '100 Main St' },
    'state and fips name different states',
  ],
  [
    'a fips of another county',
    { county: 'Rock', fips: '55025', address: '100 Main St' },
    'county and fips name different counties',
  ],
  [
    'an unknown county with a fips',
    { county: 'Dain', fips: '55025', address: '100 Main St' },
    'county is not a county of WI',
  ],
  [
    'a fips that is none with a state',
    { state: 'WI', fips: '99999', address: '100 Main St' },
    'fips is not the code of a US county',
  ],
  ['a fips that is none', { fips: '99999', apn: '7' }, 'fips is not the code of a US county'],
  ['a fips of three digits', { fips: '025', apn: '7' }, 'fips must be five digits'],
  [
    'city without county',
    { state: 'WI', address: '100 Main St', city: 'Madison' },
    "county is required when city is given: send the county's name or FIPS code as " +
      'county, or leave city out and send zipCode',
  ],
  [
    'city with an empty county',
    { state: 'WI', address: '100 Main St', city: 'Madison', county: '' },
    "county is required when city is given: send the county's name or FIPS code as " +
      'county, or leave city out and send zipCode',
  ],
  [
    'a zipCode that is none',
    { state: 'WI', address: '100 Main St', zipCode: '5370' },
    'zipCode must be five digits, or nine as ZIP+4',
  ],
  [
    'a text of more than 1,000 characters',
    { state: 'WI', address: '1'.repeat(1001) },
    'address is longer than 1000 characters',
  ],
]

for (const [what, query, text] of refused) {
  test(`${what} is 400`, async () => {
    const { status, body } = await service.get(PATH, query)
    assert.deepEqual([status, body], [400, { error: text }])
  })
}

test('an empty city needs no county', async () => {
  const query = { state: 'WI', address: '100 Main St', city: '' }
  assert.equal((await service.get(PATH, query)).status, 200)
})

test('an apn of another parcel than the one at the address is 400', async () => {
  for (const explain of ['false', 'true']) {
    const asked = { address: '100 Main St', explain }
    for (const apn of ['MAIN', '55025-main', 'M.AIN']) {
      const { status } = await service.get(PATH, { state: 'WI', ...asked, apn })
      assert.equal(status, 200, apn)
    }
    const error = 'address and apn name different parcels: send one of them'
    for (const apn of ['ELM-M', '55079-MAIN', '55025-ELM-M', 'NONE']) {
      const other = await service.get(PATH, { state: 'WI', ...asked, apn })
      assert.deepEqual([other.status, other.body], [400, { error }], apn)
    }
  }
})
