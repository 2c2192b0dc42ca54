/** Removes nicknames and long titles from persons' names. docs/matching.md, owner rule 2. */
import type { NameEvidence, NameOrder } from '../base/model/owner.ts'
import { ASIAN_GIVEN, PARTICLES } from './dictionaries/names.ts'
import { LATE_ROLES, SUFFIXES, TITLE_PHRASES } from './dictionaries/roles.ts'
import { isKnownGiven, isKnownSurname, leaning } from './evidence.ts'
import { GAP, liftRoles, PARTING, phraseLength } from './roles.ts'
import { SEPARATORS, type Word } from './words.ts'

/**
 * Drops text in parentheses, such as a nickname.
 *
 * A role in parentheses is added to `roles`. A suffix is kept (`(JR)`).
 */
export function liftAsides(words: readonly Word[], roles: string[], order?: NameOrder): Word[] {
  if (!words.includes('(')) {
    return words.includes(')') ? words.filter((word) => word !== ')') : (words as Word[])
  }
  const kept: Word[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as Word
    if (word !== '(') {
      if (word !== ')') kept.push(word)
      continue
    }
    const close = words.indexOf(')', at)
    const end = close === -1 ? words.length : close
    const inside = words.slice(at + 1, end)
    at = end
    const lifted = liftRoles(inside, true)
    roles.push(...lifted.roles)
    if (lifted.roles.length === 0 && isNameAside(inside, kept, words.slice(end + 1), order)) {
      kept.push(...inside)
      continue
    }
    const lone = inside.length === 1 ? (inside[0] as Word) : ''
    if (LATE_ROLES.has(lone)) roles.push(lone)
    // `HARLOW ANNA (LE) TRENT PAUL (REM)`
    const isRole = LATE_ROLES.has(lone) || lifted.roles.length > 0
    const [next = ',', second = ','] = words.slice(end + 1)
    const isBetween = namesBefore(kept) > 1 && isLongWord(next) && !SEPARATORS.has(second)
    if (isRole && isBetween) kept.push(GAP)
    if (lone.length > 1 && SUFFIXES.has(lone)) kept.push(lone)
  }
  return kept
}

/** Reports whether an aside is a person's name: `HARLOW (PAUL)`, `*HARLOW PAUL* & ANNA`. */
function isNameAside(inside: Word[], before: Word[], after: Word[], order?: NameOrder): boolean {
  const isName = (word: Word) => isKnownGiven(word) || isKnownSurname(word)
  if (!inside.some(isLongWord) || LATE_ROLES.has(inside[0] as Word)) return false
  const start = before.findLastIndex((word) => PARTING.has(word)) + 1
  const end = after.findIndex((word) => PARTING.has(word))
  const around = [...before.slice(start), ...after.slice(0, end < 0 ? undefined : end)]
  const [own = '', ...more] = around.filter((word) => word !== ',')
  // `HARLOW (GRANT DEED)`, `JAMES (VACANT)`: a note behind a name.
  const isFirst = before.length === 0
  const areNames = isFirst ? inside.some(isName) : inside.filter(isLongWord).every(isName)
  const isGiven = isKnownGiven(own) && (isFirst || order !== 'last-first')
  if (own === '') return before.length + after.length > 0 && areNames
  return more.length === 0 && start === 0 && (areNames || isGiven)
}

/**
 * Removes a late husband's surname from a widow's name: `RIVERA VDA DE SOTO ELENA`.
 *
 * `surname` is his surname if the widow has one of her own, else empty. Returns `undefined` for a
 * name without such a phrase.
 */
export function liftWidow(
  words: readonly Word[],
  order: NameOrder,
): { words: Word[]; surname: Word[] } | undefined {
  const at = words.findIndex((word) => word === 'VDA' || word === 'VIUDA')
  if (at < 0 || !/^DEL?$/.test(words[at + 1] ?? '') || at + 2 >= words.length) return undefined
  let end = at + 1
  while (end < words.length - 1 && PARTICLES.has(words[end] as Word)) end++
  const rest = [...words.slice(0, at), ...words.slice(end + 1)]
  const names = rest.filter((word) => !SEPARATORS.has(word))
  const isOwn = at > 0 && names.length >= (order === 'first-last' ? 2 : 1)
  if (isOwn) return { words: rest, surname: words.slice(at + 1, end + 1) }
  return { words: words.filter((_, index) => index !== at), surname: [] }
}

/** Removes phrases such as `MR & MRS` and `ATTORNEY AT LAW`. */
export function liftTitlePhrases(words: Word[]): Word[] {
  if (!words.some((word) => TITLE_PHRASES.has(word))) return words
  const kept: Word[] = []
  for (let at = 0; at < words.length; ) {
    const length = phraseLength(words, at, TITLE_PHRASES)
    // `HARLOW R N`: two initials, not a registered nurse, unless two names precede them.
    const isInitials = length > 0 && (words[at] as Word).length === 1 && namesBefore(kept) < 2
    if (length === 0 || isInitials) kept.push(words[at++] as Word)
    else at += length
  }
  return kept
}

/** Counts the words at the end of a list that belong to one person. */
function namesBefore(kept: readonly Word[]): number {
  const words = kept.filter((word) => word !== ',')
  return words.length - 1 - words.findLastIndex((word) => PARTING.has(word))
}

/**
 * Replaces a Spanish `Y` between two persons by `&`: `GARZA JUAN Y MARIA`, `JUAN Y MARIA GARZA`.
 *
 * A `Y` between two surnames (`LOPEZ Y GARZA`) and a middle initial `Y` are kept.
 */
export function readSpanishAnd(words: Word[], evidence: NameEvidence | undefined): Word[] {
  if (!words.includes('Y')) return words
  return words.map((word, at) => (word === 'Y' && joinsPersons(words, at, evidence) ? '&' : word))
}

function joinsPersons(
  words: readonly Word[],
  at: number,
  evidence: NameEvidence | undefined,
): boolean {
  const before = words[at - 1] ?? ''
  const next = words[at + 1] ?? ''
  // `GARZA JUAN A Y MARIA`
  if (!(isLongWord(before) || (at > 2 && isKnownGiven(next))) || !isLongWord(next)) return false
  if (ASIAN_GIVEN.has(before) || ASIAN_GIVEN.has(next)) return false
  const lean = leaning(next, evidence)
  const after = words[at + 2] ?? ''
  const startsName = lean < -0.5 && isKnownGiven(next)
  // `LOPEZ, JUAN Y GARCIA, MARIA`
  if (after === ',' && lean > 0.5 && words.indexOf(',') < at) return true
  // `JUAN Y MARIA GARZA`
  if (at === 1) return startsName && leaning(before, evidence) < -0.5 && isLongWord(after)
  // `GARZA JUAN Y LOPEZ MARIA`
  const startsOwnSurname = lean > 0.5 && isLongWord(after) && leaning(after, evidence) < -0.5
  return startsName || startsOwnSurname
}

const isLongWord = (word: Word) => word.length > 1 && !SEPARATORS.has(word)
