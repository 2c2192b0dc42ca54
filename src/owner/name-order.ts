/** Decides whether a name has its surname first. docs/matching.md, owner rule 2. */
import type { NameEvidence, NameOrder } from '../base/model/owner.ts'
import { AFTER_D, PARTICLES, START_PARTICLES, VIETNAMESE_SURNAMES } from './dictionaries/names.ts'
import { isKnownGiven, isKnownSurname, leaning, leaningByLetters } from './evidence.ts'
import { isSyllable } from './organizations/surname-words.ts'
import type { Segment } from './segment.ts'
import { isCatalanPair } from './signs/middle-roles.ts'
import { beginsAsSurname, endsAsSurname, hasTrailingParticle } from './surname.ts'
import type { Word } from './words.ts'

type Order = 'last-first' | 'first-last'

/** Log-odds at which words override the source's order. docs/decisions/owner-matching.md */
const AGAINST_ORDER = 4.5
/** Log-odds below which the other order is indexed too. docs/decisions/owner-matching.md */
const DOUBTFUL = 1.5
/** Log-odds against the stated order of a source from which the other order is indexed too. */
const DOUBTFUL_AGAINST = 3.5

/** Decides a name's order from its commas, the source's order and the log-odds of its words. */
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

/** Reports whether the other order is indexed as well. */
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

/** Prior log-odds without evidence from the roll: assessors write the surname first more often. */
const ASSESSORS_HABIT = 0.4

function rollOdds(evidence: NameEvidence | undefined): number {
  return evidence === undefined ? ASSESSORS_HABIT : evidence.lastFirst
}

/** Returns the log-odds that segments without commas have the surname first. */
export function orderOdds(
  segments: readonly Segment[],
  order: NameOrder,
  evidence: NameEvidence | undefined,
): number {
  const first = segments[0]
  if (first === undefined) return 0
  // `MARY BETH & JOHN HARMON`
  const alone = isGivenOnly(first.words) || (order === 'mixed' && areGivenAlone(segments, evidence))
  const next = segments[1]
  // `J & M DOE` and `JOHN & M DOE` are in natural order: a single letter is not a surname.
  if (next !== undefined && !isInitials(next.words)) {
    if (isInitials(first.words)) return -8
    if (first.words.length === 1 && next.words.length === 2 && next.words[0]?.length === 1)
      if ((next.words[1] as Word).length > 1) return -3
  }
  // `JOHN & MARY SMITH`: the first segment has no surname of its own. `ROY D & RITA S & ANN TRENT`
  const isFirstGiven = order !== 'last-first' && leaning(first.words[0] as Word, evidence) <= 0
  const named = isFirstGiven
    ? segments.find((one) => one !== first && !isGivenOnly(one.words))
    : next
  if (alone && named !== undefined && !isGivenOnly(named.words)) {
    return wordOdds(named, order, evidence) - 4
  }
  const closing = next !== undefined && isGivenOnly(next.words) ? 1.5 : 0
  return wordOdds(first, order, evidence) + closing
}

function areGivenAlone(segments: readonly Segment[], evidence: NameEvidence | undefined): boolean {
  const end = segments.at(-1)?.words.at(-1) ?? ''
  if (segments.length < 2 || leaning(end, evidence) <= 0.5) return false
  return segments[0]?.words.every((word) => leaning(word, evidence) < -1) === true
}

function wordOdds(segment: Segment, order: NameOrder, evidence: NameEvidence | undefined): number {
  const { words } = segment
  if (words.length < 2) return 0
  if (beginsAsSurname(words)) return 8
  // `JOSEP CAROD I ROVIRA`
  const [start = '', before = '', i, after = ''] = words
  if (i === 'I' && order !== 'last-first' && words.length === 4 && !isKnownSurname(start))
    if (isCatalanPair(before, after, evidence)) return -8
  const first = words[0] as Word
  const last = words[words.length - 1] as Word
  let odds = segment.suffixSecond ? 4 : 0
  if (endsAsSurname(words)) odds -= 5
  if (hasTrailingParticle(words)) odds += 3
  if (first.length === 1) {
    // `D AMICO JOHN`: a surname without its apostrophe.
    const second = words[1] as Word
    const particle = PARTICLES.has(first) && words.length > 2 && second.length > 2
    const isSplit = leaning(second, evidence) > -1 || (first === 'D' && AFTER_D.has(second))
    if (particle && isSplit && leaning(last, evidence) < -1) return odds + 6
    return last.length === 1 ? odds : odds - 8
  }
  if (last.length === 1) return odds + 8
  // `MD REZAUL KARIM`: here `MD` abbreviates Mohammed.
  if (first === 'MD') return odds - 4
  if (words.length === 3 && words[1]?.length === 1) odds -= 1.5
  // `MAC INTOSH GREER`
  const isMac = first === 'MAC' && order === 'last-first'
  const isParticle = words.length > 2 && (isMac || START_PARTICLES.has(first))
  // `LA TOYA HARLOW`: a given name that is also written as one word.
  const joined = words.length > 2 && PARTICLES.has(first) ? first + words[1] : ''
  const begin = joined !== '' && isKnownGiven(joined) ? joined : first
  const lean = order === 'mixed' ? leaningByLetters : leaning
  const difference = (isParticle ? 0 : lean(begin, evidence)) - lean(last, evidence)
  // `KIM SUNG HO`: KIM is also a given name, so it is weak evidence.
  const isUnsure = (first === 'KIM' || last === 'KIM') && words.every(isSyllable)
  if (!isUnsure) return odds + difference
  const isThree = words.length === 3 && !VIETNAMESE_SURNAMES.has(first)
  const [least, most] = [first === 'KIM' && isThree ? 0 : -3, last === 'KIM' && isThree ? -1 : 3]
  return odds + Math.max(least, Math.min(most, difference))
}

export const isInitials = (words: readonly Word[]) => words.every((word) => word.length === 1)

/** Reports whether the words are one given name, with or without initials. */
export function isGivenOnly(words: readonly Word[]): boolean {
  return words.filter((word) => word.length > 1).length <= 1
}
