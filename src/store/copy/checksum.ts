/** A checksum over rows in key order. Equal rows have equal checksums in any store. */
import { createHash } from 'node:crypto'
import type { Row } from './tables.ts'

/** Number and SHA-256 of rows as JSON, in key order. */
export type Checksum = { rows: number; sha256: string }

/** Adds rows to a checksum; their order matters. */
export function createChecksum(): { add(rows: Row[]): void; end(): Checksum } {
  const hash = createHash('sha256')
  let count = 0
  return {
    add(rows) {
      count += rows.length
      for (const row of rows) hash.update(`${JSON.stringify(row)}\n`)
    },
    end: () => ({ rows: count, sha256: hash.digest('hex') }),
  }
}

export async function sumRows(batches: AsyncIterable<Row[]>): Promise<Checksum> {
  const sum = createChecksum()
  for await (const rows of batches) sum.add(rows)
  return sum.end()
}

/** Combines several checksums in the given order. */
export function joinChecksums(parts: Iterable<Checksum>): Checksum {
  const hash = createHash('sha256')
  let rows = 0
  for (const part of parts) {
    rows += part.rows
    hash.update(part.sha256)
  }
  return { rows, sha256: hash.digest('hex') }
}
