/**
 * Which row of an import became which id: rows and ids grow together, so that only the gaps are
 * kept.
 */

export class RowIds {
  /** Where a stretch of neighbours begins: its first row and its first id. */
  readonly #rows: number[] = []
  readonly #ids: number[] = []
  /** Rows that were staged again, behind later ones. */
  readonly #again = new Map<number, number>()
  readonly #againRows = new Map<number, number>()
  #lastRow = 0
  #lastId = 0

  /** Notes the next id, which is one more than the last. */
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

  /** The newest id of a row. */
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
