/**
 * Maps rows of an import to their positions in it, or to their ids. Both mostly increase together,
 * so only the gaps are stored.
 */
export class RowNumbers {
  /** First row, first position and length of each run of consecutive ones. */
  readonly #rows: number[] = []
  readonly #positions: number[] = []
  readonly #counts: number[] = []
  /** Rows that were staged again after later ones, and back. */
  readonly #again = new Map<number, number>()
  readonly #againRows = new Map<number, number>()

  /** Positions increase from one call to the next. */
  add(row: number, position: number): void {
    const last = this.#rows.length - 1
    const count = this.#counts[last] ?? 0
    const next = last < 0 ? 0 : (this.#rows[last] as number) + count
    if (row < next) {
      this.#again.set(row, position)
      this.#againRows.set(position, row)
    } else if (row === next && position === (this.#positions[last] as number) + count) {
      this.#counts[last] = count + 1
    } else {
      this.#rows.push(row)
      this.#positions.push(position)
      this.#counts.push(1)
    }
  }

  /** Returns the newest position of a row; `undefined` for one that was not added. */
  positionOf(row: number): number | undefined {
    return this.#again.get(row) ?? lookUp(this.#rows, this.#positions, this.#counts, row)
  }

  /** Returns the row at a position that was added. */
  rowOf(position: number): number {
    const row =
      this.#againRows.get(position) ?? lookUp(this.#positions, this.#rows, this.#counts, position)
    if (row === undefined) throw new Error(`no row was staged at position ${position}`)
    return row
  }

  /** Yields all positions with their rows, in ascending order of positions. */
  *[Symbol.iterator](): Generator<{ row: number; position: number }> {
    for (const [run, count] of this.#counts.entries()) {
      for (let at = 0; at < count; at += 1) {
        const [row, position] = [this.#rows[run] as number, this.#positions[run] as number]
        yield { row: row + at, position: position + at }
      }
    }
    for (const [position, row] of this.#againRows) yield { row, position }
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
