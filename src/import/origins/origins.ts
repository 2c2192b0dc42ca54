/**
 * Records where the parcels of an import come from, and keeps its rows if asked. Memory: four bytes
 * a parcel, and as much a row where lines do not follow each other.
 */

import { basename } from 'node:path'
import { openFields } from '../../record/stored.ts'
import {
  BLOCK_IDS,
  type OriginDocument,
  type ParcelOrigin,
  type RowPlace,
} from '../../store/origins/origins.ts'
import type { StagedParcel } from '../../store/store.ts'
import type { Batch } from '../batch.ts'
import type { KeptRows, LineSet } from './kept-rows.ts'

/** Rows of one batch: all of one part. `lines`: the first line where they follow each other. */
type Span = {
  firstRow: number
  part: number
  lines: number | readonly number[]
  partners: Batch['partners']
}

type Options = {
  files: readonly string[]
  /** What to show for each file, where that differs. */
  shown: readonly string[] | undefined
  kept: KeptRows | undefined
}

const readSuppressed = openFields(['suppressed'])

export class Origins {
  readonly #options: Options
  readonly #parts: OriginDocument['parts'] = []
  readonly #known = new Map<string, number>()
  readonly #joined = new Set<number>()
  readonly #spans: Span[] = []
  readonly #rowsOf = new Map<number, Uint32Array>()
  readonly #merged = new Map<number, readonly number[]>()
  readonly #hidden = new Set<number>()
  #isComplete = false

  constructor(options: Options) {
    this.#options = options
  }

  /** Whether rows are kept, so that hidden ones must be named. */
  get keepsRows(): boolean {
    return this.#options.kept !== undefined
  }

  /** Notes the lines of a batch of the roll. `joinedColumns`: those that joined files add. */
  see(batch: Batch & { firstRow: number }, joinedColumns: number): void {
    const { firstRow, lines, partners, rows } = batch
    const own = batch.columns.length - joinedColumns
    const part = this.#partOf(batch.file, batch.columns.slice(0, own))
    const first = lines[0] ?? 0
    const isRun = lines.every((line, at) => line === first + at)
    this.#spans.push({ firstRow, part, lines: isRun ? first : lines, partners })
    this.#options.kept?.add(part, lines, rows, own)
  }

  /** Notes a batch of a joined file, and returns its part. */
  seePartners({ file, columns, lines, rows }: Batch): number {
    const part = this.#partOf(file, columns)
    this.#joined.add(part)
    this.#options.kept?.add(part, lines, rows, columns.length)
    return part
  }

  /** Notes that a parcel was made of a row. */
  place(row: number, id: number): void {
    const block = Math.floor(id / BLOCK_IDS)
    const slots = this.#rowsOf.getOrInsertComputed(block, () => new Uint32Array(BLOCK_IDS))
    slots[id % BLOCK_IDS] = row
  }

  /** Notes all rows of the parcel that is known by its first one, in the order of merging. */
  merge(row: number, rows: readonly number[]): void {
    if (rows.length > 1 || rows[0] !== row) this.#merged.set(row, rows)
  }

  /** Keeps no rows of parcels of which something is suppressed. */
  hideSuppressed(parcels: readonly StagedParcel[]): void {
    if (!this.keepsRows) return
    for (const { row, fieldValues } of parcels) {
      if (readSuppressed(fieldValues).suppressed.length > 0) this.#hidden.add(row)
    }
  }

  /** Passes on the ids of the staged rows, and notes them. */
  async *watch<Placed extends { row: number; id: number }>(
    ids: Iterable<Placed> | AsyncIterable<Placed>,
  ): AsyncGenerator<Placed> {
    for await (const one of ids) {
      this.place(one.row, one.id)
      yield one
    }
    this.#isComplete = true
  }

  /** Returns the parts, and those of joined files. Throws unless all ids were noted. */
  describe(): Pick<OriginDocument, 'parts' | 'joined'> {
    if (!this.#isComplete) throw new Error('the ids of the parcels were not read')
    return { parts: this.#parts, joined: [...this.#joined] }
  }

  /** Yields the parcels by block. `isOwn`: tests which ids to take; all when absent. */
  *blocks(isOwn?: (id: number) => boolean): Generator<{ block: number; parcels: ParcelOrigin[] }> {
    for (const block of [...this.#rowsOf.keys()].sort((a, b) => a - b)) {
      const parcels: ParcelOrigin[] = []
      this.#rowsOf.get(block)?.forEach((row, slot) => {
        const id = block * BLOCK_IDS + slot
        if (row === 0 || isOwn?.(id) === false) return
        parcels.push({ id, rows: this.#membersOf(row).map((one) => this.#placeOf(one)) })
      })
      if (parcels.length > 0) yield { block, parcels }
    }
  }

  /** Adds the lines of these parcels' rows, except hidden ones. */
  addLines(set: LineSet, isOwn?: (id: number) => boolean): void {
    for (const [block, slots] of this.#rowsOf) {
      slots.forEach((row, slot) => {
        if (row === 0 || this.#hidden.has(row)) return
        if (isOwn?.(block * BLOCK_IDS + slot) === false) return
        for (const one of this.#membersOf(row)) {
          const { partners, ...place } = this.#placeOf(one)
          set.add(place)
          for (const partner of partners) if (partner !== null) set.add(partner)
        }
      })
    }
  }

  #membersOf(row: number): readonly number[] {
    return this.#merged.get(row) ?? [row]
  }

  #placeOf(row: number): RowPlace & { partners: readonly (RowPlace | null)[] } {
    let [low, high] = [0, this.#spans.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((this.#spans[middle]?.firstRow ?? 0) <= row) low = middle
      else high = middle - 1
    }
    const span = this.#spans[low]
    if (span === undefined) throw new Error('a row of no batch')
    const at = row - span.firstRow
    const line = typeof span.lines === 'number' ? span.lines + at : (span.lines[at] ?? 0)
    return { part: span.part, line, partners: span.partners?.[at] ?? [] }
  }

  #partOf(file: string, columns: readonly string[]): number {
    const name = JSON.stringify([file, columns])
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const { files, shown } = this.#options
    this.#known.set(name, this.#parts.length)
    return this.#parts.push({ file: nameFile(file, files, shown), columns }) - 1
  }
}

/**
 * Returns a file's name without folders, followed by the entry of an archive; a web address without
 * query and credentials. `files`: the paths that were given; `shown`: the names shown.
 *
 * @example nameFile('/rolls/x.zip/a.csv', ['/rolls/x.zip'], undefined) // 'x.zip/a.csv'
 */
function nameFile(
  file: string,
  files: readonly string[],
  shown: readonly string[] | undefined,
): string {
  const at = files.findIndex((one) => file === one || file.startsWith(`${one}/`))
  if (at < 0) return basename(file)
  const given = files[at] as string
  return nameGiven(shown?.[at] ?? given) + file.slice(given.length)
}

function nameGiven(given: string): string {
  if (!/^https?:/i.test(given)) return basename(given)
  try {
    const { protocol, host, pathname } = new URL(given)
    return `${protocol}//${host}${pathname}`
  } catch {
    return basename(given)
  }
}
