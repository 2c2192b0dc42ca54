/** Normalizes numbers as people type and speak them for `numbers.ts`. */
import { designatorOf } from './designators.ts'
import { directionalOf } from './directionals.ts'
import { cutWords, isOrdinal, joinWords, type Line } from './line.ts'
import { readCardinal } from './number-words.ts'
import { SPANISH_STREETS } from './numbers.ts'
import { isPlainSuffix } from './suffixes.ts'
import { isDigits } from './words.ts'

/** `ONE OH FIVE MAIN ST`, `12 OH 5 MAIN ST`: a spoken zero. */
export function joinZero(line: Line, from: number): void {
  const { texts } = line
  if (texts[from + 1] !== 'OH' || line.end < from + 4) return
  const digitsAt = (at: number) =>
    isDigits(texts[at] ?? '') ? texts[at] : readCardinal(texts, at, at + 1)?.value.toString()
  const [high, low] = [digitsAt(from), digitsAt(from + 2)]
  if (high === undefined || low === undefined || high.length > 2 || low.length !== 1) return
  joinWords(line, from, from + 3, `${high}0${low}`)
}

/** `1O2 MAIN ST`, `1OO MAIN ST`, `5OTH ST`: the letter O typed for a zero. */
export function readLetterO(line: Line, from: number): void {
  const { texts } = line
  const first = texts[from] ?? ''
  if (/^\d[\dO]*$/.test(first) && /O[\dO]/.test(first)) texts[from] = first.replaceAll('O', '0')
  for (let at = from; at < line.end; at++) {
    const word = texts[at] as string
    if (word.endsWith('OTH') && /^\d[\dO]*OTH$/.test(word)) {
      texts[at] = `${word.slice(0, -2).replaceAll('O', '0')}TH`
    }
  }
}

/** `100 AND A HALF MAIN ST`, `100 ONE HALF MAIN ST`, `100 HALF N MAIN ST` are 100 1/2. */
export function joinHalf(line: Line, from: number): void {
  const { texts } = line
  const half = texts.indexOf('HALF', from + 1)
  if (half < 0 || half > from + 3 || !isDigits(texts[from] ?? '')) return
  const between = texts.slice(from + 1, half).join(' ')
  const next = texts[half + 1] ?? ''
  // `100 HALF MOON ST` is Half Moon Street.
  const isPlain = between === '' && (directionalOf(next) !== undefined || isOrdinal(next))
  if ((!isPlain && !HALVES.has(between)) || half + 2 >= line.end) return
  joinWords(line, from + 1, half + 1, '1/2')
}

/** `100 MAIN ST 1/2` is 100 1/2. */
export function moveHalf(line: Line, from: number): void {
  const { texts, breaks, end } = line
  if (texts[end - 1]?.[1] !== '/' || end < from + 4) return
  const isNumbered = isDigits(texts[from] ?? '') && !texts[from + 1]?.includes('/')
  if (!isNumbered || !HALF.test(texts[end - 1] as string)) return
  if (!isPlainSuffix(texts[end - 2] as string)) return
  texts.splice(from + 1, 0, ...texts.splice(end - 1, 1))
  breaks.splice(from + 1, 0, ...breaks.splice(end - 1, 1))
}

const HALF = /^[123]\/[234]$/
const HALVES = new Set(['A', 'ONE', 'AND A', 'AND ONE', '& A', '& ONE'])

/** Puerto Rico: `C 14 CALLE 7` becomes `C14 CALLE 7`, `KM 3 HM 2 CARR 845` `CARR 845 KM 3.2`. */
export function spellPuertoRican(line: Line): void {
  const { texts, breaks } = line
  if (texts[0] === 'APARTADO' || texts[0] === 'APTDO') texts[0] = 'POBOX'
  const block = texts.findIndex((_, at) => isBlock(texts, at))
  if (block >= 0) joinWords(line, block, block + 2, `${texts[block]}${texts[block + 1]}`)
  const text = `${texts.join(' ')} `
  const found = KILOMETRE.exec(text)
  if (found === null) return
  const [words, whole, tenth = '0'] = found
  const at = text.slice(0, found.index).split(' ').length - 1
  cutWords(line, at, at + words.split(' ').length - 1)
  // A road's number follows a kilometre at the start.
  const to = at === 0 ? texts.findIndex(isDigits) + 1 : at
  // Without a decimal the number would be a unit.
  texts.splice(to, 0, 'KM', `${whole}.${tenth}`)
  breaks.splice(to, 0, false, false)
  line.end += 2
}

const KILOMETRE = /\b(?:KM|KMS|KILOMETRO) ?(\d+)(?:(?:\.| HM )(\d+))? /

/** `C 14 CALLE 7`, `CALLE 7 C 14`; in `CALLE C 14` the letter is the street's. */
function isBlock(texts: readonly string[], at: number): boolean {
  const [block = '', house = '', next = 'URB'] = texts.slice(at, at + 3)
  if (!/^(?!KM|HM|PR)[A-Z]{1,2}$/.test(block) || !/^\d{1,3}$/.test(house)) return false
  if (block === 'NO' || designatorOf(block) !== undefined) return false
  if (SPANISH_STREETS.has(next)) return designatorOf(texts[at - 1]) === undefined
  return next === 'URB' && isDigits(texts[at - 1] ?? '') && directionalOf(block) === undefined
}
