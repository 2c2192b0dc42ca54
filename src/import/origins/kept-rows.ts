/** The rows as read, in a temporary file until it is known which of them made a parcel. */
import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { packOrigin, type RowPlace, type StoredRows } from '../../store/origins/origins.ts'
import { makeTemporary } from '../temporary.ts'

/** Rows of a stored chunk, which is read whole for one of them. */
const CHUNK_ROWS = 256

type Chunk = { part: number; line: number; at: number; length: number }
type Pending = { lines: number[]; rows: string[][] }

export class KeptRows {
  readonly #folder = makeTemporary()
  readonly #file = openSync(join(this.#folder.path, 'rows.json'), 'w+')
  readonly #chunks: Chunk[] = []
  readonly #pending = new Map<number, Pending>()
  readonly #isHidden: (row: readonly string[]) => boolean
  #length = 0

  /** `isHidden`: whether a row names somebody who is suppressed. */
  constructor(isHidden: (row: readonly string[]) => boolean) {
    this.#isHidden = isHidden
  }

  /** Adds rows of a part; `columns`: how many of each row's cells are its own. */
  add(part: number, lines: readonly number[], rows: readonly string[][], columns: number): void {
    const pending = this.#pending.getOrInsertComputed(part, () => ({ lines: [], rows: [] }))
    rows.forEach((row, at) => {
      const line = lines[at] ?? 0
      // A joined row is there once for each of its partners.
      if (line === pending.lines.at(-1)) return
      pending.lines.push(line)
      pending.rows.push(row.length === columns ? row : row.slice(0, columns))
      if (pending.rows.length >= CHUNK_ROWS) this.#flush(part, pending)
    })
  }

  /** Yields the stored chunks with those rows that `used` has, unless they are hidden. */
  *chunks(used: LineSet): Generator<Omit<StoredRows, 'number'>> {
    for (const [part, pending] of this.#pending) this.#flush(part, pending)
    for (const { part, line, at, length } of this.#chunks) {
      const bytes = Buffer.alloc(length)
      readSync(this.#file, bytes, 0, length, at)
      const { lines, rows } = JSON.parse(bytes.toString()) as Pending
      const shown = rows.map((row, place) => {
        const isUsed = used.has({ part, line: lines[place] ?? 0 })
        return isUsed && !this.#isHidden(row) ? row : null
      })
      yield { part, line, data: packOrigin({ lines, rows: shown }) }
    }
  }

  close(): void {
    closeSync(this.#file)
    this.#folder.remove()
  }

  #flush(part: number, pending: Pending): void {
    const [line] = pending.lines
    if (line === undefined) return
    const bytes = Buffer.from(JSON.stringify(pending))
    writeSync(this.#file, bytes)
    this.#chunks.push({ part, line, at: this.#length, length: bytes.length })
    this.#length += bytes.length
    pending.lines.length = 0
    pending.rows.length = 0
  }
}

/** A set of lines, a bit each. */
export class LineSet {
  readonly #parts = new Map<number, Uint8Array>()

  add({ part, line }: RowPlace): void {
    const at = line >> 3
    let bits = this.#parts.get(part) ?? new Uint8Array(1024)
    if (at >= bits.length) {
      const longer = new Uint8Array(Math.max(at + 1, bits.length * 2))
      longer.set(bits)
      bits = longer
    }
    bits[at] = (bits[at] as number) | (1 << (line & 7))
    this.#parts.set(part, bits)
  }

  has({ part, line }: RowPlace): boolean {
    const bits = this.#parts.get(part)
    return bits !== undefined && ((bits[line >> 3] ?? 0) & (1 << (line & 7))) !== 0
  }
}
