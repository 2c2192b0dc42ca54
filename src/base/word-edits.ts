/** Words that differ by one edit, as in a fuzzy search, and the index forms that find them. */

/** Shorter words have no fuzzy match. docs/matching.md, owner rule 8. */
export const FUZZY_MIN = 3
/** First characters that must be equal in a fuzzy match. docs/matching.md, owner rule 8. */
export const FIXED_START = 2

/**
 * Reports whether two words differ by at most one edit: a character inserted, deleted or
 * substituted, or two neighbours swapped. Both have three or more characters, of which the first
 * two (`fixed`) are equal. Linear.
 *
 * @example withinOneEdit('MARTINEZ', 'MARTINES') // true
 */
export function withinOneEdit(asked: string, recorded: string, fixed = FIXED_START): boolean {
  if (asked.length < FUZZY_MIN || recorded.length < FUZZY_MIN) return false
  for (let at = 0; at < fixed; at += 1) if (asked[at] !== recorded[at]) return false
  if (asked === recorded) return true
  const [short, long] = asked.length <= recorded.length ? [asked, recorded] : [recorded, asked]
  if (long.length - short.length > 1) return false
  let at = fixed
  while (at < short.length && short[at] === long[at]) at++
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1)
  if (short.slice(at + 1) === long.slice(at + 1)) return true
  return (
    short[at] === long[at + 1] &&
    short[at + 1] === long[at] &&
    short.slice(at + 2) === long.slice(at + 2)
  )
}

/**
 * Returns the word and every form of it with one character removed after the second; none for a
 * word without fuzzy matches. Two words within one edit share a form.
 */
export function deletions(word: string): string[] {
  if (word.length < FUZZY_MIN) return []
  const forms = new Set([word])
  for (let at = FIXED_START; at < word.length; at++) {
    forms.add(word.slice(0, at) + word.slice(at + 1))
  }
  return [...forms]
}
