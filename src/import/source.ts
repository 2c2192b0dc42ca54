/**
 * Files become rows. What a file is told by its first bytes and its name; `readers/` has one file per format.
 *
 * Every reader streams: it holds a few thousand rows at a time, whatever the size of the file.
 */
import { existsSync, statSync } from 'node:fs'
import { CommandError } from '../errors.ts'
import { type Part, unpack } from './readers/container.ts'
import type { BrokenRow } from './readers/csv.ts'
import { readDelimited } from './readers/delimited.ts'
import { readJson } from './readers/json.ts'
import { readParquet } from './readers/parquet.ts'
import { readShapefile } from './readers/shapefile.ts'

/** Rows of one file that share their columns. */
export type Batch = {
  /** The file as the person named it, with the entry of an archive behind it. */
  file: string
  /** The same array for batches of the same columns. */
  columns: readonly string[]
  /** Values by column, `''` where the file has none. */
  rows: string[][]
  /** Line or record number of each row, counted from 1 in its file. */
  lines: number[]
  /** WGS84 longitude and latitude of each row's shape; absent when the file has no shapes. */
  points?: (readonly [number, number] | null)[]
  /** GeoJSON text of each row's shape, when polygons are asked for. */
  polygons?: (string | null)[]
  broken: BrokenRow[]
}

export type SourceOptions = {
  /** Text encoding, where the file's own bytes are not to decide. */
  encoding?: string | undefined
  separator?: string | undefined
  /** Names for the columns of delimited text without a header line; `guess`: `column1` and on, where the first line looks like a row. */
  columns?: readonly string[] | 'guess' | undefined
  /** EPSG code of shapes without a .prj. */
  epsg?: number | undefined
  /** Whether polygons are wanted. */
  geometry: boolean
  /** Whether columns are those of the roll: an archive may hold other layers beside it. */
  fits(columns: readonly string[]): boolean
  /** Hears the bytes read from disk. */
  onBytes(count: number): void
}

/** Total size of some files, bytes; throws `CommandError` for one that is not there or no file. */
export function sizeOf(paths: string[]): number {
  return paths.reduce((sum, path) => {
    if (!existsSync(path)) throw new CommandError(`${path} does not exist`)
    const stat = statSync(path)
    if (!stat.isFile()) throw new CommandError(`${path} is not a file`)
    return sum + stat.size
  }, 0)
}

/** Reads all rows of some files, one file after the other. */
export async function* readSource(paths: string[], options: SourceOptions): AsyncGenerator<Batch> {
  for (const path of paths) {
    try {
      yield* readFile(path, options)
    } catch (error) {
      throw explain(error, path)
    }
  }
}

/** Reads a file, or of an archive the layers that the mapping reads; when none is, the first, so that the fault can be told. */
async function* readFile(path: string, options: SourceOptions): AsyncGenerator<Batch> {
  let other: Batch | undefined
  let found = false
  for await (const part of unpack(path, options)) {
    for await (const batch of readPart(part, options)) {
      if (part.path === undefined && !options.fits(batch.columns)) {
        other ??= batch
        break
      }
      found = true
      yield batch
    }
  }
  if (!found && other !== undefined) yield other
}

/** Picks the reader of a file by its name, and by its beginning where the name does not tell. */
async function* readPart(part: Part, options: SourceOptions): AsyncGenerator<Batch> {
  if (/\.(?:shp|dbf)$/i.test(part.name)) return yield* readShapefile(part, options)
  if (/\.(?:parquet|pq)$/i.test(part.name)) return yield* readParquet(part, options)
  const { first, bytes } = await peek(await part.open())
  if (first.subarray(0, 4).toString('latin1') === 'PAR1') return yield* readParquet(part, options)
  const start = first
    .subarray(0, 512)
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart()
  if (start.startsWith('{') || start.startsWith('[')) return yield* readJson(part, bytes, options)
  yield* readDelimited(part, bytes, options)
}

/** The first piece of a stream, and the stream with it. */
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
  return { first, bytes: all() }
}

/** Errors of the file system and of unpacking, as a sentence that names the file. */
function explain(error: unknown, path: string): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  if (code === 'ENOENT') return new CommandError(`${path} does not exist`, 1, error)
  if (code === 'EACCES') return new CommandError(`${path} may not be read by this user`, 1, error)
  if (code === 'EISDIR') return new CommandError(`${path} is a folder`, 1, error)
  if (code.startsWith('Z_') || isZipFault(error)) {
    return new CommandError(`${path} is cut short or damaged: it cannot be unpacked`, 1, error)
  }
  return error
}

/** What yauzl says of archives that end too early or are none. */
function isZipFault(error: unknown): boolean {
  const text = error instanceof Error ? error.message : ''
  return /end of central directory|invalid (?:local|central|stored)|too many bytes|not enough bytes|unexpected EOF|crc/i.test(
    text,
  )
}
