/**
 * Areas over every store: circles, boxes and polygons, with filters and page by page, compared with
 * a scan of every parcel. Registered by the conformance suite.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { measureMiles } from '../../src/geo/sphere.ts'
import { decodePlaceCursor } from '../../src/operations/cursor.ts'
import { pageOfArea } from '../../src/operations/places/area-page.ts'
import { findNear } from '../../src/operations/places/location-search.ts'
import { decodeParcel } from '../../src/record/stored.ts'
import { type PlaceFilter, toUnits } from '../../src/store/places.ts'
import type { ParcelReader } from '../../src/store/store.ts'
import { anyArea, CENTERS, center } from './asked-areas.ts'
import type { StoreUnderTest } from './conformance.ts'
import { type Draft, stage } from './staged.ts'

const EACH = 120
const USES = ['1', '12', '']
const CITIES = ['MADISON', 'ST. PAUL', '']

const areas = anyArea(makeParcels().map((parcel) => parcel.point))

type Placed = Draft & { point: [number, number] }

/** The same invented parcels each time, some on each other. */
function makeParcels(): Placed[] {
  return CENTERS.flatMap(([x, y], center) =>
    Array.from({ length: EACH }, (_, at): Placed => {
      const number = center * EACH + at
      const longitude = x + (((at * 37) % 41) - 20) / 1000
      const latitude = Math.max(-90, Math.min(90, y + (((at * 23) % 29) - 14) / 1500))
      const around =
        longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
      return {
        parcelId: `P-${number}`,
        point: [toUnits(around) / 1e7, toUnits(latitude) / 1e7],
        fips: number % 2 === 0 ? 55025 : 55027,
        localUse: USES[number % 3] ?? '',
        city: CITIES[(number >> 1) % 3] ?? '',
        residential: number % 5 === 0 ? null : number % 5 > 2,
        useCode: number % 7 === 0 ? '1001' : '1004',
        address: number % 4 === 0 ? '' : `${number} MAIN ST`,
      }
    }),
  )
}

const filters = fc.record(
  {
    fips: fc.constantFrom(55025, 55027),
    localUse: fc.constantFrom('1', '12'),
    city: fc.constantFrom('MADISON', 'SAINT PAUL'),
    residential: fc.boolean(),
    useCodes: fc.constantFrom('1001,', '1001,1004,'),
    assignedOnly: fc.boolean(),
  },
  { requiredKeys: ['assignedOnly'] },
)

function meetsFilter(parcel: Placed, filter: PlaceFilter): boolean {
  const city = parcel.city === 'ST. PAUL' ? 'SAINT PAUL' : parcel.city
  return (
    (filter.fips ?? parcel.fips) === parcel.fips &&
    (filter.localUse ?? parcel.localUse) === parcel.localUse &&
    (filter.city ?? city) === city &&
    (filter.residential ?? parcel.residential) === parcel.residential &&
    (filter.useCodes ?? `${parcel.useCode},`).includes(`${parcel.useCode},`) &&
    (!filter.assignedOnly || parcel.address !== '')
  )
}

/** Half of them without any condition but the address, which stores may answer by another way. */
const anyFilter = fc.oneof(fc.record({ assignedOnly: fc.boolean() }), filters)

/** Registers the tests. `share`: of 10,000 generated areas. */
export function testPlaces(name: string, open: () => Promise<StoreUnderTest>, share: number): void {
  test(`${name}: circles, boxes and polygons give what a look at every parcel gives`, async () => {
    const store = await open()
    try {
      const parcels = makeParcels()
      await store.load(parcels.map(stage))
      const ids = await readIds(store.reader)
      const asked = fc.record({
        one: areas,
        filter: anyFilter,
        afterId: fc.constantFrom(0, 0, 0, 200, 450),
        skip: fc.constantFrom(0, 0, 3, 40),
        limit: fc.integer({ min: 1, max: 100 }),
        // A walk by record ID, as in areas with more points than are collected.
        pointsMax: fc.constantFrom(1e6, 1e6, 1e6, 1e6, 0),
      })
      await fc.assert(
        fc.asyncProperty(asked, async ({ one, pointsMax, ...rest }) => {
          const context = {
            parcels: store.reader,
            startedAt: performance.now(),
            searchTimeMs: 6e5,
            pause: async () => {},
          }
          const page = await pageOfArea({ area: one.area, ...rest }, context, pointsMax)
          const inside = parcels
            .filter((parcel) => one.holds(parcel.point) && meetsFilter(parcel, rest.filter))
            .map(({ parcelId }) => ids.get(parcelId) ?? 0)
            .filter((id) => id > rest.afterId)
            .sort((a, b) => a - b)
          const expected = inside.slice(rest.skip, rest.skip + rest.limit)
          assert.deepEqual(
            page.parcels.map(({ id }) => id),
            expected,
          )
          const next = inside[rest.skip + rest.limit]
          if (next === undefined) return
          // The next page begins after this one and before the parcel that is due.
          const { nextId = 0 } = page
          assert.ok(nextId >= (expected.at(-1) ?? 0) && nextId < next, `${nextId} for ${next}`)
        }),
        { numRuns: Math.ceil(10_000 * share) },
      )
    } finally {
      await store.close()
    }
  })

  test(`${name}: the nearest parcels are those that a look at every parcel gives`, async () => {
    const store = await open()
    try {
      const parcels = makeParcels()
      await store.load(parcels.map(stage))
      const ids = await readIds(store.reader)
      const radius = fc.double({ min: 0.01, max: 3, noNaN: true })
      await fc.assert(
        fc.asyncProperty(center, radius, anyFilter, async (at, miles, filter) => {
          const asked = { center: at, radiusMiles: miles, skip: 0, limit: 20, wantsNext: true }
          const limits = { startedAt: performance.now(), searchTimeMs: 60_000 }
          const context = { ...limits, parcels: store.reader, pause: async () => {} }
          const page = (cursor: string | null) =>
            findNear(
              filter,
              { ...asked, after: cursor === null ? undefined : decodePlaceCursor(cursor) },
              context,
            )
          const first = await page(null)
          const rest = first.nextCursor === null ? undefined : await page(first.nextCursor)
          const all = parcels
            .filter((parcel) => meetsFilter(parcel, filter))
            .map(({ parcelId, point }) => ({
              id: ids.get(parcelId) ?? 0,
              miles: measureMiles(at, point),
            }))
            .filter((one) => one.miles <= miles)
            // Points whose distances are shown alike are ordered by id.
            .map((one) => ({ ...one, miles: Math.round(one.miles * 1e6) / 1e6 }))
            .sort((a, b) => a.miles - b.miles || a.id - b.id)
          const shown = [first, rest].flatMap(
            (one) =>
              one?.parcels.map(({ id }, place) => ({ id, miles: one.distances[place] })) ?? [],
          )
          assert.deepEqual(shown, all.slice(0, 40))
        }),
        { numRuns: Math.ceil(2000 * share) },
      )
    } finally {
      await store.close()
    }
  })
}

/** Record IDs by parcel ID. */
async function readIds(reader: ParcelReader): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  for (const fips of [55025, 55027]) {
    const filter = { state: 'WI', fips, assignedOnly: false }
    const page = await reader.page(
      filter,
      { afterId: 0, skip: 0, limit: 10_000 },
      Number.MAX_SAFE_INTEGER,
    )
    for (const { id, fieldValues } of page.parcels) ids.set(decodeParcel(fieldValues).parcelId, id)
  }
  return ids
}
