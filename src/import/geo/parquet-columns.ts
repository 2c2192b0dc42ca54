/**
 * Decodes the columns of a Parquet row group, one page of each at a time. Decoded whole, a group of
 * a million rows and a hundred columns would take a gigabyte.
 */
import {
  type AsyncBuffer,
  type ColumnMetaData,
  type DecodedArray,
  type FileMetaData,
  parquetRead,
  type RowGroup,
} from 'hyparquet'
import { parquetHeader, readPage } from 'hyparquet/src/column.js'
import { convert, DEFAULT_PARSERS } from 'hyparquet/src/convert.js'
import { getSchemaPath, isFlatColumn } from 'hyparquet/src/schema.js'
import { compressors } from 'hyparquet-compressors'
import { CommandError } from '../../base/errors.ts'
import { checkPages, indexesFor, readColumnBytes } from './parquet-pages.ts'

type ColumnDecoder = Parameters<typeof readPage>[2]

/** Returns the value of a column in a row of the group, from 0. Rows must be read in order. */
export type ReadValue = (column: string, row: number) => unknown

type ReadRow = (row: number) => unknown

/** Most bytes that the columns of a group take decoded. */
const DECODED_MAX = 512 * 1_048_576

/**
 * Opens the columns of a group. Throws `Error`, also later, when its pages are damaged, and
 * `CommandError` when they hold too many values. `shown`: the file's name in the message.
 */
export async function openColumns(
  file: AsyncBuffer,
  metadata: FileMetaData,
  group: RowGroup,
  shown: string,
): Promise<ReadValue> {
  const columns = new Map<string, ReadRow>()
  const nested = new Set<string>()
  let atOnce = 0
  for (const { meta_data: meta } of group.columns) {
    if (meta === undefined) continue
    const view = await readColumnBytes(file, meta)
    const decoder = decoderOf(metadata, meta)
    const pages = checkPages(view, meta, decoder.schemaPath)
    const [name = ''] = meta.path_in_schema
    if (isFlatColumn(decoder.schemaPath)) {
      atOnce += pages.largest
      columns.set(name, openFlat(view, decoder))
    } else {
      atOnce += pages.all
      nested.add(name)
    }
    if (atOnce > DECODED_MAX) {
      throw new CommandError(
        `the pages of ${shown} hold too much to decode at once. Write it again with row ` +
          'groups of at most 1,000,000 rows.',
      )
    }
  }
  if (nested.size > 0) await openNested({ file, metadata, group }, [...nested], columns)
  return (column, row) => columns.get(column)?.(row)
}

function decoderOf({ schema }: FileMetaData, meta: ColumnMetaData): ColumnDecoder {
  const schemaPath = getSchemaPath(schema, meta.path_in_schema)
  const element = schemaPath.at(-1)?.element
  if (element === undefined) throw new Error('a column is not in the schema')
  return {
    ...{ pathInSchema: meta.path_in_schema, schemaPath, element, compressors, utf8: false },
    ...{ type: meta.type, codec: meta.codec, parsers: DEFAULT_PARSERS },
  }
}

function openFlat(view: DataView<ArrayBuffer>, decoder: ColumnDecoder): ReadRow {
  const reader = { view, offset: 0 }
  let dictionary: DecodedArray = []
  /** Read instead of the dictionary: each value is its place, counted from 1. */
  let places = new Uint32Array()
  let page: Page = { length: 0, valueAt: () => undefined }
  let first = 0
  return (row) => {
    while (row >= first + page.length) {
      // The last byte is no page, as the library reads it.
      if (reader.offset >= view.byteLength - 1) return undefined
      const header = parquetHeader(reader)
      const encoding = (header.data_page_header ?? header.data_page_header_v2)?.encoding ?? ''
      const areIndexes = encoding.endsWith('_DICTIONARY') && dictionary.length > 0
      const { data = [] } = readPage(
        reader,
        header,
        decoder,
        areIndexes ? places : undefined,
        undefined,
        0,
      )
      if (header.type === 'DICTIONARY_PAGE') {
        dictionary = convert(data, decoder)
        places = Uint32Array.from(dictionary.keys(), (at) => at + 1)
      } else {
        first += page.length
        page = areIndexes
          ? packIndexes(data, dictionary)
          : { length: data.length, valueAt: (at) => data[at] }
      }
    }
    return page.valueAt(row - first)
  }
}

type Page = { length: number; valueAt: ReadRow }

/** Keeps a page of equal values in a byte or two each. `places`: of values, counted from 1. */
function packIndexes(places: DecodedArray, dictionary: DecodedArray): Page {
  const packed = new (indexesFor(dictionary.length))(places.length)
  for (let at = 0; at < places.length; at += 1) packed[at] = Number(places[at] ?? 0)
  return { length: packed.length, valueAt: (at) => dictionary[(packed[at] ?? 0) - 1] }
}

/** Decodes columns of lists and of further columns whole. */
async function openNested(
  { file, metadata, group }: { file: AsyncBuffer; metadata: FileMetaData; group: RowGroup },
  names: string[],
  columns: Map<string, ReadRow>,
): Promise<void> {
  await parquetRead({
    ...{ file, compressors, columns: names, utf8: false },
    metadata: { ...metadata, row_groups: [group] },
    onChunk({ columnName, columnData, rowStart }) {
      const before = columns.get(columnName)
      columns.set(columnName, (row) =>
        row < rowStart ? before?.(row) : columnData[row - rowStart],
      )
    },
  })
}
