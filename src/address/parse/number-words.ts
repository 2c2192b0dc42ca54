/** Number words and ordinals: `TWENTY ONE`, `NINETEEN HUNDRED`, `TWENTY-SECOND`, `3RD`. */
import { LINES, readForms } from '../../base/tables.ts'
import { listOf } from '../tables.ts'

type SpokenNumber = { value: number; length: number }

/** Reads a number in words; `undefined` when none begins there. */
export function readCardinal(texts: string[], at: number, end: number): SpokenNumber | undefined {
  const first = readBelowHundred(texts, at, end)
  if (first === undefined) return undefined
  let { value, length } = first
  const scale = SCALES.get(texts[at + length] ?? '')
  if (scale === undefined || at + length >= end) {
    // `SIX ELEVEN MAIN ST` is 611; `FIVE FIFTY FIRST ST` is 5.
    const low = readBelowHundred(texts, at + length, end)
    if (low === undefined || low.value < 10 || readOrdinal(texts, at + length, end)) return first
    // `FIVE TEN MILE RD` is 5.
    if (texts[at + length + low.length] === 'MILE') return first
    return { value: value * 100 + low.value, length: length + low.length }
  }
  value *= scale
  length++
  const and = texts[at + length] === 'AND' ? 1 : 0
  const read = scale === 1000 ? readCardinal : readBelowHundred
  const rest = read(texts, at + length + and, end)
  return rest === undefined
    ? { value, length }
    : { value: value + rest.value, length: length + and + rest.length }
}

/** Reads an ordinal in words (`ONE HUNDRED TENTH` → 110); `undefined` when none begins there. */
export function readOrdinal(texts: string[], at: number, end: number): SpokenNumber | undefined {
  const first = texts[at]
  if (first === undefined || at >= end) return undefined
  const plain = ORDINALS.get(first)
  if (plain !== undefined) return { value: plain, length: 1 }
  if (!CARDINALS.has(first) && first !== 'HUNDRED') return undefined
  const tens = CARDINALS.get(first)
  const unit = at + 1 < end ? ORDINALS.get(texts[at + 1] ?? '') : undefined
  if (tens !== undefined && tens >= 20 && tens % 10 === 0 && unit !== undefined && unit < 10)
    return { value: tens + unit, length: 2 }
  const count = first === 'HUNDRED' ? { value: 1, length: 0 } : readBelowHundred(texts, at, end)
  if (count === undefined) return undefined
  const next = at + count.length
  if (next >= end) return undefined
  if (texts[next] === 'HUNDREDTH') return { value: count.value * 100, length: count.length + 1 }
  if (texts[next] !== 'HUNDRED') return undefined
  const and = texts[next + 1] === 'AND' ? 1 : 0
  const rest = readOrdinal(texts, next + 1 + and, end)
  if (rest === undefined || rest.value >= 100) return undefined
  return { value: count.value * 100 + rest.value, length: count.length + 1 + and + rest.length }
}

/** `22` → `22ND`. Digits only. */
export function ordinalText(digits: string): string {
  const isTeen = digits.at(-2) === '1'
  return digits + (isTeen ? 'TH' : (ENDINGS[digits.at(-1) ?? ''] ?? 'TH'))
}

const ENDINGS: Record<string, string> = { '1': 'ST', '2': 'ND', '3': 'RD' }

/** Returns the digits of an ordinal with any ending (`22ND`, `22TH` → `22`), or `undefined`. */
export function ordinalDigits(text: string): string | undefined {
  // Digits alone, the commonest text, end in no letter.
  if (text.charCodeAt(text.length - 1) < 65) return undefined
  return /^\d{1,4}(?:ST|ND|RD|TH)$/.test(text) ? text.slice(0, -2) : undefined
}

const SPOKEN = listOf('number words', LINES).map((line) => line.split(' '))
const CARDINALS = new Map([['FOURTY', 40]])
const ORDINALS = new Map(
  [...readForms(listOf('misspelt ordinals', LINES))].map(([word, value]) => [word, Number(value)]),
)
for (const [one, cardinal = '', ordinal = ''] of SPOKEN) {
  const value = Number(one)
  CARDINALS.set(cardinal, value)
  ORDINALS.set(ordinal, value)
  if (value < 10)
    for (const [ten, tens = ''] of SPOKEN.slice(19)) {
      CARDINALS.set(tens + cardinal, Number(ten) + value)
      ORDINALS.set(tens + ordinal, Number(ten) + value)
    }
}
const WORDS = new Map(SPOKEN.map(([value = '', word = '']) => [value, word]))

/** Joins a key's name; a number before a word is one: `7 OAKS` and `7OAKS` → `SEVENOAKS`. */
export function joinName(name: string): string {
  const isNumbered = /\d ?[A-Z]{2}/.test(name)
  const spelled = isNumbered
    ? name.replace(NUMBERED, (number) => WORDS.get(number) ?? number)
    : name
  return spelled.replaceAll(' ', '')
}

const NUMBERED = /(?<=^| )\d{1,2}(?= ?(?!(?:ST|ND|RD|TH)\b)[A-Z]{2})/

export const SCALES: ReadonlyMap<string, number> = new Map([
  ['HUNDRED', 100],
  ['THOUSAND', 1000],
])

/** Reads a number below 100, also written as one word (`TWENTYONE`). */
function readBelowHundred(texts: string[], at: number, end: number): SpokenNumber | undefined {
  if (at >= end) return undefined
  const value = CARDINALS.get(texts[at] ?? '')
  if (value === undefined) return undefined
  if (value >= 20 && value % 10 === 0 && at + 1 < end) {
    const unit = CARDINALS.get(texts[at + 1] ?? '')
    if (unit !== undefined && unit < 10) return { value: value + unit, length: 2 }
  }
  return { value, length: 1 }
}
