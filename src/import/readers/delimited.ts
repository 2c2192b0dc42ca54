import { CommandError } from '../../base/errors.ts'
import { type Batch, emptyBatch, type SourceOptions } from '../batch.ts'
import { ASK, type Part } from './container.ts'
import { type BrokenRow, CsvSplitter } from './csv.ts'
import { FixedSplitter, type RowSplitter } from './fixed-width.ts'
import { foldPageLine, isFilled, isFooter, isRulerLine } from './page-lines.ts'
import { findLayout, joinHeader, nameColumns, trailingSeparator, VALUE } from './preamble.ts'
import { decodeText } from './text.ts'

/** Characters of text used to detect the separator. */
const SAMPLE = 65_536

/**
 * Reads delimited text from a part. The first line names the columns, or `options.columns` when
 * there is no header. Throws `CommandError` when the text is not delimited.
 */
export async function* readDelimited(
  part: Part,
  bytes: AsyncIterable<Buffer>,
  options: SourceOptions,
): AsyncGenerator<Batch> {
  const table = new TableText(part, options)
  let hasYielded = false
  for await (const text of decodeText(endLines(bytes), options, part.shown)) {
    const ready = table.push(text)
    if (ready === undefined) continue
    hasYielded = true
    yield ready
  }
  const ready = table.end()
  if (ready !== undefined) yield ready
  else if (!hasYielded) yield table.onlyColumns()
}

class TableText {
  readonly #part: Part
  readonly #options: SourceOptions
  #splitter: RowSplitter | undefined
  #columns: readonly string[] | undefined
  /** Titles and header, which some reports repeat on every page. */
  #pageLines = new Set<string>()
  /** Text before the layout is known. */
  #pending = ''
  #fault: string | undefined
  /** Whether the last piece of text, or the one before it, contains a NUL. A row may span both. */
  #nul = false
  #nulBefore = false

  constructor(part: Part, options: SourceOptions) {
    this.#part = part
    this.#options = options
  }

  push(text: string): Batch | undefined {
    const pending = this.#pending === '' ? text : this.#pending + text
    this.#pending = ''
    if (this.#splitter !== undefined) return this.#split(this.#splitter, pending)
    if (pending.length >= SAMPLE) return this.#split(...this.#start(pending))
    this.#pending = pending
    return undefined
  }

  end(): Batch | undefined {
    const batch =
      this.#splitter === undefined
        ? this.#split(...this.#start(this.#pending), true)
        : this.#split(this.#splitter, this.#pending, true)
    if (this.#columns !== undefined) return batch
    const why =
      this.#fault === undefined ? 'is empty' : `has no line of column names but ${this.#fault}`
    throw new CommandError(`${this.#part.shown} ${why}`)
  }

  /** Returns a batch without rows, for a file that has a header and no rows. */
  onlyColumns(): Batch {
    return emptyBatch(this.#part.shown, this.#columns ?? [])
  }

  #start(text: string): [RowSplitter, string] {
    const { splitter, pageLines, rest } = start(text, this.#part, this.#options)
    this.#splitter = splitter
    this.#pageLines = pageLines
    return [splitter, rest]
  }

  #split(splitter: RowSplitter, text: string, isLast = false): Batch | undefined {
    splitter.push(text, isLast)
    this.#nulBefore = isLast ? this.#nulBefore || this.#nul : this.#nul
    this.#nul = text.includes('\0')
    const { rows, lines, broken } = splitter.drain()
    blankFooters(rows, lines, broken, splitter.width)
    const columns = this.#columns ?? this.#takeHeader(rows, lines, broken)
    if (columns === undefined) return undefined
    blankRepeats(rows, lines, broken, this.#pageLines)
    if (this.#nul || this.#nulBefore) rejectDamaged(rows, lines, broken)
    if (rows.length === 0 && broken.length === 0) return undefined
    return { file: this.#part.shown, columns, rows, lines, broken }
  }

  #takeHeader(rows: string[][], lines: number[], broken: readonly BrokenRow[]) {
    const at = findHeader(rows)
    if (at < 0) {
      this.#fault ??= broken[0]?.reason
      return undefined
    }
    const first = rows[at]?.map((name) => name.trim()) ?? []
    const named = namesWithoutHeader(first, rows.slice(at + 1, at + 20), this.#part, this.#options)
    const joined = named === undefined ? joinHeader(rows.slice(at)) : undefined
    const names = named === undefined ? rows.slice(at, at + (joined === undefined ? 1 : 2)) : []
    for (const row of names) this.#pageLines.add(foldPageLine(row.join(' ')))
    rows.splice(0, at + names.length)
    lines.splice(0, at + names.length)
    if (rows[0] !== undefined && isTypes(rows[0])) rows[0] = rows[0].map(() => '')
    this.#columns = named ?? nameColumns(joined ?? first)
    return this.#columns
  }
}

function start(
  sample: string,
  part: Part,
  options: SourceOptions,
): { splitter: RowSplitter; pageLines: Set<string>; rest: string } {
  if (isBinary(sample)) {
    throw new CommandError(
      `${part.shown} is not a text file of rows, and not of another format that import reads. ` +
        ASK,
    )
  }
  const { skip, separator, columns } = findLayout(sample.slice(0, SAMPLE), options)
  let at = 0
  for (let line = 0; line < skip && at < sample.length; line += 1) {
    const end = sample.indexOf('\n', at)
    at = end < 0 ? sample.length : end + 1
  }
  const titles = sample.slice(0, at).split('\n')
  const lines = sample.slice(at, SAMPLE).split('\n').slice(0, 40)
  const splitter: RowSplitter =
    separator === undefined
      ? new FixedSplitter(columns ?? [{ from: 0, gap: 0 }], skip + 1, titles)
      : new CsvSplitter(separator, skip + 1, trailingSeparator(lines, separator))
  if (splitter instanceof CsvSplitter) splitter.padsShort = options.padsShort === true
  const pageLines = new Set(titles.map(foldPageLine).filter((line) => line !== ''))
  return { splitter, pageLines, rest: sample.slice(at) }
}

/** Ctrl-Z, by which DOS ends its texts. */
const DOS_END = '\u001a'

/** Replaces CR line ends by LF when the first piece has only CR. */
async function* endLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isOld: boolean | undefined
  for await (const chunk of bytes) {
    isOld ??= chunk.includes(13) && !chunk.includes(10)
    if (!isOld) {
      yield chunk
      continue
    }
    const ended = Buffer.from(chunk)
    for (let at = ended.indexOf(13); at >= 0; at = ended.indexOf(13, at + 1)) ended[at] = 10
    yield ended
  }
}

/** Blanks out totals and the end of a report. They are counted as rows and make no parcel. */
function blankFooters(rows: string[][], lines: number[], broken: BrokenRow[], width: number): void {
  rows.forEach((row, at) => {
    if (isFooter(row, width)) rows[at] = row.map(() => '')
  })
  blankBroken(rows, lines, broken, (text) => {
    if (text === DOS_END || isRulerLine(text)) return true
    const cells = text.split(/[,\t;|^~]/).map((cell) => cell.replaceAll('"', '').trim())
    return cells.length < width && isFooter(cells, width)
  })
}

/** Broken rows that are no parcels become blank rows. */
function blankBroken(
  rows: string[][],
  lines: number[],
  broken: BrokenRow[],
  isNone: (text: string) => boolean,
): void {
  for (let at = broken.length - 1; at >= 0; at -= 1) {
    const { text, line } = broken[at] as BrokenRow
    if (!isNone(text)) continue
    broken.splice(at, 1)
    rows.push([])
    lines.push(line)
  }
}

/** Titles and header of a further page become blank rows. */
function blankRepeats(
  rows: string[][],
  lines: number[],
  broken: BrokenRow[],
  pageLines: ReadonlySet<string>,
): void {
  const folded = [...pageLines]
  rows.forEach((row, at) => {
    // A parcel's row begins with a number or has most of its columns.
    if (/^\d/.test(row[0] ?? '')) return
    // Folding a wide row takes 20 µs, and most rows differ from every line in their first value.
    const start = foldPageLine(row.find(isFilled) ?? '')
    if (!folded.some((line) => line.startsWith(start))) return
    if (pageLines.has(foldPageLine(row.join(' ')))) rows[at] = row.map(() => '')
  })
  blankBroken(rows, lines, broken, (text) => pageLines.has(foldPageLine(text)))
}

/**
 * Share of control characters above which the first bytes are not text; compressed data has about a
 * tenth. NULs in a row count once because they pad fields.
 */
const CONTROLS_MAX = 0.05
const WIDE_MAX = 0.4

function isBinary(sample: string): boolean {
  const length = Math.min(sample.length, 4096)
  let [controls, wide] = [0, 0]
  for (let at = 0; at < length; at += 1) {
    const code = sample.charCodeAt(at)
    if (code > 126) wide += 1
    const isRun = code === 0 && at > 0 && sample.charCodeAt(at - 1) === 0
    if (code < 32 && (code < 9 || code > 13) && !isRun) controls += 1
  }
  // EBCDIC, read as Windows-1252: letters beyond ASCII, and no line ends.
  const isForeign = !sample.includes('\n') && wide > length * WIDE_MAX
  return controls > length * CONTROLS_MAX || isForeign
}

/** A NUL between other characters: bytes were lost. At the end of a field it is padding. */
const DAMAGED = /[^\0]\0+[^\0\s]/

function rejectDamaged(rows: string[][], lines: number[], broken: BrokenRow[]): void {
  const reason = 'NUL character in a value: the file is damaged there'
  for (let at = rows.length - 1; at >= 0; at -= 1) {
    const row = rows[at] ?? []
    if (!row.some((text) => DAMAGED.test(text))) continue
    broken.push({ line: lines[at] ?? 0, reason, text: row.join(',') })
    rows.splice(at, 1)
    lines.splice(at, 1)
  }
}

/**
 * Finds the first filled row. A program's line of `Unnamed: 0` or of numbers in order is no header
 * above one; -1: all rows are blank.
 */
function findHeader(rows: readonly string[][]): number {
  const at = rows.findIndex((row) => row.some(isFilled))
  const [first = [], second = [], ...next] = at < 0 ? [] : rows.slice(at, at + 20)
  const isNumbered = (from: number) =>
    first.every((text, place) => text.trim() === '' || text.trim() === String(place + from))
  const isNone = first.every((text) => /^(?:unnamed: ?\d+(?:_level_\d+)?)?$/i.test(text.trim()))
  const isPlaced = first.length > 2 && (isNone || isNumbered(0) || isNumbered(1))
  const isNamed = second.filter(isFilled).length > 2 && second.every((text) => !VALUE.test(text))
  return isPlaced && isNamed && !isData(second, next) ? at + 1 : at
}

/** Column names for a file whose first line is data; `undefined` when it is a header. */
function namesWithoutHeader(
  first: string[],
  next: string[][],
  part: Part,
  { columns }: SourceOptions,
): readonly string[] | undefined {
  if (columns === undefined) return undefined
  if (columns === 'guess') {
    return isData(first, next) ? first.map((_, at) => `column${at + 1}`) : undefined
  }
  const isHeader = first.every((name, at) => name.toUpperCase() === columns[at]?.toUpperCase())
  if (isHeader) return undefined
  if (columns.length !== first.length) {
    throw new CommandError(
      `${part.shown} has ${first.length} columns where the mapping names ${columns.length}`,
    )
  }
  return columns
}

/** Words for the kinds of columns, which some files have in a line below their names. */
const TYPE = new RegExp(
  '^(?:text|string|(?:var|n|nvar)?char|number|numeric|integer|(?:big|small)?int|double|float|real' +
    '|decimal|date(?:time)?|boolean|long|short)2?(?: ?\\(\\d+(?:, ?\\d+)?\\))?$',
  'i',
)

/** Reports whether a row has the kinds of the columns and no parcel. */
function isTypes(row: string[]): boolean {
  const filled = row.filter(isFilled)
  return filled.length > 2 && filled.every((text) => TYPE.test(text.trim()))
}

const VALUES_MIN = 0.15

/** Reports whether a first line is data like the lines after it. */
export function isData(first: string[], next: string[][]): boolean {
  const filled = first.filter((text) => text !== '')
  const values = first.filter((text) => VALUE.test(text) && !/^(?:19|20)\d\d$/.test(text))
  if (isShapedAlike(first, next)) return true
  if (values.length < 2 || values.length < filled.length * VALUES_MIN) return false
  // A header has each name once. Values that also occur in other rows are data.
  const alike = first.filter(
    (text, at) => VALUE.test(text) && next.some((row) => VALUE.test(row[at]?.trim() ?? '')),
  )
  return next.length === 0 || alike.length >= values.length / 2
}

/** Reports whether most fields differ from those of the next rows in their digits at most. */
function isShapedAlike(first: string[], next: string[][]): boolean {
  const shape = (text = '') => text.trim().toUpperCase().replace(/\d+/g, '9')
  const filled = first.filter((text) => text !== '')
  const alike = first.filter((text, at) => {
    const same = next.filter((row) => shape(row[at]) === shape(text))
    return text !== '' && same.length > next.length / 2
  })
  return next.length > 2 && alike.length >= Math.max(2, filled.length / 2)
}
