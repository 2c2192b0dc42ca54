/**
 * Splits delimited text into rows, as badly quoted as counties write it.
 *
 * RFC 4180, and beyond it: a quote inside of a field that no separator follows is a character like
 * others (`"57'7" W"`, `5" PIPE`). A quote that is never closed, or that goes over several lines
 * with such quotes inside, costs its own line, not the rest of the file: a row of several lines
 * that has not as many fields as the header is taken for one line alone, rejected, and reading goes
 * on at the next line. Nothing is shifted. Own code because it measures three times csv-parse's
 * speed: docs/decisions/readers.md.
 */

/** A row that has not as many fields as the header, or a quote without an end. */
export type BrokenRow = { line: number; reason: string; text: string }

/** Rows longer than this have a quote without an end. */
const ROW_MAX = 1_048_576
/** A line without quotes may be this long; a longer one is a reject and is not kept in memory. */
const LINE_MAX = 8 * 1_048_576
/** How much of a rejected line is kept. */
const SHOWN_MAX = 1000

/** Splits delimited text into rows, piece by piece; a bad row costs itself alone. */
export class CsvSplitter {
  /** Number of fields that every row has; 0: not yet known, the first row tells. */
  width = 0
  rows: string[][] = []
  /** Line of each row, the first line of the file being 1. */
  lines: number[] = []
  broken: BrokenRow[] = []
  readonly #separator: string
  #rest = ''
  /** The rest of a line that is too long is passed over. */
  #skipping = false
  #line: number

  /** `line`: number of the first line that is pushed. */
  constructor(separator: string, line = 1) {
    this.#separator = separator
    this.#line = line
  }

  /**
   * Adds text to what was not yet split, and splits all whole rows of it; `last`: nothing follows.
   */
  push(text: string, last = false): void {
    if (this.#skipping && !text.includes('\n')) return
    const all = this.#rest === '' ? text : this.#rest + text
    let at = this.#skipping ? this.#skipLine(all) : 0
    // Where the next quote stands: lines before it need no look at their characters.
    let quote = -2
    while (at < all.length) {
      let end = all.indexOf('\n', at)
      if (end < 0) {
        if (!last) {
          if (all.length - at > LINE_MAX) {
            const reason = 'a line of more than 8 MB'
            this.broken.push({ line: this.#line, reason, text: all.slice(at, at + SHOWN_MAX) })
            this.#skipping = true
            at = all.length
          }
          break
        }
        end = all.length
      }
      if (quote !== -1 && quote < at) quote = all.indexOf('"', at)
      if (quote === -1 || quote > end) {
        const to = all.charCodeAt(end - 1) === 13 && end > at ? end - 1 : end
        this.#take(all.slice(at, to).split(this.#separator), all, at, to)
        this.#line += 1
        at = end + 1
        continue
      }
      const next = this.#takeQuoted(all, at, end, last)
      if (next < 0) break
      at = next
    }
    this.#rest = at < all.length ? all.slice(at) : ''
  }

  /** Ends a line that was too long; returns where the next one starts. */
  #skipLine(all: string): number {
    this.#skipping = false
    this.#line += 1
    return all.indexOf('\n') + 1
  }

  /** Hands over what was split so far and starts anew. */
  drain(): { rows: string[][]; lines: number[]; broken: BrokenRow[] } {
    const { rows, lines, broken } = this
    this.rows = []
    this.lines = []
    this.broken = []
    return { rows, lines, broken }
  }

  /** Keeps a row of the right width; a blank line is a blank row. */
  #take(fields: string[], all: string, from: number, to: number): void {
    if (this.width === 0) this.width = fields.length
    if (fields.length === this.width || to === from) {
      this.rows.push(fields)
      this.lines.push(this.#line)
    } else {
      this.#reject(fields.length, all.slice(from, to))
    }
  }

  #reject(count: number | undefined, text: string): void {
    const reason =
      count === undefined
        ? 'a quote without an end'
        : `${count} ${count === 1 ? 'field' : 'fields'} where the header has ${this.width}`
    this.broken.push({ line: this.#line, reason, text: text.slice(0, ROW_MAX) })
  }

  /**
   * Takes a row with quotes, over as many lines as it has; gives where the next one starts, or -1:
   * more text is needed.
   */
  #takeQuoted(all: string, at: number, lineEnd: number, last: boolean): number {
    const split = splitQuoted(all, at, this.#separator)
    // A row that ends where the text does may go on in the next piece.
    const open = split === undefined || split.next > all.length
    if (open && !last && all.length - at < ROW_MAX) return -1
    if (split !== undefined) {
      const oneLine = split.next <= lineEnd + 1
      const fits = this.width === 0 || split.fields.length === this.width
      if (oneLine || (fits && !split.bare)) {
        this.#take(split.fields, all, at, Math.max(at + 1, split.end))
        this.#line += oneLine ? 1 : countLines(all, at, split.next)
        return split.next
      }
    }
    const text = all.slice(at, lineEnd).replace(/\r$/, '')
    this.#reject(undefined, text)
    this.#line += 1
    return lineEnd + 1
  }
}

/** Splits the row that starts at `at`; `undefined` when the text ends inside of a quote. */
function splitQuoted(
  all: string,
  at: number,
  separator: string,
): { fields: string[]; end: number; next: number; bare: boolean } | undefined {
  const fields: string[] = []
  let bare = false
  let from = at
  for (;;) {
    let end: number
    if (all.charCodeAt(from) === 34) {
      const quoted = endOfQuote(all, from, separator)
      if (quoted === undefined) return undefined
      end = quoted.end
      bare ||= quoted.bare
      const text = all.slice(from + 1, quoted.close)
      fields.push(quoted.doubled ? text.replaceAll('""', '"') : text)
    } else {
      end = endOfPlain(all, from, separator)
      const to =
        all.charCodeAt(end - 1) === 13 && all[end] !== separator && end > from ? end - 1 : end
      fields.push(all.slice(from, to))
    }
    if (end >= all.length || all.charCodeAt(end) === 10) {
      const cut = all.charCodeAt(end - 1) === 13 ? end - 1 : end
      return { fields, end: cut, next: end + 1, bare }
    }
    from = end + 1
  }
}

function endOfPlain(all: string, from: number, separator: string): number {
  const line = all.indexOf('\n', from)
  const comma = all.indexOf(separator, from)
  if (comma >= 0 && (line < 0 || comma < line)) return comma
  return line < 0 ? all.length : line
}

/** The closing quote is one that a separator or the end of the line follows, blanks aside. */
function endOfQuote(
  all: string,
  from: number,
  separator: string,
): { close: number; end: number; doubled: boolean; bare: boolean } | undefined {
  let doubled = false
  let bare = false
  let at = from + 1
  for (;;) {
    const close = all.indexOf('"', at)
    if (close < 0) return undefined
    let end = close + 1
    while (all[end] === ' ' && separator !== ' ') end += 1
    if (all.charCodeAt(end) === 13) end += 1
    if (end >= all.length || all.charCodeAt(end) === 10 || all[end] === separator) {
      return { close, end, doubled, bare }
    }
    if (all.charCodeAt(close + 1) === 34) {
      doubled = true
      at = close + 2
    } else {
      bare = true
      at = close + 1
    }
  }
}

function countLines(all: string, from: number, to: number): number {
  let lines = 0
  for (let at = all.indexOf('\n', from); at >= 0 && at < to; at = all.indexOf('\n', at + 1)) {
    lines += 1
  }
  return lines
}

const SEPARATORS = [',', '\t', ';', '|', '^', '~']
/** A character that is put around values, as `~1~,~2~`. */
const AROUND = /[\^~],[\^~]/

/**
 * The separator that stands most often, and equally often, in the first lines of a text, quoted
 * parts aside.
 */
export function detectSeparator(text: string): string {
  const lines = text
    .split('\n')
    .slice(0, 20)
    .map((line) => line.replace(/"[^"]*"/g, ''))
    .filter((line) => line.trim() !== '')
  const score = (separator: string) => {
    if (AROUND.test(`${separator},${separator}`) && AROUND.test(text)) return 0
    const counts = lines.map((line) => line.split(separator).length - 1)
    // The first line counts twice: most often it is the header.
    const told = [counts[0] ?? 0, ...counts]
    return Math.max(0, ...counts.map((one) => one * told.filter((count) => count === one).length))
  }
  return SEPARATORS.reduce((best, other) => (score(other) > score(best) ? other : best))
}
