/** Cuts lines of fixed width into rows. */
import type { BrokenRow } from './csv.ts'

/** What turns text into rows; `CsvSplitter` is the other one. */
export type RowSplitter = {
  /** Adds text; `last`: nothing follows. */
  push(text: string, last?: boolean): void
  /** Hands over the rows so far, with the line of each. */
  drain(): { rows: string[][]; lines: number[]; broken: BrokenRow[] }
  /** Number of fields that every row has; 0 before the first. */
  readonly width: number
}

/**
 * A column of fixed width: its first character, and how many positions before it are blank in the
 * lines that were looked at.
 */
export type FixedColumn = { from: number; gap: number }

/**
 * Cuts at fixed places; what stands before the first belongs to the first column. Values lose the
 * blanks that fill them up. A line with text that reaches into a gap from the right is rejected: it
 * belongs to either column.
 */
export class FixedSplitter implements RowSplitter {
  readonly width: number
  readonly #columns: readonly FixedColumn[]
  #rows: string[][] = []
  #lines: number[] = []
  #broken: BrokenRow[] = []
  #rest = ''
  #line: number

  /** `line`: number of the first line that is pushed. */
  constructor(columns: readonly FixedColumn[], line = 1) {
    this.#columns = columns.map((column, at) => (at === 0 ? { from: 0, gap: 0 } : column))
    this.width = columns.length
    this.#line = line
  }

  push(text: string, last = false): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = last ? '' : (lines.pop() ?? '')
    if (last && lines.at(-1) === '') lines.pop()
    for (const line of lines) this.#take(line.replace(/\r$/, ''))
  }

  drain() {
    const drained = { rows: this.#rows, lines: this.#lines, broken: this.#broken }
    this.#rows = []
    this.#lines = []
    this.#broken = []
    return drained
  }

  #take(line: string): void {
    // The ruler under the header is no row.
    if (this.#line < RULER_LINES && /^[ =-]+$/.test(line) && line.includes('--')) {
      this.#line += 1
      return
    }
    const crossed = this.#columns.findIndex((column) => isCrossed(line, column))
    if (crossed > 0) {
      const reason = `text between columns ${crossed} and ${crossed + 1} of fixed width`
      this.#broken.push({ line: this.#line, reason, text: line })
    } else {
      const ends = this.#columns.slice(1).map(({ from }) => from)
      this.#rows.push(this.#columns.map(({ from }, at) => line.slice(from, ends[at]).trim()))
      this.#lines.push(this.#line)
    }
    this.#line += 1
  }
}

/** A ruler stands among the first lines. */
const RULER_LINES = 30

/**
 * A value that fills the whole gap is a long one of the column before, unless the gap is one
 * position.
 */
function isCrossed(line: string, { from, gap }: FixedColumn): boolean {
  if (gap === 0 || (line[from - 1] ?? ' ') === ' ') return false
  return gap === 1 || line.slice(from - gap, from).includes(' ')
}
