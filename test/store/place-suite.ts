/**
 * Areas over every store: circles, boxes and polygons, with filters and page by page, compared with
 * a scan of every parcel. Registered by the conformance suite.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { measureMiles, type Point } from '../../src/geo/sphere.ts'
import { readArea } from '../../src/operations/places/area.ts'
import { type AreaQuestion, pageOfArea } from '../../src/operations/places/area-page.ts'
import { readCircle } from '../../src/operations/places/circle.ts'
import { pageNearest } from '../../src/operations/places/nearest-records.ts'
import { decodeParcel } from '../../src/record/stored.ts'
import { type PlaceFilter, toUnits } from '../../src/store/places.ts'
import type { ParcelReader } from '../../src/store/store.ts'
import type { StoreUnderTest } from './conformance.ts'
import { type Draft, stage } from './staged.ts'

/** A town, and places where coordinates end. */
const CENTERS: Point[] = [
  [-89.4, 43.07],
  [179.999, 52],
  [-179.9995, 51.99],
  [12, 89.996],
  [-140, -89.998],
]
const EACH = 120
const USES = ['1', '12', '']
const CITIES = ['MADISON', 'ST. PAUL', '']

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
        useCode: USES[number % 3] ?? '',
        city: CITIES[(number >> 1) % 3] ?? '',
        residential: number % 5 === 0 ? null : number % 5 > 2,
        commonUse: number % 7 === 0 ? '1001' : '1003',
        address: number % 4 === 0 ? '' : `${number} MAIN ST`,
      }
    }),
  )
}

const TOWN = makeParcels()
  .slice(0, EACH)
  .map(({ point: [x, y] }): Corner => [toUnits(x), toUnits(y)])

const filters = fc.record(
  {
    fips: fc.constantFrom(55025, 55027),
    useCode: fc.constantFrom('1', '12'),
    city: fc.constantFrom('MADISON', 'SAINT PAUL'),
    residential: fc.boolean(),
    commonUses: fc.constantFrom('1001,', '1001,1003,'),
    assignedOnly: fc.boolean(),
  },
  { requiredKeys: ['assignedOnly'] },
)

function meetsFilter(parcel: Placed, filter: PlaceFilter): boolean {
  const city = parcel.city === 'ST. PAUL' ? 'SAINT PAUL' : parcel.city
  return (
    (filter.fips ?? parcel.fips) === parcel.fips &&
    (filter.useCode ?? parcel.useCode) === parcel.useCode &&
    (filter.city ?? city) === city &&
    (filter.residential ?? parcel.residential) === parcel.residential &&
    (filter.commonUses ?? `${parcel.commonUse},`).includes(`${parcel.commonUse},`) &&
    (!filter.assignedOnly || parcel.address !== '')
  )
}

/** Half of them without any condition but the address, which stores may answer by another way. */
const anyFilter = fc.oneof(fc.record({ assignedOnly: fc.boolean() }), filters)

type Asked = { area: AreaQuestion['area']; holds(point: Point): boolean }

const center = fc
  .tuple(
    fc.constantFrom(...CENTERS),
    fc.integer({ min: -30, max: 30 }),
    fc.integer({ min: -9, max: 9 }),
  )
  .map(
    ([[x, y], east, north]): Point => [
      Math.max(-180, Math.min(180, x + east / 1500)),
      Math.max(-90, Math.min(90, y + north / 1500)),
    ],
  )

const circles = fc
  .tuple(center, fc.double({ min: 0.01, max: 4, noNaN: true }))
  .map(([[longitude, latitude], radius]): Asked => {
    const area = readCircle({ latitude, longitude, radius })
    assert.ok(area !== undefined)
    return { area, holds: (point) => measureMiles([longitude, latitude], point) <= radius }
  })

const side = fc.integer({ min: 1, max: 3000 })
const boxes = fc.tuple(center, side, side).map(([[x, y], width, height]): Asked => {
  const west = Math.round(x * 1e5)
  const south = Math.round(y * 1e5)
  const [east, north] = [west + width, Math.min(90e5, south + height)]
  const around = east > 180e5 ? east - 360e5 : east
  const isIn = (value: number, low: number, high: number) => value >= low && value <= high
  return {
    area: readArea({
      bbox: [west, south, around, north].map((value) => (value / 1e5).toFixed(5)).join(),
      polygon: undefined,
    }),
    holds: ([longitude, latitude]) => {
      const [a, b] = [toUnits(longitude), toUnits(latitude)]
      const inside = isIn(a, west * 100, east * 100) || isIn(a + 360e7, west * 100, east * 100)
      return inside && isIn(b, south * 100, north * 100)
    },
  }
})

const corner = fc.tuple(
  fc.integer({ min: -2500, max: 2500 }),
  fc.integer({ min: -1200, max: 1200 }),
)
const triangles = fc
  .tuple(corner, corner, corner)
  .filter(([a, b, c]) => cross(a, b, c) !== 0)
  .filter((corners) => !standsBesideEdge(corners.map(place)))
  .map((corners): Asked => {
    const placed = corners.map(place)
    // Whole units, so that a point on an edge is on it exactly.
    const units = placed.map(([x, y]): Corner => [x * 100, y * 100])
    const [a, b, c] = units as [Corner, Corner, Corner]
    return {
      area: readArea({ bbox: undefined, polygon: encode(placed) }),
      holds: ([longitude, latitude]) => {
        const point: Corner = [toUnits(longitude), toUnits(latitude)]
        const turns = [cross(a, b, point), cross(b, c, point), cross(c, a, point)]
        return turns.every((turn) => turn >= 0) || turns.every((turn) => turn <= 0)
      },
    }
  })

type Corner = readonly [number, number]

/** Steps around the town in hundred-thousandths of a degree. */
function place([x, y]: Corner): Corner {
  return [x - 8_940_000, y + 4_307_000]
}

/**
 * Reports whether a point is less than two units from an edge. Edges are a unit wide, so either
 * answer is correct there.
 */
function standsBesideEdge(corners: readonly Corner[]): boolean {
  const units = corners.map(([x, y]): Corner => [x * 100, y * 100])
  return units.some((from, at) => {
    const to = units[(at + 1) % units.length] as Corner
    const length = Math.hypot(to[0] - from[0], to[1] - from[1])
    return TOWN.some((point) => {
      const turn = Math.abs(cross(from, to, point))
      return turn > 0 && turn < 2 * length
    })
  })
}

/** Twice the signed area of a triangle. */
function cross([ax, ay]: Corner, [bx, by]: Corner, [cx, cy]: Corner): number {
  return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
}

/** An encoded polyline of whole hundred-thousandths of a degree. */
function encode(corners: readonly Corner[]): string {
  let [lastX, lastY] = [0, 0]
  return corners
    .map(([x, y]) => {
      const text = encodeNumber(y - lastY) + encodeNumber(x - lastX)
      lastX = x
      lastY = y
      return text
    })
    .join('')
}

function encodeNumber(value: number): string {
  let rest = value < 0 ? -value * 2 - 1 : value * 2
  let text = ''
  for (; rest >= 32; rest = Math.floor(rest / 32)) {
    text += String.fromCharCode((rest % 32) + 32 + 63)
  }
  return text + String.fromCharCode(rest + 63)
}

/** Registers the tests. `share`: of 10,000 generated areas. */
export function testPlaces(name: string, open: () => Promise<StoreUnderTest>, share: number): void {
  test(`${name}: circles, boxes and polygons give what a look at every parcel gives`, async () => {
    const store = await open()
    try {
      const parcels = makeParcels()
      await store.load(parcels.map(stage))
      const ids = await readIds(store.reader)
      const asked = fc.record({
        one: fc.oneof(circles, boxes, triangles),
        filter: anyFilter,
        afterId: fc.constantFrom(0, 0, 0, 200, 450),
        skip: fc.constantFrom(0, 0, 3, 40),
        limit: fc.integer({ min: 1, max: 100 }),
        // A walk by record id, as in areas with more points than are collected.
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
          const asked = { filter, center: at, radiusMiles: miles, skip: 0, limit: 20 }
          const page = (after: Awaited<ReturnType<typeof pageNearest>>['next']) =>
            pageNearest({ ...asked, after, wantsNext: true }, store.reader, async () => {})
          const first = await page(undefined)
          const rest = first.next && (await page(first.next))
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
          const shown = [first, rest].flatMap((one) => one?.records ?? [])
          assert.deepEqual(
            shown.map(({ parcel, distanceMiles }) => ({ id: parcel.id, miles: distanceMiles })),
            all.slice(0, 40),
          )
        }),
        { numRuns: Math.ceil(2000 * share) },
      )
    } finally {
      await store.close()
    }
  })
}

/** Record ids by parcel ID. */
async function readIds(reader: ParcelReader): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  for (const fips of [55025, 55027]) {
    const filter = { state: 'WI', fips, assignedOnly: false }
    const page = await reader.page(filter, 0, 0, 10_000, Number.MAX_SAFE_INTEGER)
    for (const { id, leaves } of page.parcels) ids.set(decodeParcel(leaves).parcelId, id)
  }
  return ids
}
