/** Removes public offices before and after a person's name. docs/matching.md, owner rule 2. */
import type { NameEvidence, NameOrder } from '../base/model/owner.ts'
import { NOUNS, OF_WHAT, OFFICES, SEATS, TAILS } from './dictionaries/roles.ts'
import { leaning } from './evidence.ts'
import { SEPARATORS, type Word } from './words.ts'

/**
 * Returns the person's name without a public office: `COUNTY COMMISSIONER PAUL HARLOW`, `PAUL
 * HARLOW, CLERK OF COURT`. Returns `undefined` if there is no office next to a person's name.
 *
 * An office of one word (`SHERIFF`) counts as a title, and is read here only after a word for its
 * jurisdiction.
 */
export function dropOffice(
  group: readonly Word[],
  order: NameOrder,
  evidence: NameEvidence | undefined,
): readonly Word[] | undefined {
  if (group.length < 3 || !group.some((word) => NOUNS.has(word) || OFFICES.has(word)))
    return undefined
  if (order !== 'last-first') {
    const length = officeLength(group, 0)
    const names = group.slice(length)
    if (length > 0 && names.length > 1 && leaning(names[0] as Word, evidence) <= -1.5) return names
  }
  return dropClosing(group, order, evidence)
}

/** Removes an office after the name: `PAUL HARLOW, COUNTY TREASURER`. */
function dropClosing(
  group: readonly Word[],
  order: NameOrder,
  evidence: NameEvidence | undefined,
): readonly Word[] | undefined {
  for (let at = 2; at < group.length - 1; at++) {
    const length = officeLength(group, at)
    if (length < 2 || at + length !== group.length) continue
    const names = group.slice(0, group[at - 1] === ',' ? at - 1 : at)
    const given = names.filter((word) => !SEPARATORS.has(word))
    const likelyGiven = order === 'last-first' ? given[1] : given[0]
    const isName =
      given.length > 1 && given.length < 5 && leaning(likelyGiven ?? '', evidence) <= -1.5
    if (isName) return names
  }
  return undefined
}

/** Returns the number of words of the office at a position; 0 if there is none. */
function officeLength(group: readonly Word[], start: number): number {
  let at = start
  while (at < start + 2 && SEATS.has(group[at] ?? '')) at++
  const noun = group[at] ?? ''
  if (!OFFICES.has(noun) && !NOUNS.has(noun)) return 0
  const tail = tailLength(group, at + 1)
  // `CLERK ANNA HARLOW`: without a jurisdiction or a tail, CLERK is a surname.
  if (at === start && tail === 0 && !OFFICES.has(noun)) return 0
  return at + 1 + tail - start
}

/** Returns the number of words that complete an office: `OF COURT`, `PRO TEM`, `GENERAL`. */
function tailLength(group: readonly Word[], at: number): number {
  const [first = '', second = ''] = [group[at], group[at + 1]]
  if (first === 'OF' && second === 'THE') return group[at + 2] === 'PEACE' ? 3 : 0
  if (first === 'OF') return OF_WHAT.has(second) ? 2 : 0
  if (first === 'PRO' && second === 'TEM') return 2
  return TAILS.has(first) ? 1 : 0
}
