/**
 * Tiles of dots for zooms at which parcels are too small: one for the parcels of a small square, at
 * their middle, with their number and the mean of what colours the map.
 */
import { gzipSync } from 'node:zlib'
import { PbfWriter } from 'pbf'
import { UNITS_PER_DEGREE } from '../../base/model/geometry.ts'
import { boxOfTile, type Tile, tileAt } from '../../geo/tile.ts'
import { LayerWriter } from '../../geo/vector-tile.ts'
import type { FactTest } from '../../operations/questions/select.ts'
import { numberAt } from '../../store/facts/chunk.ts'
import type { FactBlock } from '../../store/facts/table.ts'
import { keepRecent } from '../../store/keep-recent.ts'
import type { ParcelReader } from '../../store/store.ts'
import { eachFact, MODE_FACTS, openModes } from './modes.ts'

/** Dots end where parcels begin. */
export const DOTS_ZOOM_MAX = 13
/** Squares along a tile's side. */
const SQUARES = 96
/** Parcels are kept by the tile of this zoom, so that a tile reads few others. */
const KEPT_ZOOM = 12
/** Sets of parcels that are kept, each 24 bytes a parcel. */
const SETS_MAX = 3
const GZIP_LEVEL = 3

/** Longitude, latitude and value of one parcel after the other; NaN: no value. */
type Spots = number[]
type Cell = { x: number; y: number; parcels: number; sum: number; valued: number }

/** `name`: of the filters, the same for the same ones. */
type Asked = { mode: string; tests: readonly FactTest[]; name: string }

/** Returns a reader of tiles with the layer `dots`; gzip. */
export function dotTiles(parcels: () => Promise<ParcelReader>) {
  const sets = new Map<string, Promise<Map<string, Spots>>>()
  async function setOf(asked: Asked) {
    const reader = await parcels()
    const key = `${await reader.version()} ${asked.mode} ${asked.name}`
    const found = keepRecent(sets, key, sets.get(key) ?? readSpots(reader, asked), SETS_MAX)
    found.catch(() => sets.delete(key))
    return found
  }
  return async (tile: Tile, asked: Asked): Promise<Buffer | undefined> => {
    const bytes = drawDots(tile, await setOf(asked))
    return bytes && gzipSync(bytes, { level: GZIP_LEVEL })
  }
}

async function readSpots(
  reader: ParcelReader,
  { mode, tests }: Asked,
): Promise<Map<string, Spots>> {
  const counties = await reader.coverage({ partial: true })
  const states = [...new Set(counties.map(({ state }) => state))]
  const read = openModes(counties).numbers[mode] ?? (() => Number.NaN)
  const facts = ['x', 'y', ...MODE_FACTS] as const
  return eachFact(reader, { states, tests, facts }, () => {
    const result = new Map<string, Spots>()
    const visit = (block: FactBlock, place: number) => {
      const { x, y } = block.columns
      if (x === undefined || y === undefined) return
      const at = [numberAt(x, place) / UNITS_PER_DEGREE, numberAt(y, place) / UNITS_PER_DEGREE]
      const [longitude, latitude] = at as [number, number]
      if (Number.isNaN(longitude + latitude)) return
      const key = nameOf(tileAt([longitude, latitude], KEPT_ZOOM))
      result.getOrInsertComputed(key, () => []).push(longitude, latitude, read(block, place))
    }
    return { visit, result }
  })
}

const nameOf = ({ x, y }: Tile) => `${x}/${y}`

const emptyCell = (): Cell => ({ x: 0, y: 0, parcels: 0, sum: 0, valued: 0 })

function drawDots(tile: Tile, sets: ReadonlyMap<string, Spots>): Uint8Array | undefined {
  const layer = new LayerWriter('dots', ['parcels', 'mean'], tile, false)
  for (const { x, y, parcels, sum, valued } of gather(tile, sets).values()) {
    const mean = valued === 0 ? undefined : Math.max(0, Math.round(sum / valued))
    layer.addPoint(x / parcels, y / parcels, [parcels, mean])
  }
  const bytes = new PbfWriter()
  layer.writeInto(bytes)
  return bytes.pos === 0 ? undefined : bytes.finish()
}

function gather(tile: Tile, sets: ReadonlyMap<string, Spots>): Map<number, Cell> {
  const { west, south, east, north } = boxOfTile(tile)
  const cells = new Map<number, Cell>()
  for (const spots of listSets(tile, sets)) {
    for (let at = 0; at < spots.length; at += 3) {
      const [x, y, value] = [spots[at] as number, spots[at + 1] as number, spots[at + 2] as number]
      if (x < west || x >= east || y < south || y >= north) continue
      const column = Math.floor(((x - west) / (east - west)) * SQUARES)
      const row = Math.floor(((y - south) / (north - south)) * SQUARES)
      const cell = cells.getOrInsertComputed(row * SQUARES + column, emptyCell)
      cell.x += x
      cell.y += y
      cell.parcels += 1
      if (Number.isNaN(value)) continue
      cell.sum += value
      cell.valued += 1
    }
  }
  return cells
}

/** The sets that a tile shows a part of. */
function listSets({ z, x, y }: Tile, sets: ReadonlyMap<string, Spots>): Spots[] {
  if (z >= KEPT_ZOOM) {
    const shift = z - KEPT_ZOOM
    return [sets.get(`${x >> shift}/${y >> shift}`) ?? []]
  }
  const shift = KEPT_ZOOM - z
  return [...sets].flatMap(([name, spots]) => {
    const [column = 0, row = 0] = name.split('/').map(Number)
    return column >> shift === x && row >> shift === y ? [spots] : []
  })
}
