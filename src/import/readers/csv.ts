/**
 * Splits delimited text into rows, including the faulty quoting that counties write.
 *
 * Follows RFC 4180 with two additions. A quote inside a field that is not followed by a separator
 * is an ordinary character (`"57'7" W"`, `5" PIPE`). An unclosed quote loses only its own line, not
 * the rest of the file. A row over several lines whose number of fields differs from the header is
 * cut back to its first line. That line is rejected, and reading continues on the next line. No
 * values are shifted. Own code because it runs three times as fast as csv-parse:
 * docs/decisions/readers.md.
 */

/** A row with the wrong number of fields or an unclosed quote. */
export type BrokenRow = { line: number; reason: string; text: string }

/** Characters after which a quote counts as unclosed. */
const ROW_MAX = 1_048_576
/** Times that the search is halved, down to 4,096 characters. */
const UNCLOSED_MAX = 8
/** Longest line without quotes. A longer line is rejected and not kept in memory. */
const LINE_MAX = 8 * 1_048_576
/** Characters kept of a rejected line. */
const SHOWN_MAX = 1000

/** Splits delimited text into rows, piece by piece. A bad row is rejected alone. */
export class CsvSplitter {
  /** Whether a row may lack its last fields, which are then empty. */
  padsShort = false
  /** Number of fields in every row; 0 until the first row sets it. */
  width = 0
  rows: string[][] = []
  /** Line number of each row; the first line of the file is 1. */
  lines: number[] = []
  broken: BrokenRow[] = []
  readonly #separator: string
  /** See `trailingSeparator`. */
  readonly #trailing: -1 | 0 | 1
  #rest = ''
  /** Unclosed quotes since the last whole row with quotes; each halves what is searched next. */
  #unclosed = 0
  #skipping = false
  #line: number

  /** `line`: number of the first line that is pushed. */
  constructor(separator: string, line = 1, trailing: -1 | 0 | 1 = 0) {
    this.#separator = separator
    this.#trailing = trailing
    this.#line = line
  }

  /** Adds text to the unsplit rest and splits all whole rows. `last`: no text follows. */
  push(text: string, last = false): void {
    if (this.#skipping && !text.includes('\n')) return
    const all = this.#rest === '' ? text : this.#rest + text
    let at = this.#skipping ? this.#skipLine(all) : 0
    // Position of the next quote; lines before it are split without a scan for quotes.
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

  #skipLine(all: string): number {
    this.#skipping = false
    this.#line += 1
    return all.indexOf('\n') + 1
  }

  /** Returns the rows split so far and starts a new list. */
  drain(): { rows: string[][]; lines: number[]; broken: BrokenRow[] } {
    const { rows, lines, broken } = this
    this.rows = []
    this.lines = []
    this.broken = []
    return { rows, lines, broken }
  }

  /** Keeps a row of the right width; a blank line becomes a blank row. */
  #take(fields: string[], all: string, from: number, to: number): void {
    if (this.width === 0) {
      if (this.#trailing === 1) fields.push('')
      if (this.#trailing === -1) fields.pop()
      this.width = fields.length
    }
    if (fields.length === this.width || to === from) {
      this.rows.push(fields)
      this.lines.push(this.#line)
    } else if (this.#takeReturns(all.slice(from, to))) {
      return
    } else if (this.padsShort && fields.length < this.width) {
      const missing = this.width - fields.length
      this.rows.push([...fields, ...new Array<string>(missing).fill('')])
      this.lines.push(this.#line)
    } else {
      this.#reject(fields.length, all.slice(from, to))
    }
  }

  /** Takes lines that end by CR among those by LF; `false` unless all have the header's width. */
  #takeReturns(text: string): boolean {
    if (!text.includes('\r') || text.includes('"')) return false
    const rows = text
      .split('\r')
      .filter((line) => line !== '')
      .map((line) => line.split(this.#separator))
    if (rows.length < 2 || rows.some((row) => row.length !== this.width)) return false
    for (const row of rows) {
      this.rows.push(row)
      this.lines.push(this.#line)
    }
    return true
  }

  /** Splits a line whose quotes are escaped by backslashes, as MySQL writes them. */
  #splitEscaped(line: string): string[] | undefined {
    if (!line.includes('\\"')) return undefined
    const split = splitQuoted(line.replaceAll('\\"', '""').replace(/\r$/, ''), 0, this.#separator)
    return split?.fields.length === this.width ? split.fields : undefined
  }

  #reject(count: number | undefined, text: string): void {
    const reason =
      count === undefined
        ? 'a quote without an end'
        : `${count} ${count === 1 ? 'field' : 'fields'} where the header has ${this.width}`
    this.broken.push({ line: this.#line, reason, text: text.slice(0, ROW_MAX) })
  }

  /** Takes a quoted row. Returns the start of the next one, or -1 when more text is needed. */
  #takeQuoted(all: string, at: number, lineEnd: number, last: boolean): number {
    const reach = at + (ROW_MAX >> this.#unclosed)
    const split = splitQuoted(all, at, this.#separator, reach)
    // A row that ends at the end of the text may continue in the next piece.
    const open = split === undefined || split.next > all.length
    if (open && !last && all.length - at < ROW_MAX >> this.#unclosed) return -1
    if (split !== undefined) {
      const oneLine = split.next <= lineEnd + 1
      const fits = this.width === 0 || split.fields.length === this.width
      const isEscaped = oneLine && !fits && this.#splitEscaped(all.slice(at, lineEnd)) !== undefined
      if ((oneLine && !isEscaped) || (fits && !split.bare)) {
        this.#unclosed = 0
        this.#take(split.fields, all, at, Math.max(at + 1, split.end))
        this.#line += oneLine ? 1 : countLines(all, at, split.next)
        return split.next
      }
    }
    const text = all.slice(at, lineEnd).replace(/\r$/, '')
    const escaped = this.#splitEscaped(text)
    if (escaped === undefined) {
      this.#unclosed = Math.min(this.#unclosed + 1, UNCLOSED_MAX)
      this.#reject(undefined, text)
    } else {
      this.rows.push(escaped)
      this.lines.push(this.#line)
    }
    this.#line += 1
    return lineEnd + 1
  }
}

/** Splits the row that starts at `at`; `undefined` when the text ends inside a quote. */
function splitQuoted(
  all: string,
  at: number,
  separator: string,
  reach = Number.POSITIVE_INFINITY,
): { fields: string[]; end: number; next: number; bare: boolean } | undefined {
  const fields: string[] = []
  let bare = false
  /** Whether quotes may stand behind blanks. */
  let isSpaced = true
  let from = at
  let line = -1
  for (;;) {
    let end: number
    if (line < from) line = endOfLine(all, from)
    const code = all.charCodeAt(from)
    let open = from
    let quoted: ReturnType<typeof endOfQuote>
    if (code === 34) {
      quoted = endOfQuote(all, from, separator, reach)
      if (quoted === undefined) return undefined
    } else if (code === 32 && isSpaced) {
      open = quoteAfterBlanks(all, from, separator)
      if (open > from) quoted = endOfQuote(all, open, separator, line)
      // ` "A" FRAME` is no field in quotes. Then none of the row is looked at again.
      isSpaced = open < 0 || quoted?.bare === false
      if (!isSpaced) quoted = undefined
    }
    if (quoted !== undefined) {
      end = quoted.end
      bare ||= quoted.bare
      const text = all.slice(open + 1, quoted.close)
      fields.push(quoted.doubled ? text.replaceAll('""', '"') : text)
    } else {
      const next = all.indexOf(separator, from)
      end = next >= 0 && next < line ? next : line
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

/** Returns the place of a quote that begins a field, perhaps behind blanks; -1 for none. */
function quoteAfterBlanks(all: string, from: number, separator: string): number {
  let at = from
  if (separator !== ' ') while (all.charCodeAt(at) === 32) at += 1
  return all.charCodeAt(at) === 34 ? at : -1
}

function endOfLine(all: string, from: number): number {
  const end = all.indexOf('\n', from)
  return end < 0 ? all.length : end
}

/** Finds the closing quote: one followed by optional blanks and a separator or line end. */
function endOfQuote(
  all: string,
  from: number,
  separator: string,
  reach: number,
): { close: number; end: number; doubled: boolean; bare: boolean } | undefined {
  let doubled = false
  let bare = false
  let at = from + 1
  for (;;) {
    const close = all.indexOf('"', at)
    if (close < 0 || close > reach) return undefined
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
/** A character used as a quote around values, as in `~1~,~2~`. */
const AROUND = /[\^~],[\^~]/

/** The separator most frequent, and equally so, in the first lines, outside of quotes. */
export function detectSeparator(text: string): string {
  const lines = text
    .split('\n')
    .slice(0, 20)
    .map((line) => line.replace(/"[^"]*"/g, ''))
    .filter((line) => line.trim() !== '')
  const score = (separator: string) => {
    if (AROUND.test(`${separator},${separator}`) && AROUND.test(text)) return 0
    const counts = lines.map((line) => line.split(separator).length - 1)
    // The first line counts twice because it is usually the header.
    const all = [counts[0] ?? 0, ...counts]
    return Math.max(0, ...counts.map((one) => one * all.filter((count) => count === one).length))
  }
  return SEPARATORS.reduce((best, other) => (score(other) > score(best) ? other : best))
}
