/** Recognizes the words in a roll that mean unknown. */

/** Words that mean unknown in every roll, as databases and spreadsheets write them. */
const NULL_WORDS = [
  'NULL',
  '<NULL>',
  '(NULL)',
  '[NULL]',
  'N/A',
  '#N/A',
  '#VALUE!',
  '#REF!',
  '#DIV/0!',
  'NAN',
  'N.A.',
  // How PostgreSQL and MySQL write it into text files.
  '\\N',
  '(BLANK)',
  '<BLANK>',
  '.',
  '..',
  '-',
  '--',
  '?',
  '??',
]

/** Longest number that is compared: `0.00000000000` is 0 whatever its decimals. */
const NUMBER_MAX = 40

/**
 * Returns a test for clean texts that mean unknown. Words that are numbers are compared as numbers.
 */
export function nullTest(words: readonly string[]): (text: string) => boolean {
  const all = [...NULL_WORDS, ...words.map((word) => word.toUpperCase().trim())]
  const set = new Set(all)
  const numbers = new Set(all.map(plainNumber).filter((number) => number !== undefined))
  const longest = Math.max(...all.map((word) => word.length), numbers.size > 0 ? NUMBER_MAX : 0)
  // Checks the first character only: nearly all texts begin with none of the words' first letters.
  const starts = new Set(all.flatMap((word) => [word, word.toLowerCase()]).map(firstCode))
  if (numbers.size > 0) for (const start of '+-.0123456789') starts.add(firstCode(start))
  return (text) => {
    if (text.length > longest || !starts.has(text.charCodeAt(0))) return false
    if (set.has(text) || set.has(text.toUpperCase())) return true
    if (numbers.size === 0) return false
    const number = plainNumber(text)
    return number !== undefined && numbers.has(number)
  }
}

function firstCode(text: string): number {
  return text.charCodeAt(0)
}

function plainNumber(text: string): number | undefined {
  return /^-?\d+(?:\.\d*)?$|^-?\.\d+$/.test(text) ? Number(text) : undefined
}
