/** Reads the extent from a shapefile's header. Source: ESRI's description of July 1998. */
import { type Part, unpack } from './container.ts'

/** In the units of the file's own projection. */
export type ShapeExtent = { west: number; south: number; east: number; north: number }

/** Length of the header in bytes. */
export const HEAD_BYTES = 100
const MAGIC = 9994

/** Reads the extent; `undefined` when the bytes are not a shapefile header or hold no extent. */
export function readShapeExtent(head: Buffer): ShapeExtent | undefined {
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
    for await (const part of unpack(path, { onBytes() {} })) {
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
