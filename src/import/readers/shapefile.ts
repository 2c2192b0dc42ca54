/**
 * Reads ESRI shapefiles, plain or zipped, and dBASE tables. Shapes and records have the same order.
 * Source: ESRI Shapefile Technical Description, July 1998.
 */
import { CommandError } from '../../base/errors.ts'
import { assemblePolygons } from '../../geo/assemble.ts'
import { type Batch, emptyBatch, type SourceOptions } from '../batch.ts'
import { BATCH_ROWS, RECORD_MAX } from '../bounds.ts'
import { closeRing, type Shape as PlacedShape, placeShape } from '../geo/place-shapes.ts'
import { type Project, projection, readPrj } from '../geo/projection.ts'
import type { Ring } from '../geo/shapes.ts'
import { ByteReader } from './bytes.ts'
import { type Part, unpack } from './container.ts'
import { openDbf } from './dbf.ts'
import { decodeText } from './text.ts'

const MAGIC = 9994
/** Length of the header. */
const HEAD_BYTES = 100

/** Reads a shapefile given its .shp part, or a table given its .dbf part. */
export async function* readShapefile(part: Part, options: SourceOptions): AsyncGenerator<Batch> {
  const isTable = /\.dbf$/i.test(part.name)
  const dbf = isTable ? part : part.beside('.dbf')
  if (dbf === undefined) throw new CommandError(`${part.shown} has no .dbf file next to it`)
  const shp = isTable ? part.beside('.shp') : part
  const table = await openDbf(dbf, options.encoding, options.notes)
  const shapes = shp === undefined ? undefined : await openShapes(shp, options)
  const columns = table.fields.map(({ name }) => name)
  const start = () => ({
    ...emptyBatch(dbf.shown, columns),
    ...{ points: [] as Point[], polygons: [] as (string | null)[] },
  })
  let batch = start()
  let line = 0
  try {
    for (;;) {
      const row = await table.next()
      if (row === undefined) break
      line += 1
      const shape = shapes === undefined ? undefined : await shapes.next(line)
      if (row === null) continue
      batch.rows.push(row)
      batch.lines.push(line)
      batch.points.push(shape?.point ?? null)
      batch.polygons.push(shape?.polygon ?? null)
      if (batch.rows.length < BATCH_ROWS) continue
      yield batch
      batch = start()
    }
    if (batch.rows.length > 0) yield batch
  } finally {
    await table.close()
    await shapes?.close()
  }
}

type Point = readonly [number, number] | null
type Shape = { point: Point; polygon: string | null }

async function openShapes(part: Part, options: SourceOptions) {
  const { extent, next, close } = await openRecords(part)
  const project = await findProjection(part, options, extent)
  return {
    async next(line: number): Promise<Shape> {
      return placeShape(readRecord(await next()), { ...options, project }, `record ${line}`)
    },
    close,
  }
}

/** Opens the records of a .shp part, which come in the order of the table's rows. */
export async function openRecords(part: Part) {
  const reader = new ByteReader(await part.open())
  const head = await reader.take(HEAD_BYTES)
  if (head === undefined || head.readInt32BE(0) !== MAGIC) {
    throw new CommandError(`${part.shown} is not a shapefile`)
  }
  return {
    extent: readShapeExtent(head),
    async next(): Promise<Buffer> {
      const recordHead = reader.takeNow(8) ?? (await reader.take(8))
      const length = (recordHead?.readInt32BE(4) ?? 0) * 2
      if (length < 0 || length > RECORD_MAX) {
        throw new CommandError(`${part.shown} is damaged: a shape of ${length} bytes`)
      }
      const record = reader.takeNow(length) ?? (await reader.take(length))
      if (recordHead === undefined || record === undefined) {
        throw new CommandError(`${part.shown} is cut short: it has fewer shapes than rows`)
      }
      return record
    },
    close: () => reader.close(),
  }
}

/**
 * Finds the projection: the .prj file, else the EPSG code of the mapping or command line, else
 * degrees. Polygons are not guessed: with `geometry` and neither source it throws `CommandError`.
 */
async function findProjection(
  part: Part,
  { epsg, geometry }: SourceOptions,
  extent: ShapeExtent | undefined,
): Promise<Project> {
  const prj = part.beside('.prj')
  const wkt = prj === undefined ? '' : await readText(prj)
  if (prj !== undefined && wkt !== '') return readPrj(wkt, prj.shown)
  if (epsg === undefined && geometry) {
    const looks =
      extent === undefined
        ? ''
        : isDegrees(extent)
          ? ' (its extent looks like degrees: 4326)'
          : ` (its extent is ${Math.round(extent.west)} to ${Math.round(extent.east)} ` +
            `east, ${Math.round(extent.south)} to ${Math.round(extent.north)} north; ` +
            'platbook inspect guesses the zone)'
    throw new CommandError(
      `${part.shown} has no .prj file, or an empty one, so its projection is unknown: ` +
        `give --epsg CODE${looks}`,
    )
  }
  return projection(epsg ?? 4326)
}

async function readText(part: Part): Promise<string> {
  let text = ''
  for await (const piece of decodeText(await part.open())) text += piece
  return text.trim()
}

/** Shape types: 1, 11, 21 points; 5, 15, 25 polygons: plain, with heights, measures; 31 patches. */
function readRecord(record: Buffer): PlacedShape {
  const type = record.length < 4 ? 0 : record.readInt32LE(0)
  if (type === 0) return null
  if (type % 10 === 1 && type < 30 && record.length >= 20) {
    return { type: 'Point', coordinates: [record.readDoubleLE(4), record.readDoubleLE(12)] }
  }
  if (type % 10 !== 5 || record.length < 44) return { type: 'other', kind: `type ${type}` }
  const rings = readParts(record).map((ring) => closeRing(ring) ?? ring)
  return assemblePolygons(rings) ?? { type: 'Polygon', coordinates: rings }
}

/** Returns the parts of a line, or the rings of a polygon, in the file's own units. */
export function readParts(record: Buffer): Ring[] {
  if (record.length < 44) return []
  const parts = record.readInt32LE(36)
  const points = record.readInt32LE(40)
  const start = 44 + 4 * parts
  if (parts < 0 || points < 0 || start + 16 * points > record.length) return []
  let before = 0
  return Array.from({ length: parts }, (_, part) => {
    const from = record.readInt32LE(44 + 4 * part)
    const to = part + 1 < parts ? record.readInt32LE(48 + 4 * part) : points
    // Rings follow each other; false numbers would read the same points again and again.
    if (from !== before || to < from || to > points) return []
    before = to
    const ring: Ring = []
    for (let at = from; at < to; at += 1) {
      ring.push([record.readDoubleLE(start + 16 * at), record.readDoubleLE(start + 16 * at + 8)])
    }
    return ring
  })
}

/** In the units of the file's own projection. */
export type ShapeExtent = { west: number; south: number; east: number; north: number }

/** Reads the extent; `undefined` when the bytes are not a shapefile header or hold no extent. */
function readShapeExtent(head: Buffer): ShapeExtent | undefined {
  if (head.length < HEAD_BYTES || head.readInt32BE(0) !== MAGIC) return undefined
  const [west = 0, south = 0, east = 0, north = 0] = [36, 44, 52, 60].map((at) =>
    head.readDoubleLE(at),
  )
  const isTold = east > west && north > south && Number.isFinite(east + north - west - south)
  return isTold ? { west, south, east, north } : undefined
}

/** Reports whether an extent can be in degrees of longitude and latitude. */
export function isDegrees({ west, south, east, north }: ShapeExtent): boolean {
  return west >= -180 && east <= 180 && south >= -90 && north <= 90
}

/** Returns the extent of the first shapefile without a .prj file, also within archives. */
export async function readBareExtent(paths: string[]): Promise<ShapeExtent | undefined> {
  for (const path of paths) {
    for await (const part of unpack(path)) {
      if (!/\.shp$/i.test(part.name) || part.beside('.prj') !== undefined) continue
      const extent = readShapeExtent(await readHead(part))
      if (extent !== undefined) return extent
    }
  }
  return undefined
}

async function readHead(part: Part): Promise<Buffer> {
  let head: Buffer = Buffer.alloc(0)
  for await (const piece of await part.open()) {
    head = Buffer.concat([head, piece])
    if (head.length >= HEAD_BYTES) break
  }
  return head
}
