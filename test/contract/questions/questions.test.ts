/** Filters, fields, totals and summaries over a few parcels, case by case. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Query, startService } from '../../service.ts'
import { makeRoll, type Row } from '../rolls.ts'

const SEARCH = '/public/property/search/'
const SUMMARY = '/public/property/summary/'

const ROWS: Row[] = [
  {
    ...{ parcelId: 'A', address: '1 ELM ST', city: 'Madison', ownerName1: 'CITY OF MADISON' },
    ...{
      latitude: 43,
      longitude: -89,
      acres: 12.5,
      totalMarketValue: 900,
      transferDate: '2024-02-29',
      transferPrice: 500,
    },
    ...{ ownerAddressLine1: '1 MAIN ST', ownerCity: 'MADISON', ownerState: 'WI' },
    ...{ useCode: '8001', subdivision: 'Maple  Hill', jurisdiction: 'MADISON' },
  },
  {
    ...{ parcelId: 'B', address: '2 ELM ST', city: 'Madison', ownerName1: 'CITY OF MADISON' },
    ...{
      latitude: 43.001,
      longitude: -89,
      acres: 2,
      totalMarketValue: 300,
      yearBuilt: 1979,
      buildingArea: 1000,
    },
    ...{ ownerAddressLine1: '1 MAIN ST', ownerCity: 'MADISON', ownerState: 'WI' },
    ...{ transferDate: '2025-01-01', transferPrice: 0, subdivision: 'MAPLE HILL' },
  },
  {
    ...{ parcelId: 'C', address: '3 ELM ST', city: 'MADISON', ownerName1: 'QUILLON, MARA' },
    ...{ acres: 0.25, totalMarketValue: 700, yearBuilt: 1980, buildingArea: 1500 },
    ...{ ownerAddressLine1: '9 PALM AVE', ownerCity: 'TAMPA', ownerState: 'FL' },
    ownerZipCode: '33601-1234',
  },
  {
    parcelId: 'D',
    city: 'Verona',
    ownerName1: 'OAKEN SPOON LLC',
    acres: 40,
    totalMarketValue: 100,
  },
  { parcelId: 'E', address: '5 ELM ST', city: 'Verona' },
]

const service = await startService(makeRoll(ROWS))
after(() => service.close())
const key = await service.keyFor({ responseShape: 'flat' })
const ask = (path: string, query: Query) => service.get(path, query, { key })

/** Parcel IDs that a search finds, in its order. */
async function find(query: string): Promise<string> {
  const { status, body } = await ask(SEARCH, `state=WI&includeUnassignedAddress=true&${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.properties.map((one: { parcelId: string }) => one.parcelId).join('')
}

const FOUND: [query: string, parcels: string][] = [
  ['acresMin=2', 'ABD'],
  ['acresMin=2&acresMax=12.5', 'AB'],
  ['acresMin=12.5001', 'D'],
  ['sort=acres', 'CBADE'],
  ['sort=-acres', 'DABCE'],
  ['sort=-id', 'EDCBA'],
  ['sort=yearBuilt', 'BCADE'],
  ['vacant=true', 'A'],
  ['vacant=false', 'BC'],
  ['hasBuilding=true', 'BC'],
  ['hasSitus=false', 'D'],
  ['outOfStateOwner=true', 'C'],
  ['outOfStateOwner=false', 'AB'],
  ['ownerState=fl', 'C'],
  ['ownerState=fl&ownerState=wi', 'ABC'],
  ['ownerState=FL,WI', 'ABC'],
  ['ownerZipCode=33601', 'C'],
  ['ownerZipCode=33601-1234,53703', 'C'],
  ['subdivision=Maple Hill,Oak', ''],
  ['ownerType=government,company', 'ABD'],
  ['ownerType=government&ownerType=individual', 'ABC'],
  ['subdivision=maple hill', 'AB'],
  ['municipality=Madison', 'A'],
  // A price of 0 is none.
  ['salePriceMin=0', 'A'],
  ['saleDateFrom=2024-02-29&saleDateTo=2024-02-29', 'A'],
  ['saleDateFrom=2024-03-01', ''],
  ['useStandardCode=80*&acresMin=1', 'A'],
  ['useStandardCode=10*&acresMin=1', ''],
  ['city=madison&marketValueMin=300&sort=-marketValue', 'ACB'],
  ['latitude=43&longitude=-89&acresMin=3', 'A'],
  ['latitude=43&longitude=-88&acresMin=1', ''],
]

for (const [query, parcels] of FOUND) {
  test(`${query} finds ${parcels || 'nothing'}`, async () => {
    assert.equal(await find(query), parcels)
  })
}

test('a cursor of another order or other filters is 400', async () => {
  const first = { state: 'WI', sort: 'acres', limit: 1, cursor: '' }
  const { nextCursor } = (await ask(SEARCH, first)).body.metadata
  for (const other of [{ sort: '-acres' }, { acresMin: 1 }, { city: 'Madison' }, {}]) {
    const query = Object.keys(other).length === 0 ? { state: 'WI' } : { ...first, ...other }
    const { status, body } = await ask(SEARCH, { ...query, cursor: nextCursor })
    assert.deepEqual([status, body.error], [400, 'Invalid cursor'], JSON.stringify(other))
  }
  const next = await ask(SEARCH, { ...first, limit: 2, cursor: nextCursor })
  assert.deepEqual(
    next.body.properties.map((one: { parcelId: string }) => one.parcelId),
    ['B', 'A'],
  )
})

test('a total asked for on the first page leaves the cursor as it is without one', async () => {
  const point = { latitude: 43, longitude: -89, radius: 2 }
  const asked: [path: string, query: Record<string, string | number>][] = [
    [SEARCH, { state: 'WI' }],
    ['/public/property/location/', point],
    ['/public/property/shape/', { bbox: '-89.1,42.9,-88.9,43.1' }],
  ]
  for (const [path, query] of asked) {
    const paging = { ...query, limit: 1, cursor: '' }
    const [first, counted] = [
      await ask(path, paging),
      await ask(path, { ...paging, includeTotal: true }),
    ]
    const { nextCursor, total } = counted.body.metadata
    assert.deepEqual([nextCursor, total], [first.body.metadata.nextCursor, path === SEARCH ? 4 : 2])
    for (const more of [{}, { includeTotal: true }]) {
      const next = await ask(path, { ...paging, ...more, cursor: nextCursor })
      assert.equal(next.body.properties[0].parcelId, 'B', `${path} ${JSON.stringify(next.body)}`)
    }
  }
})

test('totals are in the metadata of a page, or all of the answer', async () => {
  const page = await ask(SEARCH, { state: 'WI', acresMin: 1, includeTotal: true, limit: 1 })
  const metadata = { limit: 1, offset: 0, count: 1, total: 2, totalIs: 'exact' }
  assert.deepEqual(page.body.metadata, metadata)
  const count = await ask(SEARCH, { state: 'WI', countOnly: true })
  assert.deepEqual(count.body, { properties: [], metadata: { total: 4, totalIs: 'exact' } })
})

test('fields returns those fields, and id and propertyId always', async () => {
  const { body } = await ask(SEARCH, { state: 'WI', fields: 'acres,city', limit: 1 })
  const [record] = body.properties
  assert.deepEqual(Object.keys(record), ['_id', 'propertyId', 'city', 'acres'])
  assert.deepEqual([record.city, record.acres, record.propertyId], ['MADISON', 12.5, '55025-A'])
  const nested = await service.get(SEARCH, {
    state: 'WI',
    fields: 'landInformation.acres',
    limit: 1,
  })
  assert.deepEqual(Object.keys(nested.body.properties[0]), [
    'id',
    'propertyIdentification',
    'landInformation',
  ])
  const part = await service.get(SEARCH, { state: 'WI', fields: 'taxInformation', limit: 1 })
  assert.equal(part.body.properties[0].taxInformation.taxYear, null)
})

for (const [path, query] of [
  ['/public/property/address/', { state: 'WI', address: '1 Elm St' }],
  ['/public/property/parcelId/', { state: 'WI', county: 'Dane', parcelId: 'A' }],
  ['/public/premium/owner/', { state: 'WI', lastName: 'Quillon' }],
  ['/public/property/location/', { latitude: 43, longitude: -89 }],
] as [string, Query & object][]) {
  test(`${path} takes fields, and an unknown one is 400 with the nearest`, async () => {
    assert.equal((await ask(path, { ...query, fields: 'acres' })).status, 200)
    const { status, body } = await ask(path, { ...query, fields: 'acres,adress' })
    assert.equal(status, 400)
    assert.match(body.error, /^fields has no field adress; did you mean address/)
    const meant = await ask(path, { ...query, fields: 'acres,sqft' })
    assert.match(meant.body.error, /^fields has no field sqft; did you mean building/)
  })
}

test('a summary by owner counts, sums and finds medians, the largest first', async () => {
  const query = { state: 'WI', groupBy: 'owner', measure: 'sumAcres,medianMarketValue' }
  const group = (owner: string, count: number, sumAcres: number, medianMarketValue: number) => ({
    ...{ key: { owner }, count, sumAcres, medianMarketValue },
  })
  assert.deepEqual((await ask(SUMMARY, query)).body, {
    groups: [
      group('CITY OF MADISON', 2, 14.5, 600),
      group('QUILLON, MARA', 1, 0.25, 700),
      group('OAKEN SPOON LLC', 1, 40, 100),
    ],
    metadata: { total: 5, groups: 3, complete: true },
  })
})

test('a summary of a circle, a box or a polygon has the parcels in it', async () => {
  for (const [place, total] of [
    ['latitude=43&longitude=-89&radius=1', 2],
    ['bbox=-89.01,42.99,-88.99,43.01', 2],
    ['bbox=-89.01,42.99,-88.99,43.0005', 1],
    [`polygon=${encodeURIComponent('onkeGnwg~O?_|Bs`A??~{B')}`, 1],
    ['bbox=-80,42.99,-79.9,43.01', 0],
  ]) {
    const { status, body } = await ask(SUMMARY, `state=WI&groupBy=city&${place}`)
    assert.deepEqual([status, body.metadata?.total], [200, total], String(place))
  }
})

test('a summary by two names has a group for each pair, null where one is unknown', async () => {
  const query = { state: 'WI', groupBy: 'city,yearBuiltDecade', orderBy: 'sumMarketValue' }
  const { body } = await ask(SUMMARY, query)
  assert.deepEqual(
    body.groups.map(
      ({
        key: { city, yearBuiltDecade },
        sumMarketValue,
      }: {
        key: { city: string; yearBuiltDecade: number }
        sumMarketValue: number
      }) => [city, yearBuiltDecade, sumMarketValue],
    ),
    [
      ['MADISON', null, 900],
      ['MADISON', 1980, 700],
      ['MADISON', 1970, 300],
      ['VERONA', null, 100],
    ],
  )
})

for (const [query, text] of [
  ['groupBy=castle', /^groupBy must be one of county, /],
  ['', /^groupBy is required$/],
  ['groupBy=city&groupBy=county,owner', /^groupBy takes one or two names$/],
  ['groupBy=city&orderBy=size', /^orderBy must be one of count, /],
  ['groupBy=,', /^groupBy has no value$/],
  ['groupBy=city&ownerType=,', /^ownerType has no value$/],
  ['groupBy=city&top=0', /^top must be 1 or more$/],
  ['groupBy=city&bbox=1,2,3', /^bbox must be four numbers/],
  [
    'groupBy=city&latitude=43&longitude=-89&bbox=-89,43,-88.9,43.1',
    /^A circle, bbox and polygon excl/,
  ],
] as const) {
  test(`a summary with ${query || 'no group'} is 400`, async () => {
    const { status, body } = await ask(SUMMARY, `state=WI&${query}`)
    assert.equal(status, 400)
    assert.match(body.error, text)
  })
}
