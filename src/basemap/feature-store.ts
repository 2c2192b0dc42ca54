/** Keeps features in a temporary database: a state of any size needs little memory. */
import { DatabaseSync } from 'node:sqlite'
import { UNITS_PER_DEGREE } from '../base/model/geometry.ts'
import { boundsOfRing } from '../geo/drawing.ts'
import type { Corners } from '../geo/polygon-text.ts'
import type { Box } from '../geo/sphere.ts'
import type { Feature } from './features.ts'
import { LAYERS, type LayerName } from './kinds.ts'

/** As stored, with corners in degrees; a point and a line have no ring. */
export type KeptFeature = { layer: LayerName; kind: string; name: string; corners: Corners }

export type FeatureStore = {
  add(feature: Feature): void
  /** Features of a zoom in a box, in the order in which they were added. */
  find(box: Box, zoom: number): KeptFeature[]
  /** Whether any zoom shows something in a box. */
  hasAny(box: Box): boolean
  /** West, south, east and north of all; `undefined` without any. */
  bounds(): [number, number, number, number] | undefined
  counts(): Record<string, number>
  close(): void
}

/** Features added in one transaction. */
const BATCH = 20_000
/** Zooms are the third side of the boxes, in steps about as long as a state. */
const ZOOM_STEP = 10_000_000

export function openFeatureStore(path: string): FeatureStore {
  const db = new DatabaseSync(path)
  db.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536;
    CREATE TABLE features (id INTEGER PRIMARY KEY, layer INTEGER, kind TEXT, name TEXT, shape BLOB);
    CREATE VIRTUAL TABLE boxes USING rtree_i32 (id, west, east, south, north, zoom, zoom_end);
    BEGIN`)
  const put = db.prepare('INSERT INTO features VALUES (?, ?, ?, ?, ?)')
  const putBox = db.prepare('INSERT INTO boxes VALUES (?, ?, ?, ?, ?, ?, ?)')
  const inside = 'west <= ? AND east >= ? AND south <= ? AND north >= ?'
  const select = db.prepare(`SELECT f.layer, f.kind, f.name, f.shape FROM boxes b
    JOIN features f ON f.id = b.id WHERE ${inside} AND zoom <= ? ORDER BY f.id`)
  const any = db.prepare(`SELECT 1 FROM boxes WHERE ${inside} LIMIT 1`)
  const sides = ({ west, south, east, north }: Box) =>
    [east, west, north, south].map((side) => Math.round(side * UNITS_PER_DEGREE))
  let count = 0
  return {
    add({ layer, kind, name, zoom, shape }) {
      const units = packShape(shape)
      count += 1
      put.run(count, LAYERS.indexOf(layer), kind, name, new Uint8Array(units.buffer))
      const box = boxOf(units)
      putBox.run(count, ...box, zoom * ZOOM_STEP, zoom * ZOOM_STEP)
      if (count % BATCH === 0) db.exec('COMMIT; BEGIN')
    },
    find: (box, zoom) =>
      select.all(...sides(box), zoom * ZOOM_STEP).map((row) => ({
        layer: LAYERS[row.layer as number] as LayerName,
        kind: row.kind as string,
        name: row.name as string,
        corners: unpackShape(row.shape as Uint8Array),
      })),
    hasAny: (box) => any.get(...sides(box)) !== undefined,
    bounds() {
      const found = db
        .prepare('SELECT min(west) w, min(south) s, max(east) e, max(north) n FROM boxes')
        .get() as Record<string, number | null>
      const all = [found.w, found.s, found.e, found.n]
      if (all.some((side) => side === null)) return undefined
      return all.map((side) => (side as number) / UNITS_PER_DEGREE) as [
        number,
        number,
        number,
        number,
      ]
    },
    counts() {
      const rows = db.prepare('SELECT layer, count(*) n FROM features GROUP BY layer').all()
      return Object.fromEntries(
        rows.map(({ layer, n }) => [LAYERS[layer as number] as string, Number(n)]),
      )
    },
    close: () => db.close(),
  }
}

/** Numbers of polygons and rings, where each ends, then longitude and latitude of each corner. */
function packShape(shape: Feature['shape']): Int32Array {
  const polygons =
    shape.type === 'polygons'
      ? shape.polygons
      : [[shape.type === 'point' ? [shape.at] : shape.line]]
  const [polygonEnds, ringEnds, corners]: [number[], number[], number[]] = [[], [], []]
  for (const rings of polygons) {
    for (const ring of rings) {
      for (const [x, y] of ring) {
        corners.push(Math.round(x * UNITS_PER_DEGREE), Math.round(y * UNITS_PER_DEGREE))
      }
      ringEnds.push(corners.length)
    }
    polygonEnds.push(ringEnds.length)
  }
  const head = [polygonEnds.length, ringEnds.length, ...polygonEnds, ...ringEnds]
  const units = new Int32Array(head.length + corners.length)
  units.set(head)
  units.set(corners, head.length)
  return units
}

function unpackShape(bytes: Uint8Array): Corners {
  const units = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
  const [polygons = 0, rings = 0] = units
  const from = 2 + polygons + rings
  return {
    polygonEnds: [...units.subarray(2, 2 + polygons)],
    ringEnds: [...units.subarray(2 + polygons, from)],
    values: Float64Array.from(units.subarray(from), (unit) => unit / UNITS_PER_DEGREE),
  }
}

function boxOf(units: Int32Array): [number, number, number, number] {
  const [polygons = 0, rings = 0] = units
  const corners = { from: 2 + polygons + rings, to: units.length, isHole: false }
  const { west, east, south, north } = boundsOfRing(units, corners)
  return [west, east, south, north]
}
