/** Recognizes the words in a roll that mean unknown. */
import { readNumber } from './clean.ts'

/** What spreadsheets write for a formula without a result. */
export const SHEET_FAULTS = '#VALUE! #REF! #DIV/0! #NAME? #NUM! #NULL! #SPILL! #CALC!'.split(' ')

/** Words that mean unknown in every roll, as databases and spreadsheets write them. */
const NULL_WORDS = [
  ...SHEET_FAULTS,
  ...'NULL <NULL> (NULL) [NULL] N/A #N/A NAN N.A. (BLANK) <BLANK> . .. - -- ? ??'.split(' '),
  // How PostgreSQL and MySQL write it into text files.
  '\\N',
]

/** Longest number that is compared: `0.00000000000` is 0 whatever its decimals. */
const NUMBER_MAX = 40
const NINE = 0x39
const HASH = 0x23

/** `########`: how spreadsheets print a number or date that is too wide for its column. */
export const isHashes = (text: string) => /^#{3,}$/.test(text)

/**
 * Returns a test for clean texts that mean unknown. Words that are numbers are compared as numbers.
 */
export function nullTest(words: readonly string[]): (text: string) => boolean {
  const all = [...NULL_WORDS, ...words.map((word) => word.toUpperCase().trim())]
  const set = new Set(all)
  const numbers = new Set(all.map(plainNumber).filter((number) => number !== undefined))
  const longest = Math.max(...all.map((word) => word.length))
  // Checks the first character only: nearly all texts begin with none of the words' first letters.
  // Looking up a text that is new costs as much as a copy.
  const plain = all.filter((word) => word.length > NUMBER_MAX || plainNumber(word) === undefined)
  const starts = new Set(
    plain.flatMap((word) => [word.charCodeAt(0), word.toLowerCase().charCodeAt(0)]),
  )
  return (text) => {
    const start = text.charCodeAt(0)
    if (numbers.size > 0 && start <= NINE && text.length <= NUMBER_MAX) {
      const number = plainNumber(text)
      if (number !== undefined) return numbers.has(number)
    }
    if (start === HASH && isHashes(text)) return true
    if (text.length > longest || !starts.has(start)) return false
    return set.has(text) || set.has(text.toUpperCase())
  }
}

/** `0.00`, `$0.00`, `(0)`, `9,999`, `0E-11`: one test spares nearly all texts the others. */
function plainNumber(text: string): number | undefined {
  const mayBe = /^-?\.?\d+(?:\.\d*)?$|^[$(+]|\d(?:,\d|E[-+]?\d|-$)/i.test(text)
  return mayBe ? readNumber(text) : undefined
}
