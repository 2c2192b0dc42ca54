/** Decides whether a name puts its surname first. docs/matching.md, owner rule 2. */
import type { NameEvidence, NameOrder } from '../model/owner.ts'
import { AFTER_D, PARTICLES, START_PARTICLES } from './dictionaries/particles.ts'
import { isKnownGiven, leaning, leaningByLetters } from './evidence.ts'
import { isSyllable } from './organizations/surname-words.ts'
import type { Segment } from './segment.ts'
import { beginsAsSurname, endsAsSurname, hasTrailingParticle } from './surname.ts'
import type { Token } from './words.ts'

/** The order of one name. */
export type Order = 'last-first' | 'first-last'

/** Odds from which words outweigh the source's order. docs/decisions/owner-matching.md */
const AGAINST_ORDER = 4.5
/** From here on the other order is indexed too. docs/decisions/owner-matching.md */
const DOUBTFUL = 1.5
/** The same, where the source states an order. */
const DOUBTFUL_AGAINST = 3.5

/** The order of one name, by its commas, the source's order and the odds of its words. */
export function decideOrder(
  segments: readonly Segment[],
  order: NameOrder,
  odds: number,
  evidence: NameEvidence | undefined,
): Order {
  if (segments.some((segment) => segment.surname !== null)) return 'last-first'
  if (order === 'mixed') return odds + rollOdds(evidence) >= 0 ? 'last-first' : 'first-last'
  if (order === 'last-first') return odds < -AGAINST_ORDER ? 'first-last' : 'last-first'
  return odds > AGAINST_ORDER ? 'last-first' : 'first-last'
}

/** Whether the other order is indexed too. */
export function isDoubtful(
  decided: Order,
  order: NameOrder,
  odds: number,
  evidence: NameEvidence | undefined,
): boolean {
  if (order === 'mixed') return Math.abs(odds + rollOdds(evidence)) < DOUBTFUL
  if (decided !== order) return true
  return order === 'last-first' ? odds < -DOUBTFUL_AGAINST : odds > DOUBTFUL_AGAINST
}

/** Assessors write the surname first more often than not, where nothing is known of the roll. */
const ASSESSORS_HABIT = 0.4

function rollOdds(evidence: NameEvidence | undefined): number {
  return evidence === undefined ? ASSESSORS_HABIT : evidence.lastFirst
}

/** Log-odds that segments without commas put the surname first, by their own words and form. */
export function orderOdds(
  segments: readonly Segment[],
  order: NameOrder,
  evidence: NameEvidence | undefined,
): number {
  const first = segments[0]
  if (first === undefined) return 0
  const alone = isGivenOnly(first.words)
  const next = segments[1]
  // `J & M DOE`: nobody's surname is a letter. `JOHN & M DOE` is written as in speech too.
  if (next !== undefined && !isInitials(next.words)) {
    if (isInitials(first.words)) return -8
    if (first.words.length === 1 && next.words.length === 2 && next.words[0]?.length === 1)
      if ((next.words[1] as Token).length > 1) return -3
  }
  if (alone && next !== undefined && !isGivenOnly(next.words)) {
    // `JOHN & MARY SMITH`: the first has no surname yet.
    return wordOdds(next, order, evidence) - 4
  }
  const closing = next !== undefined && isGivenOnly(next.words) ? 1.5 : 0
  return wordOdds(first, order, evidence) + closing
}

function wordOdds(segment: Segment, order: NameOrder, evidence: NameEvidence | undefined): number {
  const { words } = segment
  if (words.length < 2) return 0
  if (beginsAsSurname(words)) return 8
  const first = words[0] as Token
  const last = words[words.length - 1] as Token
  let odds = segment.suffixSecond ? 4 : 0
  if (endsAsSurname(words)) odds -= 5
  if (hasTrailingParticle(words)) odds += 3
  if (first.length === 1) {
    // `D AMICO JOHN`: an apostrophe is missing.
    const second = words[1] as Token
    const particle = PARTICLES.has(first) && words.length > 2 && second.length > 2
    const isSplit = leaning(second, evidence) > -1 || (first === 'D' && AFTER_D.has(second))
    if (particle && isSplit && leaning(last, evidence) < -1) return odds + 6
    return last.length === 1 ? odds : odds - 8
  }
  if (last.length === 1) return odds + 8
  // `MD REZAUL KARIM`: Mohammed.
  if (first === 'MD') return odds - 4
  if (words.length === 3 && words[1]?.length === 1) odds -= 1.5
  const isParticle = words.length > 2 && START_PARTICLES.has(first)
  // `LA TOYA HARLOW`: a given name that is also written in one.
  const joined = words.length > 2 && PARTICLES.has(first) ? first + words[1] : ''
  const start = joined !== '' && isKnownGiven(joined) ? joined : first
  const lean = order === 'mixed' ? leaningByLetters : leaning
  const told = (isParticle ? 0 : lean(start, evidence)) - lean(last, evidence)
  // `KIM SUNG HO`: a Korean surname that is a given name too says little.
  const isUnsure = (first === 'KIM' || last === 'KIM') && words.every(isSyllable)
  if (!isUnsure) return odds + told
  const least = first === 'KIM' && words.length === 3 ? 0 : -3
  return odds + Math.max(least, Math.min(3, told))
}

/** Whether no word is longer than a letter. */
export const isInitials = (words: readonly Token[]) => words.every((word) => word.length === 1)

/** One long word, with initials perhaps: a given name that shares a surname. */
export function isGivenOnly(words: readonly Token[]): boolean {
  return words.filter((word) => word.length > 1).length <= 1
}
