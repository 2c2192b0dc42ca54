/** Returns a parcel's shape for a file: its polygon if loaded, else its point. */
import { boundsOf, readShape } from '../geo/shape.ts'
import type { Box } from '../geo/sphere.ts'
import type { StoredParcel } from '../store/store.ts'

export type ExportShape = {
  type: 'Point' | 'Polygon' | 'MultiPolygon'
  /** GeoJSON. */
  text: string
  box: Box
}

/** Returns the shape of a parcel; `undefined` with neither polygon nor point. */
export function shapeOf(
  { geometry }: Pick<StoredParcel, 'geometry'>,
  latitude: number | null,
  longitude: number | null,
): ExportShape | undefined {
  if (geometry !== null) {
    const box = boundsOf(readShape(geometry) ?? [])
    const type = geometry.includes('"MultiPolygon"') ? 'MultiPolygon' : 'Polygon'
    if (box !== undefined) return { type, text: geometry, box }
  }
  if (latitude === null || longitude === null) return undefined
  const text = `{"type":"Point","coordinates":[${longitude},${latitude}]}`
  const box = { west: longitude, south: latitude, east: longitude, north: latitude }
  return { type: 'Point', text, box }
}

export function joinBoxes(one: Box | undefined, { west, south, east, north }: Box): Box {
  if (one === undefined) return { west, south, east, north }
  return {
    west: Math.min(one.west, west),
    south: Math.min(one.south, south),
    east: Math.max(one.east, east),
    north: Math.max(one.north, north),
  }
}
