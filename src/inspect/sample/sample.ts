/**
 * Reads a file once, counts over every row and keeps some rows. Memory is bounded whatever the
 * file's size.
 */
import type { Batch, ReadingNotes, SourceOptions } from '../../import/batch.ts'
import { columnKey } from '../../import/mapping/expression.ts'
import { splitPath } from '../../import/readers/container.ts'
import { readBareExtent, type ShapeExtent } from '../../import/readers/shapefile.ts'
import { type Unplaced, UnplacedShapes } from '../../import/report/unplaced.ts'
import { readSource } from '../../import/source.ts'
import { Distinct } from './distinct.ts'
import { type NullKind, nullKind, rareNull } from './nulls.ts'

/** Rows kept: the first ones, and a random sample of the others. docs/decisions/inspect.md. */
const FIRST_ROWS = 1000
const OTHER_ROWS = 2000
/** Rows after which distinct values are no longer counted for columns with few values. */
const SETTLED_ROWS = 2000
/** First values kept per column, so that a column filled in few rows has samples. */
const FIRST_VALUES = 100
/** Further columns are only examined in the kept rows. */
const COUNTED_COLUMNS = 400

/** One column: counts over all rows, and kept values. */
export type Column = {
  name: string
  /** It came from an object within a row of JSON. */
  isNested?: boolean
  /** The first rows lack it, as JSON does without a value. */
  isLate?: boolean
  /** It is of a joined table that has several rows for a parcel. */
  isOfSeveral?: boolean
  /** Rows with a value. */
  filled: number
  nulls: Partial<Record<NullKind, number>>
  /** Kinds of unknown values, counted as if the column held dates or prices. */
  rare: Partial<Record<NullKind, number>>
  /** Its first values; a nearly empty column has no others. */
  firsts: string[]
  /** Estimated number of distinct values; `undefined` when many rows share few values. */
  distinct: number | undefined
}

/** What is kept of a file after reading it. */
export type Sample = {
  file: string
  columns: Column[]
  /** Rows with a value in some column. */
  rows: number
  blankRows: number
  brokenRows: number
  /** The file has no header line; columns are named `column1` and so on. */
  headless: boolean
  /** Values of the kept rows by column, in the order of the file; `''` where a row has none. */
  kept: string[][]
  /** WGS84 points of the kept rows' shapes. */
  points: (readonly [number, number] | null)[]
  /** Rows that had a shape and got none, by reason. */
  unplaced: Unplaced[]
  /** Of the first shapefile without a .prj file, in its own units. */
  bareExtent?: ShapeExtent | undefined
}

export type SampleOptions = Pick<
  SourceOptions,
  'encoding' | 'separator' | 'skip' | 'epsg' | 'fixedWidth'
> & {
  /** `YYYY-MM-DD`; dates more than a year later are moved back by a century. */
  today?: string
  /** Called with a sentence for each doubtful point about a file. */
  onWarning?(text: string): void
  /** Called with the rows that were read and the bytes behind them. */
  onRead?(rows: number, bytes: number): void
}

/**
 * Reads files of one layout to their end. Throws `CommandError` for a file that import cannot read.
 */
export async function takeSample(
  paths: string | string[],
  options: SampleOptions = {},
): Promise<Sample> {
  const files = [paths].flat()
  const source = sourceOf(options)
  const { notes } = source
  const keeper = new Keeper(splitPath(files[0] ?? '').file, options.today ?? '9998-12-31')
  // Of several kinds of line, the one with most columns has the parcels.
  const width = Math.max(0, ...(options.fixedWidth ?? []).map(({ columns }) => columns.length))
  for await (const batch of readSource(files, source)) {
    if (batch.columns.length < width) continue
    keeper.brokenRows += batch.broken.length
    keeper.add(batch)
    options.onRead?.(batch.rows.length, notes.bytes)
    notes.bytes = 0
  }
  const found = { ...keeper.finish(), unplaced: notes.unplaced.list() }
  return { ...found, bareExtent: await readBareExtent(files) }
}

/** Returns the options for reading a file of unknown columns. */
export function sourceOf(options: SampleOptions): SourceOptions & { notes: ReadingNotes } {
  return {
    ...options,
    columns: 'guess',
    geometry: false,
    fits: (columns) => columns.some((name) => name !== ''),
    notes: {
      bytes: 0,
      unplaced: new UnplacedShapes(),
      warn: options.onWarning ?? (() => {}),
    },
  }
}

class Keeper {
  rows = 0
  blankRows = 0
  brokenRows = 0
  readonly #file: string
  readonly #latest: string
  readonly #columns: Column[] = []
  readonly #sets: (Distinct | undefined)[] = []
  readonly #index = new Map<string, number>()
  readonly #kept: { at: number; row: string[]; point: readonly [number, number] | null }[] = []
  #random = 0x9e3779b9
  #lastNames: readonly string[] | undefined
  #lastPlaces: number[] | undefined

  constructor(file: string, today: string) {
    this.#file = file
    this.#latest = `${Number(today.slice(0, 4)) + 1}${today.slice(4)}`
  }

  add({ columns: names, nested, rows, points }: Batch): void {
    const places = this.#placesOf(names, nested)
    // Of an archive's layers and tables only those with the first one's columns are read.
    if (places === undefined) return
    rows.forEach((row, index) => {
      if (this.#count(row, places)) this.#keep(row, places, points?.[index] ?? null)
    })
  }

  finish(): Omit<Sample, 'unplaced'> {
    const kept = this.#kept.sort((a, b) => a.at - b.at)
    this.#columns.forEach((column, at) => {
      const count = this.#sets[at]?.count()
      column.distinct = count === undefined ? undefined : Math.min(count, column.filled)
    })
    const headless =
      this.#columns.length > 1 && this.#columns.every(({ name }, at) => name === `column${at + 1}`)
    // Spreadsheets write columns that have neither a name nor values.
    const shown = [...this.#columns.keys()].filter(
      (at) => headless || !isPadding(this.#columns[at]),
    )
    return {
      file: this.#file,
      columns: this.#columns.filter((_, at) => shown.includes(at)),
      rows: this.rows,
      blankRows: this.blankRows,
      brokenRows: this.brokenRows,
      headless,
      kept: kept.map(({ row }) => shown.map((at) => row[at] ?? '')),
      points: kept.map(({ point }) => point),
    }
  }

  /**
   * Returns the index here of each column of a batch; -1 for a repeated name. `undefined` for a
   * layer of another table.
   */
  #placesOf(names: readonly string[], nested?: Batch['nested']): number[] | undefined {
    if (names === this.#lastNames) return this.#lastPlaces
    const keys = names.map(columnKey)
    const known = keys.filter((key) => this.#index.has(key)).length
    this.#lastNames = names
    this.#lastPlaces = undefined
    if (this.#columns.length === 0 || known >= Math.min(names.length, this.#columns.length) / 2) {
      this.#lastPlaces = keys.map((key, at) => {
        if (keys.indexOf(key) !== at) return -1
        const name = names[at] ?? ''
        return this.#index.get(key) ?? this.#addColumn(name, nested?.has(name))
      })
    }
    return this.#lastPlaces
  }

  #addColumn(name: string, isNested = false): number {
    const place = this.#columns.length
    const counts = { filled: 0, nulls: {}, rare: {}, firsts: [], distinct: undefined }
    this.#columns.push({ name, isNested, isLate: this.rows > 0, ...counts })
    this.#sets.push(place < COUNTED_COLUMNS ? new Distinct() : undefined)
    this.#index.set(columnKey(name), place)
    return place
  }

  /** Counts a row; returns false when it is blank. */
  #count(row: string[], places: number[]): boolean {
    if (row.every((text) => text === '' || text.trim() === '')) {
      this.blankRows += 1
      return false
    }
    this.rows += 1
    for (let at = 0; at < places.length; at += 1) {
      const place = places[at] as number
      if (place < 0) continue
      const column = this.#columns[place] as Column
      const raw = row[at] ?? ''
      const kind = nullKind(raw)
      if (kind !== undefined) column.nulls[kind] = (column.nulls[kind] ?? 0) + 1
      if (kind === undefined || kind === 'zero') column.filled += 1
      if (kind !== undefined) continue
      const rare = rareNull(raw, this.#latest)
      if (rare !== undefined) column.rare[rare] = (column.rare[rare] ?? 0) + 1
      this.#sets[place]?.add(raw)
      if (column.firsts.length < FIRST_VALUES) column.firsts.push(copy(raw))
    }
    if (this.rows === SETTLED_ROWS) this.#settle()
    return true
  }

  /** Stops counting distinct values of columns with few values in many rows. */
  #settle(): void {
    this.#sets.forEach((set, at) => {
      const filled = this.#columns[at]?.filled ?? 0
      if (set !== undefined && set.count() < filled * 0.3) this.#sets[at] = undefined
    })
  }

  /**
   * Keeps the first rows, and others with equal probability (Vitter's algorithm R). The random
   * numbers are fixed, so the same file gives the same sample.
   */
  #keep(row: string[], places: number[], point: readonly [number, number] | null): void {
    const at = this.rows
    const total = FIRST_ROWS + OTHER_ROWS
    if (this.#kept.length < total) {
      this.#kept.push({ at, row: this.#arrange(row, places), point })
      return
    }
    const place = Math.floor(this.#next() * (at - FIRST_ROWS))
    if (place < OTHER_ROWS) {
      this.#kept[FIRST_ROWS + place] = { at, row: this.#arrange(row, places), point }
    }
  }

  /** Orders values by the columns of the whole file and cuts long texts. */
  #arrange(row: string[], places: number[]): string[] {
    const values: string[] = []
    places.forEach((place, at) => {
      if (place < 0) return
      const text = row[at] ?? ''
      values[place] = copy(text)
    })
    return values
  }

  /** Marsaglia's xorshift32, scaled to 0 up to 1. */
  #next(): number {
    let x = this.#random
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    this.#random = x >>> 0
    return this.#random / 4_294_967_296
  }
}

/** A column that is named by its place alone and has no values. */
const isPadding = (column: Column | undefined) =>
  column !== undefined && column.filled === 0 && /^column\d+$/.test(column.name)

const TEXT_MAX = 500

/** Copies a text. A slice of a piece of the file would keep the whole piece in memory. */
function copy(text: string): string {
  return text === '' ? '' : Buffer.from(text.slice(0, TEXT_MAX)).toString()
}
