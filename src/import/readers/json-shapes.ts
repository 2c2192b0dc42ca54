/** Reads the point and polygon of a row from GeoJSON and Esri shapes. */
import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { assemblePolygons } from '../../geo/assemble.ts'
import type { SourceOptions } from '../batch.ts'
import { namedProjection } from '../geo/named-projection.ts'
import { closeRing, joinParts, type Placing, type Shape } from '../geo/place-shapes.ts'
import { isDegreesOnly, type Project, projection, readPrj } from '../geo/projection.ts'
import type { Part } from './container.ts'

/** Reads a shape of GeoJSON or Esri JSON; `null` for a row without one. */
export function readShape(value: unknown): Shape {
  if (!isObject(value)) return null
  if (Array.isArray(value.rings)) return readRings(value.rings)
  if ('x' in value && 'y' in value) {
    if (value.x === null || value.x === 'NaN') return null
    return { type: 'Point', coordinates: [value.x as number, value.y as number] }
  }
  const { type } = value
  if (type === 'Point') return { type, coordinates: listOf(value.coordinates) as number[] }
  if (type === 'Polygon' || type === 'MultiPolygon') return value as Shape
  if (type === 'GeometryCollection') {
    return joinParts(listOf(value.geometries).map(readShape)) ?? { type: 'other', kind: type }
  }
  const esri = ['curveRings', 'paths', 'curvePaths', 'points'].find((name) => name in value)
  return { type: 'other', kind: String(type ?? esri ?? 'unknown').slice(0, 40) }
}

function readRings(rings: unknown[]): Shape {
  const closed = rings.map(closeRing).filter((ring) => ring !== undefined)
  // `placeShape` says why there is no place.
  if (closed.length < rings.length || rings.length === 0)
    return { type: 'Polygon', coordinates: rings as number[][][] }
  return assemblePolygons(closed) ?? { type: 'Polygon', coordinates: closed }
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Finds the projection: `crs` in old GeoJSON, `spatialReference` in Esri JSON, else --epsg, else
 * WGS84. `text`: what is before or after the rows.
 */
export function findProjection(text: string, options: Pick<SourceOptions, 'epsg'>): Project {
  return readProjection(text, options) ?? projection(options.epsg ?? 4326)
}

/** As `findProjection`; `undefined` when the text names no system. */
export function readProjection(
  text: string,
  options: Pick<SourceOptions, 'epsg'>,
): Project | undefined {
  const name = /"crs"\s*:\s*\{[\s\S]{0,200}?"name"\s*:\s*"([^"]+)"\s*\}/.exec(text)?.[1]
  const code =
    /"latestWkid"\s*:\s*(\d{4,6})/.exec(text)?.[1] ??
    /"wkid"\s*:\s*(\d{4,6})/.exec(text)?.[1] ??
    /"crs"\s*:\s*\{[^{}]*(?:\{[^{}]*)?"code"\s*:\s*"?(?:EPSG:)?(\d{4,6})/.exec(text)?.[1]
  const wkt = /"wkt2?"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(text)?.[1]
  if (name !== undefined) return known(namedProjection(name), options)
  if (code !== undefined) return known(namedProjection(`ESRI:${code}`), options, Number(code))
  if (wkt === undefined || wkt.length < 10) return undefined
  return readPrj(JSON.parse(wkt) as string, 'the spatialReference')
}

/** A code below 32767 is one of EPSG; a system that is not known is the one of --epsg. */
function known(project: Project, { epsg }: Pick<SourceOptions, 'epsg'>, code?: number): Project {
  if (code !== undefined && code <= 32_767) return projection(code)
  return project.unknown !== undefined && epsg !== undefined ? projection(epsg) : project
}

/** Bytes at the end of a file that may name its coordinate system, behind its features. */
const TAIL_BYTES = 65_536

/**
 * Returns the end of a file. A packed one is unpacked twice. So that is only done if its first
 * shape is not in degrees and nothing before it names its system.
 */
export async function readLateHead(part: Part, { epsg }: SourceOptions): Promise<string> {
  if (epsg !== undefined) return ''
  if (part.path === undefined) return readPackedEnd(part)
  if (!existsSync(part.path)) return ''
  await using file = await open(part.path)
  const { size } = await file.stat()
  const end = Buffer.alloc(Math.min(size, TAIL_BYTES))
  await file.read(end, 0, end.length, size - end.length)
  return afterFeatures(end)
}

const FIRST_POINT =
  /"(?:coordinates|rings)"\s*:[\s[]*(-?[\d.eE+]+)\s*,\s*(-?[\d.eE+]+)|"x"\s*:\s*(-?[\d.eE+]+)/

async function readPackedEnd(part: Part): Promise<string> {
  let end: Buffer | undefined
  for await (const chunk of await part.open()) {
    if (end === undefined) {
      const start = chunk.toString('latin1').replaceAll('\0', '')
      const first = FIRST_POINT.exec(start)
      const [, x = 0, y = 0, only = x] = first ?? []
      if (/"(?:crs|spatialReference)"/.test(start.slice(0, first?.index))) return ''
      if (Math.abs(Number(only)) <= 180 && Math.abs(Number(y)) <= 90) return ''
    }
    end = Buffer.concat([end ?? Buffer.alloc(0), chunk]).subarray(-TAIL_BYTES)
  }
  return afterFeatures(end ?? Buffer.alloc(0))
}

const afterFeatures = (end: Buffer) => end.toString('latin1').replace(/^[\s\S]*\]|\0/g, '')

/** Warns if the text after the features of a packed file names a system that was not used. */
export function warnOfLateHead(part: Part, around: string, options: SourceOptions): void {
  if (part.path !== undefined || options.epsg !== undefined) return
  const named = readProjection(around, {})
  if (named === undefined || isDegreesOnly(named)) return
  options.notes?.warn(
    `${part.shown} names its coordinate system after its features: unpack it, or give --epsg CODE`,
  )
}

/** An Esri shape may name its own system. */
export function placingOf(geometry: unknown, placing: Placing): Placing {
  if (!isObject(geometry) || !isObject(geometry.spatialReference)) return placing
  const project = readProjection(JSON.stringify(geometry.spatialReference), {})
  return project === undefined ? placing : { ...placing, project }
}
