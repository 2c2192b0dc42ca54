/** `asOf` answers what each year's own store answers. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService, type TestService } from '../../service.ts'

/** A square lot of a row of lots; `east` and `side` in hundred-thousandths of a degree. */
const lot = (parcelId: string, east: number, side: number, more: Record<string, unknown>) => {
  const at = (x: number, y: number) => [-89.4 + x / 1e5, 43.07 + y / 1e5]
  const ring = [at(east, 0), at(east + side, 0), at(east + side, 100), at(east, 100), at(east, 0)]
  const own = { state: 'WI', county: 'Dane', parcelId, nameOrder: 'last-first', ...more }
  return {
    type: 'Feature',
    properties: own,
    geometry: { type: 'Polygon', coordinates: [ring] },
  }
}
const roll = (year: number, lots: ReturnType<typeof lot>[]) =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: lots.map((one) => ({
      ...one,
      properties: { ...one.properties, sourceRollYear: year, assessedYear: year },
    })),
  })

/** A and B are split and sold, C goes and comes back, D moves to another street. */
const YEARS = new Map([
  [
    2022,
    roll(2022, [
      lot('A', 0, 200, {
        ownerName1: 'QUILLON, MARA',
        address: '1 MAIN ST',
        totalAssessedValue: 1,
      }),
      lot('C', 200, 100, { ownerName1: 'ROE, JO', address: '3 MAIN ST', totalAssessedValue: 2 }),
      lot('D', 300, 100, { ownerName1: 'ROE, JO', address: '4 MAIN ST', totalAssessedValue: 3 }),
    ]),
  ],
  [
    2023,
    roll(2023, [
      lot('A-1', 0, 100, { ownerName1: 'QUILLON, MARA', address: '1 MAIN ST' }),
      lot('A-2', 100, 100, { ownerName1: 'DOE, ANN', address: '2 MAIN ST' }),
      lot('D', 300, 100, { ownerName1: 'ROE, JO', address: '9 ELM ST', totalAssessedValue: 4 }),
    ]),
  ],
  [
    2024,
    roll(2024, [
      lot('A-1', 0, 100, { ownerName1: 'DOE, ANN', address: '1 MAIN ST' }),
      lot('A-2', 100, 100, { ownerName1: 'DOE, ANN', address: '2 MAIN ST' }),
      lot('C', 200, 100, { ownerName1: 'HARLOW, PAUL', address: '3 MAIN ST' }),
      lot('D', 300, 100, { ownerName1: 'ROE, JO', address: '9 ELM ST', totalAssessedValue: 4 }),
    ]),
  ],
])

const QUESTIONS: [path: string, query: Record<string, string>][] = [
  ...['A', 'A-1', 'C', 'D', 'a1'].map((parcelId): [string, Record<string, string>] => [
    '/public/property/parcelId/',
    { state: 'WI', county: 'Dane', parcelId },
  ]),
  ...['1 Main St', '2 Main St', '3 Main St', '4 Main Street', '9 Elm St'].map(
    (address): [string, Record<string, string>] => [
      '/public/property/address/',
      { state: 'WI', address },
    ],
  ),
  ...[50, 150, 250, 350].map((x): [string, Record<string, string>] => [
    '/public/property/point/',
    { latitude: '43.0705', longitude: String(-89.4 + x / 1e5) },
  ]),
  ['/public/property/search/', { state: 'WI', county: 'Dane', cursor: '' }],
  ...['Quillon', 'Ann Doe', 'Harlow Paul', 'Roe', '4 M', '3 Main St', 'A', 'A-2'].map(
    (query): [string, Record<string, string>] => [
      '/public/property/search/',
      { state: 'WI', county: 'Dane', query, cursor: '' },
    ],
  ),
  ['/public/property/search/', { state: 'WI', county: 'Dane', address: '1 Main St', cursor: '' }],
]

const geometry = { geometry: true, force: true, name: 'roll.geojson' }
const service = await startService('')
after(() => service.close())
for (const [, csv] of YEARS) await service.importRoll(csv, geometry)

/** The answer without ids and times of loading, and without an order by ids. */
async function ask(from: TestService, path: string, query: Record<string, string>) {
  const { status, text, body } = await from.get(path, query)
  const byParcelId = (a: { parcelId: string }, b: { parcelId: string }) =>
    a.parcelId < b.parcelId ? -1 : 1
  const sorted = body.properties?.toSorted(byParcelId)
  const shown = (sorted === undefined ? text : JSON.stringify(sorted))
    .replaceAll(/"(?:id|lastUpdated|loadedAt|nextCursor)":(?:"[^"]*"|null)/g, '')
    .replaceAll(/,?"[^"]*"(?=,\})/g, '')
  return `${status} ${shown}`
}

for (const [year, csv] of YEARS) {
  test(`answers of ${year} are those of a store that has that roll alone`, async () => {
    const own = await startService('')
    try {
      await own.importRoll(csv, geometry)
      for (const [path, query] of QUESTIONS) {
        const asked = { ...query, asOf: `${year}-07-01` }
        assert.equal(
          await ask(service, path, asked),
          await ask(own, path, query),
          `${path} ${JSON.stringify(query)}`,
        )
      }
    } finally {
      await own.close()
    }
  })
}

test('names the roll, and says from when there is data', async () => {
  const at = (asOf: string) =>
    service.get('/public/property/parcelId/', { propertyId: '55025-A', asOf })
  const found = await at('2022-12-31')
  assert.deepEqual([found.status, found.headers.get('x-as-of')], [200, '2022-01-01'])
  const before = await at('2021-12-31')
  assert.deepEqual([before.status, before.body.error], [404, 'There is data from 2022-01-01 on'])
  const alone = { parcelId: '55025-A', asOf: '2021-12-31' }
  const byIdAlone = await service.get('/public/property/parcelId/', alone)
  assert.deepEqual(byIdAlone.body, before.body)
  const point = { latitude: '43.0705', longitude: '-89.3995', asOf: '2021-12-31' }
  const there = await service.get('/public/property/point/', point)
  assert.deepEqual([there.status, there.body.error], [404, 'There is data from 2022-01-01 on'])
  for (const asOf of ['2022-02-30', '2022', 'May']) assert.equal((await at(asOf)).status, 400)
  const search = await service.get('/public/property/search/', { state: 'WI', asOf: '2023-01-01' })
  assert.equal(search.status, 400)
  for (const path of [
    ...['property/location', 'property/shape', 'property/summary', 'property/owner', 'suggest'],
    ...['property/history', 'property/lineage', 'property/abutters', 'premium/portfolio'],
    ...['premium/network', 'changes', 'coverage', 'quality', 'ratios'],
  ]) {
    const { status, body } = await service.get(`/public/${path}/`, { asOf: '2023-01-01' })
    assert.deepEqual(
      [status, body.error],
      [400, 'asOf is not a filter of this operation; leave it out'],
    )
  }
})

test('pages of a search as of a day are each parcel once', async () => {
  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = { state: 'WI', county: 'Dane', asOf: '2023-05-05', limit: 1, cursor }
    const { body } = await service.get('/public/property/search/', query)
    for (const { parcelId } of body.properties) seen.push(parcelId)
    cursor = body.metadata.nextCursor
  }
  assert.deepEqual(seen.toSorted(), ['A-1', 'A-2', 'D'])
})
