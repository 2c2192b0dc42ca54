/** Converts well-known binary to GeoJSON. Source: OGC 06-103r4, and the EWKB flags of PostGIS. */
import { joinParts, type Shape } from '../geo/place-shapes.ts'

const EWKB = { z: 0x80000000, m: 0x40000000, srid: 0x20000000 } as const

export const KINDS = {
  point: 1,
  polygon: 3,
  multiPoint: 4,
  multiPolygon: 6,
  collection: 7,
} as const
/** Kinds that are no parcels. */
const OTHERS: Record<number, string> = {
  ...{ 2: 'LineString', 8: 'CircularString', 9: 'CompoundCurve', 10: 'CurvePolygon' },
  ...{ 11: 'MultiCurve', 12: 'MultiSurface', 15: 'PolyhedralSurface', 16: 'TIN' },
}
const DEPTH_MAX = 4

/** Reads a shape; `null`: empty, or no parcel (lines, curves). Throws `RangeError` when cut. */
export function readWkb(bytes: Uint8Array): Shape {
  const view = viewOf(bytes)
  return read({ view, at: 0 }, 0)
}

/**
 * Reads the head of a shape. `kind`: as in `KINDS`, without flags; `srid`: the coordinate system
 * that PostGIS writes, if it does. Throws `RangeError` when the bytes end too early.
 */
export function readHead(view: DataView, at = 0) {
  const little = view.getUint8(at) === 1
  const code = view.getUint32(at + 1, little)
  const srid = (code & EWKB.srid) === 0 ? undefined : view.getUint32(at + 5, little)
  const iso = Math.floor((code & 0x1fffffff) / 1000)
  return { little, code, iso, srid, kind: (code & 0x1fffffff) % 1000 }
}

export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength)
}

type Cursor = { view: DataView; at: number }

function read(cursor: Cursor, depth: number): Shape {
  if (depth > DEPTH_MAX) throw new RangeError('a geometry is nested too deep')
  const { little, code, iso, srid, kind } = readHead(cursor.view, cursor.at)
  cursor.at += srid === undefined ? 5 : 9
  const hasZ = (code & EWKB.z) !== 0 || iso === 1 || iso === 3
  const hasM = (code & EWKB.m) !== 0 || iso === 2 || iso === 3
  const step = 16 + (hasZ ? 8 : 0) + (hasM ? 8 : 0)
  if (kind === KINDS.point) return readPoint(cursor, step, little)
  if (kind === KINDS.polygon) return readPolygon(cursor, step, little)
  if (kind < KINDS.multiPoint || kind > KINDS.collection) {
    return { type: 'other', kind: OTHERS[kind] ?? String(kind) }
  }
  const count = readCount(cursor, 5, little)
  const parts: Shape[] = []
  for (let at = 0; at < count; at += 1) parts.push(read(cursor, depth + 1))
  return joinParts(parts) ?? parts[0] ?? { type: 'other', kind: 'empty collection' }
}

/** Reads a list's length, and checks that each member has at least `least` bytes left. */
function readCount(cursor: Cursor, least: number, little: boolean): number {
  const count = cursor.view.getUint32(cursor.at, little)
  cursor.at += 4
  if (count * least > cursor.view.byteLength - cursor.at) {
    throw new RangeError(`a shape announces ${count} parts and ends before them`)
  }
  return count
}

function readPoint(cursor: Cursor, step: number, little: boolean): Shape {
  const { view, at } = cursor
  const [x, y] = [view.getFloat64(at, little), view.getFloat64(at + 8, little)]
  cursor.at += step
  // An empty point is encoded with NaN coordinates.
  return Number.isNaN(x) || Number.isNaN(y) ? null : { type: 'Point', coordinates: [x, y] }
}

function readPolygon(cursor: Cursor, step: number, little: boolean): Shape {
  const { view } = cursor
  const rings: number[][][] = []
  const count = readCount(cursor, 4, little)
  for (let ring = 0; ring < count; ring += 1) {
    const points: number[][] = []
    const length = readCount(cursor, step, little)
    for (let point = 0; point < length; point += 1) {
      points.push([view.getFloat64(cursor.at, little), view.getFloat64(cursor.at + 8, little)])
      cursor.at += step
    }
    rings.push(points)
  }
  return { type: 'Polygon', coordinates: rings }
}
