/** Unpacks gzip and zip files. A zipped shapefile is one roll file with its parts. */
import { createReadStream, createWriteStream, existsSync, statSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import * as yauzl from 'yauzl'
import { atEnd, closing } from '../../base/at-end.ts'
import { CommandError } from '../../base/errors.ts'
import type { ReadingNotes } from '../batch.ts'
import { boundUnpacked, ENTRIES_MAX, refuseBomb } from '../bounds.ts'
import { makeTemporary } from '../temporary.ts'
import { noteReading } from '../watch-reading.ts'
import { describePacked } from './foreign.ts'

/** One file, unpacked. */
export type Part = {
  /** The name shown to the person: `roll.zip/parcels.csv`. */
  shown: string
  /** The name without the archive's extension: `roll.csv` for `roll.csv.gz`. */
  name: string
  /** Opens a new stream of its bytes. */
  open(): Promise<AsyncIterable<Buffer>>
  /** Returns the file of the same name with another extension, such as a part of a shapefile. */
  beside(extension: string): Part | undefined
  /** The archive as a whole is an Excel workbook. */
  isWorkbook?: true
  /** The requested layer or sheet. */
  layer?: string | undefined
  /** Path on disk when unpacked; absent within an archive. */
  path?: string
}

/** Texts above 128 KB would wait for a collection of all garbage. */
const CHUNK = 114_688

/** Extensions of rolls, the most reliable first. Only the first kind of an archive is read. */
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

/** Splits `roll.zip!parcels.csv` into archive and entry; a file with `!` in its name is whole. */
export function splitPath(path: string): { file: string; inside: string | undefined } {
  const at = path.indexOf('!')
  if (at < 0 || existsSync(path)) return { file: path, inside: undefined }
  return { file: path.slice(0, at), inside: path.slice(at + 1) }
}

/** Yields the rolls within a file: the file itself, or the files it packs. */
export async function* unpack(whole: string, notes?: ReadingNotes): AsyncGenerator<Part> {
  const { file: path, inside } = splitPath(whole)
  const magic = await readStart(path, 4)
  if (magic.readUInt32BE(0) === 0x504b0304) {
    yield* unzip(path, inside, notes)
    return
  }
  if (magic[0] === 0x1f && magic[1] === 0x8b) {
    const name = basename(path).replace(/\.gz$/i, '')
    yield { shown: path, name, open: async () => gunzip(path, notes), beside: () => undefined }
    return
  }
  yield { ...(await bare(path, notes)), layer: inside }
}

/** Lists the rolls in a file: `roll.zip!sales.csv` when an archive holds several, else itself. */
export async function listTables(path: string): Promise<string[]> {
  const { file, inside } = splitPath(path)
  if (inside !== undefined || !existsSync(file)) return [path]
  const names: string[] = []
  try {
    for await (const { shown, path: own } of unpack(path)) {
      if (own === undefined && shown.startsWith(`${path}/`)) {
        names.push(shown.slice(path.length + 1))
      }
    }
  } catch {
    // The reader of the file reports what is wrong with it.
    return [path]
  }
  return names.length < 2 ? [path] : names.map((name) => `${path}!${name}`)
}

async function bare(path: string, notes?: ReadingNotes): Promise<Part> {
  const folder = dirname(path)
  const stem = basename(path, extname(path)).toLowerCase()
  const names = /\.(?:shp|dbf)$/i.test(path) ? await readdir(folder) : []
  const part = (at: string): Part => ({
    shown: at,
    name: basename(at),
    path: at,
    open: async () => readStream(at, notes),
    beside(extension) {
      const name = names.find((one) => one.toLowerCase() === `${stem}${extension}`)
      return name === undefined ? undefined : part(join(folder, name))
    },
  })
  return part(path)
}

function readStream(path: string, notes?: ReadingNotes) {
  const stream = createReadStream(path, { highWaterMark: CHUNK })
  stream.on('data', (chunk) => noteReading(notes, chunk.length))
  return stream.pause()
}

function gunzip(path: string, notes?: ReadingNotes): AsyncIterable<Buffer> {
  const stream = readStream(path, notes)
  const unpacked = createGunzip({ chunkSize: CHUNK })
  stream.on('error', (error) => unpacked.destroy(error))
  return boundUnpacked(stream.pipe(unpacked), statSync(path).size, path)
}

async function* unzip(
  path: string,
  inside: string | undefined,
  notes: ReadingNotes | undefined,
): AsyncGenerator<Part> {
  await using zip = closing(await yauzl.openPromise(path, { autoClose: false }))
  const entries: yauzl.Entry[] = []
  for await (const entry of zip.eachEntry()) {
    if (!/\/$|^__MACOSX|(?:^|\/)\./.test(entry.fileName)) entries.push(entry)
    if (entries.length > ENTRIES_MAX) {
      throw new CommandError(`${path} holds more than ${ENTRIES_MAX} files`)
    }
  }
  const packed = entries.reduce((sum, { compressedSize }) => sum + compressedSize, 0)
  const unpacked = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0)
  // Entries that share their bytes count more of them than the file has.
  refuseBomb(path, Math.min(packed, statSync(path).size), unpacked)
  if (entries.some(({ fileName }) => fileName === 'xl/workbook.xml')) {
    yield { ...(await bare(path, notes)), layer: inside, isWorkbook: true }
    return
  }
  const asked = inside === undefined ? undefined : splitInside(entries, inside)
  const rolls = asked === undefined ? chooseRolls(entries) : [findEntry(path, entries, asked.name)]
  if (rolls.length === 0) {
    const packed = describePacked(entries.map(({ fileName }) => fileName))
    throw new CommandError(
      packed === undefined
        ? `${path} holds no file of a format that import reads. ${ASK}`
        : `${path} holds ${packed}`,
    )
  }
  const opened = { path, zip, entries, notes }
  for (const entry of rolls) yield { ...zipped(opened, entry), layer: asked?.layer }
}

/** What to do about a file of an unknown format. */
export const ASK =
  'Ask the publisher for CSV, a shapefile or GeoJSON; see docs/file-formats.md for conversion.'

/** Splits `parcels.gpkg!Lots` into entry and layer, unless an entry has that whole name. */
function splitInside(entries: yauzl.Entry[], inside: string): { name: string; layer?: string } {
  const at = inside.lastIndexOf('!')
  if (at < 0 || entries.some(({ fileName }) => fileName === inside)) return { name: inside }
  return { name: inside.slice(0, at), layer: inside.slice(at + 1) }
}

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
  // Skips the files inside a geodatabase and an OpenDocument's own description.
  const own = entries.filter(({ fileName }) => !/\.gdb\/|^mimetype$/i.test(fileName))
  for (const kind of KINDS) {
    const found = own.filter(({ fileName }) => kind.includes(extname(fileName).toLowerCase()))
    if (found.length > 0) return found
  }
  return []
}

type OpenZip = {
  path: string
  zip: yauzl.ZipFile
  entries: yauzl.Entry[]
  notes: ReadingNotes | undefined
}

function zipped(opened: OpenZip, entry: yauzl.Entry): Part {
  const { path, zip, entries, notes } = opened
  const stem = entry.fileName.slice(0, -extname(entry.fileName).length).toLowerCase()
  return {
    shown: `${path}/${entry.fileName}`,
    name: basename(entry.fileName),
    async open() {
      if (entry.isEncrypted()) {
        throw new CommandError(
          `${path} is locked by a password. Unpack it, and import the files inside.`,
        )
      }
      const bytes = (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>
      return countPacked(bytes, entry.compressedSize / Math.max(1, entry.uncompressedSize), notes)
    },
    beside(extension) {
      const other = entries.find((one) => one.fileName.toLowerCase() === `${stem}${extension}`)
      return other === undefined ? undefined : zipped(opened, other)
    },
  }
}

async function* countPacked(bytes: AsyncIterable<Buffer>, ratio: number, notes?: ReadingNotes) {
  for await (const chunk of bytes) {
    noteReading(notes, chunk.length * ratio)
    yield chunk
  }
}

/** Runs `work` with a path to the bytes. A part of an archive is unpacked to a temporary file. */
export async function* withPath<Item>(
  part: Part,
  work: (path: string) => AsyncGenerator<Item>,
): AsyncGenerator<Item> {
  if (part.path !== undefined && existsSync(part.path)) {
    yield* work(part.path)
    return
  }
  const folder = makeTemporary()
  using _end = atEnd(() => folder.remove())
  const path = join(folder.path, 'part')
  await pipeline(await part.open(), createWriteStream(path))
  yield* work(path)
}

async function readStart(path: string, length: number): Promise<Buffer> {
  await using file = await open(path)
  const start = Buffer.alloc(length)
  await file.read(start, 0, length, 0)
  return start
}
