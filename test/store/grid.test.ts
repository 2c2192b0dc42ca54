/** The grid of points of the embedded store, compared with a scan of all parcels. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { UNITS_PER_DEGREE } from '../../src/base/model/geometry.ts'
import { findNearest, roundMiles } from '../../src/geo/nearest.ts'
import { measureMiles, type Point } from '../../src/geo/sphere.ts'
import { readConfig } from '../../src/settings/read-config.ts'
import { parcelsPath } from '../../src/store/data-folder.ts'
import { prepareData } from '../../src/store/open.ts'
import { openWriter } from '../../src/store/open-rolls.ts'
import { openDatabase } from '../../src/store/sqlite/connection.ts'
import { readPoints } from '../../src/store/sqlite/grid.ts'
import { checkRolls } from '../../src/store/sqlite/integrity.ts'
import { openPlaceReader } from '../../src/store/sqlite/read/places.ts'
import { cachePrepared, type Prepare } from '../../src/store/sqlite/read/prepare.ts'
import { fillPlaces } from '../../src/store/sqlite/write/place-writer.ts'
import { stage } from './staged.ts'

/** Parcels that one load stages. */
const SIZES = [0, 1, 2000]

/** Every ninth parcel has no point, every seventh the point of another. */
function makeRoll(parcels: number, shift = 0) {
  return Array.from({ length: parcels }, (_, at) => {
    const place = at % 7 === 0 ? 0 : (at + shift) * 7919
    const point: [number, number] = [-90 + (place % 997) / 500, 43 + (place % 1009) / 500]
    // A refresh gives addresses to some parcels, and takes those of others.
    const address = (at + shift) % 4 > 0 && { address: `${at} MAIN ST` }
    return stage({ parcelId: `P${at}`, ...address, ...(at % 9 > 0 && { point }) })
  })
}

/** New parcels get ids above this one. */
function passIds(data: string, id: number): void {
  using db = openDatabase(parcelsPath(data), { kind: 'parcels', synchronous: 'NORMAL' })
  db.prepare("UPDATE counters SET value = ? WHERE name = 'parcel'").run(id)
}

async function load(data: string, parcels: ReturnType<typeof makeRoll>): Promise<void> {
  const writer = await openWriter(data, 1_750_000_000)
  try {
    await writer.stage(parcels)
    await writer.apply()
  } finally {
    await writer.discard()
  }
}

/** The check finds no fault, and boxes find what a scan finds. */
async function assertWhole(data: string, label: string): Promise<void> {
  const db = openDatabase(parcelsPath(data), {
    kind: 'parcels',
    synchronous: 'NORMAL',
    readOnly: true,
  })
  try {
    assert.deepEqual(await checkRolls(db, () => true), [], label)
    const prepare = cachePrepared(db)
    const scanned = db.prepare(`SELECT count(*) AS n FROM parcels
      WHERE x BETWEEN ? AND ? AND y BETWEEN ? AND ?`)
    for (const corner of [0, 3_000_000, 9_000_000, 15_000_000]) {
      const [west, east] = [-900_000_000 + corner, -897_000_000 + corner]
      const box = { west, east, south: 430_000_000, north: 438_000_000 }
      const { n } = scanned.get(west, east, box.south, box.north) as { n: number }
      assert.equal(spotsOf(prepare, box).length, n, `${label}, box ${corner}`)
    }
  } finally {
    db.close()
  }
}

test('a first load fills the grid of points, and refreshes keep it whole', async () => {
  for (const size of SIZES) {
    const data = mkdtempSync(join(tmpdir(), 'platbook-grid-'))
    after(() => rmSync(data, { recursive: true, force: true }))
    await prepareData({ ...readConfig({}), data })
    if (size === 1) passIds(data, 2 ** 32 - 20)
    await load(data, makeRoll(size))
    await assertWhole(data, `${size} parcels`)
    await load(data, makeRoll(Math.ceil(size * 1.5) + 60, 5))
    await assertWhole(data, `${size} parcels, refreshed`)
    await load(data, makeRoll(10, 9))
    await assertWhole(data, `${size} parcels, most removed`)
  }
})

type Parcel = {
  id: number
  x: number
  y: number
  day: number | null
  filled: number
  assigned: 0 | 1
}

function spotsOf(
  prepare: Prepare,
  box: Parameters<typeof readPoints>[1]['box'],
  sinceDay?: number,
) {
  const asked = { box, ...(sinceDay !== undefined && { sinceDay }) }
  return [...readPoints(prepare, asked)].flat()
}

/** A store with parcels of these points alone. */
function openWith(parcels: readonly Parcel[]): DatabaseSync {
  const db = openDatabase(':memory:', { kind: 'parcels', synchronous: 'NORMAL' })
  const insert = db.prepare(`INSERT INTO parcels (id, state, fips, municipality, stripped_key,
      parcel_key, city, zip, unit, use_code, assigned, filled, x, y, transfer_day)
    VALUES (?1, 'WI', 55025, '', ?1, ?1, '', '', '', '', ?6, ?2, ?3, ?4, ?5)`)
  for (const { id, filled, x, y, day, assigned } of parcels) {
    insert.run(id, filled, x, y, day, assigned)
  }
  fillPlaces(db)
  return db
}

const LIMIT_X = 180 * UNITS_PER_DEGREE
const LIMIT_Y = 90 * UNITS_PER_DEGREE
const SALE_PRICE = 4096

/** Towns, one of them on a corner of cells, at the antimeridian and the poles, and anywhere. */
const corners = fc.oneof(
  fc.constantFrom(
    [0, 0],
    [-LIMIT_X, 10],
    [LIMIT_X, 10],
    [LIMIT_X, LIMIT_Y],
    [5, -LIMIT_Y],
    [32_768 * 7 - LIMIT_X, 32_768 * 9 - LIMIT_Y],
  ),
  fc.tuple(
    fc.integer({ min: -LIMIT_X, max: LIMIT_X }),
    fc.integer({ min: -LIMIT_Y, max: LIMIT_Y }),
  ),
) as fc.Arbitrary<[number, number]>
const step = fc.constantFrom(
  -70_000,
  -32_769,
  -32_768,
  -1,
  0,
  0,
  0,
  1,
  9000,
  32_767,
  32_768,
  90_000,
)
const clamp = (value: number, most: number) => Math.max(-most, Math.min(most, value))
const anyDay = fc.constantFrom(null, -400, 0, 20_000)
const anyParcels = fc
  .array(
    fc.record({
      town: corners,
      steps: fc.array(fc.tuple(step, step, anyDay, fc.boolean(), fc.constantFrom(0, 1)), {
        maxLength: 60,
      }),
    }),
    { maxLength: 4 },
  )
  .map((towns) =>
    towns
      .flatMap(({ town: [x, y], steps }) =>
        steps.map(([east, north, day, priced, assigned]) => ({
          ...{ x: clamp(x + east, LIMIT_X), y: clamp(y + north, LIMIT_Y) },
          ...{ day, filled: priced ? SALE_PRICE : 0, assigned },
        })),
      )
      // Ids on both sides of 32 bits.
      .map((parcel, at): Parcel => ({ id: 2 ** 32 - 20 + at, ...parcel })),
  )

const byNumber = (a: number, b: number) => a - b

test('boxes of the grid give what a scan gives, and sales those with a price', () => {
  const sides = fc.record({ west: step, east: step, south: step, north: step })
  const isWorld = fc.constantFrom(false, false, false, true)
  fc.assert(
    fc.property(
      anyParcels,
      corners,
      sides,
      isWorld,
      anyDay,
      (parcels, corner, side, whole, since) => {
        using db = openWith(parcels)
        const prepare = cachePrepared(db)
        const [x, y] = whole ? [0, 0] : corner
        const far = whole ? LIMIT_X : 0
        const box = {
          ...{
            west: x - far + Math.min(side.west, side.east),
            south: y - far + Math.min(side.south, side.north),
          },
          ...{
            east: x + far + Math.max(side.west, side.east),
            north: y + far + Math.max(side.south, side.north),
          },
        }
        const inside = parcels.filter(
          (one) =>
            one.x >= box.west && one.x <= box.east && one.y >= box.south && one.y <= box.north,
        )
        const ids = (hits: { id: number }[]) => hits.map(({ id }) => id).sort(byNumber)
        const shown = ({ id, x, y }: { id: number; x: number; y: number }) => `${id} ${x} ${y}`
        const sorted = (hits: Parcel[] | ReturnType<typeof spotsOf>) => hits.map(shown).sort()
        assert.deepEqual(sorted(spotsOf(prepare, box)), sorted(inside))
        const sold = inside.filter(
          ({ day, filled }) => filled > 0 && day !== null && day >= (since ?? 0),
        )
        assert.deepEqual(ids(spotsOf(prepare, box, since ?? 0)), ids(sold))
        const reader = openPlaceReader(prepare)
        for (const assignedOnly of [false, true]) {
          const all = inside.filter(({ assigned }) => !assignedOnly || assigned === 1)
          for (const limit of [1, 7, 500]) {
            const points = reader.pointsIn({ state: 'WI', assignedOnly }, box, limit)
            const found = points as { id: number }[]
            assert.equal(found.length, Math.min(limit, all.length))
            if (limit === 500) assert.deepEqual(ids(found), ids(all))
          }
        }
      },
    ),
    { numRuns: 100 },
  )
})

test('the nearest parcels by the grid are those of a scan', async () => {
  await fc.assert(
    fc.asyncProperty(anyParcels, corners, async (parcels, corner) => {
      using db = openWith(parcels)
      const prepare = cachePrepared(db)
      const [x, y] = corner.map((units) => units / UNITS_PER_DEGREE) as [number, number]
      const center: Point = [clamp(x + 0.0003, 180), clamp(y - 0.0002, 90)]
      const found = await findNearest(
        async (box) => spotsOf(prepare, box),
        { center, radiusMiles: 2 },
        10,
      )
      const all = parcels
        .map((one) => {
          const place: Point = [one.x / UNITS_PER_DEGREE, one.y / UNITS_PER_DEGREE]
          return { id: one.id, miles: measureMiles(center, place) }
        })
        .filter(({ miles }) => miles <= 2)
        .map(({ id, miles }) => ({ id, miles: roundMiles(miles) }))
        .sort((a, b) => a.miles - b.miles || a.id - b.id)
      assert.deepEqual(
        found.map(({ hit, distanceMiles }) => ({ id: hit.id, miles: distanceMiles })),
        all.slice(0, 10),
      )
    }),
    { numRuns: 60 },
  )
})

test('a box of the whole world reads few statements where few cells are filled', () => {
  using db = openWith([{ id: 1, x: 5, y: 5, day: null, filled: 0, assigned: 0 }])
  let statements = 0
  const prepare = cachePrepared(db)
  const counted: typeof prepare = (sql) => {
    statements += 1
    return prepare(sql)
  }
  const world = { west: -LIMIT_X, south: -LIMIT_Y, east: LIMIT_X, north: LIMIT_Y }
  assert.equal([...readPoints(counted, { box: world })].flat().length, 1)
  assert.ok(statements < 8, `${statements} statements`)
})
