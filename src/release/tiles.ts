/** Builds the tiles of one state for an archive: zoom 0 to 16, the layers of the service. */
import { closing } from '../base/at-end.ts'
import { nextTurn } from '../base/event-loop.ts'
import { boxInUnits, UNITS_PER_DEGREE } from '../base/model/geometry.ts'
import type { NewFile } from '../export/new-file.ts'
import { joinBoxes } from '../export/shape.ts'
import { boxesMeet } from '../geo/sphere.ts'
import { boxOfTile, type Tile, tileAt } from '../geo/tile.ts'
import { TILE_BUFFER, TILE_EXTENT } from '../geo/vector-tile.ts'
import { readTileParts } from '../operations/places/tile-parts.ts'
import type { TileBuilder } from '../render/tiles/builder.ts'
import type { ExportReader } from '../store/export.ts'
import type { ParcelReader } from '../store/store.ts'
import { beginArchive, tileIdOf } from './pmtiles.ts'

/** The only zoom with labels. */
const ZOOM_MAX = 16
/** Zoom at which points are counted, and polygons begin. */
const COUNTED_ZOOM = 14

/** Degrees beyond a state's points within which its polygons end. */
const REACH = 1

type TileJob = {
  state: string
  parcels: ParcelReader
  reader: ExportReader
  tiles: TileBuilder
  bounds: [number, number, number, number]
  draft: string
  /** Called for each tile; may throw to stop. */
  onTile(): void
}

export async function writeTiles(file: NewFile, job: TileJob): Promise<void> {
  const { state, tiles, bounds, draft } = job
  const { cells, labelled } = await countCells(job)
  const parcels = onlyState(job.parcels, state, cells)
  const build = (tile: Tile) =>
    tiles.build(tile, `release-${state}`, () => readTileParts(parcels, tile, nextTurn))
  await using archive = closing(await beginArchive(draft))
  const { zoom, full } = archive.kept ?? { zoom: -1, full: [] }
  let reached = full
  let wanted = zoom === -1 ? [{ z: 0, x: 0, y: 0 }] : full.flatMap(childrenOf)
  for (let z = zoom + 1; z <= ZOOM_MAX; z += 1) {
    if (z === COUNTED_ZOOM) wanted = await listDrawnTiles(job)
    if (z === ZOOM_MAX) wanted = [...wanted, ...labelled]
    const found: Tile[] = []
    for await (const [tile, bytes] of buildAhead(sortTiles(wanted), build)) {
      job.onTile()
      if (bytes === undefined) continue
      await archive.add(tile, bytes)
      found.push(tile)
    }
    await archive.keep(z, found)
    reached = found
    wanted = found.flatMap(childrenOf)
  }
  const metadata = {
    name: `Parcels of ${state}`,
    format: 'pbf',
    vector_layers: ['density', 'labels', 'parcels'].map((id) => ({
      id,
      fields: FIELDS[id] ?? {},
    })),
  }
  const all = reached.map((tile) => boxOfTile(tile)).reduce(joinBoxes, boxOf(bounds))
  const around = [all.west, all.south, all.east, all.north] as TileJob['bounds']
  await archive.finish(file, { bounds: around, minZoom: 0, maxZoom: ZOOM_MAX, metadata })
}

const boxOf = ([west, south, east, north]: TileJob['bounds']) => ({ west, south, east, north })

/** Tiles that are read and built at the same time. */
const AHEAD = 4

/** Builds tiles in order, some of them ahead, so that reading and building overlap. */
async function* buildAhead<Built>(tiles: readonly Tile[], build: (tile: Tile) => Promise<Built>) {
  const begun: Promise<Built>[] = []
  for (const [at, tile] of tiles.entries()) {
    for (let next = at + begun.length; next < Math.min(at + AHEAD, tiles.length); next += 1) {
      const one = build(tiles[next] as Tile)
      // It fails when it is awaited.
      one.catch(() => undefined)
      begun.push(one)
    }
    yield [tile, await (begun.shift() as Promise<Built>)] as const
  }
}

const TEXTS = { propertyId: 'String', address: 'String', useCode: 'String', value: 'Number' }
const FIELDS: Record<string, object> = {
  density: { parcels: 'Number' },
  labels: TEXTS,
  parcels: TEXTS,
}

type Cell = Tile & { parcels: number }

/** Returns the tiles of the counted zoom with points, and those of the last one. */
async function countCells({ reader, state }: TileJob) {
  const cells = new Map<string, Cell>()
  const labelled = new Map<number, Tile>()
  const scope = { state, fips: undefined, changedSince: undefined }
  for await (const places of reader.places(scope)) {
    for (const { x, y } of places) {
      if (x === null || y === null) continue
      const point = [x / UNITS_PER_DEGREE, y / UNITS_PER_DEGREE] as const
      const [tile, label] = [tileAt(point, COUNTED_ZOOM), tileAt(point, ZOOM_MAX)]
      labelled.set(tileIdOf(label), label)
      const key = `${tile.x}/${tile.y}`
      cells.getOrInsertComputed(key, () => ({ ...tile, parcels: 0 })).parcels += 1
    }
  }
  return { cells, labelled: labelled.values() }
}

/** Returns the tiles of the counted zoom into which polygons reach, of any state. */
async function listDrawnTiles({ parcels, bounds, onTile }: TileJob): Promise<Tile[]> {
  const [west, south, east, north] = bounds
  const near = boxOf([west - REACH, south - REACH, east + REACH, north + REACH])
  let found: Tile[] = [{ z: 0, x: 0, y: 0 }]
  for (let z = 1; z <= COUNTED_ZOOM; z += 1) {
    const parts = found.flatMap(childrenOf)
    found = []
    for (const tile of parts) {
      const box = boxOfTile(tile, TILE_BUFFER / TILE_EXTENT)
      if (!boxesMeet(box, near)) continue
      if ((await parcels.shapesIn(boxInUnits(box), 1)).length > 0) found.push(tile)
    }
    onTile()
  }
  return found
}

/** Returns a reader of one state's tiles: other loaded states are not in its release. */
function onlyState(
  parcels: ParcelReader,
  state: string,
  cells: ReadonlyMap<string, Cell>,
): ParcelReader {
  const cellsIn = groupCells(cells)
  const only: Pick<ParcelReader, 'countsIn' | 'shapesIn' | 'pointsIn' | 'shapeIdsIn'> = {
    shapeIdsIn: undefined,
    async countsIn({ x0, x1, y0, y1, shift }) {
      const found = new Map<string, Cell>()
      for (const { x, y, parcels: own } of cellsIn(x0, y0, y1 - y0 + 1)) {
        if (x > x1 || x < x0) continue
        const key = `${x >> shift}/${y >> shift}`
        const before = found.get(key)?.parcels ?? 0
        const cell = { z: COUNTED_ZOOM - shift, x: x >> shift, y: y >> shift }
        found.set(key, { ...cell, parcels: before + own })
      }
      return [...found.values()]
    },
    shapesIn: async (box, limit) =>
      (await parcels.shapesIn(box, limit)).filter((hit) => hit.state === state),
    pointsIn: (filter, box, limit) => parcels.pointsIn({ ...filter, state }, box, limit),
  }
  return Object.assign(Object.create(parcels), only) as ParcelReader
}

/** Returns a reader of the cells in a square. Squares of one side come one after the other. */
function groupCells(cells: ReadonlyMap<string, Cell>) {
  let side = 0
  let groups = new Map<string, Cell[]>()
  const nameOf = (x: number, y: number) => `${Math.floor(x / side)}/${Math.floor(y / side)}`
  return (x: number, y: number, asked: number): readonly Cell[] => {
    if (asked !== side) {
      side = asked
      groups = Map.groupBy(cells.values(), (cell) => nameOf(cell.x, cell.y))
    }
    return groups.get(nameOf(x, y)) ?? []
  }
}

/** The four tiles of the next zoom within a tile. */
export function childrenOf({ z, x, y }: Tile): Tile[] {
  return [0, 1].flatMap((across) =>
    [0, 1].map((down) => ({ z: z + 1, x: 2 * x + across, y: 2 * y + down })),
  )
}

/** In the order of an archive, each once, those of the grid only. */
export function sortTiles(tiles: readonly Tile[]): Tile[] {
  const byId = new Map<number, Tile>()
  for (const tile of tiles) {
    const side = 2 ** tile.z
    if (tile.x < 0 || tile.y < 0 || tile.x >= side || tile.y >= side) continue
    byId.set(tileIdOf(tile), tile)
  }
  return [...byId].sort(([a], [b]) => a - b).map(([, tile]) => tile)
}
