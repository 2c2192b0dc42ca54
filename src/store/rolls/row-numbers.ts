/** Maps rows of an import to their parcels' ids, stored as runs that increase together. */
import type { RowId } from '../store.ts'

export class RowNumbers {
  /** Ids whose rows were dropped. */
  readonly dropped = new Set<number>()
  /** First row, first id and length of each run of consecutive ones. */
  readonly #rows: number[] = []
  readonly #ids: number[] = []
  readonly #counts: number[] = []
  /** Rows that were staged again after later ones, and back. */
  readonly #again = new Map<number, number>()
  readonly #againRows = new Map<number, number>()

  /** Ids increase from one call to the next. */
  add(row: number, id: number): void {
    const last = this.#rows.length - 1
    const count = this.#counts[last] ?? 0
    const next = last < 0 ? 0 : (this.#rows[last] as number) + count
    if (row < next) {
      this.#again.set(row, id)
      this.#againRows.set(id, row)
    } else if (row === next && id === (this.#ids[last] as number) + count) {
      this.#counts[last] = count + 1
    } else {
      this.#rows.push(row)
      this.#ids.push(id)
      this.#counts.push(1)
    }
  }

  /** Drops the newest id of a row and returns it; `undefined` for one that was not added. */
  drop(row: number): number | undefined {
    const id = this.#again.get(row) ?? lookUp(this.#rows, this.#ids, this.#counts, row)
    if (id !== undefined) this.dropped.add(id)
    return id
  }

  rowOf(id: number): number {
    const row = this.#againRows.get(id) ?? lookUp(this.#ids, this.#rows, this.#counts, id)
    if (row === undefined) throw new Error(`no row was staged with the id ${id}`)
    return row
  }

  /** Yields the rows that were not dropped; those that were staged again come last. */
  *[Symbol.iterator](): Generator<RowId> {
    for (const [run, count] of this.#counts.entries()) {
      const [row, first] = [this.#rows[run] as number, this.#ids[run] as number]
      for (let at = 0; at < count; at += 1) {
        if (!this.dropped.has(first + at)) yield { row: row + at, id: first + at }
      }
    }
    for (const [id, row] of this.#againRows) if (!this.dropped.has(id)) yield { row, id }
  }
}

/** Finds the run that contains `asked` by its starts; `undefined` when it is in a gap. */
function lookUp(
  from: readonly number[],
  to: readonly number[],
  counts: readonly number[],
  asked: number,
): number | undefined {
  let low = 0
  let high = from.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((from[middle] as number) <= asked) low = middle
    else high = middle - 1
  }
  const offset = asked - (from[low] ?? Number.POSITIVE_INFINITY)
  return offset >= 0 && offset < (counts[low] ?? 0) ? (to[low] as number) + offset : undefined
}
