/**
 * `GET /public/property/address/` answers 404: docs/decisions/lookups.md, rules 9 and 10 of
 * docs/matching.md.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'
import { ADDRESSES, PATH } from './roll.ts'

const service = await startService(ADDRESSES)
after(() => service.close())

const nothing: [string, Record<string, string>][] = [
  ['an address that nobody has', { address: '9999 Main St' }],
  ['another number', { address: '101 Main St' }],
  ['another suffix', { address: '1000 Ridge Ct' }],
  ['another directional', { address: '900 S Birch St' }],
  ['a number of the other side of a range', { address: '703 River St' }],
  ['a number behind a range', { address: '708 River St' }],
  ['a unit that nobody has where all have one', { address: '500 Hill Rd', unit: '9' }],
  ['an unrecognized county', { address: '100 Main St', county: 'Nowhere' }],
  ['a county of another state', { address: '100 Main St', county: 'Cook' }],
  ['another county', { address: '100 Main St', county: 'Milwaukee' }],
  ['another city', { address: '100 Main St', county: 'Dane', city: 'Stoughton' }],
  ['another city behind the line', { address: '100 Main St, Stoughton' }],
  ['a state that is not loaded', { address: '100 Main St', state: 'TX' }],
  ['an address without a letter or digit', { address: '---' }],
]

for (const [what, query] of nothing) {
  test(`${what} is 404`, async () => {
    const { status, body, headers } = await service.get(PATH, { state: 'WI', ...query })
    assert.deepEqual([status, body], [404, { error: 'Address not found' }])
    assert.equal(headers.get('x-match'), null)
  })
}

const ambiguous: [string, Record<string, string>, string][] = [
  ['parcels of two cities', { address: '200 Elm St' }, '2'],
  ['parcels of two cities in the asked county', { address: '200 Elm St', county: 'Dane' }, '2'],
  ['parcels of two counties where no city is recorded', { address: '300 Oak Ave' }, '2'],
  ['one asked unit in two cities', { address: '1200 Park Pl', unit: '5' }, '2'],
  ['units in two cities, none asked', { address: '1200 Park Pl' }, '3'],
  ['a base in one city and units in another', { address: '1400 Dell Ct' }, '2'],
  ['a dropped unit where two cities are', { address: '200 Elm St', unit: '4' }, '2'],
  ['a forgiven directional that could be two', { address: '1500 Cedar St' }, '2'],
]

for (const [what, query, count] of ambiguous) {
  test(`${what}: 404 with X-Match: ambiguous and how many`, async () => {
    const { status, body, headers } = await service.get(PATH, { state: 'WI', ...query })
    assert.deepEqual([status, body], [404, { error: 'Address not found' }])
    assert.equal(headers.get('x-match'), 'ambiguous')
    assert.equal(headers.get('x-match-count'), count)
  })
}
