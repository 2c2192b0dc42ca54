/** Parquet files, row group by row group. Read by hyparquet: pure JavaScript, no dependencies (docs/decisions/readers.md). */
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { CommandError } from '../../errors.ts'
import type { Batch, SourceOptions } from '../batch.ts'
import { type Part, withPath } from './container.ts'
import { showList } from './json.ts'

const BATCH_ROWS = 2000

/** Reads a Parquet file; the columns of its schema are the roll's. */
export async function* readParquet(part: Part, options: SourceOptions): AsyncGenerator<Batch> {
  yield* withPath(part, (path) => readFile(path, part.shown, options))
}

async function* readFile(
  path: string,
  shown: string,
  options: SourceOptions,
): AsyncGenerator<Batch> {
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file).catch((error: unknown) => {
    throw new CommandError(`${shown} is no Parquet file, or is cut short`, 1, error)
  })
  const columns = (metadata.schema[0] && topLevel(metadata.schema)) ?? []
  let from = 0
  for (const group of metadata.row_groups) {
    const rowEnd = from + Number(group.num_rows)
    const objects = await parquetReadObjects({
      file,
      metadata,
      compressors,
      rowStart: from,
      rowEnd,
    })
    options.onBytes(Number(group.total_compressed_size ?? group.total_byte_size ?? 0))
    for (let at = 0; at < objects.length; at += BATCH_ROWS) {
      const some = objects.slice(at, at + BATCH_ROWS)
      const first = from + at + 1
      yield {
        file: shown,
        columns,
        rows: some.map((object) => columns.map((name) => show(object[name]))),
        lines: some.map((_, index) => first + index),
        broken: [],
      }
    }
    from = rowEnd
  }
}

/** Names of the columns right under the root; the schema lists its tree depth first. */
function topLevel(schema: { name: string; num_children?: number }[]): string[] {
  const names: string[] = []
  let at = 1
  const skip = (): void => {
    const children = schema[at]?.num_children ?? 0
    at += 1
    for (let child = 0; child < children; child += 1) skip()
  }
  while (at < schema.length) {
    names.push(schema[at]?.name ?? '')
    skip()
  }
  return names
}

function show(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return showList(value)
  if (value instanceof Uint8Array) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
