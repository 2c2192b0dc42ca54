/**
 * Classifies the values that stand for "unknown" in rolls, so that a person sees how many of each
 * kind a file has.
 */
import { readDate } from '../../import/mapping/dates.ts'
import { isHashes, SHEET_FAULTS } from '../../import/mapping/null-words.ts'

export type NullKind =
  | 'blank'
  | 'the word NULL'
  | 'the word NA'
  | 'another word for unknown'
  | 'a spreadsheet fault'
  | 'all zeros'
  | 'zero'
  | 'price 0'
  | 'price 1'
  | 'year 9999'
  | '1899-12-31'
  | '1900-01-01'
  | 'a date a century ahead'

const WORDS: ReadonlyMap<string, NullKind> = new Map([
  ...['NULL', '<NULL>', '(NULL)', '[NULL]', 'NAN', '\\N'].map(
    (word) => [word, 'the word NULL'] as const,
  ),
  ...['NA', 'N/A', '#N/A', 'N.A.', '<NA>'].map((word) => [word, 'the word NA'] as const),
  ...(
    'UNKNOWN,UNK,NONE,NOT ' +
    'AVAILABLE,UNAVAILABLE,(BLANK),BLANK,MISSING,-,--,---,.,?,TBD,UNASSIGNED,NO ' +
    'ADDRESS,**NO SITUS**,NO SITUS'
  )
    .split(',')
    .map((word) => [word, 'another word for unknown'] as const),
  ...SHEET_FAULTS.map((word) => [word, 'a spreadsheet fault'] as const),
])

/**
 * Returns the kind of unknown that a raw value means; `undefined` for a real value.
 *
 * Null prices and dates look like other numbers, so `dateNull` and `priceNull` are only used for
 * columns known to hold them.
 */
export function nullKind(raw: string): NullKind | undefined {
  const first = raw.charCodeAt(0)
  if (raw === '' || (first <= 32 && raw.trim() === '')) return 'blank'
  // No unknown word begins with a digit from 1 to 8, as most values do.
  if (first >= 49 && first <= 56) return undefined
  if (first === 48) {
    if (raw.length === 1 || /^0+(?:\.0+)?$/.test(raw)) {
      return /^0{2,}$/.test(raw) ? 'all zeros' : 'zero'
    }
    return /^[0/\- :.T]+$/.test(raw) ? 'all zeros' : undefined
  }
  if (first === 57) return /^9999(?:-|1231|\b)|^9{6,8}$/.test(raw) ? 'year 9999' : undefined
  if (first === 35 && isHashes(raw.trim())) return 'a spreadsheet fault'
  if (raw.length > 16) return undefined
  return WORDS.get(raw.trim().toUpperCase())
}

/**
 * For a date column: the null dates of spreadsheets and databases, and future dates from two-digit
 * years.
 */
export function dateNull(text: string, latest: string): NullKind | undefined {
  if (/9999/.test(text) && readDate(text, 'auto', '9999-12-31') === null) return 'year 9999'
  if (/^(?:1899-12-3[01]|18991231|12\/3[01]\/1899)/.test(text)) return '1899-12-31'
  if (/^(?:1900-0?1-0?1|19000101|0?1\/0?1\/1900)/.test(text)) return '1900-01-01'
  const date = readDate(text, 'auto', '2299-12-31')
  return typeof date === 'string' && date > latest ? 'a date a century ahead' : undefined
}

/** For a price column: 0 and 1, which mean that nothing was paid. */
export function priceNull(text: string): NullKind | undefined {
  if (/^\$?0+(?:\.0+)?$/.test(text)) return 'price 0'
  return /^\$?1(?:\.0+)?$/.test(text) ? 'price 1' : undefined
}

/** Texts that may be a null date or a future date, by their first characters. */
const DATED = /^\d{1,4}[-/]\d|^\d{1,2}[- ][A-Z]{3}|^[A-Z]{3}[a-z. ]|^\d{8}$/i
const RARE_YEAR = /1899|1900|9999|20[3-9]\d|2[1-9]\d\d/
const DATE_LENGTH_MAX = 30

/**
 * Returns the kind of unknown if the column holds dates or prices. Called for every value of a
 * file, so most are dismissed by first letter and length. `latest`: `YYYY-MM-DD`.
 */
export function rareNull(raw: string, latest: string): NullKind | undefined {
  const first = raw.charCodeAt(0)
  if (first === 36 || (first === 49 && raw.length < 6)) return priceNull(raw.trim())
  if (raw.length < 8 || raw.length > DATE_LENGTH_MAX || !RARE_YEAR.test(raw)) return undefined
  return DATED.test(raw) ? dateNull(raw.trim(), latest) : undefined
}
