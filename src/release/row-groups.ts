/** Reads Parquet files of releases column by column, so that only the rows that count are made. */
import {
  asyncBufferFromFile,
  type FileMetaData,
  parquetMetadataAsync,
  parquetRead,
  parquetReadObjects,
} from 'hyparquet'
import { compressors } from 'hyparquet-compressors'

export type Row = Record<string, unknown>

/** The rows of a group, each known by its property ID and the digest of its values. */
type Group = {
  ids: readonly string[]
  /** 64 bits of a row, as two numbers. */
  digests: readonly [Uint32Array, Uint32Array]
  /** Makes the rows at some indexes. */
  rows(indexes: readonly number[]): Promise<Row[]>
}

/** It follows from the shape. */
const UNCOMPARED = new Set(['bbox'])

const text = new TextDecoder()

/** Values stay as they are in the file until a row is made. */
const RAW = {
  dateFromDays: (days: number) => days,
  timestampFromMilliseconds: (millis: bigint) => millis,
  jsonFromBytes: (bytes: Uint8Array) => text.decode(bytes),
  geometryFromBytes: (bytes: Uint8Array) => bytes,
}

/** Iterates over the groups of a file in its order. */
export async function* readGroups(path: string): AsyncGenerator<Group> {
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  const columns = listColumns(metadata)
  const kinds = new Map(metadata.schema.map((one) => [one.name, one.converted_type]))
  let rowStart = 0
  for (const { num_rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(num_rows)
    const range = { file, metadata, compressors, rowStart, rowEnd }
    const values = new Map<string, ArrayLike<unknown>>()
    await parquetRead({
      ...range,
      ...{ columns, parsers: RAW },
      onChunk: ({ columnName, columnData }) => {
        values.set(columnName, columnData)
      },
    })
    const digests = [
      new Uint32Array(rowEnd - rowStart),
      new Uint32Array(rowEnd - rowStart),
    ] as const
    for (const name of columns) addColumn(digests, name, values.get(name) ?? [])
    yield {
      ids: Array.from(values.get('propertyId') ?? [], String),
      digests,
      async rows(indexes) {
        if (indexes.length === 0) return []
        const shapes = await parquetReadObjects({ ...range, columns: ['geometry'] })
        return indexes.map((at) =>
          Object.fromEntries(
            columns.map((name) => {
              const value = values.get(name)?.[at] ?? null
              const shown =
                name === 'geometry' ? shapes[at]?.geometry : open(value, kinds.get(name))
              return [name, shown]
            }),
          ),
        )
      },
    }
    rowStart = rowEnd
  }
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

function open(value: unknown, kind: string | undefined): unknown {
  if (value === null || value === undefined) return null
  if (kind === 'DATE') return new Date(Number(value) * 86_400_000)
  if (kind === 'TIMESTAMP_MILLIS') return new Date(Number(value))
  return kind === 'JSON' ? JSON.parse(String(value)) : value
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

/** Two multiplicative hashes of a value's text or bytes, from two seeds. */
function hash(value: unknown, a: number, b: number): [number, number] {
  let [one, other] = [a, b]
  if (value instanceof Uint8Array) {
    for (let at = 0; at < value.length; at += 1) {
      one = Math.imul(one ^ (value[at] as number), 0x01000193)
      other = Math.imul(other ^ (value[at] as number), 0x5bd1e995)
      other ^= other >>> 15
    }
  } else {
    const shown = typeof value === 'object' ? JSON.stringify(value) : String(value)
    for (let at = 0; at < shown.length; at += 1) {
      const code = shown.charCodeAt(at)
      one = Math.imul(one ^ code, 0x01000193)
      other = Math.imul(other ^ code, 0x5bd1e995)
      other ^= other >>> 15
    }
  }
  one ^= one >>> 16
  pair[0] = Math.imul(one, 0x85ebca6b) >>> 0
  pair[1] = Math.imul(other, 0xc2b2ae35) >>> 0
  return pair
}
