/** Compares asked owner names with recorded ones. docs/matching.md, owner rules 6 to 9. */
import type { OwnerHead, OwnerIndex, OwnerQuestion } from '../model/owner.ts'

/** Shorter words have no fuzzy match. docs/matching.md, owner rule 8. */
export const FUZZY_MIN = 3
/** So many first characters agree exactly in a fuzzy match. docs/matching.md, owner rule 8. */
export const FIXED_START = 2

/**
 * Says whether two words differ by at most one edit.
 *
 * An edit is one character more, less or other, or two neighbours swapped. The first two
 * characters agree exactly and both words have three or more. Linear; never throws.
 *
 * @example withinOneEdit('MARTINEZ', 'MARTINES') // true
 */
export function withinOneEdit(asked: string, recorded: string): boolean {
  if (asked.length < FUZZY_MIN || recorded.length < FUZZY_MIN) return false
  if (asked[0] !== recorded[0] || asked[1] !== recorded[1]) return false
  if (asked === recorded) return true
  const [short, long] = asked.length <= recorded.length ? [asked, recorded] : [recorded, asked]
  if (long.length - short.length > 1) return false
  let at = FIXED_START
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
 * The word and every form of it with one character taken out after the second.
 *
 * Two words within one edit share one of these. Empty for words that have no fuzzy match.
 */
export function deletions(word: string): string[] {
  if (word.length < FUZZY_MIN) return []
  const forms = new Set([word])
  for (let at = FIXED_START; at < word.length; at++) {
    forms.add(word.slice(0, at) + word.slice(at + 1))
  }
  return [...forms]
}

/**
 * Whether some slot of the index meets the question, and whether by equal words alone.
 *
 * This is what the stores answer from their postings, without a store.
 */
export function meets(question: OwnerQuestion, index: OwnerIndex): 'exact' | 'fuzzy' | undefined {
  let best: 'exact' | 'fuzzy' | undefined
  for (const slot of [1, 2] as const) {
    const found = meetsSlot(question, index, slot)
    if (found === 'exact') return 'exact'
    best = found ?? best
  }
  return best
}

function meetsSlot(
  question: OwnerQuestion,
  index: OwnerIndex,
  slot: 1 | 2,
): 'exact' | 'fuzzy' | undefined {
  let fuzzy = false
  if (question.lastName !== undefined) {
    const asked = question.lastName
    const heads = index.heads.filter((head) => head.slot === slot)
    if (!heads.some((head) => meetsHead(asked, head, false))) {
      if (!heads.some((head) => meetsHead(asked, head, true))) return undefined
      fuzzy = true
    }
  }
  if (question.contains !== undefined) {
    const words = index.words.filter((entry) => entry.slot === slot).map((entry) => entry.word)
    for (const { forms, fuzzyWord } of question.contains) {
      if (forms.some((form) => words.includes(form))) continue
      if (fuzzyWord === undefined || !words.some((word) => withinOneEdit(fuzzyWord, word))) {
        return undefined
      }
      fuzzy = true
    }
  }
  return fuzzy ? 'fuzzy' : 'exact'
}

/** Whether one head meets the asked last name; `fuzzy`: by its fuzzy word only. */
function meetsHead(
  asked: NonNullable<OwnerQuestion['lastName']>,
  head: OwnerHead,
  fuzzy: boolean,
): boolean {
  const near = (word: string) =>
    fuzzy && asked.fuzzyWord !== undefined && withinOneEdit(asked.fuzzyWord, word)
  if (head.kind === 'person') {
    const named = fuzzy ? near(head.head) : asked.personHeads.includes(head.head)
    return named && meetsGiven(asked.givenPrefixes, head.rest)
  }
  if (asked.givenPrefixes !== undefined) return false
  if (fuzzy) return near(head.head)
  return asked.organizationHeads.some(
    ({ head: first, restStart }) =>
      head.head === first && (restStart === '' || `${head.rest} `.startsWith(`${restStart} `)),
  )
}

/** Whether a given word begins with one of the prefixes; a blank stands between two words. */
function meetsGiven(prefixes: string[] | undefined, rest: string): boolean {
  if (prefixes === undefined) return true
  return prefixes.some((prefix) => ` ${rest}`.includes(` ${prefix}`))
}
