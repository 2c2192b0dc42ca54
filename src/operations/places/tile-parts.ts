/** Reads the content of a map tile in parts, so that other requests are answered in between. */
import { boxInUnits } from '../../base/model/geometry.ts'
import { boxOfTile, type Tile } from '../../geo/tile.ts'
import { TILE_BUFFER, TILE_EXTENT } from '../../geo/vector-tile.ts'
import type { TilePart } from '../../render/tiles/builder.ts'
import type { TileCount } from '../../render/tiles/layers.ts'
import type { PointHit, ShapeHit, ShownParcel } from '../../store/places.ts'
import type { ParcelReader } from '../../store/store.ts'
import type { Pause } from '../operation.ts'

/** First zoom with polygons; lower zooms show counts. */
export const PARCELS_FROM = 14
/** First zoom at which a tile names each parcel. */
export const LABELS_FROM = 16
/** Zoom of the tiles that count points. */
const COUNTED_ZOOM = 14
/** Squares across a tile, as a power of two. */
const SQUARES = 6

/** Most polygons, and most points, in a tile. */
const SHAPES_MAX = 20_000

/** Returns the parts of a tile of zoom 0 to 18. Throws what the store throws. */
export function readTileParts(
  parcels: ParcelReader,
  tile: Tile,
  pause: Pause,
): AsyncIterable<TilePart> {
  const read = tile.z < PARCELS_FROM ? readCounts : readRows
  return read(parcels, tile, pause)
}

async function* readCounts(
  parcels: ParcelReader,
  { z, x, y }: Tile,
  pause: Pause,
): AsyncIterable<TilePart> {
  const shift = Math.max(0, COUNTED_ZOOM - z - SQUARES)
  const side = 2 ** (COUNTED_ZOOM - z)
  const [x0, x1, y0, y1] = [x * side, (x + 1) * side - 1, y * side, (y + 1) * side - 1]
  const step = Math.min(side, parcels.advice.tileColumns)
  const found = new Map<number, TileCount>()
  for (let from = x0; from <= x1; from += step) {
    const to = Math.min(x1, from + step - 1)
    for (const cell of await parcels.countsIn({ x0: from, x1: to, y0, y1, shift })) {
      const key = cell.x * side + cell.y
      const before = found.get(key)?.parcels ?? 0
      found.set(key, { ...cell, z: COUNTED_ZOOM - shift, parcels: cell.parcels + before })
    }
    await pause()
  }
  // Stores group rows in orders of their own; the bytes of a tile do not depend on them.
  yield { counts: [...found.values()].sort((a, b) => a.x - b.x || a.y - b.y) }
}

async function* readRows(parcels: ParcelReader, tile: Tile, pause: Pause): AsyncIterable<TilePart> {
  const shapes = await readShapes(parcels, tile)
  const points = tile.z < LABELS_FROM ? [] : await readPoints(parcels, tile)
  const drawn = new Set(shapes.map(({ id }) => id))
  const hits = [...shapes, ...points.filter(({ id }) => !drawn.has(id))]
  yield* readHits(parcels, { hits, drawn, points }, pause)
}

/** Returns the parts of a tile with the points of parcels that have no polygon, at any zoom. */
export async function* readLonePoints(
  parcels: ParcelReader,
  tile: Tile,
  pause: Pause,
): AsyncIterable<TilePart> {
  const shapes = new Set((await readShapes(parcels, tile)).map(({ id }) => id))
  const points = (await readPoints(parcels, tile)).filter(({ id }) => !shapes.has(id))
  yield* readHits(parcels, { hits: [...points], drawn: new Set(), points }, pause)
}

/** `drawn`: the parcels shown by their polygon; `points`: those that are named. */
type TileHits = { hits: ShapeHit[]; drawn: ReadonlySet<number>; points: readonly PointHit[] }

async function* readHits(
  parcels: ParcelReader,
  { hits, drawn, points }: TileHits,
  pause: Pause,
): AsyncIterable<TilePart> {
  const named = new Map(points.map((hit) => [hit.id, hit]))
  // Sorted by id, because neighbours of a roll are stored together.
  hits.sort((a, b) => a.id - b.id)
  const size = parcels.advice.tileRows
  for (let at = 0; at < hits.length; at += size) {
    const rows = await readChunk(parcels, hits.slice(at, at + size))
    yield {
      rows: rows.map(({ id, text, geometry }) => ({
        text,
        geometry: drawn.has(id) ? geometry : null,
        point: named.get(id) ?? null,
      })),
    }
    await pause()
  }
}

/** Reads rows of several states by ascending id: the bytes of a tile do not depend on the store. */
async function readChunk(
  parcels: Pick<ParcelReader, 'tileRows'>,
  hits: readonly { id: number; state: string }[],
): Promise<ShownParcel[]> {
  const read: ShownParcel[] = []
  const byState = Map.groupBy(hits, ({ state }) => state)
  for (const [state, own] of byState) {
    read.push(
      ...(await parcels.tileRows(
        state,
        own.map(({ id }) => id),
      )),
    )
  }
  return byState.size > 1 ? read.sort((a, b) => a.id - b.id) : read
}

/** Where the index alone answers, parcels have no state, and `tileRows` needs none. */
const NO_STATE = ''

async function readShapes(parcels: ParcelReader, tile: Tile): Promise<ShapeHit[]> {
  const box = boxInUnits(boxOfTile(tile, TILE_BUFFER / TILE_EXTENT))
  const ids = await parcels.shapeIdsIn?.(box, SHAPES_MAX)
  return ids?.map((id) => ({ id, state: NO_STATE })) ?? parcels.shapesIn(box, SHAPES_MAX)
}

async function readPoints(parcels: ParcelReader, tile: Tile): Promise<PointHit[]> {
  const box = boxInUnits(boxOfTile(tile))
  return parcels.pointsIn({ assignedOnly: false }, box, SHAPES_MAX)
}
