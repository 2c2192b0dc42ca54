/** Compares an owner question with one parcel's owner words, without an index. For tests. */
import type { OwnerHead, OwnerIndex, OwnerQuestion } from '../src/base/model/owner.ts'
import { withinOneEdit } from '../src/base/word-edits.ts'

/**
 * Returns whether some slot of the index meets the question, and whether by equal words alone. The
 * stores answer the same from their indexes; tests compare the two.
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
