/** Detects the layout of a text table: title lines, header, separator, fixed width. */
import { detectSeparator } from './csv.ts'
import type { FixedColumn } from './fixed-width.ts'
import { foldPageLine, isFilled, isFooter, isRulerLine } from './page-lines.ts'

type TextLayout = {
  skip: number
  /** One character; `undefined` for fixed width. */
  separator: string | undefined
  /** Only for fixed width. */
  columns?: FixedColumn[]
}

type AskedLayout = {
  /** One character, or `fixed`. */
  separator?: string | undefined
  skip?: number | undefined
}

const LINES_MAX = 200
const TITLES_MAX = 20

/** Detects the layout of a text, except what `asked` says. Its last line may be cut off. */
export function findLayout(sample: string, asked: AskedLayout = {}): TextLayout {
  const lines = sample.split('\n', LINES_MAX + 1).map((line) => line.replace(/\r$/, ''))
  if (lines.length > 1) lines.pop()
  const rest = lines.slice(asked.skip ?? 0)
  const ruled = asked.separator === undefined ? findRuler(rest) : undefined
  if (ruled !== undefined) {
    return { skip: (asked.skip ?? 0) + ruled.skip, separator: undefined, columns: ruled.columns }
  }
  if (asked.separator !== undefined && asked.separator !== 'fixed') {
    const skip = asked.skip ?? countTitles(rest, asked.separator)
    return { skip, separator: asked.separator }
  }
  // Searches below the titles, which would mislead the detection of the separator. A header with
  // the same fields as the rows below it has no titles above and shows the separator best.
  const whole = detectSeparator(rest.join('\n'))
  const separator = isHeader(rest, whole) ? whole : detectSeparator(bodyOf(rest).join('\n'))
  const isCut = bodyOf(rest).some((line) => line.includes(separator))
  // Commas in names and amounts are not separators if the line of column names has none.
  const paged = asked.skip === undefined ? findBelowTitles(lines, false) : undefined
  if (paged !== undefined && !(lines[paged.skip] ?? '').includes(separator)) return paged
  // `552,700` below a header of fixed width.
  const first = rest.find(isFilled) ?? ''
  const isNamed = isCut && !first.includes(separator) && !/\d/.test(first)
  const own = isNamed ? findColumns(rest, false) : undefined
  if (own !== undefined) return { skip: asked.skip ?? 0, separator: undefined, columns: own }
  const skip = asked.skip ?? (isCut ? countTitles(rest, separator) : 0)
  const header = lines.slice(skip)
  if (asked.separator === 'fixed' || !(header.find(isFilled) ?? '').includes(separator)) {
    const isAsked = asked.separator === 'fixed'
    const columns = findColumns(header, isAsked)
    const below = asked.skip === undefined ? findBelowTitles(lines, isAsked) : undefined
    if (below !== undefined && (columns === undefined || below.isApart)) return below
    if (columns !== undefined) return { skip, separator: undefined, columns }
  }
  return { skip, separator }
}

/**
 * Finds fixed-width columns below title lines, which may have text anywhere. `isApart`: a blank
 * line is above a line without digits, which must be the header.
 */
function findBelowTitles(
  lines: string[],
  isAsked: boolean,
): (TextLayout & { isApart: boolean }) | undefined {
  const first = lines.findIndex(isFilled)
  const end = Math.min(TITLES_MAX, lines.length - 3)
  for (let skip = first + 1; skip <= end; skip += 1) {
    const line = lines[skip] ?? ''
    if (!isFilled(line) || /\d/.test(line) || isRulerLine(line)) continue
    const titles = new Set(lines.slice(0, skip).map(foldPageLine))
    const below = lines.slice(skip).filter((other) => !titles.has(foldPageLine(other)))
    const columns = findColumns(below, isAsked)
    const isApart = !isFilled(lines[skip - 1] ?? '')
    if (columns !== undefined) return { skip, separator: undefined, columns, isApart }
  }
  return undefined
}

/** Finds a ruler under the header, `------- ---- -----`, whose dashes mark the columns. */
function findRuler(lines: string[]): { skip: number; columns: FixedColumn[] } | undefined {
  const at = lines.findIndex((line) => RULER.test(line))
  if (at < 1 || at > TITLES_MAX) return undefined
  const starts = [...(lines[at] as string).matchAll(/[-=]+/g)].map(({ index }) => index)
  return {
    skip: at - 1,
    columns: starts.map((from, column) => ({ from, gap: column === 0 ? 0 : 1 })),
  }
}

/** Three or more runs of dashes with blanks between them. */
const RULER = /^ *[-=]{2,}(?: +[-=]{2,}){2,} *\r?$/

/** Reports whether the first filled line has as many fields as most lines, and at least three. */
function isHeader(lines: string[], separator: string): boolean {
  const widths = lines.filter(isFilled).map((line) => cut(line, separator).length)
  return (widths[0] ?? 0) >= 3 && widths[0] === commonest(widths)
}

/** Returns the lines below the possible titles; all lines of a short text. */
function bodyOf(lines: string[]): string[] {
  return lines.length > 2 * TITLES_MAX ? lines.slice(TITLES_MAX) : lines
}

/**
 * Counts the lines above the header. A title has at most half as many fields as most lines, or the
 * same number with all but one blank.
 */
function countTitles(lines: string[], separator: string): number {
  const rows = lines.map((line) => cut(line, separator))
  const width = commonest(
    rows.filter((_, at) => isFilled(lines[at] ?? '')).map((row) => row.length),
  )
  if (width < 3) return 0
  const first = rows.findIndex((row) => !isTitle(row, width))
  const titles = rows.slice(0, Math.max(0, first))
  return titles.length <= TITLES_MAX ? titles.length : 0
}

function isTitle(row: string[], width: number): boolean {
  const filled = row.filter(isFilled).length
  return filled <= 1 || row.length <= Math.floor(width / 2)
}

/**
 * Finds the starts of fixed-width columns: after positions that are blank in every line and, where
 * columns touch, at separate words of the header. Text without a name in the header belongs to the
 * column before. `undefined`: the lines are not fixed-width.
 */
function findColumns(all: string[], isAsked: boolean): FixedColumn[] | undefined {
  const lines = all
    .map((line) => line.replace('\f', ''))
    .filter((line) => isFilled(line) && !isFooter([line.trim()], 2) && !isRulerLine(line))
  const [header] = lines
  if (header === undefined || lines.length < 3 || lines.some((line) => line.includes('\t'))) {
    return undefined
  }
  const width = Math.max(...lines.map(({ length }) => length))
  const spans: FixedColumn[] = []
  let gap = 0
  for (let at = 0; at < width; at += 1) {
    if (lines.every((line) => (line[at] ?? ' ') === ' ')) {
      gap += 1
      continue
    }
    const isWord = at > 1 && header.slice(at - 2, at) === '  ' && (header[at] ?? ' ') !== ' '
    if (spans.length === 0 || gap > 0 || isWord) spans.push({ from: at, gap })
    gap = 0
  }
  const named = spans.filter(({ from }, at) => isFilled(header.slice(from, spans[at + 1]?.from)))
  // `DEED PAGE` above short values: a second word that never has one is a word of the same name.
  const names = foldPageLine(header)
  const rows = lines.filter((line) => foldPageLine(line) !== names)
  const columns = named.filter(({ from, gap }, at) => {
    const to = named[at + 1]?.from
    return gap !== 1 || rows.some((line) => isFilled(line.slice(from, to)))
  })
  const isSure = columns.length >= 3 && columns.slice(1).some((column) => column.gap >= 2)
  return isSure || (isAsked && columns.length > 1) ? columns : undefined
}

function cut(line: string, separator: string): string[] {
  return line
    .replace(/"([^"]*)"/g, (_, text: string) => (isFilled(text) ? 'x' : ''))
    .split(separator)
}

function commonest(numbers: number[]): number {
  const counts = new Map<number, number>()
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0
}

/**
 * Returns a name for every column. A missing name becomes its position (`column3`), a repeated name
 * gets a count (`OWNER (2)`), so that a mapping can refer to each.
 */
export function nameColumns(names: readonly string[]): string[] {
  const counts = new Map<string, number>()
  return names.map((raw, at) => {
    const name = raw.trim()
    if (name === '') return `column${at + 1}`
    const key = name.toUpperCase()
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count === 1 ? name : `${name} (${count})`
  })
}

/** Numbers, dates and money. They occur in rows and, apart from years, never in a header. */
export const VALUE = /^[-$(]?[\d,]*\.?\d+\)?$|^\d{1,4}[-/]\d{1,2}[-/]\d{1,4}(?:[ T].*)?$/
/** The least columns of numbers below two lines of names. */
const VALUED_MIN = 2

/**
 * Joins a header of two lines, whose first has a name above several columns: `Owner` above `Name`
 * and `City`. `undefined`: the first row of `rows` is the whole header.
 */
export function joinHeader([groups = [], parts = [], ...below]: string[][]): string[] | undefined {
  // A sheet's second line ends before names that are one cell in both: `Acres`.
  const width = Math.max(groups.length, parts.length)
  const isBlank = (at: number) => !isFilled(groups[at] ?? '')
  const columns = [...Array(width).keys()]
  const blanks = columns.filter(isBlank)
  const isGroup = blanks.length * 4 >= width && width - blanks.length > 1
  if (!isGroup || blanks.some((at) => !isFilled(parts[at] ?? ''))) return undefined
  const isValue = (text = '') => VALUE.test(text.trim())
  const rows = below.filter((row) => row.some(isFilled)).slice(0, 20)
  const valued = columns.filter(
    (at) => rows.filter((row) => isValue(row[at])).length * 2 > rows.length,
  )
  if ([...groups, ...parts].some(isValue) || valued.length < VALUED_MIN) return undefined
  // A row of a table some of whose columns have no name.
  const isRow =
    valued.filter((at) => isFilled(parts[at] ?? '')).length * 2 < valued.length ||
    parts.some((part, at) => isFilled(part) && rows.some((row) => row[at] === part))
  if (isRow) return undefined
  let group = ''
  return columns.map((at) => {
    group = isBlank(at) ? group : (groups[at] ?? '')
    return `${group.trim()} ${parts[at]?.trim() ?? ''}`.trim()
  })
}

/** Number of rows below the header that are examined for how lines end. */
const ENDS_LOOKED_AT = 20

/**
 * How the header differs from its rows by a separator at the end: 1, rows have one more; -1, the
 * header has. 0 unless all first rows agree, and none has the blank of a comma in a name.
 */
export function trailingSeparator(lines: readonly string[], separator: string): -1 | 0 | 1 {
  const [header, ...rows] = lines
    .filter(isFilled)
    .slice(0, ENDS_LOOKED_AT)
    .map((line) => cut(line.replace(/\r$/, ''), separator))
  if (header === undefined || header.length < 3 || rows.length < 3) return 0
  const isWithin = rows.some((row) => row.slice(1).some((text) => text.startsWith(' ')))
  if (rows.every((row) => row.length === header.length + 1 && row.at(-1) === '')) {
    return isWithin ? 0 : 1
  }
  return header.at(-1) === '' && rows.every((row) => row.length === header.length - 1) ? -1 : 0
}
