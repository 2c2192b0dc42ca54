/**
 * Parses the texts, numbers, dates and flags of a roll. Source: docs/mappings.md.
 *
 * Every function returns `null` for a text without a value. It returns `undefined` for a text that
 * cannot be read, so that the import can count it. None throws.
 */
import { isUtf8 } from 'node:buffer'

const CONTROL = /[\p{Cc}\u00a0]+/gu
/** Characters without a width, which pasted tables carry along: they would make two IDs of one. */
const INVISIBLE = /[\u200b-\u200f\u2060\ufeff]/g

/** Trims a text, folds inner blanks, and replaces control characters by blanks. */
export function cleanText(raw: string): string {
  const first = raw.charCodeAt(0)
  const text = first === 39 || first === 61 ? cutTextMark(raw) : raw
  if (isTidy(text)) return text
  const read = text.includes(';') ? readEntities(text) : text
  // Most others have nothing but blanks too many.
  const plain = PRINTABLE.test(read)
    ? read
    : repair(read).replace(INVISIBLE, '').replace(CONTROL, ' ')
  return plain.replace(/ {2,}/g, ' ').trim()
}

const PRINTABLE = /^[\x20-\x7e]*$/

/** Cuts the marks by which spreadsheets keep digits as text: `'0012345` and `="0012345"`. */
function cutTextMark(text: string): string {
  return /^'(?=[^' ]*\d)([^' ]+)$/.exec(text)?.[1] ?? /^="([^"]*)"$/.exec(text)?.[1] ?? text
}

/** Windows-1252's characters 128 to 159; five of them have none. */
const WESTERN = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'
/**
 * UTF-8 that was decoded as Latin-1 or Windows-1252 and encoded again: `PeÃ±a`, `PEÃ‘A`. Real text
 * never looks so.
 */
const MISREAD = new RegExp(`[\u00c2-\u00f4][\u0080-\u00bf${WESTERN}]`)
const BEYOND_LATIN1 = /[\u0100-\uffff]/

/** Undoes one wrong decoding when the repaired text is valid UTF-8. */
function repair(text: string): string {
  if (!MISREAD.test(text)) return text
  const plain = text.replace(/[\u0100-\uffff]/g, (one) => {
    const at = WESTERN.indexOf(one)
    return at < 0 ? one : String.fromCharCode(128 + at)
  })
  if (BEYOND_LATIN1.test(plain)) return text
  const bytes = Buffer.from(plain, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : text
}

/** What web pages and XML write for characters of their own: `ROE &amp; DOE`, `O&#39;NEIL`. */
const ENTITY = /&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{2,4}));/gi
const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

function readEntities(text: string): string {
  return text.replace(ENTITY, (_, name: string | undefined, code: string) =>
    name === undefined ? String.fromCharCode(Number(code)) : (ENTITIES[name.toLowerCase()] ?? '&'),
  )
}

/**
 * Most texts of a roll are clean. This loop takes a tenth of a regular expression's time, and it
 * runs for every value.
 */
function isTidy(text: string): boolean {
  let afterBlank = true
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 32) {
      if (afterBlank) return false
      afterBlank = true
    } else {
      if (code > 8202 && (code < 8208 || code === 8288 || code === 65_279)) return false
      // A semicolon may end an entity.
      if (code < 32 || code === 59) return false
      if (code > 126 && (code < 161 || (code > 193 && code < 245))) return false
      afterBlank = false
    }
  }
  return !afterBlank || text === ''
}

const PLAIN_NUMBER = /^-?\d+(?:\.\d*)?$|^-?\.\d+$/
/** Clean text has no two blanks together. More of them would take this pattern very long. */
const MONEY = /^\(? ?[-+]? ?\$? ?[-+]? ?(?:\d{1,3}(?:,\d{3})*(?:\.\d*)?|[\d.]+)(?: ?\)|-)?$/
/** `$ -`: how spreadsheets of accountants show 0. */
const NOTHING = /^\$\s*-$|^-\s*\$$/
/** `0,250` is a quarter, and not 250. */
const DECIMAL_COMMA = /^\D*0,\d*[1-9]\d*$/
const EXPONENT = /^-?\d+(?:\.\d+)?[eE][+-]?\d{1,3}$/

/**
 * Reads a number with or without `$`, thousands commas, and parentheses or a closing sign for a
 * minus: `$1,250.00`, `(300)`, `300-`, `1.2E+5`.
 */
export function readNumber(text: string): number | undefined {
  if (PLAIN_NUMBER.test(text) || EXPONENT.test(text)) return finite(Number(text))
  if (!MONEY.test(text) || DECIMAL_COMMA.test(text)) return NOTHING.test(text) ? 0 : undefined
  const digits = text.replace(/[$,()\s+-]/g, '')
  if (!/^\d*\.?\d*$/.test(digits) || !/\d/.test(digits)) return undefined
  // One sign at most, and both parentheses or none.
  if (text.replace(/[^-+(]/g, '').length > 1 || text.includes('(') !== text.includes(')')) {
    return undefined
  }
  return finite(/[(-]/.test(text) ? -Number(digits) : Number(digits))
}

function finite(number: number): number | undefined {
  return Number.isFinite(number) ? number : undefined
}

/** Reads a count: `3`, `3.0`; half a bedroom is unreadable. */
export function readCount(text: string): number | undefined {
  const number = readNumber(text)
  return number === undefined || !Number.isInteger(number) ? undefined : number
}

/**
 * Reports whether a long number is in scientific form, `1.01687E+09` or `1.01687E9`, as
 * spreadsheets and doubles write it. It has lost its last digits, so it cannot serve as an ID.
 */
export function isRounded(text: string): boolean {
  // Nearly no text has a point or an E in its second place.
  const second = text.charCodeAt(1)
  if (second !== 46 && second !== 69 && second !== 101) return false
  return /^\d(?:\.\d+)?E\+\d+$|^\d\.\d{2,}E\d{1,2}$/i.test(text)
}

/** Units of area, each in square feet. Source: international foot, NIST SP 811. */
const AREA_UNITS: Record<string, number> = {
  'square feet': 1,
  acres: 43_560,
  'square meters': 10.763910416709722,
  hectares: 107_639.10416709722,
}

const UNIT_WORDS: [RegExp, keyof typeof AREA_UNITS][] = [
  [/^(?:sq\.? ?(?:ft|feet)\.?|sqft|sf|s\.f\.|square feet)$/i, 'square feet'],
  [/^(?:a|ac|acs|acres?)\.?$/i, 'acres'],
  [/^(?:sq\.? ?m|sqm|m2|square met(?:er|re)s?)\.?$/i, 'square meters'],
  [/^(?:ha|hectares?)\.?$/i, 'hectares'],
]

/** Returns the unit that a short text names: `sq.ft`, `AC`, `ha`; `undefined` for others. */
export function readAreaUnit(text: string): string | undefined {
  return UNIT_WORDS.find(([pattern]) => pattern.test(text))?.[1]
}

/**
 * Reads an area in square feet. A unit written after the number (`4200 sq.ft`, `12.5 a`) takes
 * precedence over the mapping's unit. A number without a unit cannot be read: 50 FF is no area.
 */
export function readArea(text: string, unit: string): number | undefined {
  const plain = readNumber(text)
  if (plain !== undefined) return plain === 0 ? 0 : finite(plain * (AREA_UNITS[unit] ?? Number.NaN))
  const [, digits = '', word = ''] = /^([\d.,]+)\s*([a-z].*)$/i.exec(text) ?? []
  const number = readNumber(digits)
  const own = AREA_UNITS[readAreaUnit(word) ?? '']
  return number === undefined || own === undefined ? undefined : number * own
}

/** Reads a flag: `Y`, `YES`, `TRUE`, `T`, `1`, `X` and their opposites, in any case. */
export function readFlag(text: string): boolean | undefined {
  if (/^(?:y|yes|true|t|1|1\.0|x)$/i.test(text)) return true
  return /^(?:n|no|false|f|0|0\.0)$/i.test(text) ? false : undefined
}

/**
 * Reads a ZIP code as its five digits and, when the roll has it, the whole ZIP+4. Restores leading
 * zeros that a spreadsheet dropped. `00000` and `99999` are none, with or without four digits more.
 */
export function readZip(text: string): { zip: string; plusFour: string | null } | null | undefined {
  const [, head, tail] = /^(\d{5})(?:-? ?(\d{4}))?-?$/.exec(text.replace(/\.0+$/, '')) ?? []
  if (head !== undefined) {
    if (head === '00000' || head === '99999') return null
    return { zip: head, plusFour: tail === undefined || tail === '0000' ? null : `${head}-${tail}` }
  }
  if (/^0+$/.test(text)) return null
  if (/^\d{8}$/.test(text)) return readZip(`0${text}`)
  const [, lost, rest = ''] = /^(\d{3,4})(-\d{4})?$/.exec(text) ?? []
  return lost === undefined ? undefined : readZip(lost.padStart(5, '0') + rest)
}
