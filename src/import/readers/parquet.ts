/** Reads Parquet page by page with hyparquet, pure JavaScript (docs/decisions/readers.md). */
import { isUtf8 } from 'node:buffer'
import { statSync } from 'node:fs'
import {
  asyncBufferFromFile,
  type FileMetaData,
  parquetMetadataAsync,
  type SchemaElement,
} from 'hyparquet'
import { CommandError } from '../../base/errors.ts'
import { showDouble } from '../../base/long-numbers.ts'
import { type Batch, emptyBatch, type SourceOptions } from '../batch.ts'
import { BATCH_ROWS, refuseBomb } from '../bounds.ts'
import { openColumns, type ReadValue } from '../geo/parquet-columns.ts'
import { placeShape } from '../geo/place-shapes.ts'
import { type Project, projection } from '../geo/projection.ts'
import { noteReading } from '../watch-reading.ts'
import { type Part, withPath } from './container.ts'
import { showList } from './json-values.ts'
import { readWkb } from './wkb.ts'

/** Reads a Parquet file; the columns of its schema become the roll's columns. */
export async function* readParquet(part: Part, options: SourceOptions): AsyncGenerator<Batch> {
  yield* withPath(part, (path) => readFile(path, part.shown, options))
}

async function* readFile(
  path: string,
  shown: string,
  options: SourceOptions,
): AsyncGenerator<Batch> {
  const file = await asyncBufferFromFile(path)
  const asDamaged = (error: unknown) => {
    if (error instanceof CommandError) throw error
    throw new CommandError(`${shown} is not a Parquet file, or is cut short`, 1, error)
  }
  // Keeps shapes as bytes, so a damaged shape rejects only its row, not the file.
  const metadata = await parquetMetadataAsync(file, { geoparquet: false }).catch(asDamaged)
  const shows = takeNumberForms(metadata.schema)
  const all = (metadata.schema[0] && topLevel(metadata.schema)) ?? []
  const shapes = findShapes(metadata, all, options)
  const columns = all.filter((name) => name !== shapes?.column)
  refuseFalse(metadata, all, { path, shown })
  let from = 0
  for (const group of metadata.row_groups) {
    const read = await openColumns(file, metadata, group, shown).catch(asDamaged)
    noteReading(options.notes, Number(group.total_compressed_size ?? group.total_byte_size ?? 0))
    const readValue: ReadValue = (column, row) => {
      try {
        return read(column, row - from)
      } catch (error) {
        return asDamaged(error)
      }
    }
    const rowEnd = from + Number(group.num_rows)
    for (let at = from; at < rowEnd; at += BATCH_ROWS) {
      const end = Math.min(at + BATCH_ROWS, rowEnd)
      yield makeBatch(readValue, at, end, { shown, columns, shows, shapes, options })
    }
    from = rowEnd
  }
}

/** Throws `CommandError` for rows, bytes or columns that the file cannot hold. */
function refuseFalse(
  { row_groups }: FileMetaData,
  names: string[],
  { path, shown }: { path: string; shown: string },
): void {
  const bytes = statSync(path).size
  let values = 0
  for (const group of row_groups) {
    const rows = Number(group.num_rows)
    if (!(rows >= 0 && rows <= GROUP_ROWS_MAX)) {
      throw new CommandError(`${shown} is damaged: a group of ${rows} rows`)
    }
    refuseBomb(shown, bytes, Number(group.total_byte_size ?? 0))
    const paths = group.columns.map(({ meta_data }) => meta_data?.path_in_schema ?? [])
    // The library reads such a column, and nobody waits for its error.
    if (
      new Set(paths.map((one) => one.join('\0'))).size < paths.length ||
      paths.some(([name = '']) => !names.includes(name))
    ) {
      throw new CommandError(`${shown} is damaged: its columns are not those of its schema`)
    }
    for (const { meta_data } of group.columns) {
      if (Number(meta_data?.num_values ?? 0) > VALUES_MAX) {
        throw new CommandError(`${shown} is damaged: a column of ${meta_data?.num_values} values`)
      }
      refuseBomb(shown, bytes, Number(meta_data?.total_uncompressed_size ?? 0))
      values += Math.max(rows, Number(meta_data?.num_values ?? 0))
    }
    // Without a column, a row is a value.
    values += group.columns.length === 0 ? rows : 0
    refuseBomb(shown, bytes, values * VALUE_BYTES)
  }
}

/** Sixteen million values are read from any file, and more by its size. */
const VALUE_BYTES = 4

/** Most rows of a row group, and most values of a column in it. Writers make 1,048,576 at most. */
const GROUP_ROWS_MAX = 16_777_216
const VALUES_MAX = 8 * GROUP_ROWS_MAX

type Shapes = { column: string; project: Project }
type Made = {
  shown: string
  columns: string[]
  shows: ReadonlyMap<string, ShowValue>
  shapes: Shapes | undefined
  options: SourceOptions
}

function makeBatch(read: ReadValue, from: number, end: number, made: Made): Batch {
  const { shown, columns, shows, shapes, options } = made
  const batch = emptyBatch(shown, columns)
  if (shapes !== undefined) Object.assign(batch, { points: [], polygons: [] })
  for (let at = from; at < end; at += 1) {
    const row = columns.map((name) => (shows.get(name) ?? show)(read(name, at)))
    try {
      if (shapes !== undefined) {
        const bytes = read(shapes.column, at)
        const shape = bytes instanceof Uint8Array ? readWkb(bytes) : null
        const placing = { ...options, project: shapes.project }
        const { point, polygon } = placeShape(shape, placing, `row ${at + 1}`)
        batch.points?.push(point)
        batch.polygons?.push(polygon)
      }
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      const reason = 'its shape is cut short'
      batch.broken.push({ line: at + 1, reason, text: row.join(',') })
      continue
    }
    batch.rows.push(row)
    batch.lines.push(at + 1)
  }
  return batch
}

const SHAPE_NAMES = /^(?:geometry|geom|the_geom|wkb_geometry|shape)$/i

function findShapes(
  { key_value_metadata, schema }: FileMetaData,
  columns: string[],
  { epsg }: SourceOptions,
): Shapes | undefined {
  const isBytes = (column: string) =>
    schema.some(({ name, type, converted_type }) => {
      return name === column && type === 'BYTE_ARRAY' && converted_type === undefined
    })
  const text = key_value_metadata?.find(({ key }) => key === 'geo')?.value
  const geo = text === undefined ? undefined : parseGeo(text)
  if (geo === undefined) {
    const column = columns.find((name) => SHAPE_NAMES.test(name) && isBytes(name))
    return column === undefined ? undefined : { column, project: projection(epsg ?? 4326) }
  }
  const column = geo.primary_column ?? ''
  const geoColumn = geo.columns?.[column]
  if (geoColumn?.encoding !== 'WKB' || !columns.includes(column)) return undefined
  const { authority, code } = geoColumn.crs?.id ?? {}
  const own = authority === 'EPSG' ? Number(code) : undefined
  return { column, project: projection(own ?? epsg ?? 4326) }
}

type Geo = {
  primary_column?: string
  columns?: Record<
    string,
    { encoding?: string; crs?: { id?: { authority?: string; code?: unknown } } | null } | undefined
  >
}

function parseGeo(text: string): Geo | undefined {
  try {
    const geo = JSON.parse(text) as Geo | null
    return typeof geo === 'object' && geo !== null ? geo : undefined
  } catch {
    return undefined
  }
}

/** Returns the names of the top-level columns; the schema lists its tree depth first. */
function topLevel(schema: { name: string; num_children?: number }[]): string[] {
  const names: string[] = []
  let at = 1
  const skip = (): void => {
    const children = schema[at]?.num_children ?? 0
    at += 1
    for (let child = 0; child < children; child += 1) skip()
  }
  while (at < schema.length) {
    names.push(schema[at]?.name ?? '')
    skip()
  }
  return names
}

type ShowValue = (value: unknown) => string

/**
 * Returns how to show the columns of decimals and of single floats. The library turns decimals into
 * doubles, so their types are removed from the schema and their digits are shown here.
 */
function takeNumberForms(schema: SchemaElement[]): Map<string, ShowValue> {
  const forms = new Map<string, ShowValue>()
  for (const element of schema) {
    if (element.type === 'FLOAT') forms.set(element.name, showFloat)
    if (element.converted_type !== 'DECIMAL') continue
    const scale = element.scale ?? 0
    delete element.converted_type
    delete element.logical_type
    forms.set(element.name, (value) => showDecimal(value, scale))
  }
  return forms
}

/** Larger whole numbers are rounded in a single float. */
const FLOAT_MAX = 2 ** 24

function showFloat(value: unknown): string {
  if (typeof value !== 'number') return show(value)
  const isExact = Math.abs(value) < FLOAT_MAX || !Number.isInteger(value)
  return isExact ? String(value) : value.toExponential().replace('e+', 'E+')
}

/** `value`: the unscaled number, or its bytes as a big-endian two's complement. */
function showDecimal(value: unknown, scale: number): string {
  if (value === null || value === undefined) return ''
  const isBytes = value instanceof Uint8Array
  if (isBytes && value.length === 0) return ''
  const unscaled = isBytes
    ? BigInt.asIntN(8 * value.length, BigInt(`0x${Buffer.from(value).toString('hex')}`))
    : BigInt(value as number | bigint)
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const rest = digits.slice(digits.length - scale).replace(/0+$/, '')
  return `${unscaled < 0n ? '-' : ''}${whole}${rest === '' ? '' : `.${rest}`}`
}

function show(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return showDouble(value)
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return showList(value)
  if (value instanceof Uint8Array) return readText(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Decodes bytes as text; bytes that are not text become the empty text. */
function readText(bytes: Uint8Array): string {
  return isUtf8(bytes) ? Buffer.from(bytes).toString('utf8') : ''
}
