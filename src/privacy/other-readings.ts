/** Other readings of an owner: names in another order, and a company named after a person. */
/** Joined surname, and the given words with a blank between them. */
type Reading = [surname: string, given: string]

/** Longest surname, in words. */
export const SURNAME_WORDS = 3
/** Words of an organization's name that are paired. */
const PAIRED_MAX = 8
/** Canonical words that are in many names of organizations, and in few of persons. */
const COMMON = new Set(
  (
    'AND OF THE FOR DBA TRUST TRUSTEE TRUSTEES REV REVOCABLE IRREV IRREVOCABLE LIVING FAMILY ' +
    'ESTATE LLC INC CORP CO LTD LP LLP LLLP PA PC PLLC PROPERTIES HOLDINGS INVESTMENTS'
  ).split(' '),
)

/** Readings of a person in another order: `QAZMER` / `J ZYXWELL` may be QAZMER J ZYXWELL. */
export function personReadings(head: string, rest: string): Reading[] {
  if (rest === '') return []
  const words = rest.split(' ')
  const found: Reading[] = []
  for (let taken = 1; taken <= Math.min(words.length, SURNAME_WORDS); taken += 1) {
    const at = words.length - taken
    const surname = words.slice(at).join('')
    if (surname.length > 1) found.push([surname, [head, ...words.slice(0, at)].join(' ')])
  }
  const [first = '', ...more] = words
  if (more.length > 0 && first.length > 1) found.push([first, [...more, head].join(' ')])
  return found
}

/**
 * Returns the persons after whom an organization may be named: any two of its first eight words in
 * both orders. An initial belongs to the word before it.
 */
export function organizationReadings(head: string, rest: string): Reading[] {
  const words: { word: string; initial: string }[] = []
  for (const word of `${head} ${rest}`.split(' ')) {
    const last = words.at(-1)
    if (word.length < 2) {
      if (last !== undefined && last.initial === '') last.initial = word
    } else if (!COMMON.has(word)) {
      if (words.push({ word, initial: '' }) === PAIRED_MAX) break
    }
  }
  const found: Reading[] = []
  for (let from = 0; from < words.length; from += 1) {
    let surname = ''
    for (let to = from; to < Math.min(words.length, from + SURNAME_WORDS); to += 1) {
      surname += words[to]?.word
      for (const [at, { word, initial }] of words.entries()) {
        if (at >= from && at <= to) continue
        found.push([surname, initial === '' ? word : `${word} ${initial}`])
      }
    }
  }
  return found
}
