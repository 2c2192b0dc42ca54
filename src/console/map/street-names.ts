/** Where streets are, by the addresses of their parcels; used where no basemap has streets. */
import { PbfWriter } from 'pbf'
import { nextTurn } from '../../base/event-loop.ts'
import { boxInUnits, UNITS_PER_DEGREE } from '../../base/model/geometry.ts'
import { boxOfTile, type Tile } from '../../geo/tile.ts'
import { LayerWriter } from '../../geo/vector-tile.ts'
import { readTileText } from '../../record/tile-text.ts'
import { keepRecent } from '../../store/keep-recent.ts'
import type { ConsoleContext } from '../context.ts'

/** The only zoom of the tiles of names; maps draw them at those above it too. */
export const STREETS_ZOOM = 15
const PARCELS_MAX = 6000
/** Parcels read before other requests get their turn. */
const CHUNK = 500
const TILES_MAX = 400

/** A parcel's point in degrees and its address. */
type Addressed = { at: readonly [number, number]; address: string }
/** From west to east, degrees. */
type NamedLine = { name: string; line: [number, number, number, number] }

/** Returns a reader of tiles with the layer `streets`; recent ones of a version are kept. */
export function streetTiles({ parcels, basemaps }: ConsoleContext) {
  const kept = new Map<string, Uint8Array | undefined>()
  return async (tile: Tile): Promise<Buffer | undefined> => {
    const reader = await parcels()
    const drawn = new Set((await basemaps.list()).map(({ state }) => state))
    const key = [await reader.version(), ...drawn, tile.x, tile.y].join(' ')
    if (!kept.has(key)) {
      keepRecent(kept, key, drawNames(tile, await readAddresses(reader, tile, drawn)), TILES_MAX)
    }
    const bytes = kept.get(key)
    return bytes === undefined ? undefined : Buffer.from(bytes)
  }
}

type Reader = Awaited<ReturnType<ConsoleContext['parcels']>>

/** `drawn`: states whose streets a basemap shows. */
async function readAddresses(
  reader: Reader,
  tile: Tile,
  drawn: ReadonlySet<string>,
): Promise<Addressed[]> {
  const box = boxInUnits(boxOfTile(tile))
  const hits = await reader.pointsIn({ assignedOnly: true }, box, PARCELS_MAX)
  const found: Addressed[] = []
  for (const [state, own] of Map.groupBy(hits, (hit) => hit.state)) {
    if (drawn.has(state)) continue
    const spots = new Map(own.map(({ id, x, y }) => [id, [x, y] as const]))
    const ids = [...spots.keys()].sort((one, other) => one - other)
    for (let from = 0; from < ids.length; from += CHUNK) {
      for (const { id, text } of await reader.tileRows(state, ids.slice(from, from + CHUNK))) {
        const [x = 0, y = 0] = spots.get(id) ?? []
        const { address } = readTileText(text)
        found.push({ at: [x / UNITS_PER_DEGREE, y / UNITS_PER_DEGREE], address })
      }
      await nextTurn()
    }
  }
  return found
}

function drawNames(tile: Tile, parcels: readonly Addressed[]): Uint8Array | undefined {
  const layer = new LayerWriter('streets', ['name'], tile)
  for (const { name, line } of findStreets(parcels)) layer.addLine(Float64Array.from(line), [name])
  const bytes = new PbfWriter()
  layer.writeInto(bytes)
  return bytes.pos === 0 ? undefined : bytes.finish()
}

const NUMBER = /^(\d+)[A-Z]?(?:-\d+)?(?: 1\/2)? +(?=\S)/
const UNIT = / (?:#|(?:APT|UNIT|STE|SUITE|LOT|BLDG|TRLR|RM|FL)\b).*$/

/** Parcels of a street that a line needs, and the metres by which a name reaches beyond them. */
const PARCELS_MIN = 3
const REACH = 60
/** A street whose parcels lie farther from a line, in metres, is cut in two. */
const DEVIATION = 45
const METERS = 111_320

type Spot = { east: number; north: number; isEven: boolean }

/** Returns a line for each street, or for each piece of a bent one. */
export function findStreets(parcels: readonly Addressed[]): NamedLine[] {
  const [first] = parcels
  if (first === undefined) return []
  const [west, south] = first.at
  const shrink = Math.cos((south * Math.PI) / 180)
  const byName = new Map<string, Spot[]>()
  for (const { at, address } of parcels) {
    const number = NUMBER.exec(address)?.[1]
    if (number === undefined) continue
    const name = address.replace(NUMBER, '').replace(UNIT, '').trim()
    const spots = byName.getOrInsertComputed(name, () => [])
    const [east, north] = [(at[0] - west) * METERS * shrink, (at[1] - south) * METERS]
    spots.push({ east, north, isEven: Number(number) % 2 === 0 })
  }
  return [...byName].flatMap(([name, spots]) =>
    fitLines(spots).map(([ax, ay, bx, by]) => {
      const degrees = (east: number, north: number): [number, number] => [
        west + east / METERS / shrink,
        south + north / METERS,
      ]
      return { name, line: [...degrees(ax, ay), ...degrees(bx, by)] as NamedLine['line'] }
    }),
  )
}

/** Returns lines in metres, from west to east. */
function fitLines(spots: Spot[]): [number, number, number, number][] {
  if (spots.length < PARCELS_MIN) return []
  const { angle, spread } = axisOf(spots)
  const [along, across] = [Math.cos(angle), Math.sin(angle)]
  const place = ({ east, north }: Spot) => east * along + north * across
  const sorted = spots.toSorted((one, other) => place(one) - place(other))
  const [start, end] = [place(sorted[0] as Spot), place(sorted.at(-1) as Spot)]
  if (spread > DEVIATION && spots.length >= 2 * PARCELS_MIN && end - start > 4 * DEVIATION) {
    const half = sorted.length >> 1
    return [...fitLines(sorted.slice(0, half)), ...fitLines(sorted.slice(half))]
  }
  if (spread > DEVIATION) return []
  // Houses of one side alone do not say where the street is, so the middle is that of both sides.
  const sides = [true, false].map((isEven) => spots.filter((spot) => spot.isEven === isEven))
  const middles = sides.flatMap((side) =>
    side.length === 0 ? [] : [meanOf(side.map(({ east, north }) => north * along - east * across))],
  )
  const off = meanOf(middles)
  const at = (far: number) => [far * along - off * across, far * across + off * along] as const
  return [[...at(start - REACH), ...at(end + REACH)]]
}

/** Direction of most spread, -90° to 90°, and the standard deviation across it in metres. */
function axisOf(spots: readonly Spot[]): { angle: number; spread: number } {
  const [x, y] = [meanOf(spots.map(({ east }) => east)), meanOf(spots.map(({ north }) => north))]
  let [xx, yy, xy] = [0, 0, 0]
  for (const { east, north } of spots) {
    xx += (east - x) ** 2
    yy += (north - y) ** 2
    xy += (east - x) * (north - y)
  }
  const angle = Math.atan2(2 * xy, xx - yy) / 2
  const least = (xx + yy) / 2 - Math.hypot((xx - yy) / 2, xy)
  return { angle, spread: Math.sqrt(Math.max(0, least) / spots.length) }
}

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length
}
