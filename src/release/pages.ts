/**
 * Reads a column of a release's Parquet file as bytes: a value is only made of those that somebody
 * asks for. Source: https://parquet.apache.org/docs/file-format/data-pages/.
 */
import type { ColumnMetaData, SchemaTree } from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { decompressPage } from 'hyparquet/src/datapage.js'
import { readRleBitPackedHybrid } from 'hyparquet/src/encoding.js'
import { getMaxDefinitionLevel, getMaxRepetitionLevel } from 'hyparquet/src/schema.js'
import { compressors } from 'hyparquet-compressors'

/** Where each value of a page or dictionary starts; it ends `gap` bytes before the next one. */
export type Values = { bytes: Buffer; starts: Uint32Array; gap: number }

/** The known values of a page: the row of each in its group, and its place among the values. */
export type Page = { values: Values; rows: Numbers; places: Numbers }

/** Two bytes a number where they do. */
export type Numbers = Uint16Array | Uint32Array

const NUMBERS_SMALL = 65_536

const WIDTHS: Record<string, number> = { INT32: 4, INT64: 8, DOUBLE: 8 }

const BOOLEANS: Values = {
  bytes: Buffer.of(0, 1),
  starts: Uint32Array.of(0, 1, 2),
  gap: 0,
}

/** Reads the pages of a column in a row group. Throws an `Error` for one that no release has. */
export function* readPages(
  chunk: Uint8Array,
  { type, codec }: ColumnMetaData,
  path: SchemaTree[],
): Generator<Page> {
  const reader = { view: viewOf(chunk), offset: 0 }
  const unpack = (bytes: Uint8Array, size: number) =>
    decompressPage(bytes, size, codec, compressors)
  let dictionary: Values | undefined
  let rowCount = 0
  while (reader.offset < chunk.length) {
    const header = parquetHeader(reader)
    const { dictionary_page_header: fixed, data_page_header_v2: page } = header
    const whole = header.uncompressed_page_size
    const start = reader.offset
    reader.offset += header.compressed_page_size
    const bytes = chunk.subarray(start, reader.offset)
    if (fixed !== undefined) {
      dictionary = findValues(unpack(bytes, whole), type, fixed.num_values)
      continue
    }
    if (page === undefined) throw new Error(`a release has no page of the kind ${header.type}`)
    const { repetition_levels_byte_length: first, definition_levels_byte_length: second } = page
    const levels = first + second
    const rows = findRows(bytes.subarray(0, levels), page, path, rowCount)
    rowCount += page.num_rows
    if (rows.length === 0) continue
    const packed = bytes.subarray(levels)
    const body = page.is_compressed === false ? packed : unpack(packed, whole - levels)
    yield { rows, ...readValues(body, { type, encoding: page.encoding, dictionary }, rows.length) }
  }
}

/** From here a buffer is one's own, and not a part of Node's pool. */
const OWN_BYTES = 100_000

/** Gives back the memory of pages and of `packed`, which is collected late outside the heap. */
export function freePages(pages: Iterable<Page>, packed?: ArrayBuffer): void {
  const buffers = new Set<ArrayBufferLike | undefined>([packed])
  for (const { values, rows, places } of pages) {
    for (const { buffer } of [values.bytes, rows, places]) buffers.add(buffer)
  }
  buffers.delete(small.buffer)
  for (const buffer of buffers) {
    if (buffer instanceof ArrayBuffer && buffer.byteLength > OWN_BYTES) buffer.transfer(0)
  }
}

type Levels = {
  num_values: number
  num_nulls: number
  repetition_levels_byte_length: number
  definition_levels_byte_length: number
}

/** Returns the row of each known value. `rowCount`: rows before the page. */
function findRows(
  bytes: Uint8Array,
  { num_values: count, repetition_levels_byte_length: split, ...page }: Levels,
  path: SchemaTree[],
  rowCount: number,
): Numbers {
  const most = getMaxDefinitionLevel(path)
  if (split === 0 && page.num_nulls === 0) return countFrom(rowCount, count)
  const repeated = readLevels(bytes.subarray(0, split), getMaxRepetitionLevel(path), count)
  const defined = readLevels(bytes.subarray(split), most, count)
  const rows = makeNumbers(count, rowCount + count)
  let [row, known] = [rowCount - 1, 0]
  for (let at = 0; at < count; at += 1) {
    if (repeated[at] === 0) row += 1
    if (defined[at] !== most) continue
    rows[known] = row
    known += 1
  }
  return rows.subarray(0, known)
}

function makeNumbers(count: number, end: number): Numbers {
  return end <= NUMBERS_SMALL ? new Uint16Array(count) : new Uint32Array(count)
}

const small = Uint16Array.from({ length: NUMBERS_SMALL }, (_, at) => at)

function countFrom(start: number, count: number): Numbers {
  const end = start + count
  if (end <= NUMBERS_SMALL) return small.subarray(start, end)
  return Uint32Array.from({ length: count }, (_, at) => start + at)
}

function readLevels(bytes: Uint8Array, most: number, count: number): Uint8Array {
  const levels = new Uint8Array(count)
  if (most > 0) readRuns(bytes, 32 - Math.clz32(most), levels)
  return levels
}

function readRuns(bytes: Uint8Array, bits: number, output: Uint8Array | Numbers): void {
  const reader = { view: viewOf(bytes), offset: 0 }
  // The library names no arrays of two bytes; it only sets their items.
  readRleBitPackedHybrid(reader, bits, output as Uint32Array, bytes.length)
}

/** Returns the values of a page, and the place of each known one among them. */
function readValues(
  body: Uint8Array,
  {
    type,
    encoding,
    dictionary,
  }: { type: string; encoding: string; dictionary: Values | undefined },
  count: number,
): Pick<Page, 'values' | 'places'> {
  if (encoding === 'PLAIN' && type !== 'BOOLEAN') {
    return { values: findValues(body, type, count), places: countFrom(0, count) }
  }
  const places = makeNumbers(count, dictionary?.starts.length ?? 0)
  if (encoding === 'RLE_DICTIONARY' && dictionary !== undefined) {
    const bits = body[0] ?? 0
    if (bits > 0) readRuns(body.subarray(1), bits, places)
    return { values: dictionary, places }
  }
  if (encoding === 'RLE' && type === 'BOOLEAN') {
    // Four bytes of the runs' length come first.
    readRuns(body.subarray(4), 1, places)
    return { values: BOOLEANS, places }
  }
  if (encoding !== 'PLAIN') throw new Error(`a release has no page in ${encoding}`)
  for (let at = 0; at < count; at += 1) {
    places[at] = ((body[at >> 3] as number) >> (at & 7)) & 1
  }
  return { values: BOOLEANS, places }
}

function findValues(body: Uint8Array, type: string, count: number): Values {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const starts = new Uint32Array(count + 1)
  const width = WIDTHS[type]
  if (width === undefined && type !== 'BYTE_ARRAY') throw new Error(`a release has no ${type}`)
  // The length of a text is in the four bytes before it.
  const gap = width === undefined ? 4 : 0
  let next = gap
  for (let at = 0; at < count; at += 1) {
    starts[at] = next
    next += width ?? bytes.readUInt32LE(next - gap) + gap
  }
  starts[count] = next
  return { bytes, starts, gap }
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView<ArrayBuffer> {
  return new DataView(buffer as ArrayBuffer, byteOffset, byteLength)
}
