/**
 * Checks the page headers of a Parquet file before hyparquet decodes the pages. A header without a
 * size makes the library read at no place for ever.
 */
import type { AsyncBuffer, RowGroup } from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'

/** Most values of a page. */
const VALUES_MAX = 134_217_728

/** Throws an `Error` when a page of the group has no size, or other sizes than its column. */
export async function checkPages(file: AsyncBuffer, { columns }: RowGroup): Promise<void> {
  for (const { meta_data: meta } of columns) {
    if (meta === undefined) continue
    const start = Number(meta.dictionary_page_offset || meta.data_page_offset)
    const end = start + Number(meta.total_compressed_size)
    const view = new DataView(await file.slice(start, Math.min(end, file.byteLength)))
    const reader = { view, offset: 0 }
    // The last byte is no page, as the library reads it.
    while (reader.offset < view.byteLength - 1) {
      const header = parquetHeader(reader)
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
      const left = view.byteLength - reader.offset
      if (!areCounts || !isWithin(packed, left) || !isWithin(whole, Number.MAX_SAFE_INTEGER)) {
        throw new Error('a page has no size, or more than its column')
      }
      reader.offset += packed
    }
  }
}

function isWithin(count: unknown, most: number): boolean {
  return Number.isInteger(count) && (count as number) >= 0 && (count as number) <= most
}
