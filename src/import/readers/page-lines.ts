/** Recognizes lines of a printed report that are no parcels; readers make them blank rows. */

const TOTAL =
  /^\W*(?:grand |sub-?)?totals?(?: (?:records?|rows?|parcels?|count))?\s*[:=]?\s*[\d,]*\W*$/i
/** Forms of a row below the last parcel: a total, or the number of rows. */
const FOOTERS = [
  TOTAL,
  /^\W*(?:number|#) of (?:records?|rows?|parcels?)\s*[:=]?\s*[\d,]*\W*$/i,
  // Without a colon, ROW is a right of way.
  /^\W*(?:record|row)s?(?: count)?\s*[:=]\s*[\d,]*\W*$/i,
  /^\W*(?:records?|rows?|parcels?) (?:listed|printed|selected|exported)\s*[:=]?\s*[\d,]*\W*$/i,
  /^\W*end of (?:report|file)\W*$/i,
  /^\(?[\d,]+ (?:record|row)s?(?: (?:affected|selected|returned))?\)?\.?$/i,
  /^\W*page\s*[:#]?\s*\d+(?:\s*(?:of|\/)\s*\d+)?\W*$/i,
  /^SQL> ?\w.*$/,
]

/** A sum below a column, which every column of a table of values may have. */
const SUM = /^[\s$(-]*\d[\d,.]*[\s)%]*$/

/** Every footer contains one of these words, so one test rejects most rows. */
const MAYBE = /total|record|row|parcel|of|page|SQL>/i

/** Whether a row is a total, a note or the end of a report. `width`: the number of columns. */
export function isFooter(row: readonly string[], width: number): boolean {
  const first = row[0] === '' ? row[1] : row[0]
  if (first === undefined || first === '') return false
  if (isNote(row, width) || isRuler(row)) return true
  if (first.length > 60 || !MAYBE.test(first)) return false
  const filled = row.filter(isFilled)
  if (TOTAL.test(first) && filled.slice(1).every((text) => SUM.test(text))) return true
  if (filled.length > Math.max(1, Math.floor(width / 2))) return false
  // Fixed-width columns may cut a footer at any character.
  const texts = [first, row.join(' ').trim(), row.join('')]
  return texts.some((text) => FOOTERS.some((footer) => footer.test(text)))
}

/** In tables with at least this many columns, a row with only words in the first one is a note. */
const NOTE_WIDTH = 5
/** Two words of letters, which no parcel ID consists of. */
const NOTE = /[A-Za-z]{3,}[^A-Za-z]+(?:[A-Za-z]+[^A-Za-z]+)*[A-Za-z]{2,}/

/** Whether a row of a wide table has only words in its first column: `ABBOTT TOWNSHIP`. */
function isNote(row: readonly string[], width: number): boolean {
  if (width < NOTE_WIDTH || isFilled(row[1] ?? '') || !NOTE.test(row[0] ?? '')) return false
  return row.every((text, at) => at === 0 || !isFilled(text))
}

/** Reports whether every column has only dashes: `----------|-----|------`. */
function isRuler(row: readonly string[]): boolean {
  return DASHES.test(row[0] ?? '') && row.every((text) => DASHES.test(text))
}
const DASHES = /^\s*[-=+]{2,}\s*$/

/** Reports whether a line is a ruler between column names and rows: `-----+-----+----`. */
export function isRulerLine(line: string): boolean {
  return /^[\s|+=-]+$/.test(line) && line.includes('--')
}

/** Returns a line without what differs between pages: numbers, separators and blanks. */
export function foldPageLine(line: string): string {
  return line
    .replace(/\d+/g, '#')
    .replace(/[\s,;|"^~]+/g, ' ')
    .trim()
    .toUpperCase()
}

/** Reports whether a value has anything but blanks. */
export function isFilled(text: string): boolean {
  return text.trim() !== ''
}
