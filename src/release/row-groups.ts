/** Opens the row groups of a release's Parquet file, of which only the rows that count are made. */
import { open } from 'node:fs/promises'
import {
  asyncBufferFromFile,
  type ColumnMetaData,
  type FileMetaData,
  parquetMetadataAsync,
  type RowGroup,
  type SchemaTree,
} from 'hyparquet'
import { getSchemaPath } from 'hyparquet/src/schema.js'
import type { Bounds } from '../geo/sphere.ts'
import { readWkb } from '../import/readers/wkb.ts'
import { addColumn, type Digests } from './digests.ts'
import { freePages, type Numbers, type Page, readPages, type Values } from './pages.ts'

/** The known values of a parcel by column. */
export type Row = Record<string, unknown>

export type Groups = {
  count: number
  /** Reads a group; there is one without rows behind the last one. */
  read(at: number): Promise<Keys>
  /** Makes the rows at some indexes of a group. An unknown list is an empty one. */
  pick(at: number, indexes: readonly number[]): Promise<Row[]>
  close(): Promise<unknown>
}

/** By which the rows of a group are compared. */
export type Keys = { ids: string[]; digests: Digests }

type Group = {
  /** The known values of a column of texts, in the order of the rows. */
  texts(column: string): string[]
  digest(): Digests
  pick(indexes: readonly number[]): Row[]
  /** Gives back its memory. It is not to be read again. */
  free(): void
}

type Column = {
  name: string
  meta: ColumnMetaData
  path: SchemaTree[]
  kind: string
}

/** It follows from the shape. */
const UNCOMPARED = 'bbox'

const NONE: Group = {
  texts: () => [],
  digest: () => new Uint32Array(),
  pick: () => [],
  free: () => undefined,
}

/** The group that is walked, and the next one. */
const KEPT = 2

export async function openGroups(path: string): Promise<Groups> {
  const { count, load } = await openFile(path)
  const kept = new Map<number, Promise<Group>>()
  const get = (at: number) => {
    const group = kept.getOrInsertComputed(at, load)
    for (const [older, passed] of kept) {
      if (kept.size <= KEPT) break
      kept.delete(older)
      // Who waits for it reads it first.
      passed.then(({ free }) => free()).catch(() => undefined)
    }
    return group
  }
  return {
    count,
    async read(at) {
      const group = await get(at)
      return { ids: group.texts('propertyId'), digests: group.digest() }
    },
    pick: async (at, indexes) => (await get(at)).pick(indexes),
    close: async () => kept.clear(),
  }
}

async function openFile(path: string) {
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  const pathOf = openPaths(metadata)
  return {
    count: metadata.row_groups.length,
    rows: Number(metadata.num_rows),
    geo: metadata.key_value_metadata?.find(({ key }) => key === 'geo')?.value,
    async load(at: number): Promise<Group> {
      const group = metadata.row_groups[at]
      if (group === undefined) return NONE
      return openGroup(await readBytes(path, group), pathOf, group)
    },
  }
}

/** The bytes of all columns of a group, and of one. */
type Packed = { bytes: ArrayBuffer; bytesOf(meta: ColumnMetaData): Uint8Array }

function openGroup({ bytes: all, bytesOf }: Packed, pathOf: PathOf, group: RowGroup): Group {
  const columns = listColumns(pathOf, group)
  const count = Number(group.num_rows)
  const packed = new Map(columns.map((column) => [column, bytesOf(column.meta)]))
  // Kept: rows are often made of a group that was digested.
  const read = new Map<Column, Page[]>()
  const pagesOf = (column: Column) => {
    const { meta, path } = column
    const bytes = packed.get(column)
    if (bytes !== undefined) read.set(column, [...readPages(bytes, meta, path)])
    packed.delete(column)
    return read.get(column) ?? []
  }
  return {
    texts(name) {
      const texts: string[] = []
      for (const column of columns) {
        if (column.name !== name) continue
        for (const { values, places } of pagesOf(column)) {
          for (const place of places) texts.push(openValue(values, place, 'UTF8') as string)
        }
      }
      return texts
    },
    digest() {
      const digests = new Uint32Array(2 * count)
      for (const column of columns) addColumn(digests, column.name, pagesOf(column))
      // Pages that were not packed are parts of it.
      const isUsed = (page: Page) => page.values.bytes.buffer === all
      if (![...read.values()].flat().some(isUsed)) freePages([], all)
      return digests
    },
    free: () => freePages([...read.values()].flat(), all),
    pick(indexes) {
      const rows: Row[] = indexes.map(() => ({}))
      for (const column of columns) {
        if (isList(column.path)) for (const row of rows) row[column.name] = []
        for (const page of pagesOf(column)) fillRows(rows, indexes, column, page)
      }
      return rows
    },
  }
}

function fillRows(
  made: readonly Row[],
  indexes: readonly number[],
  { name, kind, path }: Column,
  { values, rows, places }: Page,
): void {
  for (const [to, index] of indexes.entries()) {
    const row = made[to] as Row
    for (let at = findFirst(rows, index); rows[at] === index; at += 1) {
      const value = openValue(values, places[at] as number, kind)
      if (isList(path)) (row[name] as unknown[]).push(value)
      else row[name] = value
    }
  }
}

function findFirst(numbers: Numbers, wanted: number): number {
  let [from, to] = [0, numbers.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((numbers[middle] as number) < wanted) from = middle + 1
    else to = middle
  }
  return from
}

function isList(path: readonly SchemaTree[]): boolean {
  return path.length > 2
}

type PathOf = (name: string[]) => SchemaTree[]

/** Finding a column's path takes the whole schema, and each group asks for all. */
function openPaths({ schema }: FileMetaData): PathOf {
  const paths = new Map<string, SchemaTree[]>()
  return (name) => {
    return paths.getOrInsertComputed(String(name), () => getSchemaPath(schema, name))
  }
}

/** Lists, and columns in which a group has a value, by their statistics. */
function listColumns(pathOf: PathOf, { columns }: RowGroup): Column[] {
  return columns.flatMap(({ meta_data: meta }) => {
    const [name = ''] = meta?.path_in_schema ?? []
    if (meta === undefined || name === UNCOMPARED) return []
    const path = pathOf(meta.path_in_schema)
    if (!isList(path) && meta.statistics?.null_count === meta.num_values) return []
    const { converted_type = meta.type } = path.at(-1)?.element ?? {}
    return [{ name, meta, path, kind: name === 'geometry' ? 'WKB' : converted_type }]
  })
}

async function readBytes(path: string, { columns }: RowGroup): Promise<Packed> {
  const places = columns.flatMap(({ meta_data }) => meta_data ?? []).map(placeOf)
  const first = Math.min(...places.map(({ start }) => start))
  const bytes = new ArrayBuffer(Math.max(...places.map(({ end }) => end)) - first)
  const file = await open(path)
  try {
    const { bytesRead } = await file.read(new Uint8Array(bytes), 0, bytes.byteLength, first)
    if (bytesRead < bytes.byteLength) throw new Error('the file became shorter')
  } finally {
    await file.close()
  }
  const bytesOf = (meta: ColumnMetaData) => {
    const { start, end } = placeOf(meta)
    return new Uint8Array(bytes, start - first, end - start)
  }
  return { bytes, bytesOf }
}

function placeOf({ dictionary_page_offset, data_page_offset, ...meta }: ColumnMetaData) {
  const start = Number(dictionary_page_offset ?? data_page_offset)
  return { start, end: start + Number(meta.total_compressed_size) }
}

/** The number of rows, what is around their shapes, and the distinct texts of some columns. */
export async function summarize(
  path: string,
  columns: string[],
): Promise<{ rows: number; bounds: Bounds | undefined; texts: Map<string, string[]> }> {
  const { count, rows, geo, load } = await openFile(path)
  const found = new Map(columns.map((name) => [name, new Set<string>()]))
  for (let at = 0; at < count; at += 1) {
    const group = await load(at)
    for (const [name, own] of found) for (const text of group.texts(name)) own.add(text)
  }
  const texts = new Map([...found].map(([name, own]) => [name, [...own].filter(Boolean).sort()]))
  return { rows, bounds: geo && JSON.parse(geo).columns.geometry.bbox, texts }
}

/** Makes a value. Integers of a release are exact as numbers. */
function openValue({ bytes, starts, gap }: Values, place: number, kind: string): unknown {
  const own = bytes.subarray(starts[place], (starts[place + 1] as number) - gap)
  const open = OPENERS[kind]
  if (open === undefined) throw new Error(`a release has no values of the kind ${kind}`)
  return open(own)
}

const OPENERS: Record<string, (own: Buffer) => unknown> = {
  UTF8: (own) => own.toString(),
  JSON: (own) => JSON.parse(own.toString()),
  WKB: readWkb,
  BOOLEAN: (own) => own[0] === 1,
  DATE: (own) => new Date(own.readInt32LE() * 86_400_000),
  TIMESTAMP_MILLIS: (own) => new Date(Number(own.readBigInt64LE())),
  INT64: (own) => Number(own.readBigInt64LE()),
  DOUBLE: (own) => own.readDoubleLE(),
}
