/** Maps the rows of an import to ids. Both increase together, so only the gaps are stored. */

export class RowIds {
  /** The first row and first id of each run of consecutive ones. */
  readonly #rows: number[] = []
  readonly #ids: number[] = []
  /** Rows that were staged again after later ones. */
  readonly #again = new Map<number, number>()
  readonly #againRows = new Map<number, number>()
  #lastRow = 0
  #lastId = 0

  /** Records the next id, which is one more than the last. */
  add(row: number, id: number): void {
    if (row <= this.#lastRow) {
      this.#again.set(row, id)
      this.#againRows.set(id, row)
      return
    }
    if (this.#rows.length === 0 || row !== this.#lastRow + 1 || id !== this.#lastId + 1) {
      this.#rows.push(row)
      this.#ids.push(id)
    }
    this.#lastRow = row
    this.#lastId = id
  }

  /** Returns the newest id of a row. */
  idOf(row: number): number {
    return this.#again.get(row) ?? lookUp(this.#rows, this.#ids, row)
  }

  rowOf(id: number): number {
    return this.#againRows.get(id) ?? lookUp(this.#ids, this.#rows, id)
  }
}

function lookUp(from: readonly number[], to: readonly number[], asked: number): number {
  let low = 0
  let high = from.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((from[middle] as number) <= asked) low = middle
    else high = middle - 1
  }
  return (to[low] as number) + asked - (from[low] as number)
}
