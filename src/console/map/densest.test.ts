import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tileAt } from '../../geo/tile.ts'
import { type CellCount, type PointHit, toUnits } from '../../store/places.ts'
import { findDensest } from './densest.ts'

const OWN = { state: 'NE', fips: 31_109, bounds: [-97, 40, -96, 41] as const }
/** Towns of this many parcels, on a point each: `[parcels, longitude, latitude, fips]`. */
type Town = [parcels: number, longitude: number, latitude: number, fips?: number]

/** A store of these towns. It counts parcels of all counties. */
function openTowns(towns: readonly Town[]) {
  const hits = towns.map(([parcels, longitude, latitude, fips = OWN.fips], id) => {
    const point: PointHit = { id, state: 'NE', x: toUnits(longitude), y: toUnits(latitude) }
    return { point, parcels, fips, tile: tileAt([longitude, latitude], 14) }
  })
  return {
    advice: { queued: true, ahead: false, tileRows: 1, tileColumns: 64 },
    countsIn: async ({ x0, x1, y0, y1 }: Record<'x0' | 'x1' | 'y0' | 'y1', number>) =>
      hits
        .filter(({ tile: { x, y } }) => x >= x0 && x <= x1 && y >= y0 && y <= y1)
        .map(({ tile: { x, y }, parcels }): CellCount => ({ x, y, parcels })),
    pointsIn: async (
      { fips }: { fips?: number },
      box: Record<'west' | 'east' | 'south' | 'north', number>,
      limit: number,
    ) =>
      hits
        .filter(
          ({ point: { x, y } }) =>
            x >= box.west && x <= box.east && y >= box.south && y <= box.north,
        )
        .filter((one) => one.fips === fips)
        .flatMap(({ point, parcels }) => new Array<PointHit>(parcels).fill(point))
        .slice(0, limit),
  }
}

const CASES: [says: string, towns: Town[], expected: string | undefined][] = [
  [
    'a farm county opens on its town',
    [
      [1, -96.9, 40.9],
      [400, -96.5, 40.5],
    ],
    '40.5,-96.5 15',
  ],
  [
    'a city opens near',
    [
      [400, -96.9, 40.9],
      [2000, -96.5, 40.5],
    ],
    '40.5,-96.5 16',
  ],
  ['a few parcels open far', [[3, -96.5, 40.5]], '40.5,-96.5 14'],
  [
    "a neighbour's city within the bounds is no part of the county",
    [
      [5000, -96.1, 40.1, 31_055],
      [200, -96.5, 40.5],
      [40, -96.7, 40.7],
    ],
    '40.5,-96.5 15',
  ],
  [
    'a tile shared with a city counts for its own parcels alone',
    [
      [5000, -96.1, 40.1, 31_055],
      [9, -96.1, 40.1],
      [200, -96.5, 40.5],
    ],
    '40.5,-96.5 15',
  ],
  ['no parcel within the bounds, no place', [[7, -96.5, 40.5, 31_055]], undefined],
  [
    'behind forty tiles of neighbours one parcel is found',
    [
      ...Array.from({ length: 40 }, (_, at): Town => [90, -96.9 + at / 50, 40.2, 31_055]),
      [2, -96.5, 40.5],
    ],
    '40.5,-96.5 14',
  ],
]

for (const [says, towns, expected] of CASES) {
  test(says, async () => {
    const county = { ...OWN, bounds: [...OWN.bounds] as [number, number, number, number] }
    const found = await findDensest(openTowns(towns) as never, county)
    assert.equal(found && `${found.at} ${found.zoom}`, expected)
  })
}
