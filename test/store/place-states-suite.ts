/**
 * Searches by place without a state, over parcels of several states, compared with a scan of every
 * parcel. Some have points or polygons far outside their state, and some are on whole degrees.
 *
 * Registered by the conformance suite.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { UnitBox } from '../../src/base/model/geometry.ts'
import { decodeParcel } from '../../src/record/stored.ts'
import { boundsInUnits, toUnits } from '../../src/store/places.ts'
import type { ParcelReader } from '../../src/store/store.ts'
import type { StoreUnderTest } from './conformance.ts'
import { type Draft, stage } from './staged.ts'

const COUNTIES = { NE: 31055, IA: 19155, TX: 48113, FL: 12086 }
type State = keyof typeof COUNTIES
const STATES = Object.keys(COUNTIES) as State[]

/** A border that two states share, each state, whole degrees, and where coordinates end. */
const SPOTS: [number, number][] = [
  ...([
    [-95.93, 41.26],
    [-96.8, 40.8],
    [-93.6, 41.6],
    [-96.8, 32.8],
  ] as [number, number][]),
  ...([
    [-80.2, 25.8],
    [-96, 41],
    [0, 0],
    [-1, -1],
  ] as [number, number][]),
  ...([
    [180, 90],
    [-180, -90],
  ] as [number, number][]),
]

const spot = fc.constantFrom(...SPOTS)
/** Steps of a ten-thousandth of a degree. */
const step = fc.integer({ min: -40, max: 40 }).map((steps) => steps / 10_000)
const point = fc
  .tuple(spot, fc.oneof(fc.constant(0), step), fc.oneof(fc.constant(0), step))
  .map(([[x, y], east, north]): [number, number] => [
    toUnits(Math.max(-180, Math.min(180, x + east))) / 1e7,
    toUnits(Math.max(-90, Math.min(90, y + north))) / 1e7,
  ])

/** A lot, one across a line of whole degrees, and one wider than a cell. */
const side = fc.constantFrom(0.0005, 0.02, 1.2, 3)
const lot = fc.tuple(spot, step, side, side).map(([[x, y], by, width, height]) => {
  const [west, south] = [Math.min(x + by, 180 - width), Math.min(y + by, 90 - height)]
  const corners = [
    [west, south],
    [west + width, south],
    [west + width, south + height],
    [west, south],
  ]
  return JSON.stringify({ type: 'Polygon', coordinates: [corners] })
})

const drafts = fc.array(
  fc.record({
    number: fc.integer({ min: 1, max: 25 }),
    state: fc.constantFrom(...STATES),
    point: fc.option(point, { nil: undefined }),
    geometry: fc.oneof({ weight: 3, arbitrary: lot }, fc.constantFrom(null, '')),
    sold: fc.boolean(),
  }),
  { minLength: 1, maxLength: 25 },
)

const width = fc.constantFrom(0, 5, 400, 9000, 2e6)
const boxes = fc.tuple(spot, step, step, width, width).map(
  ([[x, y], east, north, wide, high]): UnitBox => ({
    west: toUnits(x + east) - wide * 10,
    south: toUnits(y + north) - high * 10,
    east: toUnits(x + east) + wide * 10,
    north: toUnits(y + north) + high * 10,
  }),
)

type Lot = Draft & { state: State }

/** Registers the test. `runs`: generated pairs of rolls. */
export function testPlacesOfStates(
  name: string,
  open: () => Promise<StoreUnderTest>,
  runs: number,
): void {
  const asked = fc.array(boxes, { minLength: 3, maxLength: 12 })
  test(`${name}: places of several states give what a look at every parcel gives`, () =>
    fc.assert(
      fc.asyncProperty(drafts, drafts, asked, async (first, second, areas) => {
        const store = await open()
        try {
          const left = new Map<string, Lot>()
          for (const roll of [first, second]) {
            const lots = roll.map(toLot)
            const own = new Map(lots.map((one) => [one.parcelId, one]))
            await store.load([...own.values()].map(stage), false)
            for (const one of own.values()) left.set(one.parcelId, keepPolygon(one, left))
          }
          for (const area of areas) await compare(store.reader, [...left.values()], area)
        } finally {
          await store.close()
        }
      }),
      { numRuns: runs },
    ))
}

type Drawn = typeof drafts extends fc.Arbitrary<(infer One)[]> ? One : never

function toLot({ number, state, point, geometry, sold }: Drawn): Lot {
  return {
    ...{ parcelId: `${state}-${number}`, state, fips: COUNTIES[state], geometry, sold },
    transferDay: 20_000,
    ...(point !== undefined && { point }),
  }
}

/** A roll without polygons keeps the stored one. */
function keepPolygon(lot: Lot, before: Map<string, Lot>): Lot {
  return { ...lot, geometry: (lot.geometry ?? before.get(lot.parcelId)?.geometry) || null }
}

async function compare(reader: ParcelReader, lots: Lot[], area: UnitBox): Promise<void> {
  const standing = lots.filter(({ point }) => point !== undefined && holds(area, point))
  const points = await reader.pointsIn({ assignedOnly: false }, area, 1000)
  assert.deepEqual(await namesOf(reader, points), idsOf(standing), 'points')
  const sales = await reader.salesIn(20_000, area, 1000)
  assert.deepEqual(await namesOf(reader, sales), idsOf(standing.filter(({ sold }) => sold)))
  const shapes = await reader.shapesIn(area, 1000)
  const drawn = lots.filter(({ geometry }) => {
    const bounds = geometry == null ? null : boundsInUnits(geometry)
    return bounds !== null && meet(bounds, area)
  })
  assert.deepEqual(await namesOf(reader, shapes), idsOf(drawn), 'polygons')
  assert.ok((await reader.pointsIn({ assignedOnly: false }, area, 2)).length <= 2)
  const world = { x0: 0, x1: 2 ** 14 - 1, y0: 0, y1: 2 ** 14 - 1, shift: 14 }
  const counted = (await reader.countsIn(world)).reduce((sum, { parcels }) => sum + parcels, 0)
  const placed = lots.filter(({ point }) => point !== undefined)
  assert.equal(counted, placed.length, 'counts')
}

async function namesOf(
  reader: ParcelReader,
  hits: { id: number; state: string }[],
): Promise<string[]> {
  const found: string[] = []
  for (const [state, own] of Map.groupBy(hits, (hit) => hit.state)) {
    const ids = own.map(({ id }) => id).sort((a, b) => a - b)
    for (const { fieldValues } of await reader.byIds(state, ids)) {
      found.push(decodeParcel(fieldValues).parcelId)
    }
  }
  return found.sort()
}

function idsOf(lots: Lot[]): string[] {
  return lots.map(({ parcelId }) => parcelId).sort()
}

function holds({ west, south, east, north }: UnitBox, point: [number, number]): boolean {
  const [x, y] = [toUnits(point[0]), toUnits(point[1])]
  return x >= west && x <= east && y >= south && y <= north
}

function meet(a: UnitBox, b: UnitBox): boolean {
  return a.west <= b.east && b.west <= a.east && a.south <= b.north && b.south <= a.north
}
