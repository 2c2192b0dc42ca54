/** The extent that the head of a shapefile tells. Source: ESRI Shapefile Technical Description, July 1998, main file header. */

/** In the units of the file's own projection. */
export type ShapeExtent = { west: number; south: number; east: number; north: number }

/** Bytes of the head. */
export const HEAD_BYTES = 100
const MAGIC = 9994

/** Reads the extent; `undefined` where the bytes are no shapefile's head, or it tells none. */
export function readShapeExtent(head: Buffer): ShapeExtent | undefined {
  if (head.length < HEAD_BYTES || head.readInt32BE(0) !== MAGIC) return undefined
  const [west = 0, south = 0, east = 0, north = 0] = [36, 44, 52, 60].map((at) =>
    head.readDoubleLE(at),
  )
  const isTold = east > west && north > south && Number.isFinite(east + north - west - south)
  return isTold ? { west, south, east, north } : undefined
}

/** Whether an extent can be degrees of longitude and latitude. */
export function isDegrees({ west, south, east, north }: ShapeExtent): boolean {
  return west >= -180 && east <= 180 && south >= -90 && north <= 90
}
