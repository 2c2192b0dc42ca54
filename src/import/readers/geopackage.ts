/** Reads GeoPackage, read-only and without trust in its schema. Source: OGC 12-128r19. */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { CommandError } from '../../base/errors.ts'
import { showDouble } from '../../base/long-numbers.ts'
import { type Batch, emptyBatch, type SourceOptions } from '../batch.ts'
import { BATCH_ROWS, BATCH_SIZE, COLUMNS_MAX, RECORD_MAX, ROW_MAX } from '../bounds.ts'
import { placeShape, type Shape } from '../geo/place-shapes.ts'
import { type Project, projection, readPrj } from '../geo/projection.ts'
import { type CodedColumn, TEXT_PREFIX } from './coded.ts'
import { type Part, withPath } from './container.ts'
import { readWkb } from './wkb.ts'

/** The first bytes of a SQLite file. */
export const SQLITE_MAGIC = 'SQLite format 3\0'

/** Reads the layer that the path names, or else the only one that the mapping reads. */
export async function* readGeoPackage(part: Part, options: SourceOptions): AsyncGenerator<Batch> {
  yield* withPath(part, (path) => readFile(path, part, options))
}

type Layer = {
  table: string
  columns: string[]
  shape: string | undefined
  project: Project
  coded: CodedColumn[]
}

async function* readFile(path: string, part: Part, options: SourceOptions): AsyncGenerator<Batch> {
  let db: DatabaseSync | undefined
  try {
    const url = pathToFileURL(path)
    url.searchParams.set('immutable', '1')
    db = new DatabaseSync(url, {
      readOnly: true,
      allowExtension: false,
      limits: { length: RECORD_MAX },
    })
    db.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA cache_size = -16384')
    yield* readRows(db, chooseLayer(db, part, options), part, options)
  } catch (error) {
    if (error instanceof CommandError || !isSqlite(error)) throw error
    const { message } = error as Error
    throw new CommandError(
      `${part.shown} is not a GeoPackage, or is cut short or damaged: ${message}`,
      1,
      error,
    )
  } finally {
    db?.close()
  }
}

function isSqlite(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith('ERR_SQLITE')
}

function chooseLayer(db: DatabaseSync, part: Part, options: SourceOptions): Layer {
  if (!hasTable(db, 'gpkg_contents')) {
    throw new CommandError(`${part.shown} is not a GeoPackage: it has no table gpkg_contents`)
  }
  const rows = db
    .prepare(`SELECT table_name AS name FROM gpkg_contents
      WHERE data_type IN ('features', 'attributes', 'aspatial') ORDER BY table_name`)
    .all()
  // A view may compute for ever; a layer is a table.
  const names = rows.map(({ name }) => String(name)).filter((name) => hasTable(db, name))
  const list = names.slice(0, 20).join(', ')
  if (names.length === 0) throw new CommandError(`${part.shown} holds no layer of rows`)
  if (part.layer !== undefined) {
    const asked = part.layer.toLowerCase()
    const found = names.find((name) => name.toLowerCase() === asked)
    if (found !== undefined) return readLayer(db, found, options)
    throw new CommandError(`${part.shown} holds no layer ${part.layer}; it holds ${list}`)
  }
  const layers = names.map((name) => readLayer(db, name, options))
  const fitting = layers.filter(({ columns }) => options.fits?.(columns) !== false)
  const [first] = layers
  if (layers.length === 1 && first !== undefined) return first
  if (fitting.length === 1 && fitting[0] !== undefined) return fitting[0]
  throw new CommandError(
    `${part.shown} holds the layers ${list}: name one, as ${part.shown}!${names[0]}`,
  )
}

function readLayer(db: DatabaseSync, table: string, options: SourceOptions): Layer {
  const columns = db
    .prepare('SELECT name FROM pragma_table_xinfo(?) WHERE hidden NOT IN (1, 2) ORDER BY cid')
    .all(table)
    .map(({ name }) => String(name))
  if (columns.length > COLUMNS_MAX) throw new CommandError(`${table} has too many columns`)
  const isShaped = ['gpkg_geometry_columns', 'gpkg_spatial_ref_sys'].every((one) =>
    hasTable(db, one),
  )
  const shape = isShaped
    ? db
        .prepare(`SELECT g.column_name AS name, s.organization, s.organization_coordsys_id AS code,
          s.definition FROM gpkg_geometry_columns g
          LEFT JOIN gpkg_spatial_ref_sys s ON s.srs_id = g.srs_id WHERE g.table_name = ?`)
        .get(table)
    : undefined
  const name = shape === undefined ? undefined : String(shape.name)
  const own = columns.filter((column) => column !== name)
  const coded = readConstraints(db, table).filter((one) => own.includes(one.name))
  return {
    table,
    columns: [...own, ...coded.map((one) => TEXT_PREFIX + one.name)],
    shape: name,
    project: projectionOf(shape, `${table}`, options),
    coded,
  }
}

function projectionOf(
  row: Record<string, unknown> | undefined,
  table: string,
  { epsg }: SourceOptions,
): Project {
  const code = Number(row?.code)
  if (row === undefined || row.code === null || code <= 0) return projection(epsg ?? 4326)
  try {
    return projection(code)
  } catch (error) {
    const definition = String(row.definition ?? '')
    if (!/^\s*(?:PROJCS|GEOGCS)/i.test(definition)) throw error
    return readPrj(definition, `the layer ${table}`)
  }
}

function hasTable(db: DatabaseSync, name: string): boolean {
  return (
    db
      .prepare(
        "SELECT 1 FROM sqlite_schema WHERE name = ? COLLATE NOCASE AND type = 'table' " +
          "AND sql NOT LIKE 'CREATE VIRTUAL%'",
      )
      .get(name) !== undefined
  )
}

/** Reads the schema extension's enumerations: codes with their descriptions. */
function readConstraints(db: DatabaseSync, table: string): CodedColumn[] {
  if (!hasTable(db, 'gpkg_data_columns') || !hasTable(db, 'gpkg_data_column_constraints')) return []
  const rows = db
    .prepare(`SELECT c.column_name AS name, v.value, v.description FROM gpkg_data_columns c
      JOIN gpkg_data_column_constraints v ON v.constraint_name = c.constraint_name
      WHERE c.table_name = ? AND v.constraint_type = 'enum' AND v.description IS NOT NULL`)
    .all(table)
  const tables = Map.groupBy(rows, ({ name }) => String(name))
  return [...tables].map(([name, own]) => ({
    name,
    codes: new Map(own.map(({ value, description }) => [String(value), String(description)])),
  }))
}

async function* readRows(
  db: DatabaseSync,
  layer: Layer,
  part: Part,
  options: SourceOptions,
): AsyncGenerator<Batch> {
  const own = layer.columns.slice(0, layer.columns.length - layer.coded.length)
  const start = (): Batch & Required<Pick<Batch, 'points' | 'polygons'>> => ({
    ...emptyBatch(part.shown, layer.columns),
    ...{ points: [], polygons: [] },
  })
  let batch = start()
  let line = 0
  let size = 0
  for (const values of selectRows(db, layer, own).iterate()) {
    line += 1
    const [shape, ...rest] = Object.values(values)
    const row = rest.map(show)
    const fault = rest.length > 0 && row.some((text) => text.includes('\0'))
    const read = fault ? 'NUL character in a value: the file is damaged there' : readBlob(shape)
    if (typeof read === 'string') {
      batch.broken.push({ line, reason: read, text: row.join(',') })
    } else {
      batch.rows.push([...row, ...describe(row, own, layer.coded)])
      batch.lines.push(line)
      const placing = { ...options, project: layer.project }
      const shape = layer.shape === undefined ? undefined : read
      const { point, polygon } = placeShape(shape, placing, `row ${line} of ${layer.table}`)
      batch.points.push(point)
      batch.polygons.push(polygon)
    }
    size += row.reduce((sum, text) => sum + text.length, 0)
    const isFull = batch.rows.length + batch.broken.length >= BATCH_ROWS || size >= BATCH_SIZE
    if (!isFull) continue
    yield batch
    size = 0
    batch = start()
  }
  yield batch
}

/** Selects the rows. Shapes larger than the row limit are not read. Integers may have 64 bits. */
function selectRows(db: DatabaseSync, layer: Layer, own: string[]): StatementSync {
  const quote = (name: string) => `"${name.replaceAll('"', '""')}"`
  const shape =
    layer.shape === undefined
      ? 'NULL'
      : `iif(length(${quote(layer.shape)}) > ${ROW_MAX}, zeroblob(1), ${quote(layer.shape)})`
  const columns = own.map((name, at) => `${quote(name)} AS c${at}`)
  const statement = db.prepare(
    `SELECT ${[`${shape} AS shape`, ...columns].join(', ')} FROM ${quote(layer.table)}`,
  )
  statement.setReadBigInts(true)
  return statement
}

function show(value: unknown): string {
  if (value === null || value instanceof Uint8Array) return ''
  if (typeof value === 'number') return showDouble(value)
  return typeof value === 'string' ? value.replace(/\0+$/, '') : String(value)
}

function describe(row: string[], own: string[], coded: CodedColumn[]): string[] {
  return coded.map(({ name, codes }) => codes.get(row[own.indexOf(name)] ?? '') ?? '')
}

/** Size of the envelope in bytes, by its kind. */
const ENVELOPES = [0, 32, 48, 48, 64]

function readBlob(blob: unknown): Shape | string {
  if (!(blob instanceof Uint8Array) || blob.length === 0) return null
  const flags = blob[3] ?? 0
  const envelope = ENVELOPES[(flags >> 1) & 7]
  if (blob[0] !== 0x47 || blob[1] !== 0x50 || envelope === undefined) {
    return 'its shape is not a geometry of a GeoPackage'
  }
  if ((flags & 0x10) !== 0) return null
  try {
    return readWkb(blob.subarray(8 + envelope))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return 'its shape is cut short'
  }
}
