/** Builds the layers of a map tile from stored tile rows and from counts. */
import { PbfWriter } from 'pbf'
import { UNITS_PER_DEGREE } from '../../base/model/geometry.ts'
import { TextNumbers } from '../../geo/text-numbers.ts'
import { boxOfTile, type Tile } from '../../geo/tile.ts'
import { LayerWriter } from '../../geo/vector-tile.ts'
import { readTileText } from '../../record/tile-text.ts'

/** A parcel shown in a tile: its polygon, its point, or both. */
export type TileRow = {
  /** As `tileTextOf` writes it. */
  text: string
  /** GeoJSON text of its polygon. */
  geometry: string | null
  /** In ten-millionths of a degree, when the tile names the parcel. */
  point: { x: number; y: number } | null
}

/** Number of parcels in the square that a tile covers. */
export type TileCount = Tile & { parcels: number }

/** Separators between rows, and between the parts of one; neither occurs in JSON text. */
const [ROW, PART] = ['\u001d', '\u001e']

/** Joins rows into one text, which is sent to another thread as one block of bytes. */
export function joinRows(rows: readonly TileRow[]): string {
  const texts = rows.map(
    ({ text, geometry, point }) =>
      `${text}${PART}${geometry ?? ''}${PART}${point === null ? '' : `${point.x} ${point.y}`}`,
  )
  return texts.join(ROW)
}

const PROPERTIES = ['propertyId', 'address', 'useCode', 'value']

/** Collects what a tile shows; `bytes` ends it. */
export class TileLayers {
  readonly #parcels
  readonly #labels
  readonly #density
  readonly #drawn = new TextNumbers()

  constructor(tile: Tile) {
    this.#parcels = new LayerWriter('parcels', PROPERTIES, tile)
    this.#labels = new LayerWriter('labels', PROPERTIES, tile)
    this.#density = new LayerWriter('density', ['parcels'], tile)
  }

  /** Adds rows joined by `joinRows`. Parcels that share a polygon show it once. */
  addRows(joined: string): void {
    for (let from = 0, end = 0; from < joined.length; from = end + 1) {
      const textEnd = joined.indexOf(PART, from)
      const polygonEnd = joined.indexOf(PART, textEnd + 1)
      end = joined.indexOf(ROW, polygonEnd)
      if (end === -1) end = joined.length
      const polygon = joined.slice(textEnd + 1, polygonEnd)
      const isNew = polygon !== '' && this.#drawn.get(polygon) === undefined
      const isNamed = end > polygonEnd + 1
      if (!isNew && !isNamed) continue
      const values = valuesOf(joined.slice(from, textEnd))
      if (isNew) {
        this.#drawn.add(polygon, 0)
        this.#parcels.addPolygon(joined, textEnd + 1, polygonEnd, values)
      }
      if (!isNamed) continue
      const point = joined.slice(polygonEnd + 1, end)
      const [x = 0, y = 0] = point.split(' ').map((units) => Number(units) / UNITS_PER_DEGREE)
      this.#labels.addPoint(x, y, values)
    }
  }

  /** Adds a point in the middle of each square, with its count. */
  addCounts(counts: readonly TileCount[]): void {
    for (const { parcels, z, x, y } of counts) {
      const middle = boxOfTile({ z: z + 1, x: 2 * x + 1, y: 2 * y + 1 })
      this.#density.addPoint(middle.west, middle.north, [parcels])
    }
  }

  /** Returns the uncompressed tile; `undefined` when it is empty. */
  bytes(): Uint8Array | undefined {
    const tile = new PbfWriter(new Uint8Array(65_536))
    for (const layer of [this.#parcels, this.#labels, this.#density]) layer.writeInto(tile)
    return tile.pos === 0 ? undefined : tile.buf.subarray(0, tile.pos)
  }
}

function valuesOf(text: string): (string | number | undefined)[] {
  const { propertyId, address, useCode, value } = readTileText(text)
  const dollars = value === '' ? -1 : Number(value)
  return [propertyId, address, useCode, dollars >= 0 ? dollars : undefined]
}
