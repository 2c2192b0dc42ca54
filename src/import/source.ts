/** Reads files as streams of rows, by bytes and name; `readers/` has one file per format. */
import { existsSync, statSync } from 'node:fs'
import { CommandError } from '../base/errors.ts'
import { EXPORTED_SHAPE } from '../record/exported.ts'
import type { Batch, SourceOptions } from './batch.ts'
import { rejectLargeRows } from './bounds.ts'
import { makeShapeReader } from './geo/shape-column.ts'
import type { MappingDocument } from './mapping/mapping.ts'
import { readColumnTable } from './readers/column-table.ts'
import { type Part, splitPath, unpack } from './readers/container.ts'
import { readDelimited } from './readers/delimited.ts'
import { refuseForeign } from './readers/foreign.ts'
import { readGeoPackage, SQLITE_MAGIC } from './readers/geopackage.ts'
import { readJson, SEPARATOR } from './readers/json.ts'
import { readShapefile } from './readers/shapefile.ts'
import { readXlsx } from './readers/xlsx/xlsx.ts'
import { watchReading } from './watch-reading.ts'

/** The size of files in bytes. Throws `CommandError` for a missing path or a folder. */
export function sizeOf(paths: string[]): number {
  return paths.reduce((sum, path) => {
    const file = splitPath(path).file
    if (!existsSync(file)) throw new CommandError(`${path} does not exist`)
    const stat = statSync(file)
    if (!stat.isFile()) throw new CommandError(`${path} is not a file`)
    return sum + stat.size
  }, 0)
}

/** Returns how a mapping says that files are read. */
export function optionsOf(job: { mapping: MappingDocument; geometry: boolean }): SourceOptions {
  const { encoding, separator, skipLines: skip, columns, fixedWidth, epsg, exported } = job.mapping
  const own = { geometry: job.geometry, readsGeometry: exported === true }
  return { encoding, separator, skip, columns, fixedWidth, epsg, ...own }
}

/** Reads all rows of some files in turn. Rows above 8 MB are rejected. */
export async function* readSource(paths: string[], options: SourceOptions): AsyncGenerator<Batch> {
  const { notes } = options
  const unplaced = notes?.unplaced.count
  let hasShapes = !options.geometry
  for (const path of paths) {
    const addShapes = makeShapeReader(options)
    // Only a file with polygons says which rows have none; an export says it of each row.
    let isDrawn: boolean | undefined = options.readsGeometry === true || undefined
    try {
      for await (const batch of watchReading(readFile(path, options))) {
        const shown = addShapes(batch)
        hasShapes ||= holdsShapes(shown, options)
        const { polygons, ...bare } = shown
        isDrawn ??= options.geometry && polygons && (await hasPolygon(shown, path, options))
        yield rejectLargeRows(isDrawn === true ? shown : bare)
      }
    } catch (error) {
      throw explainFile(error, path)
    }
  }
  if (hasShapes || notes?.unplaced.count !== unplaced) return
  notes?.warn('polygons were asked for, and no row has a shape')
}

/** Reports whether a file has a polygon: in its first rows, else in a look through all of them. */
async function hasPolygon(first: Batch, path: string, options: SourceOptions): Promise<boolean> {
  if (first.polygons?.some(Boolean) === true) return true
  const quiet = { ...options, notes: undefined }
  const addShapes = makeShapeReader(quiet)
  for await (const batch of readFile(path, quiet)) {
    if (addShapes(batch).polygons?.some(Boolean) === true) return true
  }
  return false
}

/** Reports whether a row has a point or polygon, or the mapping reads those of a column. */
function holdsShapes({ columns, points, polygons }: Batch, options: SourceOptions): boolean {
  if (options.readsGeometry === true && columns.includes(EXPORTED_SHAPE)) return true
  return [points, polygons].some((list) => list?.some(Boolean) === true)
}

/** Reads a file, or an archive's fitting layers; without any the first, to name missing columns. */
async function* readFile(path: string, options: SourceOptions): AsyncGenerator<Batch> {
  let other: Batch | undefined
  let found = false
  for await (const part of unpack(path, options.notes)) {
    for await (const batch of readPart(part, options)) {
      if (part.path === undefined && options.fits?.(batch.columns) === false) {
        other ??= batch
        break
      }
      found = true
      yield batch
    }
  }
  if (!found && other !== undefined) yield other
}

/** Its reader is fifty files, which load with the first one. */
async function* readParquet(part: Part, options: SourceOptions): AsyncGenerator<Batch> {
  const reader = await import('./readers/parquet.ts')
  yield* reader.readParquet(part, options)
}

/** Chooses a file's reader by its name, or by its first bytes when the name is not enough. */
async function* readPart(part: Part, options: SourceOptions): AsyncGenerator<Batch> {
  const { first, bytes, close } = await peek(await part.open())
  refuseForeign(part.shown, part.name, first)
  const magic = first.toString('latin1', 0, 16)
  const own =
    part.isWorkbook === true || (/\.xls[xm]$/i.test(part.name) && isZip(first))
      ? readXlsx
      : /\.(?:shp|dbf)$/i.test(part.name)
        ? readShapefile
        : /\.(?:parquet|pq)$/i.test(part.name) || magic.startsWith('PAR1')
          ? readParquet
          : magic === SQLITE_MAGIC
            ? readGeoPackage
            : undefined
  if (own !== undefined) {
    await close()
    return yield* own(part, options)
  }
  const start = first
    .subarray(0, 512)
    .toString('utf8')
    // UTF-16 has zeros, and a mark that is no UTF-8.
    .replace(/[\0\ufeff\ufffd]/g, '')
    .replaceAll(SEPARATOR, '')
    .trimStart()
  if (start.startsWith('{') || start.startsWith('[')) return yield* readJson(part, bytes, options)
  if (options.fixedWidth !== undefined) {
    return yield* readColumnTable(part, bytes, options.fixedWidth, options)
  }
  yield* readDelimited(part, bytes, options)
}

function isZip(first: Buffer): boolean {
  return first.length > 4 && first.readUInt32BE(0) === 0x504b0304
}

async function peek(bytes: AsyncIterable<Buffer>) {
  const iterator = bytes[Symbol.asyncIterator]()
  const { value, done } = await iterator.next()
  const first: Buffer = done === true ? Buffer.alloc(0) : value
  const all = async function* () {
    try {
      yield first
      for (;;) {
        const { value, done } = await iterator.next()
        if (done === true) return
        yield value
      }
    } finally {
      await iterator.return?.()
    }
  }
  // A generator that was not begun would not close the file when it is ended.
  return { first, bytes: all(), close: async () => void (await iterator.return?.()) }
}

/** Turns an error of the file system or of unpacking into a sentence that names the file. */
export function explainFile(error: unknown, path: string): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  if (code === 'ENOENT') return new CommandError(`${path} does not exist`, 1, error)
  if (code === 'EACCES') return new CommandError(`${path} may not be read by this user`, 1, error)
  if (code === 'EISDIR') return new CommandError(`${path} is a folder`, 1, error)
  if (code.startsWith('Z_') || (error instanceof Error && ZIP_FAULT.test(error.message))) {
    return new CommandError(`${path} is cut short or damaged: it cannot be unpacked`, 1, error)
  }
  const isOfSystem = /^E[A-Z0-9]+$/.test(code)
  if (error instanceof CommandError || !(error instanceof Error) || isOfSystem) return error
  // Readers trust a file's own numbers, so a false one shows as an error of theirs.
  return new CommandError(`${path} is cut short or damaged: ${error.message}`, 1, error)
}

const ZIP_FAULT = new RegExp(
  'end of central directory|invalid (?:local|central|stored)|too many bytes' +
    '|not enough bytes|unexpected EOF|crc',
  'i',
)
