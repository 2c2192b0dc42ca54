/**
 * Unpacks what a file is wrapped in: gzip, zip, or nothing. A zip of a shapefile is one roll file,
 * its parts beside each other.
 */
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdtemp, open, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, extname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import * as yauzl from 'yauzl'
import { CommandError } from '../../errors.ts'
import type { SourceOptions } from '../batch.ts'
import { describePacked } from './foreign.ts'

/** One file, out of its wrapping. */
export type Part = {
  /** As shown to the person: `roll.zip/parcels.csv`. */
  shown: string
  /** Name without the wrapping's ending: `roll.csv` of `roll.csv.gz`. */
  name: string
  /** A new stream of its bytes. */
  open(): Promise<AsyncIterable<Buffer>>
  /** The file beside it with another ending, as the parts of a shapefile are. */
  beside(extension: string): Part | undefined
  /** An archive that is an Excel workbook as a whole. */
  isWorkbook?: true
  /** The layer or sheet of it that is asked for. */
  layer?: string | undefined
  /** Where it lies on disk unwrapped; absent within an archive. */
  path?: string
}

type BytesHeard = Pick<SourceOptions, 'onBytes'>

/** About a thousand rows: what is under way in each thread stays small. */
const CHUNK = 262_144

/** Endings of rolls, the most telling first: of an archive the first kind that it holds is read. */
const KINDS = [
  ['.shp'],
  ['.gpkg'],
  ['.dbf'],
  ['.parquet'],
  ['.geojson', '.json', '.ndjson', '.jsonl', '.geojsonl', '.geojsons'],
  ['.csv', '.tsv', '.tab', '.psv'],
  ['.xlsx', '.xlsm'],
  ['.txt', ''],
]

/**
 * `roll.zip!parcels.csv` is one file within an archive; a path that is there with its `!` is
 * itself.
 */
export function splitPath(path: string): { file: string; inside: string | undefined } {
  const at = path.indexOf('!')
  if (at < 0 || existsSync(path)) return { file: path, inside: undefined }
  return { file: path.slice(0, at), inside: path.slice(at + 1) }
}

/** The rolls within a file: itself, or what it wraps. */
export async function* unpack(whole: string, options: BytesHeard): AsyncGenerator<Part> {
  const { file: path, inside } = splitPath(whole)
  const magic = await readStart(path, 4)
  if (magic.readUInt32BE(0) === 0x504b0304) {
    yield* unzip(path, options, inside)
    return
  }
  if (magic[0] === 0x1f && magic[1] === 0x8b) {
    const name = basename(path).replace(/\.gz$/i, '')
    yield { shown: path, name, open: async () => gunzip(path, options), beside: () => undefined }
    return
  }
  yield { ...(await bare(path, options)), layer: inside }
}

/**
 * The rolls within a file as paths of their own: `roll.zip!sales.csv` where an archive holds
 * several, else the file.
 */
export async function listTables(path: string): Promise<string[]> {
  const { file, inside } = splitPath(path)
  if (inside !== undefined || !existsSync(file)) return [path]
  const names: string[] = []
  for await (const { shown, path: own } of unpack(path, { onBytes() {} })) {
    if (own === undefined && shown.startsWith(`${path}/`)) names.push(shown.slice(path.length + 1))
  }
  return names.length < 2 ? [path] : names.map((name) => `${path}!${name}`)
}

async function bare(path: string, options: BytesHeard): Promise<Part> {
  const folder = dirname(path)
  const stem = basename(path, extname(path)).toLowerCase()
  const names = /\.(?:shp|dbf)$/i.test(path) ? await readdir(folder) : []
  const part = (at: string): Part => ({
    shown: at,
    name: basename(at),
    path: at,
    open: async () => readStream(at, options),
    beside(extension) {
      const name = names.find((one) => one.toLowerCase() === `${stem}${extension}`)
      return name === undefined ? undefined : part(join(folder, name))
    },
  })
  return part(path)
}

function readStream(path: string, options: BytesHeard): AsyncIterable<Buffer> {
  const stream = createReadStream(path, { highWaterMark: CHUNK })
  stream.on('data', (chunk) => options.onBytes(chunk.length))
  stream.pause()
  return stream as AsyncIterable<Buffer>
}

function gunzip(path: string, options: BytesHeard): AsyncIterable<Buffer> {
  const stream = createReadStream(path, { highWaterMark: CHUNK })
  stream.on('data', (chunk) => options.onBytes(chunk.length))
  const unpacked = createGunzip({ chunkSize: CHUNK })
  stream.on('error', (error) => unpacked.destroy(error))
  return stream.pipe(unpacked)
}

async function* unzip(path: string, options: BytesHeard, inside?: string): AsyncGenerator<Part> {
  const zip = await yauzl.openPromise(path, { autoClose: false })
  try {
    const entries: yauzl.Entry[] = []
    for await (const entry of zip.eachEntry()) {
      if (!/\/$|^__MACOSX|(?:^|\/)\./.test(entry.fileName)) entries.push(entry)
    }
    if (entries.some(({ fileName }) => fileName === 'xl/workbook.xml')) {
      yield { ...(await bare(path, options)), layer: inside, isWorkbook: true }
      return
    }
    const asked = inside === undefined ? undefined : splitInside(entries, inside)
    const rolls =
      asked === undefined ? chooseRolls(entries) : [findEntry(path, entries, asked.name)]
    if (rolls.length === 0) {
      const packed = describePacked(entries.map(({ fileName }) => fileName))
      throw new CommandError(
        packed === undefined
          ? `${path} holds no file of a format that import reads`
          : `${path} holds ${packed}`,
      )
    }
    for (const entry of rolls) {
      yield { ...zipped(path, zip, entry, entries, options), layer: asked?.layer }
    }
  } finally {
    zip.close()
  }
}

/** `parcels.gpkg!Lots` names a layer of an entry, unless an entry is called so itself. */
function splitInside(entries: yauzl.Entry[], inside: string): { name: string; layer?: string } {
  const at = inside.lastIndexOf('!')
  if (at < 0 || entries.some(({ fileName }) => fileName === inside)) return { name: inside }
  return { name: inside.slice(0, at), layer: inside.slice(at + 1) }
}

/** The entry of a name, with its folders or without. */
function findEntry(path: string, entries: yauzl.Entry[], inside: string): yauzl.Entry {
  const name = inside.toLowerCase()
  const isIt = ({ fileName }: yauzl.Entry) =>
    fileName.toLowerCase() === name || basename(fileName).toLowerCase() === name
  const found = entries.find(isIt)
  if (found !== undefined) return found
  const names = entries.slice(0, 20).map(({ fileName }) => fileName)
  throw new CommandError(`${path} holds no ${inside}; it holds ${names.join(', ')}`)
}

function chooseRolls(entries: yauzl.Entry[]): yauzl.Entry[] {
  // Files of a geodatabase have no roll of their own, nor has what OpenDocument says of itself.
  const own = entries.filter(({ fileName }) => !/\.gdb\/|^mimetype$/i.test(fileName))
  for (const kind of KINDS) {
    const found = own.filter(({ fileName }) => kind.includes(extname(fileName).toLowerCase()))
    if (found.length > 0) return found
  }
  return []
}

function zipped(
  path: string,
  zip: yauzl.ZipFile,
  entry: yauzl.Entry,
  entries: yauzl.Entry[],
  options: BytesHeard,
): Part {
  const stem = entry.fileName.slice(0, -extname(entry.fileName).length).toLowerCase()
  return {
    shown: `${path}/${entry.fileName}`,
    name: basename(entry.fileName),
    async open() {
      const bytes = (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>
      return countPacked(bytes, entry.compressedSize / Math.max(1, entry.uncompressedSize), options)
    },
    beside(extension) {
      const other = entries.find((one) => one.fileName.toLowerCase() === `${stem}${extension}`)
      return other === undefined ? undefined : zipped(path, zip, other, entries, options)
    },
  }
}

/** Tells of packed bytes as the unpacked ones go by. */
async function* countPacked(bytes: AsyncIterable<Buffer>, ratio: number, options: BytesHeard) {
  for await (const chunk of bytes) {
    options.onBytes(chunk.length * ratio)
    yield chunk
  }
}

/**
 * Runs `work` on a path of the part's own bytes, for formats that are read at any place; an
 * archive's part is unpacked for as long.
 */
export async function* withPath<Item>(
  part: Part,
  work: (path: string) => AsyncGenerator<Item>,
): AsyncGenerator<Item> {
  if (part.path !== undefined && existsSync(part.path)) {
    yield* work(part.path)
    return
  }
  const folder = await mkdtemp(join(tmpdir(), 'platbook-'))
  try {
    const path = join(folder, 'part')
    await pipeline(await part.open(), createWriteStream(path))
    yield* work(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function readStart(path: string, length: number): Promise<Buffer> {
  const file = await open(path)
  try {
    const start = Buffer.alloc(length)
    await file.read(start, 0, length, 0)
    return start
  } finally {
    await file.close()
  }
}
