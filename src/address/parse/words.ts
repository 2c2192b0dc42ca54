/** First stage: splits a street line into words without case, accents, blanks and punctuation. */
import { foldLetters, PRINTABLE } from '../../base/fold.ts'
import { readForms } from '../../base/tables.ts'
import { denyAddress } from '../tables.ts'

/** Words of a line in order. `breaks[i]`: a comma or similar mark was before word i. */
export type Words = { texts: string[]; breaks: boolean[] }

/** Longer lines are not read: no roll has them, and requests stay cheap. */
export const LINE_MAX = 200

/**
 * Splits a line into words of A–Z and 0–9.
 *
 * Kept inside a word: a hyphen between parts with digits (`39-12`), a slash between digits (`1/2`).
 * `#` is a separate word, `&` becomes `AND`, `@` becomes `AT`. A hyphen between letter and digits
 * joins them (`123-A`, `I-95`); dots join single letters (`N.W.` becomes `NW`); other marks
 * separate words. Text in parentheses or between asterisks is dropped, except a number alone in
 * parentheses. Linear, never throws; a line over `LINE_MAX` has no words.
 */
export function splitWords(line: string): Words {
  const words: Words = { texts: [], breaks: [] }
  if (line.length > LINE_MAX) return words
  const text = cleanLine(line)
  let separator = ''
  let joinable = false
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at)
    if (!isAlphanumeric(code)) {
      const mark = text[at] as string
      if (mark === '#' || mark === '&' || mark === '+' || mark === '@') {
        push(words, mark === '#' ? '#' : mark === '@' ? 'AT' : 'AND', separator)
        separator = ''
        joinable = false
      } else separator += mark
      at++
      continue
    }
    let end = at + 1
    while (end < text.length && isAlphanumeric(text.charCodeAt(end))) end++
    const run = text.slice(at, end)
    // Most words are behind a blank.
    const isApart = !joinable || separator === ' '
    if (isApart || !tieToLast(words, separator, { run, text, end })) push(words, run, separator)
    separator = ''
    joinable = true
    at = end
  }
  return words
}

function push(words: Words, text: string, separator: string): void {
  words.texts.push(text)
  // `3516 1/2-18 MAIN ST` is two numbers.
  const isHalved = separator === '-' && words.texts.length === 3 && words.texts[1]?.[1] === '/'
  words.breaks.push(isHalved || (separator !== '' && separator !== ' ' && breaksLine(separator)))
}

function breaksLine(separator: string): boolean {
  return /[,;:|]/.test(separator) || (separator !== '-' && separator.includes('-'))
}

/** Letters and digits of a text, up to `end`. */
type Run = { run: string; text: string; end: number }

/** Joins a run to the last word if the mark between joins them; reports whether it did. */
function tieToLast(words: Words, mark: string, { run, text, end }: Run): boolean {
  const index = words.texts.length - 1
  const last = words.texts[index] as string
  let tied: string | undefined
  if (mark === '-') {
    if (hasDigit(last) && hasDigit(run)) {
      const fraction = text[end] === '/' && run.length === 1
      if (!fraction && !last.includes('/')) tied = `${last}-${run}`
    } else if (run.length === 1 && hasDigit(last) && !last.includes('/'))
      tied = /^\d+[A-Z]$/.test(last) && index === 0 ? `${last}-${run}` : last + run
    else if (last.length === 1 && isDigit(run.charCodeAt(0))) tied = last + run
  } else if (mark === '/') {
    if (isDigits(run) && (isDigits(last) || (SLASHED.test(last) && run.length > 1)))
      tied = `${last}/${run}`
  } else if (mark === '.') {
    if (/^KM\d+$/.test(last) && isDigits(run)) tied = `${last}.${run}`
    if (isDigits(last) && isDigits(run)) {
      // `12.0 MAIN ST`: a spreadsheet's number.
      if (index === 0 && /^0+$/.test(run)) return true
      // `CARR 2 KM 14.5`: Puerto Rico's kilometres.
      if (/^(?:KM|KMS|KILOMETRO)$/.test(words.texts[index - 1] ?? '')) {
        words.texts[index] = `${last}.${run}`
        return true
      }
      const fraction = DECIMAL_FRACTIONS.get(run)
      if (fraction === undefined) return false
      push(words, fraction, '')
      return true
    }
    // Joins single letters only: `N.W.` and `U.S.`, not `ST.C`.
    if (
      run.length === 1 &&
      !hasDigit(run) &&
      DOTTED.test(text.slice(end - 2 * last.length - 1, end))
    )
      tied = last + run
  } else if (index === 0 && BLANK_HYPHEN.test(mark) && isDigits(last)) {
    if (isDigits(run)) tied = `${last}-${run}`
    // `123 -A MAIN ST`
    else if (mark === ' -' && /^[A-DF-MO-RT-VX-Z]$/.test(run) && text.indexOf(' ', end + 1) > 0)
      tied = last + run
  }
  if (tied === undefined) return false
  words.texts[index] = tied
  return true
}

const SLASHED = /^\d{2,}(?:\/\d{2,})+$/
const DOTTED = /^[A-Z](\.[A-Z])*$/
const BLANK_HYPHEN = /^ *- *$/
const DECIMAL_FRACTIONS = readForms(['1/2 5 50', '1/4 25', '3/4 75'])

function cleanLine(line: string): string {
  let text = line
  if (!PRINTABLE.test(text)) {
    text = foldLetters(
      text
        .replace(/[\u2010-\u2015\u2212\ufe58\ufe63]/g, '-')
        .replace(/[\u2018\u2019\u02bc\u02bb\u00b4\u2032]/g, '')
        .replace(/[\u00bc-\u00be]/g, (mark) => UNICODE_FRACTIONS[mark] ?? ' ')
        .replace(/[ºª°]/g, ''),
    ).replace(UNREADABLE_NAME, '$1 UNKNOWN')
  } else text = text.toUpperCase()
  // `1,204 PIKE ST` is one number; `131,133 PIKE ST` are two.
  if (text[1] === ',') text = text.replace(/^([1-9]),(?=\d{3} +[A-Z])/, '$1')
  if (text.includes('-')) {
    text = text.replace(SPACED_LETTERS, '$1-$2')
    if (text.includes(' -') || text.includes('- ')) text = text.replace(SPACED_UNITS, '$1-$2')
  }
  if (text.includes("'") || text.includes('`')) text = text.replace(/['`]/g, '')
  // `635 W/ NE ROSELAWN ST`: a direction that the next one replaces.
  if (text.includes('/ ')) text = text.replace(/ [NSEW]\/ +(?=(?:[NS][EW]?|[EW]) )/, ' ')
  if (text.includes('/'))
    text = text
      .replace(/ N\/A(?= *$)/, ' NONE')
      .replace(/(?<![^ ])V\/L(?![^ ])/, 'VACANT')
      // `ELM ST W/S`: its west side.
      .replace(/^[NSEW]\/S +| [NSEW]\/S *$/, ' ')
      .replace(/ C\/ (?=[A-Z]{2})/, ' CALLE ')
      .replace(/(?<![^ ,])(\d{1,2})\/F(?![^ ,])/, 'FL $1')
      .replace(SLASHED_STREETS, ' & ')
      .replace(SLASHED_NUMBERS, ' & ')
      .replace(SLASHED_LETTERS, joinLetters)
      .replace(SLASHED_UNITS, '$1 & $2')
  if (text.includes(' TO ') || text.includes(' THR')) text = text.replace(UNIT_RANGE, '$1-$2')
  if (text.includes('*')) text = dropStarred(text)
  if (text.includes('(')) text = cutParentheses(text)
  return text
}

/** A name without a letter that can be read: `105 \u6771 ST` is not 105th Street. */
const UNREADABLE_NAME = /^( *\d+) +[^\x20-\x7e]+(?= +[A-Z.]+ *$)/

/** `171 A-C MAIN ST` */
const SPACED_LETTERS = /(?<=^\d{1,6}) ([A-DF-MO-RT-VX-Z])-([A-DF-MO-RT-VX-Z])(?= )/
/** `171 A/B`, `# C/D`: letters in order that are no directions. */
const SLASHED_LETTERS = /(?<=^|[ \d#])([A-Z])\/([A-Z])(?= |,|$)/g

/** `125 MAIN ST/126 OAK AVE` */
const SLASHED_STREETS = /(?<=[A-Z]{2}) ?\/ ?(?=\d+ [A-Z ]+ [A-Z]{2,}$)/

/** `300 / 302 OAK ST`, `37-21/37-23 84TH ST` */
const slashAfter = (number: string, slash: string) =>
  `(?<=^(?:${number} *[/&] *)*${number})${slash}(?=${number}[ /])`
const SPACED = slashAfter('\\d{2,}[A-Z]?', '(?: +\\/ *| *\\/ +)')
const SLASHED_NUMBERS = new RegExp(`${SPACED}|${slashAfter('\\d+-\\d+[A-Z]?', ' *\\/ *')}`, 'g')

/** `STE 100/200`, `# 3/4`: two units, no fraction. */
const SLASHED_UNITS = unitsAround(' ?/ ?')
/** `UNITS 4 THRU 6` */
const UNIT_RANGE = unitsAround(' (?:THRU|THROUGH|TO) ')
/** `UNIT 2 - 4` at the end; a ZIP has five digits, and `RM 620` may be a road. */
const SPACED_UNITS = unitsAround(' *- *(?!\\d{5})', '(?=,|$)', '')

function unitsAround(joint: string, end = '(?= |,|$)', rooms = '|RMS?|ROOMS?'): RegExp {
  const [id, words] = ['\\d{1,5}[A-Z]?', `APTS?|APARTMENTS?|UNITS?|STES?|SUITES?${rooms}`]
  return new RegExp(`(?<= (?:(?:${words}) ?#? ?|# ?))(${id})${joint}(${id})${end}`)
}

function joinLetters(whole: string, first: string, second: string): string {
  const isList = first < second && !/[NSEW]/.test(whole) && whole !== 'C/O'
  return isList ? `${first} & ${second}` : whole
}

const UNICODE_FRACTIONS: Record<string, string> = { '¼': ' 1/4', '½': ' 1/2', '¾': ' 3/4' }

/** Drops text in parentheses, or after one that never closes; a number alone stays. */
function cutParentheses(text: string): string {
  let kept = ''
  let depth = 0
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const mark = text[at]
    if (mark === '(') {
      if (depth++ === 0) {
        kept += text.slice(start, at)
        start = at + 1
      }
    } else if (mark === ')' && depth > 0 && --depth === 0) {
      const inside = text.slice(start, at).trim()
      kept += isDigits(inside) || UNIT_INSIDE.test(inside) ? ` ${inside} ` : ' '
      start = at + 1
    }
  }
  return depth > 0 ? kept : kept + text.slice(start)
}

/** `(REAR)`, `(APT 4)`: a unit is part of the address in any position. */
const UNIT_INSIDE = new RegExp(
  '^(?:(?:APT|UNIT|STE|SUITE|BLDG|RM) ?#? ?[A-Z0-9-]{1,5}|# ?[A-Z0-9-]{1,5}|REAR' +
    String.raw`|FRONT|BSMT|BASEMENT|UPPER|LOWER|\d(?:ST|ND|RD|TH) (?:FL|FLR|FLOOR))$`,
)

/**
 * Counts the digits of a plain number, at most five, that a blank and a letter follow: `12 OAK ST`.
 * 0 for another line, and for nines that may mean that there is no number.
 */
export function numberLength(line: string): number {
  let length = 0
  while (isDigit(line.charCodeAt(length))) length += 1
  const isPlain = length > 0 && length <= 5 && line[0] !== '0' && !(length === 5 && line[0] === '9')
  const next = line.charCodeAt(length + 1)
  return isPlain && line[length] === ' ' && isAlphanumeric(next) && !isDigit(next) ? length : 0
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

export function isDigits(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (!isDigit(text.charCodeAt(at))) return false
  return text !== ''
}

export function trimZeros(text: string): string {
  return text[0] === '0' ? text.replace(/^0+(?=\d)/, '') : text
}

export function hasDigit(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (isDigit(text.charCodeAt(at))) return true
  return false
}

function isAlphanumeric(code: number): boolean {
  return isDigit(code) || (code >= 65 && code <= 90)
}

/**
 * Drops notes between asterisks. A note that there is no address stays if only a number or suffix
 * is next to it (`99999 **NO SITUS** ST`). The line has no other content.
 */
function dropStarred(text: string): string {
  const rest = text.replace(STARRED, ' ')
  const words = rest.split(' ').filter((word) => word !== '')
  if (words.length > 2) return rest
  return text.replace(STARRED, (note) => {
    const inside = note.replaceAll('*', '').trim()
    return denyAddress(inside.split(' ')) ? ` ${inside} ` : ' '
  })
}

const STARRED = /\*+[^*]*\*+/g
