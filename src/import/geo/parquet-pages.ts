/**
 * Checks the pages of a Parquet file before hyparquet decodes them. A header without a size makes
 * the library read at no place for ever, and a run longer than its page fills the memory.
 */
import type { AsyncBuffer, ColumnMetaData, PageHeader, SchemaTree } from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { decompressPage } from 'hyparquet/src/datapage.js'
import { getMaxDefinitionLevel, getMaxRepetitionLevel } from 'hyparquet/src/schema.js'
import { readVarInt } from 'hyparquet/src/thrift.js'
import { compressors } from 'hyparquet-compressors'

/** Most values of a page. */
const VALUES_MAX = 16_777_216
/** Most bytes of a page. Writers make a megabyte, or one value more. */
const BYTES_MAX = 256 * 1_048_576

type Reader = { view: DataView<ArrayBuffer>; offset: number }
/** Bits of a repetition and of a definition level; 0: the column has none. */
type Widths = { repetition: number; definition: number }
/** Most values of a page that are given one by one. Each is an object while the page is read. */
const PLAIN_MAX = 2_097_152
/** Bytes of a decoded value: of a text, and of another one. */
const [TEXT_BYTES, VALUE_BYTES] = [48, 8]

/** Bytes that a column takes decoded: one page at a time with the dictionary, and all pages. */
type DecodedBytes = { largest: number; all: number }

/** Reads the pages of a column in a row group, as they are packed. */
export async function readColumnBytes(
  file: AsyncBuffer,
  meta: ColumnMetaData,
): Promise<DataView<ArrayBuffer>> {
  const start = Number(meta.dictionary_page_offset || meta.data_page_offset)
  const end = start + Number(meta.total_compressed_size)
  return new DataView(await file.slice(start, Math.min(end, file.byteLength)))
}

/** Throws an `Error` for a page without a size, of another size, or with too long a run. */
export function checkPages(
  view: DataView<ArrayBuffer>,
  meta: ColumnMetaData,
  path: SchemaTree[],
): DecodedBytes {
  const widths = {
    repetition: bitsOf(getMaxRepetitionLevel(path)),
    definition: bitsOf(getMaxDefinitionLevel(path)),
  }
  const reader = { view, offset: 0 }
  const valueBytes = meta.type.endsWith('BYTE_ARRAY') ? TEXT_BYTES : VALUE_BYTES
  let [dictionary, largest, all] = [0, 0, 0]
  // The last byte is no page, as the library reads it.
  while (reader.offset < view.byteLength - 1) {
    const header = parquetHeader(reader)
    checkSizes(header, view.byteLength - reader.offset)
    const { buffer, byteOffset } = view
    const packed = new Uint8Array(buffer, byteOffset + reader.offset, header.compressed_page_size)
    checkRunsOf(packed, header, meta, widths)
    reader.offset += header.compressed_page_size
    dictionary = Math.max(dictionary, header.dictionary_page_header?.num_values ?? 0)
    const { encoding = '', num_values = 0 } =
      header.data_page_header ?? header.data_page_header_v2 ?? {}
    const areIndexes = encoding.endsWith('_DICTIONARY')
    const plainBytes = num_values > PLAIN_MAX ? Number.POSITIVE_INFINITY : valueBytes
    const width = areIndexes ? indexesFor(dictionary).BYTES_PER_ELEMENT : plainBytes
    largest = Math.max(largest, num_values * width)
    all += num_values * valueBytes
  }
  const fixed = dictionary * valueBytes
  return { largest: fixed + largest, all: fixed + all }
}

/** The array for indexes of a dictionary of so many values, where 0 is no value. */
export function indexesFor(size: number) {
  return size < 256 ? Uint8Array : size < 65_536 ? Uint16Array : Uint32Array
}

function bitsOf(level: number): number {
  return 32 - Math.clz32(level)
}

/** `left`: bytes of the column from the page on. */
function checkSizes(header: PageHeader, left: number): void {
  const { data_page_header: v1, data_page_header_v2: v2, dictionary_page_header } = header
  const counts = [
    ...(v1 === undefined ? [] : [v1.num_values]),
    ...(v2 === undefined ? [] : [v2.num_values, v2.num_nulls, v2.num_rows]),
    ...(v2 === undefined ? [] : [v2.definition_levels_byte_length]),
    ...(v2 === undefined ? [] : [v2.repetition_levels_byte_length]),
    ...(dictionary_page_header === undefined ? [] : [dictionary_page_header.num_values]),
  ]
  const { compressed_page_size: packed, uncompressed_page_size: whole } = header
  const areCounts = counts.every((count) => isWithin(count, VALUES_MAX))
  if (!areCounts || !isWithin(packed, left) || !isWithin(whole, BYTES_MAX)) {
    throw new Error('a page has no size, or more than its column')
  }
}

function isWithin(count: unknown, most: number): boolean {
  return Number.isInteger(count) && (count as number) >= 0 && (count as number) <= most
}

/** Checks the levels of a data page, and its values where they are runs. */
function checkRunsOf(
  packed: Uint8Array<ArrayBuffer>,
  header: PageHeader,
  { codec, type }: ColumnMetaData,
  { repetition, definition }: Widths,
): void {
  const { data_page_header: v1, data_page_header_v2: v2, uncompressed_page_size: whole } = header
  const page = v1 ?? v2
  if (page === undefined) return
  const areRuns = /DICTIONARY$|^RLE$/.test(page.encoding)
  if (!areRuns && repetition + definition === 0) return
  let values: Reader
  if (v2 === undefined) {
    values = openReader(decompressPage(packed, whole, codec, compressors))
    if (repetition > 0) checkRuns(values, repetition, page.num_values, readLength(values))
    if (definition > 0) checkRuns(values, definition, page.num_values, readLength(values))
  } else {
    const [first, second] = [v2.repetition_levels_byte_length, v2.definition_levels_byte_length]
    const levels = openReader(packed)
    if (repetition > 0) checkRuns(levels, repetition, page.num_values, first)
    levels.offset = first
    if (definition > 0) checkRuns(levels, definition, page.num_values, second)
    if (!areRuns) return
    const rest = packed.subarray(first + second)
    const size = whole - first - second
    const isPlain = v2.is_compressed === false
    values = openReader(isPlain ? rest : decompressPage(rest, size, codec, compressors))
  }
  if (!areRuns) return
  const isBit = v2 === undefined ? type === 'BOOLEAN' : page.encoding === 'RLE'
  const bits = isBit ? 1 : values.view.getUint8(values.offset++)
  const length = isBit ? readLength(values) : values.view.byteLength - values.offset
  // The library reads no runs of indexes without bits in the first version.
  if (bits > 0 || v2 !== undefined) checkRuns(values, bits, page.num_values, length)
}

function openReader({ buffer, byteOffset, byteLength }: Uint8Array): Reader {
  return { view: new DataView(buffer as ArrayBuffer, byteOffset, byteLength), offset: 0 }
}

function readLength(reader: Reader): number {
  const length = reader.view.getUint32(reader.offset, true)
  reader.offset += 4
  return length
}

/** Walks runs and packed groups as the library does. The reader is then behind `length` bytes. */
function checkRuns(reader: Reader, bits: number, most: number, length: number): void {
  const end = reader.offset + length
  for (let seen = 0; seen < most && reader.offset < reader.view.byteLength; ) {
    const header = readVarInt(reader)
    const isPacked = (header & 1) === 1
    const count = (header >>> 1) * (isPacked ? 8 : 1)
    // Packed groups may be filled up.
    if (count > (isPacked ? 2 * most + 512 : most)) {
      throw new Error('a run has more values than its page')
    }
    seen += count
    reader.offset += isPacked ? (count / 8) * bits : (bits + 7) >> 3
  }
  reader.offset = end
}
