/** `latitude`, `longitude` and `radius` of `GET /public/property/search/`. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { measureMiles, type Point } from '../../../src/geo/sphere.ts'
import { startService } from '../../service.ts'
import { makeRoll, type Row, times } from '../rolls.ts'
import { PATH } from './roll.ts'

const CENTER: Point = [-89.4, 43.07]

/**
 * A grid of 20 by 20 lots some 300 feet apart, in two counties; one without a point and one without
 * an address.
 */
const lots = times(400, (at) => ({
  parcelId: `P${String(at).padStart(3, '0')}`,
  county: at % 2 === 0 ? 'Dane' : 'Milwaukee',
  address: at === 3 ? '' : `${at} ${at % 10 === 0 ? 'ELM' : 'OAK'} ST`,
  city: at % 3 === 0 ? 'Madison' : 'Fitchburg',
  useCode: at % 4 === 0 ? '1004' : '1001',
  longitude: at === 4 ? '' : -89.41 + (at % 20) * 0.001,
  latitude: at === 4 ? '' : 43.06 + Math.floor(at / 20) * 0.001,
}))
const service = await startService(makeRoll(lots))
after(() => service.close())
const key = await service.keyFor({ responseShape: 'flat' })

const ask = (query: Record<string, string | number | boolean>) =>
  service.get(PATH, { state: 'WI', limit: 100, ...query }, { key })
const around = (radius: number) => ({ latitude: 43.07, longitude: -89.4, radius })

type Found = { body: { properties: { parcelId: string }[] } }
const idsOf = ({ body }: Found) => body.properties.map(({ parcelId }) => parcelId)

function within(radius: number, wanted: (row: Row) => boolean = () => true): string[] {
  return lots
    .filter(({ longitude, latitude }) => longitude !== '' && latitude !== '')
    .filter(
      (row) =>
        measureMiles(CENTER, [Number(row.longitude), Number(row.latitude)]) <= radius &&
        row.address !== '' &&
        wanted(row),
    )
    .map(({ parcelId }) => String(parcelId))
}

/** All pages by cursor. */
async function walk(query: Record<string, string | number | boolean>): Promise<string[]> {
  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const answer = await ask({ ...query, cursor, limit: 7 })
    assert.equal(answer.status, 200)
    seen.push(...idsOf(answer))
    cursor = answer.body.metadata.nextCursor
  }
  return seen
}

test('parcels with their point in the circle, by record ID, with the searched circle', async () => {
  const answer = await ask(around(0.3))
  assert.deepEqual(idsOf(answer), within(0.3))
  assert.ok(within(0.3).length > 20 && within(0.3).length < 100)
  const { searchCenter, radiusMiles } = answer.body.metadata
  assert.deepEqual([searchCenter, radiusMiles], [{ longitude: -89.4, latitude: 43.07 }, 0.3])
})

test('pages by cursor and by offset hold each of them once', async () => {
  const expected = within(0.5)
  assert.deepEqual(await walk(around(0.5)), expected)
  const pages = await Promise.all(
    [0, 50, 100, 150].map((offset) => ask({ ...around(0.5), offset, limit: 50 })),
  )
  assert.deepEqual(pages.flatMap(idsOf), expected.slice(0, 200))
})

const cases: [string, Record<string, string | boolean>, (row: Row) => boolean][] = [
  ['county', { county: 'Dane' }, ({ county }) => county === 'Dane'],
  ['city', { city: 'Madison' }, ({ city }) => city === 'Madison'],
  ['propertyType', { propertyType: 'CONDO' }, ({ useCode }) => useCode === '1004'],
  ['useStandardCode', { useStandardCode: '1004' }, (row) => row.useCode === '1004'],
  [
    'county and city',
    { county: 'Dane', city: 'Madison' },
    (row) => row.county === 'Dane' && row.city === 'Madison',
  ],
]
for (const [name, query, wanted] of cases) {
  test(`together with ${name}`, async () => {
    assert.ok(within(0.5, wanted).length > 0)
    assert.deepEqual(await walk({ ...around(0.5), ...query }), within(0.5, wanted))
  })
}

test('an address and a free text count only within the circle', async () => {
  const inside = lots[209] as Row
  const outside = lots[0] as Row
  for (const name of ['address', 'query']) {
    const asked = (row: Row) => ask({ ...around(0.2), [name]: String(row.address) })
    assert.deepEqual(idsOf(await asked(inside)), [inside.parcelId])
    assert.deepEqual(idsOf(await asked(outside)), [])
    assert.deepEqual(
      idsOf(await ask({ ...around(50), [name]: String(outside.address), cursor: '' })),
      [outside.parcelId],
    )
  }
})

test('parcels without an address are omitted and counted, and found on request', async () => {
  const tiny = { latitude: 43.06, longitude: -89.407, radius: 0.01 }
  const without = await ask(tiny)
  assert.deepEqual([idsOf(without), without.headers.get('x-unassigned-address')], [[], 'excluded'])
  assert.deepEqual(idsOf(await ask({ ...tiny, includeUnassignedAddress: true })), ['P003'])
})

test('other names of the center; a mile without a radius', async () => {
  for (const names of [
    ['lat', 'lng'],
    ['lat', 'lon'],
    ['lat', 'long'],
  ] as const) {
    const answer = await ask({ [names[0]]: 43.07, [names[1]]: -89.4 })
    assert.equal(answer.body.metadata.radiusMiles, 1)
    assert.deepEqual(idsOf(answer), within(1).slice(0, 100))
  }
})

test('a radius of 0 is the point itself', async () => {
  const { body } = await ask({ ...around(0.2), limit: 1 })
  const [{ latitude, longitude, parcelId }] = body.properties
  const found = await ask({ latitude, longitude, radius: 0 })
  assert.deepEqual([idsOf(found), found.body.metadata.radiusMiles], [[parcelId], 0])
})

test('half a circle is refused by name, and so is one that is too large', async () => {
  const refused: [Record<string, number | string>, string][] = [
    [{ longitude: -89.4 }, 'latitude is required for a circle'],
    [{ latitude: 43.07 }, 'longitude is required for a circle'],
    [{ radius: 1 }, 'latitude is required for a circle'],
    [around(-1), 'radius must be 0 or more'],
    [around(51), 'radius must be 50 or less'],
    [{ ...around(1), latitude: 91 }, 'latitude must be 90 or less'],
    [{ ...around(1), latitude: 'x' }, 'latitude must be a number'],
    [{ ...around(1), bbox: '1,2,3,4' }, 'bbox is not a filter of this operation; leave it out'],
  ]
  for (const [query, text] of refused) {
    const answer = await ask(query)
    assert.deepEqual([answer.status, answer.body.error], [400, text])
  }
})
