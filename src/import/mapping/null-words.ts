/** The words of a roll that mean unknown. */

/** Words that mean unknown in every roll: what databases and spreadsheets write for it. */
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
  '(BLANK)',
  '<BLANK>',
  '.',
  '..',
  '-',
  '--',
  '?',
  '??',
]

/**
 * Says whether a clean text is one of the words that mean unknown; words that are numbers are
 * compared as numbers.
 */
export function nullTest(words: readonly string[]): (text: string) => boolean {
  const all = [...NULL_WORDS, ...words.map((word) => word.toUpperCase().trim())]
  const set = new Set(all)
  const numbers = new Set(all.map(plainNumber).filter((number) => number !== undefined))
  const longest = Math.max(...all.map((word) => word.length), numbers.size > 0 ? 12 : 0)
  // Nearly all texts begin otherwise than any of the words, and need no second look.
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
