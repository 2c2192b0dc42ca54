/** Reads Parquet files of releases column by column, so that only the rows that count are made. */
import {
  type AsyncBuffer,
  asyncBufferFromFile,
  type FileMetaData,
  parquetMetadataAsync,
  parquetRead,
  type RowGroup,
} from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { readWkb } from '../import/readers/wkb.ts'

export type Row = Record<string, unknown>

/** 64 bits of each row, as two numbers. */
export type Digests = readonly [Uint32Array, Uint32Array]

type Groups = {
  count: number
  /** Reads the bytes of a group; `undefined` after the last one. */
  load(at: number): Promise<Group | undefined>
}

type Group = {
  columns: readonly string[]
  ids(): Promise<readonly string[]>
  /** Whether the bytes of a column are those of another group's, so that its values are too. */
  hasSame(other: Group, column: string): boolean
  /** The bytes of a column as they are in the file; none where it is missing. */
  bytesOf(column: string): Uint8Array
  /** Digests of the values of some columns. */
  digest(columns: readonly string[]): Promise<Digests>
  /** Makes the rows at some indexes, of some columns. */
  rows(indexes: readonly number[], columns: readonly string[]): Promise<Row[]>
}

/** It follows from the shape. */
const UNCOMPARED = new Set(['bbox'])

const text = new TextDecoder()

/** Values stay as they are in the file until a row is made: most of them never become texts. */
const RAW = {
  dateFromDays: (days: number) => days,
  timestampFromMilliseconds: (millis: bigint) => millis,
  stringFromBytes: (bytes: Uint8Array) => bytes,
  jsonFromBytes: (bytes: Uint8Array) => bytes,
  geometryFromBytes: (bytes: Uint8Array) => bytes,
}

export async function openGroups(path: string): Promise<Groups> {
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  const columns = listColumns(metadata)
  const kinds = new Map(metadata.schema.map((one) => [one.name, one.converted_type]))
  const ends: number[] = []
  for (const { num_rows } of metadata.row_groups) ends.push((ends.at(-1) ?? 0) + Number(num_rows))
  return {
    count: ends.length,
    async load(at) {
      const group = metadata.row_groups[at]
      if (group === undefined) return
      const [rowStart, rowEnd] = [ends[at - 1] ?? 0, ends[at] as number]
      const { own, bytesOf } = await readBytes(file, group)
      const range = { file: own, metadata, compressors, rowStart, rowEnd }
      const unknown = listUnknown(group)
      const read = async (name: string, parsers: object) => {
        let values: ArrayLike<unknown> = []
        if (unknown.has(name) || !columns.includes(name)) return values
        const onChunk = ({ columnData }: { columnData: ArrayLike<unknown> }) => {
          values = columnData
        }
        await parquetRead({ ...range, columns: [name], parsers, onChunk })
        return values
      }
      return {
        columns,
        bytesOf,
        hasSame: (other, name) => Buffer.compare(bytesOf(name), other.bytesOf(name)) === 0,
        ids: async () => Array.from(await read('propertyId', {}), String),
        async digest(names) {
          const digests = [
            new Uint32Array(rowEnd - rowStart),
            new Uint32Array(rowEnd - rowStart),
          ] as const
          for (const name of names) addColumn(digests, name, await read(name, RAW))
          return digests
        },
        async rows(indexes, names) {
          const rows: Row[] = indexes.map(() => ({}))
          if (indexes.length === 0) return rows
          for (const name of names) {
            const values = await read(name, RAW)
            for (const [to, index] of indexes.entries()) {
              const value = values[index] ?? null
              ;(rows[to] as Row)[name] =
                name === 'geometry' ? openShape(value) : open(value, kinds.get(name))
            }
          }
          return rows
        },
      }
    },
  }
}

/** Columns in which a group has no value, by their statistics. */
function listUnknown({ columns }: RowGroup): Set<string> {
  const none = columns.flatMap(({ meta_data }) => {
    const { path_in_schema: [name = '', ...more] = [], num_values, statistics } = meta_data ?? {}
    return more.length === 0 && statistics?.null_count === num_values ? [name] : []
  })
  return new Set(none)
}

/** Reads a group's bytes at once: a file is opened for each piece that is read. */
async function readBytes(file: AsyncBuffer, { columns }: RowGroup) {
  const places = columns.flatMap(({ meta_data }) => {
    if (meta_data === undefined) return []
    const start = Number(meta_data.dictionary_page_offset ?? meta_data.data_page_offset)
    const end = start + Number(meta_data.total_compressed_size)
    return [{ name: meta_data.path_in_schema[0] ?? '', start, end }]
  })
  const first = Math.min(...places.map(({ start }) => start))
  const bytes = await file.slice(first, Math.max(...places.map(({ end }) => end)))
  const own: AsyncBuffer = {
    byteLength: file.byteLength,
    slice: (start, end) => bytes.slice(start - first, end === undefined ? end : end - first),
  }
  const bytesOf = (column: string) => {
    const place = places.find(({ name }) => name === column)
    if (place === undefined) return new Uint8Array(0)
    return new Uint8Array(bytes, place.start - first, place.end - place.start)
  }
  return { own, bytesOf }
}

/** The number of rows, and the distinct texts of some columns, sorted. */
export async function listTexts(
  path: string,
  columns: string[],
): Promise<{ rows: number; texts: Map<string, string[]> }> {
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  const found = new Map(columns.map((name) => [name, new Set<string>()]))
  await parquetRead({
    ...{ file, metadata, compressors, columns },
    onChunk({ columnName, columnData }) {
      const own = found.get(columnName)
      for (const value of columnData) if (value) own?.add(String(value))
    },
  })
  const texts = new Map([...found].map(([name, own]) => [name, [...own].sort()]))
  return { rows: Number(metadata.num_rows), texts }
}

function listColumns({ row_groups: [first] }: FileMetaData): string[] {
  const names = first?.columns.flatMap(({ meta_data }) => meta_data?.path_in_schema[0] ?? []) ?? []
  return [...new Set(names)].filter((name) => !UNCOMPARED.has(name))
}

function openShape(value: unknown): unknown {
  return value instanceof Uint8Array ? readWkb(value) : null
}

function open(value: unknown, kind: string | undefined): unknown {
  if (value === null || value === undefined) return null
  if (Array.isArray(value)) return value.map((one) => open(one, undefined))
  if (kind === 'DATE') return new Date(Number(value) * 86_400_000)
  if (kind === 'TIMESTAMP_MILLIS') return new Date(Number(value))
  if (!(value instanceof Uint8Array)) return value
  return kind === 'JSON' ? JSON.parse(text.decode(value)) : text.decode(value)
}

/** Adds a column to the digests of its rows. Unknown values add nothing, as missing columns do. */
function addColumn(
  [first, second]: readonly [Uint32Array, Uint32Array],
  name: string,
  values: ArrayLike<unknown>,
): void {
  const [a, b] = hash(name, 1, 2)
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at]
    if (value === null || value === undefined) continue
    if (Array.isArray(value) && value.length === 0) continue
    const [one, other] = hash(value, a, b)
    // Sums, so that the order of columns does not count.
    first[at] = (first[at] as number) + one
    second[at] = (second[at] as number) + other
  }
}

const pair: [number, number] = [0, 0]

/** Two multiplicative hashes of a value's bytes, from two seeds. */
function hash(value: unknown, a: number, b: number): [number, number] {
  pair[0] = a
  pair[1] = b
  if (value instanceof Uint8Array) mixBytes(value)
  else if (Array.isArray(value)) for (const one of value) hash(one, pair[0] + 1, pair[1] + 1)
  else if (typeof value === 'bigint') mixNumber(Number(value))
  else if (typeof value === 'number') mixNumber(value)
  else mixBytes(Buffer.from(String(value)))
  let one = pair[0]
  one ^= one >>> 16
  pair[0] = Math.imul(one, 0x85ebca6b) >>> 0
  pair[1] = Math.imul(pair[1], 0xc2b2ae35) >>> 0
  return pair
}

const double = new Float64Array(1)
const halves = new Uint32Array(double.buffer)

/** Integers of a release are exact as numbers. */
function mixNumber(value: number): void {
  double[0] = value
  mix(halves[0] as number)
  mix(halves[1] as number)
}

function mixBytes(bytes: Uint8Array): void {
  const { length } = bytes
  let at = 0
  let [one, other] = pair
  // Four bytes at a time.
  for (; at + 3 < length; at += 4) {
    const word =
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24)
    one = Math.imul(one ^ word, 0x9e3779b1)
    one ^= one >>> 15
    other = Math.imul(other ^ word, 0x5bd1e995)
    other ^= other >>> 13
  }
  pair[0] = one
  pair[1] = other
  let rest = length
  for (; at < length; at += 1) rest = Math.imul(rest, 256) ^ (bytes[at] as number)
  mix(rest)
}

function mix(word: number): void {
  let [one, other] = pair
  one = Math.imul(one ^ word, 0x9e3779b1)
  pair[0] = one ^ (one >>> 15)
  other = Math.imul(other ^ word, 0x5bd1e995)
  pair[1] = other ^ (other >>> 13)
}
