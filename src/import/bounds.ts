/** Bounds on what one file may take: a small one cannot fill the memory or last for ever. */
import { CommandError } from '../base/errors.ts'

/** Unpacked bytes from which on the ratio counts; below them no file is a burden. */
const UNPACKED_FREE = 64 * 1_048_576
/** Rolls of blanks pack to a fiftieth. Deflate's most is a thousandth. */
const RATIO_MAX = 200
/** Most entries of an archive, columns of a table, and characters of a row's JSON. */
export const ENTRIES_MAX = 100_000
export const COLUMNS_MAX = 10_000
export const OBJECT_MAX = 32 * 1_048_576
/** Deepest nesting of JSON. */
export const DEPTH_MAX = 64
/** Most bytes of a record of a shapefile or of a row of a GeoPackage. */
export const RECORD_MAX = 64 * 1_048_576
/** Rows of a batch, and characters after which it is handed on, however few its rows are. */
export const BATCH_ROWS = 2000
export const BATCH_SIZE = 16 * 1_048_576

/** Throws `CommandError` for sizes that a roll does not have. */
export function refuseBomb(shown: string, packed: number, unpacked: number): void {
  if (unpacked <= UNPACKED_FREE || unpacked <= packed * RATIO_MAX) return
  throw new CommandError(
    `${shown} unpacks to more than ${RATIO_MAX} times its size, as no roll does. If it is one, ` +
      'unpack it, and import the file inside.',
  )
}

/** Passes unpacked bytes on until they are too many for the `packed` ones. */
export async function* boundUnpacked(
  bytes: AsyncIterable<Buffer>,
  packed: number,
  shown: string,
): AsyncGenerator<Buffer> {
  let unpacked = 0
  for await (const chunk of bytes) {
    unpacked += chunk.length
    refuseBomb(shown, packed, unpacked)
    yield chunk
  }
}
