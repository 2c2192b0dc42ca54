/** Writes a layer of a Mapbox vector tile: points, lines or polygons with properties. */
import { PbfWriter } from 'pbf'
import { type Corners, readPolygonText } from './polygon-text.ts'
import { TextNumbers } from './text-numbers.ts'
import type { Tile } from './tile.ts'
import {
  clipLine,
  clipRing,
  doubleArea,
  type Ring,
  simplifyLine,
  simplifyRing,
  turnRing,
} from './tile-rings.ts'

/** Units of a tile's side. */
export const TILE_EXTENT = 4096

/** Units kept beyond a tile's edge, so that outlines are not visible along it. */
export const TILE_BUFFER = 64

/** First zoom at which shapes are not simplified. */
const WHOLE_FROM = 18
/** Largest deviation of a simplified outline: a quarter of a pixel in a tile of 512. */
const TOLERANCE = 2

const [POINT, LINE, POLYGON] = [1, 2, 3]
/** Commands of a geometry, with a count in the bits above the third. */
const [MOVE_TO, LINE_TO, CLOSE_PATH] = [1, 2, 15]
const FEATURE = { tags: 2, type: 3, geometry: 4 }
const LAYER = { name: 1, feature: 2, key: 3, value: 4, extent: 5, version: 15 }
const VALUE = { text: 1, whole: 4 }
const TILE = { layer: 3 }

/** Values in the order of the layer's keys; `undefined` or `''`: none. Numbers: integers from 0. */
type TileValues = readonly (string | number | undefined)[]

/** Collects the features of one layer. Source: Mapbox Vector Tile Specification 2.1. */
export class LayerWriter {
  readonly #name: string
  readonly #keys: readonly string[]
  readonly #side: number
  readonly #west: number
  readonly #north: number
  readonly #tolerance: number
  readonly #hasOwnFirst: boolean
  readonly #features = new PbfWriter(new Uint8Array(65_536))
  readonly #values = new PbfWriter(new Uint8Array(65_536))
  readonly #feature = new PbfWriter(new Uint8Array(4096))
  readonly #part = new PbfWriter(new Uint8Array(4096))
  readonly #numbers = new Map<number, number>()
  readonly #texts = new TextNumbers()
  /** Whether all corners that were projected last are near the tile. */
  #isNear = true
  #valueCount = 0
  #x = 0
  #y = 0

  /** `hasOwnFirst`: the first key names the feature, so its values are hardly ever shared. */
  constructor(name: string, keys: readonly string[], { z, x, y }: Tile, hasOwnFirst = true) {
    this.#hasOwnFirst = hasOwnFirst
    this.#name = name
    this.#keys = keys
    this.#side = 2 ** z * TILE_EXTENT
    this.#west = x * TILE_EXTENT
    this.#north = y * TILE_EXTENT
    this.#tolerance = z < WHOLE_FROM ? TOLERANCE : 0
  }

  /** Adds a point in degrees; one beyond the tile's buffer is left out. */
  addPoint(longitude: number, latitude: number, values: TileValues): void {
    const [x, y] = [this.#across(longitude), this.#down(latitude)]
    if (!isNear(x) || !isNear(y)) return
    this.#begin()
    this.#part.writeVarint(MOVE_TO + 8)
    this.#move(x, y)
    this.#end(POINT, values)
  }

  /** Adds the polygon between two positions of a text, unless it is smaller than a unit. */
  addPolygon(text: string, start: number, stop: number, values: TileValues): void {
    this.addRings(readPolygonText(text, start, stop), values)
  }

  /** Adds polygons whose corners are in degrees; one that is smaller than a unit is left out. */
  addRings({ values: corners, ringEnds, polygonEnds }: Corners, values: TileValues): void {
    this.#begin()
    let [from, ring] = [0, 0]
    for (const lastRing of polygonEnds) {
      // If the outer ring is dropped, so are its holes.
      for (let isOuter = true, isThere = true; ring < lastRing; ring += 1, isOuter = false) {
        const end = ringEnds[ring] as number
        if (isThere) isThere = this.#addRing(corners, from, end, isOuter) || !isOuter
        from = end
      }
    }
    if (this.#part.pos > 0) this.#end(POLYGON, values)
  }

  /** Adds the parts of a line, in degrees, that are in the tile, unless shorter than a unit. */
  addLine(corners: Float64Array, values: TileValues): void {
    const whole = this.#project(corners, 0, corners.length)
    const line = simplifyLine(whole, this.#tolerance)
    const [low, high] = [-TILE_BUFFER, TILE_EXTENT + TILE_BUFFER]
    const parts = this.#isNear ? [line] : clipLine(line, low, high)
    this.#begin()
    for (const part of parts) if (part.length >= 4) this.#drawLine(part)
    if (this.#part.pos > 0) this.#end(LINE, values)
  }

  /** Writes the layer into a tile; one without a feature is left out. */
  writeInto(tile: PbfWriter): void {
    if (this.#features.pos === 0) return
    tile.writeMessage(
      TILE.layer,
      () => {
        tile.writeStringField(LAYER.name, this.#name)
        append(tile, this.#features)
        for (const key of this.#keys) tile.writeStringField(LAYER.key, key)
        append(tile, this.#values)
        tile.writeVarintField(LAYER.extent, TILE_EXTENT)
        tile.writeVarintField(LAYER.version, 2)
      },
      undefined,
    )
  }

  #addRing(corners: Float64Array, from: number, end: number, isOuter: boolean): boolean {
    const whole = openRing(this.#project(corners, from, end))
    const [low, high] = [-TILE_BUFFER, TILE_EXTENT + TILE_BUFFER]
    const simple = simplifyRing(whole, this.#tolerance)
    const ring = this.#isNear || simple.every(isNear) ? simple : clipRing(simple, low, high)
    const area = ring.length < 6 ? 0 : doubleArea(ring)
    if (area === 0) return false
    this.#draw(area > 0 === isOuter ? ring : turnRing(ring))
    return true
  }

  /** Returns corners in units of the tile, without repeated ones. */
  #project(corners: Float64Array, from: number, end: number): Ring {
    const ring: Ring = []
    this.#isNear = true
    for (let at = from; at < end; at += 2) {
      const x = this.#across(corners[at] as number)
      const y = this.#down(corners[at + 1] as number)
      this.#isNear &&= isNear(x) && isNear(y)
      const last = ring.length
      if (last > 0 && ring[last - 2] === x && ring[last - 1] === y) continue
      ring.push(x, y)
    }
    return ring
  }

  #across(longitude: number): number {
    return Math.round((longitude / 360 + 0.5) * this.#side - this.#west)
  }

  #down(latitude: number): number {
    const sine = Math.sin((latitude * Math.PI) / 180)
    const down = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
    return Math.round(down * this.#side - this.#north)
  }

  #begin(): void {
    this.#part.pos = 0
    this.#x = 0
    this.#y = 0
  }

  #draw(ring: Ring): void {
    this.#drawLine(ring)
    this.#part.writeVarint(CLOSE_PATH)
  }

  #drawLine(line: Ring): void {
    this.#part.writeVarint(MOVE_TO + 8)
    this.#move(line[0] as number, line[1] as number)
    this.#part.writeVarint(LINE_TO + 8 * (line.length / 2 - 1))
    for (let at = 2; at < line.length; at += 2) {
      this.#move(line[at] as number, line[at + 1] as number)
    }
  }

  #move(x: number, y: number): void {
    this.#part.writeSVarint(x - this.#x)
    this.#part.writeSVarint(y - this.#y)
    this.#x = x
    this.#y = y
  }

  #end(type: number, values: TileValues): void {
    const feature = this.#feature
    feature.pos = 0
    feature.writeVarintField(FEATURE.type, type)
    feature.writeBytesField(FEATURE.geometry, writtenBy(this.#part))
    this.#part.pos = 0
    values.forEach((value, key) => {
      if (value === undefined || value === '') return
      this.#part.writeVarint(key)
      // Looking up values that are rarely shared took a sixth of the time.
      const isOwn = key === 0 && this.#hasOwnFirst
      this.#part.writeVarint(isOwn ? this.#addValue(value) : this.#numberOf(value))
    })
    feature.writeBytesField(FEATURE.tags, writtenBy(this.#part))
    this.#features.writeBytesField(LAYER.feature, writtenBy(feature))
  }

  #numberOf(value: string | number): number {
    const known = typeof value === 'string' ? this.#texts.get(value) : this.#numbers.get(value)
    if (known !== undefined) return known
    const number = this.#addValue(value)
    if (typeof value === 'string') this.#texts.add(value, number)
    else this.#numbers.set(value, number)
    return number
  }

  #addValue(value: string | number): number {
    this.#values.writeMessage(LAYER.value, writeValue, value)
    this.#valueCount += 1
    return this.#valueCount - 1
  }
}

/** Drops the closing corner. */
function openRing(ring: Ring): Ring {
  const last = ring.length
  if (last > 2 && ring[0] === ring[last - 2] && ring[1] === ring[last - 1]) ring.length -= 2
  return ring
}

function writeValue(value: string | number, writer: PbfWriter): void {
  if (typeof value === 'string') writer.writeStringField(VALUE.text, value)
  else writer.writeVarintField(VALUE.whole, value)
}

/** The bytes written so far; valid until the next write. */
function writtenBy({ buf, pos }: PbfWriter): Uint8Array {
  return buf.subarray(0, pos)
}

function append(writer: PbfWriter, other: PbfWriter): void {
  writer.realloc(other.pos)
  writer.buf.set(writtenBy(other), writer.pos)
  writer.pos += other.pos
}

function isNear(unit: number): boolean {
  return unit >= -TILE_BUFFER && unit <= TILE_EXTENT + TILE_BUFFER
}
