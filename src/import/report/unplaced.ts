/** Counts the rows whose shape has no place, by reason. */

/** Rows that had a shape and got none: the reason, how many, and the first of them. */
export type Unplaced = { reason: string; rows: number; example: string }

/** Most reasons that are told apart; they quote the file. */
const REASONS_MAX = 100

export class UnplacedShapes {
  /** Rows of all reasons. */
  count = 0
  readonly #found = new Map<string, Unplaced>()

  add(reason: string, example: string): void {
    this.count += 1
    const same = this.#found.get(this.#found.size < REASONS_MAX ? kindOf(reason) : 'other')
    if (same !== undefined) same.rows += 1
    else this.#found.set(kindOf(reason), { reason, rows: 1, example })
  }

  /** The commonest reasons first. */
  list(): Unplaced[] {
    return [...this.#found.values()].sort((a, b) => b.rows - a.rows)
  }
}

/** A reason without the coordinates that it quotes. */
const kindOf = (reason: string) => reason.replace(/ \(-?[\d.]+, -?[\d.]+\)$/, '')

export function describeUnplaced({ reason, rows, example }: Unplaced): string {
  const what = rows === 1 ? 'row has a shape' : 'rows have shapes'
  return `${rows.toLocaleString('en-US')} ${what} without a place: ${reason} (first: ${example})`
}
