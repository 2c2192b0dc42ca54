/**
 * Reads one sheet of an Excel workbook (.xlsx), row by row, with `yauzl` and an XML reader of our
 * own. The available packages hold whole sheets in memory or are no longer maintained.
 */
import * as yauzl from 'yauzl'
import { closing } from '../../../base/at-end.ts'
import { CommandError } from '../../../base/errors.ts'
import { type Batch, emptyBatch, type ReadingNotes, type SourceOptions } from '../../batch.ts'
import { ROW_MAX } from '../../bounds.ts'
import { noteReading } from '../../watch-reading.ts'
import { type Part, withPath } from '../container.ts'
import { isFilled, isFooter } from '../page-lines.ts'
import { joinHeader, nameColumns } from '../preamble.ts'
import { PLAIN, showNumber } from './numbers.ts'
import { openWorkbook, RichText, readEntry, type Workbook } from './workbook.ts'
import { attributeOf, unescapeXml, type XmlEvent } from './xml.ts'

/** Rows searched for the header; titles may be above it. */
const HEAD_ROWS = 20
/** Smallest share of columns that the header row fills. */
const NAMED_SHARE = 0.6
/** Most columns of a sheet, and most characters of a cell, by the standard. */
const COLUMNS_MAX = 16_384
const CELL_MAX = 32_767

/** Reads the sheet that the path names, or else the first visible one. */
export async function* readXlsx(part: Part, options: SourceOptions): AsyncGenerator<Batch> {
  yield* withPath(part, (path) => readFile(path, part, options))
}

async function* readFile(path: string, part: Part, options: SourceOptions): AsyncGenerator<Batch> {
  await using zip = closing(await yauzl.openPromise(path, { autoClose: false }))
  const entries = new Map<string, yauzl.Entry>()
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
  const book = await openWorkbook(zip, entries, part.shown, part.layer)
  const { sheet, others } = book
  if (others.length > 0) {
    options.notes?.warn(
      `${part.shown}: only one sheet is read, not ${others.join(', ')}: ` +
        `name another as ${part.shown}!${others[0]}`,
    )
  }
  const ratio = sheet.compressedSize / Math.max(1, sheet.uncompressedSize)
  const cells = readRows(readEntry(zip, sheet, part.shown), book, part.shown)
  yield* makeBatches(cells, part.shown, ratio, options.notes)
}

type SheetRow = { line: number; cells: string[] }

async function* readRows(
  pieces: AsyncIterable<XmlEvent[]>,
  book: Workbook,
  shown: string,
): AsyncGenerator<SheetRow[]> {
  const reader = new RowReader(book, shown)
  for await (const events of pieces) {
    for (const event of events) reader.take(event)
    yield reader.drain()
  }
}

class RowReader {
  readonly #book: Workbook
  readonly #shown: string
  readonly #inline = new RichText()
  #rows: SheetRow[] = []
  #row: SheetRow = { line: 0, cells: [] }
  #cell = { column: 0, type: 'n', style: 0, value: '' }
  #next = 0
  #size = 0
  #inValue = false

  constructor(book: Workbook, shown: string) {
    this.#book = book
    this.#shown = shown
  }

  drain(): SheetRow[] {
    const rows = this.#rows
    this.#rows = []
    return rows
  }

  take(event: XmlEvent): void {
    if (event.kind === 'text') {
      if (this.#inValue) this.#cell.value += event.text
      else this.#inline.take(event)
      this.#refuseLong(Math.max(this.#cell.value.length, this.#inline.length))
    } else if (event.name === 'row') this.#takeRow(event)
    else if (event.name === 'c') {
      if (event.kind === 'open') this.#openCell(event.attributes)
      else this.#closeCell()
    } else if (event.name === 'v') this.#inValue = event.kind === 'open' && !event.isEmpty
    else this.#inline.take(event)
  }

  #takeRow(event: Exclude<XmlEvent, { kind: 'text' }>): void {
    if (event.kind === 'open') {
      const line = Number(attributeOf(event.attributes, 'r') ?? this.#row.line + 1)
      this.#row = { line, cells: [] }
      this.#next = 0
      this.#size = 0
    } else if (this.#row.cells.length > 0) this.#rows.push(this.#row)
  }

  #openCell(attributes: string): void {
    const of = (name: string) => attributeOf(attributes, name)
    const column = columnOf(of('r')) ?? this.#next
    if (column >= COLUMNS_MAX) {
      throw new CommandError(`${this.#shown} is damaged: a cell in column ${column + 1}`)
    }
    this.#cell = { column, type: of('t') ?? 'n', style: Number(of('s') ?? 0), value: '' }
    this.#inline.clear()
    this.#next = column + 1
  }

  /** Entities and runs take more characters in the file than in the text. */
  #refuseLong(length: number): void {
    if (length <= CELL_MAX * 10) return
    throw new CommandError(
      `${this.#shown} is damaged: a cell of row ${this.#row.line} has more characters ` +
        'than a workbook allows',
    )
  }

  #closeCell(): void {
    const { cells } = this.#row
    const text = showCell(this.#cell, this.#inline, this.#book)
    if (text === '') return
    this.#refuseLong(text.length)
    this.#size += text.length
    if (this.#size > ROW_MAX) {
      throw new CommandError(`${this.#shown} is damaged: row ${this.#row.line} has more than 8 MB`)
    }
    while (cells.length < this.#cell.column) cells.push('')
    cells[this.#cell.column] = text
  }
}

/** Returns the column index of a cell name, counted from 0: 27 for `AB12`. */
function columnOf(name: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,4}/.exec(name ?? '')?.[0]
  if (letters === undefined) return undefined
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

function showCell(
  { type, style, value }: { type: string; style: number; value: string },
  inline: RichText,
  { texts, forms, from1904 }: Workbook,
): string {
  switch (type) {
    case 's':
      return texts[Number(value)] ?? ''
    case 'inlineStr':
      return inline.text()
    case 'b':
      return value === '1' ? 'TRUE' : 'FALSE'
    case 'e':
      return ''
    case 'n':
      return showNumber(value, forms[style] ?? PLAIN, from1904)
    default:
      // Texts of formulas, and dates stored as text.
      return unescapeXml(value)
  }
}

async function* makeBatches(
  pieces: AsyncIterable<SheetRow[]>,
  shown: string,
  ratio: number,
  notes: ReadingNotes | undefined,
): AsyncGenerator<Batch> {
  let head: SheetRow[] | undefined = []
  let batch = emptyBatch(shown, [])
  for await (const rows of pieces) {
    // Counts some 30 characters for the tags of each cell.
    const size = rows
      .flatMap(({ cells }) => cells)
      .reduce((sum, { length }) => sum + length + 30, 0)
    noteReading(notes, size * ratio)
    if (head !== undefined) {
      head.push(...rows)
      if (head.length < HEAD_ROWS) continue
      batch = begin(head, shown)
      head = undefined
    } else for (const row of rows) add(batch, row)
    if (batch.rows.length + batch.broken.length === 0) continue
    yield batch
    batch = emptyBatch(shown, batch.columns)
  }
  if (head === undefined) return
  batch = begin(head, shown)
  if (batch.columns.length === 0) throw new CommandError(`${shown} is empty`)
  yield batch
}

/** The first batch. The header is the first row that fills most columns, below titles. */
function begin(rows: SheetRow[], shown: string): Batch {
  const filled = rows.map(({ cells }) => cells.filter(isFilled).length)
  const most = Math.max(0, ...filled.slice(0, HEAD_ROWS))
  const at = filled.findIndex((count) => count > 0 && count >= most * NAMED_SHARE)
  const below = (from: number) => rows.slice(from).map(({ cells }) => cells)
  const names = rows[at]?.cells ?? []
  const own = joinHeader(below(at))
  // A row above distinct names is a title: `Harlow County … Page 1`.
  const repeats = new Set(names).size < names.length
  const above = at > 0 && repeats ? joinHeader(below(at - 1)) : undefined
  const batch = emptyBatch(shown, nameColumns(own ?? above ?? names))
  for (const row of rows.slice(at + (own === undefined ? 1 : 2))) add(batch, row)
  return batch
}

function add(batch: Batch, { line, cells }: SheetRow): void {
  const width = batch.columns.length
  if (cells.slice(width).some(isFilled)) {
    const reason = `${cells.length} cells where the sheet names ${width} columns`
    batch.broken.push({ line, reason, text: cells.join(',') })
    return
  }
  if (cells.some((text) => text.includes('\0'))) {
    const reason = 'NUL character in a value: the file is damaged there'
    batch.broken.push({ line, reason, text: cells.join(',') })
    return
  }
  const row = batch.columns.map((_, at) => cells[at] ?? '')
  batch.rows.push(isFooter(row, width) ? row.map(() => '') : row)
  batch.lines.push(line)
}
