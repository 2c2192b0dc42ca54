/** Reads well-known text: points and polygons in a column of a table. Source: OGC 06-103r4. */
import type { Batch, SourceOptions } from '../batch.ts'
import { type Placing, placeShape, type Shape } from './place-shapes.ts'
import { projection } from './projection.ts'

/** Names of columns that hold shapes. */
const NAMES = /^(?:wkt|wkt_?geom|geom(?:etry)?_?wkt|shape_?wkt|the_geom|geom(?:etry)?|shape)$/i
const START = /^\s*(?:SRID\s*=\s*(\d+)\s*;\s*)?(MULTIPOLYGON|POLYGON|POINT)\s*(?:ZM|Z|M)?\s*[(E]/i

/** Returns the function that adds the shapes of a column of text to the batches of a file. */
export function makeWktReader(options: SourceOptions): (batch: Batch) => Batch {
  let columns: readonly string[] | undefined
  let found = -1
  return (batch) => {
    if (batch.points?.some((point) => point !== null) === true) return batch
    if (batch.columns !== columns) {
      columns = batch.columns
      found = columns.findIndex((name) => NAMES.test(name.trim()))
    }
    if (found < 0 || !batch.rows.some((row) => START.test(row[found] ?? ''))) return batch
    const placed = batch.rows.map((row, at) => {
      const text = row[found] ?? ''
      if (text.trim() === '') return { point: null, polygon: null }
      const code = START.exec(text)?.[1]
      const epsg = code === undefined || code === '0' ? (options.epsg ?? 4326) : Number(code)
      return placeShape(readWkt(text), placingOf(epsg, options), `row ${batch.lines[at]}`)
    })
    const polygons = placed.map(({ polygon }) => polygon)
    return { ...batch, points: placed.map(({ point }) => point), polygons }
  }
}

function placingOf(epsg: number, { geometry, onUnplaced, onWarning }: SourceOptions): Placing {
  return { project: projection(epsg), geometry, onUnplaced, onWarning }
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
