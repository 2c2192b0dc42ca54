/** `GET /public/property/search/` answers 400: decisions D3, D4 and D9. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'
import { promiseParameters } from '../promises.ts'
import { PATH, SEARCHED } from './roll.ts'

const service = await startService(SEARCHED)
after(() => service.close())

promiseParameters(service, { path: PATH, query: { state: 'WI' }, tokenCost: 0 }, [
  ...['state', 'county', 'city', 'zipCode', 'address', 'unitNumberStripped', 'unit', 'useCode'],
  ...['residential', 'transferedSince', 'transferredSince', 'includeUnassignedAddress'],
  ...['limit', 'cursor', 'offset'],
])

const refused: [string, string][] = [
  ['', 'state is required'],
  ['state=', 'state is required'],
  ['state=WI&limit=0', 'limit must be 1 or more'],
  ['state=WI&limit=-1', 'limit must be 1 or more'],
  ['state=WI&limit=ten', 'limit must be an integer'],
  ['state=WI&limit=1.5', 'limit must be an integer'],
  ['state=WI&offset=-1', 'offset must be 0 or more'],
  ['state=WI&offset=x', 'offset must be an integer'],
  ['state=WI&zipCode=5370', 'zipCode must be five digits'],
  ['state=WI&zipCode=53703-1234', 'zipCode must be five digits'],
  ['state=WI&zipCode=ABCDE', 'zipCode must be five digits'],
  ['state=WI&residential=maybe', 'residential must be true or false'],
  ['state=WI&residential=2', 'residential must be true or false'],
  ['state=WI&includeUnassignedAddress=yes', 'includeUnassignedAddress must be true or false'],
  ['state=WI&transferedSince=0', 'transferedSince must be 1 or more'],
  ['state=WI&transferedSince=36501', 'transferedSince must be 36500 or less'],
  ['state=WI&transferedSince=2020-01-01', 'transferedSince must be an integer'],
  ['state=WI&transferredSince=0', 'transferredSince must be 1 or more'],
]

for (const [query, text] of refused) {
  test(`${query || 'no parameter'} is 400: ${text}`, async () => {
    const { status, body } = await service.get(PATH, query)
    assert.deepEqual([status, body], [400, { error: text }])
  })
}
