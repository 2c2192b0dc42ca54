import type { BrokenRow } from './csv.ts'
import { foldPageLine, isRulerLine } from './page-lines.ts'

/** Turns text into rows; `CsvSplitter` is the other implementation. */
export type RowSplitter = {
  /** Adds text. `last`: no text follows. */
  push(text: string, last?: boolean): void
  drain(): { rows: string[][]; lines: number[]; broken: BrokenRow[] }
  /** Number of fields in every row; 0 before the first row. */
  readonly width: number
}

/** A column: its first character, and the positions before it that are blank in the sample. */
export type FixedColumn = { from: number; gap: number }

/**
 * Cuts lines at fixed positions and trims. Text before the first belongs to the first column. A
 * line whose text runs from the right into the gap before a column is rejected: it could be of
 * either.
 */
export class FixedSplitter implements RowSplitter {
  readonly width: number
  readonly #columns: readonly FixedColumn[]
  #rows: string[][] = []
  #lines: number[] = []
  #broken: BrokenRow[] = []
  #rest = ''
  #line: number

  /** Titles above the table, folded; a report repeats them, and its header, on every page. */
  readonly #pageLines: Set<string>
  #begun = false

  /** `line`: number of the first line that is pushed; `titles`: the lines above it. */
  constructor(columns: readonly FixedColumn[], line = 1, titles: readonly string[] = []) {
    this.#columns = columns.map((column, at) => (at === 0 ? { from: 0, gap: 0 } : column))
    this.width = columns.length
    this.#line = line
    this.#pageLines = new Set(titles.map(foldPageLine))
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
    const isRuler = isRulerLine(line)
    // The ruler under the header is not a row.
    if (isRuler && this.#line < RULER_LINES) {
      this.#line += 1
      return
    }
    if (isRuler || this.#isRepeated(line)) {
      this.#rows.push(this.#columns.map(() => ''))
      this.#lines.push(this.#line)
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

  /** Whether a line is above the table, or is the header again. */
  #isRepeated(line: string): boolean {
    const first = line.charCodeAt(0)
    const isDigit = first >= 48 && first <= 57
    if (this.#begun && isDigit) return false
    const folded = foldPageLine(line)
    if (folded === '') return false
    if (this.#begun) return this.#pageLines.has(folded)
    this.#begun = true
    this.#pageLines.add(folded)
    return false
  }
}

/** A ruler is among the first lines, and is repeated on every page of a report. */
const RULER_LINES = 30

/** A value that fills a gap wider than one position is a long one of the column before. */
function isCrossed(line: string, { from, gap }: FixedColumn): boolean {
  if (gap === 0 || (line[from - 1] ?? ' ') === ' ') return false
  return gap === 1 || line.slice(from - gap, from).includes(' ')
}
