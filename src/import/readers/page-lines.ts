/**
 * Lines of a printed page that are no parcels: totals, rulers, notes, and the titles and names of
 * columns that reports repeat on every page. They become blank rows, which are counted as skipped.
 */

/** A row under the last parcel: a total, or how many rows there are. */
const FOOTERS = [
  /^\W*(?:grand |sub-?)?totals?(?: (?:records?|rows?|parcels?|count))?\s*[:=]?\s*[\d,]*\W*$/i,
  /^\W*(?:number|#) of (?:records?|rows?|parcels?)\s*[:=]?\s*[\d,]*\W*$/i,
  // Without a colon, ROW is a right of way.
  /^\W*(?:record|row)s?(?: count)?\s*[:=]\s*[\d,]*\W*$/i,
  /^\W*(?:records?|rows?|parcels?) (?:listed|printed|selected|exported)\s*[:=]?\s*[\d,]*\W*$/i,
  /^\W*end of (?:report|file)\W*$/i,
  /^\(?[\d,]+ (?:record|row)s?(?: (?:affected|selected|returned))?\)?\.?$/i,
  /^\W*page\s*[:#]?\s*\d+(?:\s*(?:of|\/)\s*\d+)?\W*$/i,
  /^SQL> ?\w.*$/,
]

/** Each such line contains one of these words, so one test rejects most rows. */
const MAYBE = /total|record|row|parcel|of|page|SQL>/i

/**
 * Whether a row is no parcel but a total, a note, or the end of a report. `width`: the number of
 * columns.
 */
export function isFooter(row: readonly string[], width: number): boolean {
  const first = row[0] === '' ? row[1] : row[0]
  if (first === undefined || first === '') return false
  if (isNote(row, width) || isRuler(row)) return true
  if (first.length > 60 || !MAYBE.test(first)) return false
  if (row.filter(isFilled).length > Math.max(1, Math.floor(width / 2))) return false
  // Fixed width cuts a footer anywhere.
  const texts = [first, row.join(' ').trim(), row.join('')]
  return texts.some((text) => FOOTERS.some((footer) => footer.test(text)))
}

/** In tables with at least this many columns, words alone in the first column are a note. */
const NOTE_WIDTH = 5
/** Two words of letters: no parcel is numbered so. */
const NOTE = /[A-Za-z]{3,}[^A-Za-z]+(?:[A-Za-z]+[^A-Za-z]+)*[A-Za-z]{2,}/

/**
 * `Printed by the assessor`, `ABBOTT TOWNSHIP`: words alone where a wide table has its first
 * column.
 */
function isNote(row: readonly string[], width: number): boolean {
  if (width < NOTE_WIDTH || isFilled(row[1] ?? '') || !NOTE.test(row[0] ?? '')) return false
  return row.every((text, at) => at === 0 || !isFilled(text))
}

/** `----------|-----|------`: dashes in every column, and nothing else. */
function isRuler(row: readonly string[]): boolean {
  return DASHES.test(row[0] ?? '') && row.every((text) => DASHES.test(text))
}
const DASHES = /^\s*[-=+]{2,}\s*$/

/** `-----+-----+----`, as databases part names and rows. */
export function isRulerLine(line: string): boolean {
  return /^[\s|+=-]+$/.test(line) && line.includes('--')
}

/** A line without what differs from page to page: numbers, separators, blanks. */
export function foldPageLine(line: string): string {
  return line
    .replace(/\d+/g, '#')
    .replace(/[\s,;|"^~]+/g, ' ')
    .trim()
    .toUpperCase()
}

/** Whether a value has anything but blanks. */
export function isFilled(text: string): boolean {
  return text.trim() !== ''
}
