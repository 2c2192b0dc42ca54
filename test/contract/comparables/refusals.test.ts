/** `GET /public/premium/comparables/` answers 400, 401 and 404. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'
import { promiseKeys } from '../promises.ts'
import { CENTER, PATH, SOLD } from './roll.ts'

const service = await startService(SOLD)
after(() => service.close())

promiseKeys(service, { path: PATH, query: CENTER, tokenCost: 1 })

const refused: [Record<string, string | number>, string][] = [
  [{}, 'latitude and longitude, or propertyId, are required'],
  [{ latitude: '43' }, 'latitude and longitude, or propertyId, are required'],
  [{ latitude: '91', longitude: '0' }, 'latitude must be 90 or less'],
  [{ latitude: 'x', longitude: '0' }, 'latitude must be a number'],
  [{ state: 'WI' }, 'county is required'],
  [{ ...CENTER, state: 'WI' }, 'state is only for a parcel ID; leave it out when a point is given'],
  [
    { ...CENTER, county: 'Dane' },
    'county is only for a parcel ID; leave it out when a point is given',
  ],
  [{ propertyId: '55025-NOBODY', latitude: '43' }, 'latitude and longitude are required together'],
  [{ radius: '-1' }, 'radius must be 0 or more'],
  [{ zipCode: '53703' }, 'zipCode is not a filter of this operation; leave it out'],
  [{ yearBuiltMin: '1990' }, 'yearBuiltMin is not a filter of this operation; leave it out'],
  [{ ...CENTER, sqftMin: '900', sqftMax: '800' }, 'sqftMin is above sqftMax'],
  [{ ...CENTER, priceMin: '2', priceMax: '1' }, 'priceMin is above priceMax'],
  [{ ...CENTER, asOf: '2024-06-30' }, 'asOf is not a filter of this operation; leave it out'],
  [{ propertyType: 'castle' }, 'propertyType must be one of any, house, condo'],
]

for (const [query, text] of refused) {
  test(`${JSON.stringify(query)} is 400: ${text}`, async () => {
    const whole = 'radius' in query || 'timeFrame' in query || 'propertyType' in query
    const { status, body } = await service.get(PATH, whole ? { ...CENTER, ...query } : query)
    assert.deepEqual([status, body], [400, { error: text }])
  })
}

const nothing: [string, Record<string, string | number>, string][] = [
  ['no sale there', { latitude: 44, longitude: -89 }, 'No comparable properties found'],
  ['no sale in the bounds', { ...CENTER, bedsMin: 9 }, 'No comparable properties found'],
  [
    'a state whose prices are not public',
    { latitude: 37.8, longitude: -95.3 },
    'No comparable properties found: sale prices are not public in KS',
  ],
  [
    'a roll without sales',
    { latitude: 41.8, longitude: -87.6 },
    'No comparable properties found: the roll has no sales',
  ],
  [
    'a county without sales, whose state has some elsewhere,',
    { latitude: 46.3, longitude: -90.6 },
    'No comparable properties found: the roll has no sales',
  ],
  [
    'a property of such a county',
    { propertyId: '55003-NORTH' },
    'No comparable properties found: the roll has no sales',
  ],
  [
    'a property of a state whose prices are not public, with an old sale,',
    { propertyId: '20003-TOLD' },
    'No comparable properties found: sale prices are not public in KS',
  ],
  ['an unknown property', { propertyId: '55025-NOBODY' }, 'Property not found'],
]

for (const [what, query, text] of nothing) {
  test(`${what} is 404`, async () => {
    const { status, body } = await service.get(PATH, query)
    assert.deepEqual([status, body], [404, { error: text }])
  })
}
