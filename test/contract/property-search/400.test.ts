/**
 * `GET /public/property/search/` answers 400: docs/decisions/property-search.md and
 * docs/decisions/http-interface.md.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'
import { promiseParameters } from '../promises.ts'
import { PATH, SEARCHED } from './roll.ts'

const service = await startService(SEARCHED)
after(() => service.close())

const names = [
  ...['state', 'county', 'city', 'zipCode', 'address', 'unitNumberStripped', 'unit', 'useCode'],
  ...['residential', 'transferedSince', 'transferredSince', 'includeUnassignedAddress'],
  ...['limit', 'cursor', 'offset', 'query', 'propertyType', 'property_type', 'foreclosure'],
]
const operation = { path: PATH, query: { state: 'WI' }, tokenCost: 0 } as const
promiseParameters(service, operation, names, ['useCode'])

const refused: [string, string][] = [
  ['', 'state is required'],
  ['state=', 'state is required'],
  ['query=Quillon', 'state is required'],
  [
    'state=WI&query=1+Main+St&address=1+Main+St',
    'query and address exclude each other; send one of them',
  ],
  [
    'state=WI&propertyType=castle',
    'propertyType must be one of any, SFR, house, CONDO, APARTMENT, MOBILE',
  ],
  [
    'state=WI&property_type=castle',
    'property_type must be one of any, SFR, house, CONDO, APARTMENT, MOBILE',
  ],
  ['state=WI&foreclosure=maybe', 'foreclosure must be true or false'],
  ['state=WI&acresMn=5', 'acresMn is not a parameter; send acresMin'],
  ['state=WI&saleDateForm=2020-01-01', 'saleDateForm is not a parameter; send saleDateFrom'],
  ['state=WI&heightMin=5', 'heightMin is not a parameter'],
  ['state=WI&heightMaximum=5', 'heightMaximum is not a parameter'],
  ['state=WI&fields=,', 'fields names no field'],
  ...['1*0', '10010', 'R1', '1001,R1', '12'].map((code): [string, string] => [
    `state=WI&useStandardCode=${code}`,
    'useStandardCode must be four digits, or first digits as 10*',
  ]),
  ...['bedroomsMin', 'min_beds', 'priceMax', 'absenteeOwner'].map((name): [string, string] => [
    `state=WI&${name}=3`,
    `${name} is not a filter of this operation; leave it out`,
  ]),
  ...[
    ...['streetName', 'lenderName', 'timeFrame', 'sortBy', 'totalMarketValueMin'],
    ...['ownerCity', 'minTotalBedrooms', 'lotSizeMin', 'transfer-price-min'],
    ...['zipCodes', 'counties', 'cities', 'property_types', 'radius_miles', 'bounds', 'center'],
    ...['built_after', 'soldSince', 'last_sale_date_from', 'bedrooms[gte]', 'acreageMin'],
    ...['zip5', 'zip_4', 'siteZip', 'situs_city', 'propertyAddress', 'mailingZip5'],
    ...['is_owner_occupied', 'isVacant', 'hasPool', 'in_foreclosure', 'landUse', 'homeType', 'q'],
  ].map((name): [string, string] => [
    `state=WI&${name}=3`,
    `${name} is not a filter of this operation; leave it out`,
  ]),
  ...[
    ['ZIP', 'zip'],
    ['County', 'county'],
    ['county[]', 'county'],
    ['city%5B0%5D', 'city[0]', 'city'],
    ['use_code', 'useCode'],
    ['PropertyType', 'propertyType'],
    ['year_built_max', 'yearBuiltMax'],
    ['beds[min]', 'bedsMin'],
    ['BEDSMIN', 'bedsMin'],
  ].map((names): [string, string] => [
    `state=WI&${names[0]}=3`,
    `${names.at(-2)} is not a parameter; send ${names.at(-1)}`,
  ]),
  ['state=WI&limit=0', 'limit must be 1 or more'],
  ['state=WI&limit=-1', 'limit must be 1 or more'],
  ['state=WI&limit=ten', 'limit must be an integer'],
  ['state=WI&limit=1.5', 'limit must be an integer'],
  ['state=WI&offset=-1', 'offset must be 0 or more'],
  ['state=WI&offset=x', 'offset must be an integer'],
  ['state=WI&acresMin=two', 'acresMin must be a number'],
  ['state=WI&sqftMin=1e3', 'sqftMin must be an integer'],
  ['state=WI&acresMin=3&acresMax=2', 'acresMin is above acresMax'],
  ['state=WI&saleDateFrom=2024-02-01&saleDateTo=2024-01-01', 'saleDateFrom is above saleDateTo'],
  ['state=WI&saleDateFrom=2023-02-29', 'saleDateFrom must be a date such as 2024-02-29'],
  ['state=WI&saleDateTo=02/01/2024', 'saleDateTo must be a date such as 2024-02-29'],
  [
    'state=WI&ownerType=company,alien',
    'ownerType must be one of individual, company, trust, government',
  ],
  ['state=WI&vacant=maybe', 'vacant must be true or false'],
  ['state=WI&sort=acres&cursor=eyJsYXN0SWQiOiIwMCJ9', 'Invalid cursor'],
  ['state=WI&zipCode=5370', 'zipCode must be five digits, or nine as ZIP+4'],
  ['state=WI&zipCode=53703-12', 'zipCode must be five digits, or nine as ZIP+4'],
  ['state=WI&zipCode=ABCDE', 'zipCode must be five digits, or nine as ZIP+4'],
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

test('an unsupported filter is ignored when it is empty', async () => {
  assert.equal((await service.get(PATH, 'state=WI&bedsMin=&priceMax=')).status, 200)
})
