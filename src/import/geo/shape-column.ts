/**
 * Reads the points and polygons in a column of a table: well-known text or binary (in hexadecimal,
 * as databases write it), and GeoJSON. Source: OGC 06-103r4.
 */

import type { Batch, SourceOptions } from '../batch.ts'
import { readShape } from '../readers/json-shapes.ts'
import { readSrid, readWkb } from '../readers/wkb.ts'
import { type Placing, placeShape, type Shape } from './place-shapes.ts'
import { projection } from './projection.ts'

const START = /^\s*(?:SRID\s*=\s*(\d+)\s*;\s*)?(MULTIPOLYGON|POLYGON|POINT)\s*(?:ZM|Z|M)?\s*[(E]/i
/** A byte order, then the kinds that may be parcels, also with heights, measures or a system. */
const BINARY =
  /^(?:\\x)?0(?:1(?:0[1367]0000[\dA-F]0|E[9BE]030000)|0[\dA-F]00000[1367])(?:[\dA-F]{2}){16,}$/i
const JSON_START =
  /^\s*\{\s*"(?:type"\s*:\s*"(?:(?:Multi)?Polygon|Point|Geom)|coordinates"\s*:\s*\[)/
/** Columns in which points too are those of the parcel; a point elsewhere may be the owner's. */
const NAMES =
  /^(?:(?:shape_?|geom\w*)?wk[bt](?:_?geom\w*)?|the_geom|geo(?:m|metry|_?json|_?shape)|shape)$/i
/** Filled cells of a batch that are looked at, in a column whose name says nothing of shapes. */
const LOOKED_AT = 20
/** The plain layout has polygons as GeoJSON in a column that its mapping reads. */
const PLAIN = 'geometry'

/** Returns the function that adds the shapes of a column of text to the batches of a file. */
export function makeShapeReader(options: SourceOptions): (batch: Batch) => Batch {
  let columns: readonly string[] | undefined
  let found = -1
  const placings = new Map<number, Placing>()
  const placingOf = (epsg: number) =>
    placings.getOrInsertComputed(epsg, () => ({ ...options, project: projection(epsg) }))
  return (batch) => {
    if (batch.points?.some((point) => point !== null) === true) return batch
    if (batch.columns !== columns) found = -1
    columns = batch.columns
    if (found < 0) found = findColumn(batch)
    if (found < 0) return batch
    const placed = batch.rows.map((row, at) => {
      const text = row[found] ?? ''
      if (text.trim() === '') return { point: null, polygon: null }
      const { shape, code } = readText(text)
      const epsg = code === undefined || code === 0 ? (options.epsg ?? 4326) : code
      return placeShape(shape, placingOf(epsg), `row ${batch.lines[at]}`)
    })
    const polygons = placed.map(({ polygon }) => polygon)
    return { ...batch, points: placed.map(({ point }) => point), polygons }
  }
}

/** Returns the index of the column of shapes: by its name, else one of polygons; -1 without one. */
function findColumn({ columns, rows }: Batch): number {
  const named = columns.findIndex(
    (name, at) =>
      NAMES.test(name.trim()) && rows.some((row) => isShape(name.trim(), row[at] ?? '')),
  )
  return named < 0 ? columns.findIndex((name, at) => hasPolygon(rows, name.trim(), at)) : named
}

/** Reports whether one of the first filled cells of a column has a polygon. */
function hasPolygon(rows: Batch['rows'], name: string, at: number): boolean {
  let looked = 0
  for (const row of rows) {
    const text = row[at] ?? ''
    if (text === '') continue
    if (isShape(name, text) && isPolygon(text)) return true
    looked += 1
    if (looked === LOOKED_AT) return false
  }
  return false
}

function isShape(name: string, text: string): boolean {
  if (text.length < 10) return false
  return START.test(text) || BINARY.test(text) || (name !== PLAIN && JSON_START.test(text))
}

const isPolygon = (text: string) =>
  /polygon/i.test(text) || /^(?:\\x)?(?:01(?:0[36]|EB|EE)|00.{6}[36])/i.test(text)

function readText(text: string): { shape: Shape; code?: number | undefined } {
  if (JSON_START.test(text)) return { shape: readJson(text) }
  if (!BINARY.test(text)) {
    const code = START.exec(text)?.[1]
    return { shape: readWkt(text), ...(code !== undefined && { code: Number(code) }) }
  }
  const bytes = Buffer.from(text.replace(/^\\x/, ''), 'hex')
  try {
    return { shape: readWkb(bytes), code: readSrid(bytes) }
  } catch {
    return { shape: { type: 'other', kind: 'cut WKB' } }
  }
}

function readJson(text: string): Shape {
  try {
    return readShape(JSON.parse(text))
  } catch {
    return { type: 'other', kind: 'cut JSON' }
  }
}

/** Reads `POINT`, `POLYGON` and `MULTIPOLYGON`, also with `SRID=…;`, Z and M. */
function readWkt(text: string): Shape {
  const kind = START.exec(text)?.[2]?.toUpperCase()
  const other = /^\s*(?:SRID\s*=\s*\d+\s*;\s*)?(\w+)/.exec(text)?.[1] ?? 'unknown'
  if (kind === undefined) return { type: 'other', kind: other }
  const body = text.slice(text.search(/[(]|EMPTY/i))
  const rings = [...body.matchAll(/\(([^()]*)\)|\)\s*,\s*\(\s*\(/g)]
  if (kind === 'POINT') {
    return { type: 'Point', coordinates: readPoints(rings[0]?.[1] ?? '')[0] ?? [] }
  }
  if (kind === 'POLYGON') {
    return { type: 'Polygon', coordinates: rings.map(([, ring = '']) => readPoints(ring)) }
  }
  const parts = body.split(/\)\s*\)\s*,\s*\(\s*\(/)
  const coordinates = parts.map((part) =>
    part
      .split(/\)\s*,\s*\(/)
      .map((ring) => readPoints(ring.replace(/[()]/g, '')))
      .filter((ring) => ring.length > 0),
  )
  return { type: 'MultiPolygon', coordinates }
}

/** An unreadable number becomes NaN, so that the shape is refused. */
function readPoints(text: string): number[][] {
  if (text.trim() === '' || /EMPTY/i.test(text)) return []
  return text.split(',').map((point) => point.trim().split(/\s+/).map(Number))
}
