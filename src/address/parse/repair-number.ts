/** Normalizes numbers as people type and speak them for `numbers.ts`. */
import { directionalOf } from './directionals.ts'
import { isOrdinal, joinWords, type Line } from './line.ts'
import { readCardinal } from './number-words.ts'
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
