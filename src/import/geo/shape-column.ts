/**
 * Reads the points and polygons in a column of a table: well-known text or binary (in hexadecimal,
 * as databases write it), and GeoJSON. Source: OGC 06-103r4.
 */

import { EXPORTED_SHAPE } from '../../record/exported.ts'
import type { Batch, SourceOptions } from '../batch.ts'
import { readShape } from '../readers/json-shapes.ts'
import { KINDS, readHead, readWkb, viewOf } from '../readers/wkb.ts'
import { type Placing, placeShape, type Shape } from './place-shapes.ts'
import { projection } from './projection.ts'

const START = /^\s*(?:SRID\s*=\s*(\d+)\s*;\s*)?(MULTIPOLYGON|POLYGON|POINT)\s*(?:ZM|Z|M)?\s*[(E]/i
/** A byte order, and at least a point. */
const BINARY = /^(?:\\x)?0[01](?:[\dA-F]{2}){20,}$/i
/** Hexadecimal digits of a head. */
const HEAD = 18
const JSON_START =
  /^\s*\{\s*"(?:type"\s*:\s*"(?:(?:Multi)?Polygon|Point|Geom)|coordinates"\s*:\s*\[)/
/** Columns in which points too are those of the parcel; a point elsewhere may be the owner's. */
const NAMES =
  /^(?:(?:shape_?|geom\w*)?wk[bt](?:_?geom\w*)?|the_geom|geo(?:m|metry|_?json|_?shape)|shape)$/i
/** Filled cells of a batch that are looked at, in a column whose name says nothing of shapes. */
const LOOKED_AT = 20

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
    if (found < 0) found = findColumn(batch, options)
    if (found < 0) return batch
    const placed = batch.rows.map((row, at) => {
      const text = row[found] ?? ''
      const { shape, code } = text.trim() === '' ? { shape: null, code: 0 } : readText(text)
      const epsg = code === undefined || code === 0 ? (options.epsg ?? 4326) : code
      return placeShape(shape, placingOf(epsg), `row ${batch.lines[at]}`)
    })
    const polygons = placed.map(({ polygon }) => polygon)
    return { ...batch, points: placed.map(({ point }) => point), polygons }
  }
}

/** Returns the index of the column of shapes: by its name, else one of polygons; -1 without one. */
function findColumn({ columns, rows }: Batch, { readsGeometry = false }: SourceOptions): number {
  const kindIn = (row: readonly (string | null)[], at: number) => {
    const isRead = readsGeometry && columns[at]?.trim() === EXPORTED_SHAPE
    return kindOf(row[at] ?? '', isRead)
  }
  const named = columns.findIndex(
    (name, at) => NAMES.test(name.trim()) && rows.some((row) => kindIn(row, at) !== undefined),
  )
  return named < 0 ? columns.findIndex((_, at) => hasPolygon(rows, at, kindIn)) : named
}

type KindIn = (row: readonly (string | null)[], at: number) => 'point' | 'polygon' | undefined

/** Reports whether one of the first filled cells of a column has a polygon. */
function hasPolygon(rows: Batch['rows'], at: number, kindIn: KindIn): boolean {
  let looked = 0
  for (const row of rows) {
    if ((row[at] ?? '') === '') continue
    if (kindIn(row, at) === 'polygon') return true
    looked += 1
    if (looked === LOOKED_AT) return false
  }
  return false
}

/** Returns what a text is in one of the forms. `isRead`: the mapping reads its GeoJSON itself. */
function kindOf(text: string, isRead: boolean): ReturnType<KindIn> {
  if (text.length < 10) return undefined
  if (START.test(text) || (!isRead && JSON_START.test(text))) {
    return /polygon/i.test(text) ? 'polygon' : 'point'
  }
  const head = headOf(text)
  if (head === undefined || head.iso > 3) return undefined
  if (head.kind === KINDS.point) return 'point'
  return POLYGONS.has(head.kind) ? 'polygon' : undefined
}

const POLYGONS: ReadonlySet<number> = new Set([
  ...[KINDS.polygon, KINDS.multiPolygon, KINDS.collection],
])

/** Returns the head of well-known binary; `undefined` of another text. */
function headOf(text: string) {
  if (!BINARY.test(text)) return undefined
  return readHead(viewOf(Buffer.from(text.replace(/^\\x/, '').slice(0, HEAD), 'hex')))
}

function readText(text: string): { shape: Shape; code?: number | undefined } {
  if (JSON_START.test(text)) return { shape: readJson(text) }
  if (!BINARY.test(text)) {
    const code = START.exec(text)?.[1]
    return { shape: readWkt(text), ...(code !== undefined && { code: Number(code) }) }
  }
  const bytes = Buffer.from(text.replace(/^\\x/, ''), 'hex')
  try {
    return { shape: readWkb(bytes), code: readHead(viewOf(bytes)).srid }
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
