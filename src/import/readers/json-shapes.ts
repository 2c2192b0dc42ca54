/** Reads the point and polygon of a row from GeoJSON and Esri shapes. */

import type { Geometry } from '../../base/model/geometry.ts'
import { assemblePolygons } from '../../geo/assemble.ts'
import type { SourceOptions } from '../batch.ts'
import { type Project, projection } from '../geo/projection.ts'
import { centroid, type Ring, shorten } from '../geo/shapes.ts'

export function readShape(value: unknown): Shape {
  if (!isObject(value)) return null
  if (Array.isArray(value.rings)) return assemblePolygons(value.rings.map(toRing))
  if (typeof value.x === 'number' && typeof value.y === 'number') {
    return { type: 'Point', coordinates: [value.x, value.y] }
  }
  return value as Shape
}

/** Drops heights and measures from the points of a ring. */
function toRing(ring: number[][]): Ring {
  return ring.map(([x = 0, y = 0]) => [x, y])
}

/** A shape in the file's own projection; other kinds are ignored. */
export type Shape = Geometry | { type: 'Point'; coordinates: number[] } | null | undefined

export function pointOf(shape: Shape, project: Project): readonly [number, number] | null {
  if (shape?.type === 'Point') {
    const [x, y] = shape.coordinates
    return x === undefined || y === undefined ? null : project(x, y)
  }
  const middle = centroid(ringsOf(shape))
  return middle === null ? null : project(...middle)
}

function ringsOf(shape: Shape): Ring[] {
  if (shape?.type === 'Polygon') return shape.coordinates as Ring[]
  return shape?.type === 'MultiPolygon' ? (shape.coordinates.flat() as Ring[]) : []
}

export function polygonOf(shape: Shape, project: Project): string | null {
  if (shape?.type !== 'Polygon' && shape?.type !== 'MultiPolygon') return null
  const move = (points: number[][]) =>
    points.flatMap(([x = 0, y = 0]) => {
      const point = project(x, y)
      return point === null ? [] : [[shorten(point[0]), shorten(point[1])]]
    })
  const coordinates =
    shape.type === 'Polygon'
      ? shape.coordinates.map(move)
      : shape.coordinates.map((polygon) => polygon.map(move))
  return JSON.stringify({ type: shape.type, coordinates })
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Finds the projection: `crs` in old GeoJSON, `spatialReference` in Esri JSON, else WGS84. */
export function findProjection(head: string, options: Pick<SourceOptions, 'epsg'>): Project {
  const code =
    /"crs"[\s\S]{0,200}?EPSG:+(\d{4,6})"/.exec(head)?.[1] ??
    /"latestWkid"\s*:\s*(\d{4,6})/.exec(head)?.[1] ??
    /"wkid"\s*:\s*(\d{4,6})/.exec(head)?.[1]
  return projection(code === undefined ? (options.epsg ?? 4326) : Number(code))
}
