/** Removes nicknames and long titles from persons' names. docs/matching.md, owner rule 2. */
import type { NameEvidence, NameOrder } from '../base/model/owner.ts'
import { ASIAN_GIVEN } from './dictionaries/leanings.ts'
import { PARTICLES } from './dictionaries/particles.ts'
import { LATE_ROLES, SUFFIXES, TITLE_PHRASES } from './dictionaries/roles.ts'
import { isKnownGiven, leaning } from './evidence.ts'
import { GAP, liftRoles, phraseLength } from './roles.ts'
import { SEPARATORS, type Token } from './words.ts'

/**
 * Drops text in parentheses, such as a nickname.
 *
 * A role in parentheses is added to `roles`. A suffix is kept (`(JR)`).
 */
export function liftAsides(tokens: readonly Token[], roles: string[]): Token[] {
  if (!tokens.includes('(')) {
    return tokens.includes(')') ? tokens.filter((token) => token !== ')') : (tokens as Token[])
  }
  const kept: Token[] = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as Token
    if (token === ')') continue
    if (token !== '(') {
      kept.push(token)
      continue
    }
    const close = tokens.indexOf(')', at)
    const inside = tokens.slice(at + 1, close === -1 ? tokens.length : close)
    const lifted = liftRoles(inside, true)
    roles.push(...lifted.roles)
    const lone = inside.length === 1 ? (inside[0] as Token) : ''
    if (LATE_ROLES.has(lone)) roles.push(lone)
    if (lone.length > 1 && SUFFIXES.has(lone)) kept.push(lone)
    at = close === -1 ? tokens.length : close
  }
  return kept
}

/**
 * Removes a late husband's surname from a widow's name: `RIVERA VDA DE SOTO ELENA`.
 *
 * `surname` is his surname if the widow has one of her own, else empty. Returns `undefined` for a
 * name without such a phrase.
 */
export function liftWidow(
  tokens: readonly Token[],
  order: NameOrder,
): { tokens: Token[]; surname: Token[] } | undefined {
  const at = tokens.findIndex((token) => token === 'VDA' || token === 'VIUDA')
  if (at < 0 || !/^DEL?$/.test(tokens[at + 1] ?? '') || at + 2 >= tokens.length) return undefined
  let end = at + 1
  while (end < tokens.length - 1 && PARTICLES.has(tokens[end] as Token)) end++
  const rest = [...tokens.slice(0, at), ...tokens.slice(end + 1)]
  const names = rest.filter((token) => !SEPARATORS.has(token))
  const isOwn = at > 0 && names.length >= (order === 'first-last' ? 2 : 1)
  if (isOwn) return { tokens: rest, surname: tokens.slice(at + 1, end + 1) }
  return { tokens: tokens.filter((_, index) => index !== at), surname: [] }
}

/** Removes phrases such as `MR & MRS` and `ATTORNEY AT LAW`. */
export function liftTitlePhrases(tokens: Token[]): Token[] {
  if (!tokens.some((token) => TITLE_PHRASES.has(token))) return tokens
  const kept: Token[] = []
  for (let at = 0; at < tokens.length; ) {
    const length = phraseLength(tokens, at, TITLE_PHRASES)
    // `HARLOW R N`: two initials, not a registered nurse, unless two names precede them.
    const isInitials = length > 0 && (tokens[at] as Token).length === 1 && namesBefore(kept) < 2
    if (length === 0 || isInitials) kept.push(tokens[at++] as Token)
    else at += length
  }
  return kept
}

/** Counts the words at the end of a list that belong to one person. */
function namesBefore(kept: readonly Token[]): number {
  const words = kept.filter((token) => token !== ',')
  return words.length - 1 - words.findLastIndex((token) => PARTING.has(token))
}

const PARTING = new Set(['&', '/', ';', GAP])

/**
 * Replaces a Spanish `Y` between two persons by `&`: `GARZA JUAN Y MARIA`, `JUAN Y MARIA GARZA`.
 *
 * A `Y` between two surnames (`LOPEZ Y GARZA`) and a middle initial `Y` are kept.
 */
export function readSpanishAnd(tokens: Token[], evidence: NameEvidence | undefined): Token[] {
  if (!tokens.includes('Y')) return tokens
  return tokens.map((token, at) =>
    token === 'Y' && joinsPersons(tokens, at, evidence) ? '&' : token,
  )
}

function joinsPersons(
  tokens: readonly Token[],
  at: number,
  evidence: NameEvidence | undefined,
): boolean {
  const before = tokens[at - 1] ?? ''
  const next = tokens[at + 1] ?? ''
  if (!isLongWord(before) || !isLongWord(next)) return false
  if (ASIAN_GIVEN.has(before) || ASIAN_GIVEN.has(next)) return false
  const lean = leaning(next, evidence)
  const after = tokens[at + 2] ?? ''
  const startsName = lean < -0.5 && isKnownGiven(next)
  // `LOPEZ, JUAN Y GARCIA, MARIA`
  if (after === ',' && lean > 0.5 && tokens.indexOf(',') < at) return true
  // `JUAN Y MARIA GARZA`
  if (at === 1) return startsName && leaning(before, evidence) < -0.5 && isLongWord(after)
  // `GARZA JUAN Y LOPEZ MARIA`
  const startsOwnSurname = lean > 0.5 && isLongWord(after) && leaning(after, evidence) < -0.5
  return startsName || startsOwnSurname
}

const isLongWord = (token: Token) => token.length > 1 && !SEPARATORS.has(token)
