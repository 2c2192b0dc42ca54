/** Signs between two names: roles that are names elsewhere, and the stroke after a surname. */
import type { NameEvidence, NameOrder } from '../../base/model/owner.ts'
import { ASIAN_GIVEN, PARTICLES, VIETNAMESE_SURNAMES } from '../dictionaries/names.ts'
import {
  LEGAL_FORMS,
  PERSONAL_TRUST,
  STROKE_KINDS,
  STRONG,
} from '../dictionaries/organization-words.ts'
import {
  KIN,
  LATE_ROLES,
  MIDDLE_ROLES,
  ROLES,
  SOFT_ROLES,
  SUFFIXES,
} from '../dictionaries/roles.ts'
import { isKnownGiven, isKnownSurname, leaning } from '../evidence.ts'
import { isOrganization } from '../organizations/organization.ts'
import { GAP, PARTING } from '../roles.ts'
import type { Word } from '../words.ts'

/**
 * Replaces a role between two whole names by a gap: `PAUL J VANCE LU ANNA TRENT`, `ROE, ANN (LE)
 * DOE, JOHN`. Adds it to `roles`. `MARY LU TRENT` is kept, since no whole name precedes.
 */
export function liftMiddleRoles(
  words: readonly Word[],
  roles: string[],
  evidence: NameEvidence | undefined,
): readonly Word[] {
  if (words.length < 5) return words
  for (let at = 2; at < words.length - 1; at++) {
    if (!MIDDLE_ROLES.has(words[at] as Word) || PERSONAL_TRUST.has(words[at - 1] ?? '')) continue
    // `(LE)` and `, TR,`: the signs around a role are removed with it.
    const isAside = words[at - 1] === '(' && words[at + 1] === ')'
    const end = isAside || words[at - 1] === ',' ? at - 1 : at
    const before = words.slice(0, end)
    const after = words.slice(isAside || words[at + 1] === ',' ? at + 2 : at + 1)
    const start = before.findLastIndex((word) => PARTING.has(word)) + 1
    const own = before.slice(start)
    const close = after.findIndex((word) => PARTING.has(word))
    const following = close < 0 ? after : after.slice(0, close)
    // `HARLOW PAUL M LIFE INSURANCE TRUST`: part of the trust's name.
    const isHeld = /^T(?:RU?S?|T)$/.test(words[at] as Word) && isTrustNamed(following)
    // `HARLOW PAUL & ANNA TR OAK HOLLOW TRUST`
    const owner = isHeld ? before.slice(0, Math.max(before.indexOf('&'), 0) || undefined) : own
    if (!isWholeName(owner, evidence)) continue
    // `PAUL R HARLOW LU & ANNA M TRENT`
    const closes = close === 0 && own.length > 2
    if (!closes && !isHeld && !isWholeName(following, evidence)) continue
    roles.push(words[at] as Word)
    return liftMiddleRoles([...before, GAP, ...after], roles, evidence)
  }
  return words
}

/** Reports whether words name a trust: `HARLOW FAMILY TR`, `OAK HOLLOW TRUST`. */
function isTrustNamed(words: readonly Word[]): boolean {
  const [kind = '', last = ''] = words.slice(-2)
  const isTrust = last === 'TRUST' || (last === 'TR' && PERSONAL_TRUST.has(kind))
  return isTrust && !PERSONAL_TRUST.has(words[0] as Word) && words[0] !== 'TRUST'
}

const isPlain = (word: Word) => /^[A-Z-]+$/.test(word)

/** Reports whether words hold a surname and a given name or an initial, and nothing else. */
export function isWholeName(part: readonly Word[], evidence: NameEvidence | undefined): boolean {
  const names = part.filter((word) => word !== ',')
  if (part[1] === ',' && names.length > 1 && names.length < 5) return names.every(isPlain)
  if (names.length < 2 || names.length > 4 || !names.every(isPlain)) return false
  if (names.some((word) => ASIAN_GIVEN.has(word) || VIETNAMESE_SURNAMES.has(word))) return false
  const leans = names.filter((word) => word.length > 1).map((word) => leaning(word, evidence))
  const isInitialed = leans.length < names.length
  // `MARY ANN` are two given names, not a whole name.
  if (leans.length < 2) return isInitialed && Math.max(...leans) > 0
  const isNamed = Math.min(...leans) < -0.5 || isKnownGiven(names[1] as Word)
  return Math.max(...leans) > -1.9 && (isInitialed || isNamed)
}

/**
 * Reads the stroke after a surname as a comma: `ROE/JANE MARIE/AND PAUL`. Strokes before `&` and
 * before the kind of a trust are dropped. `JANE/MARIE ROE` and `ROE PAUL/JANE` are two persons.
 */
export function readSurnameStroke(
  words: readonly Word[],
  order: NameOrder,
  evidence: NameEvidence | undefined,
): readonly Word[] {
  const at = words.indexOf('/')
  if (at < 1 || at > 4 || at === words.length - 1 || words.includes(',')) return words
  const before = words.slice(0, at).filter((word) => !SUFFIXES.has(word))
  const surname = before.at(-1) ?? ''
  const next = words[at + 1] as Word
  const isSurname =
    surname.length > 1 &&
    isPlain(surname) &&
    before.slice(0, -1).every((word) => PARTICLES.has(word))
  if (!isSurname || !isPlain(next)) return words
  // `HARLOW/TRENT FAMILY TRUST`: two families.
  const isFamily = PERSONAL_TRUST.has(words[at + 2] ?? '')
  if (isFamily && isKnownSurname(next) && leaning(next, evidence) > 0) return words
  const isGiven = next.length === 1 || isKnownGiven(next)
  // `SMITH/JONES`: two surnames. `PAUL/ANNA HARLOW` may occur in every roll.
  const isMarked = SUFFIXES.has(words[at - 1] as Word)
  const least = order === 'last-first' ? -1.5 : 0.3
  const isPair = isKnownSurname(next) && words.length === at + 2
  // `PAUL/HAROLD EUGENE`: two given names behind the stroke.
  const isBehind =
    order === 'last-first' && words.length === at + 3 && isPlain(words[at + 2] as Word)
  const isSecond = isBehind && leaning(words[at + 2] as Word, evidence) <= 0
  const isFirst = isGiven && !isSecond && leaning(surname, evidence) <= least
  if (isGiven ? isFirst && !isMarked : isPair) return words
  if (!isGiven && (order !== 'last-first' || leaning(surname, evidence) < 0)) return words
  // `WAL/MART STORES`, but `ROE/GILMORE C/RLT`.
  const names = words.filter((word) => !STROKE_KINDS.has(word) && !PERSONAL_TRUST.has(word))
  if (!isGiven && isOrganization(names, order, evidence)) return words
  // The last name may be a surname: `HARLOW/THOMAS JAMES`, `WADE/LISA KRUGER`.
  const last = words.at(-1) as Word
  const isLate = words.length > 3 && last.length > 1 && leaning(last, evidence) > -1
  const isEither = order === 'first-last' || (order === 'mixed' && isKnownGiven(surname))
  if (isEither && isLate) return words
  return [...words.slice(0, at), ',', ...readStrokes(words.slice(at + 1))]
}

/** Drops strokes that part no persons, spells kinds of trusts. Behind `/AND` is a whole name. */
function readStrokes(words: readonly Word[]): Word[] {
  return words.flatMap((word, at) => {
    const next = words[at + 1] ?? ''
    if (word === '/') {
      const isKind = STROKE_KINDS.has(next) || PERSONAL_TRUST.has(next)
      const closes = at === words.length - 2 && (LATE_ROLES.has(next) || SUFFIXES.has(next))
      return isKind || next === '&' || closes ? [] : [word]
    }
    // `HARLOW/PAUL/& BRENDT`: a given name alone has the surname before it.
    const isAlone = at === words.length - 2 || words[at + 2] === '&'
    const isLone = isAlone && !STRONG.has(next) && !LEGAL_FORMS.has(next)
    if (word === '&' && words[at - 1] === '/') return [isLone && next !== 'CO' ? word : GAP]
    return words[at - 1] === '/' ? (STROKE_KINDS.get(word) ?? [word]) : [word]
  })
}

/**
 * Parts two initials around a stroke, where they are no role and a given name follows: `HARLOW PAUL
 * D/A LORENA`. They would be read as one word, like `H/W`. Spells `W/O` before a person's name.
 * Joins two surnames around a hyphen: `HARLOW - TRENT ANNA`.
 */
export function partInitials(recorded: string): string {
  const text = recorded.includes(' - ')
    ? partNames(recorded.replace(LONE_HYPHEN, joinSurnames))
    : recorded
  if (!text.includes('/')) return text
  return text.replace(INITIALS, (...found: string[]) => {
    const [all = '', first = '', second = '', next = '', after = ''] = found
    const role = (first + second).toUpperCase()
    const name = next.toUpperCase()
    const kin = KIN.get(role)
    if (kin !== undefined) {
      const isNext = isKnownGiven(name) || leaning(name, undefined) < -0.5
      const isPerson = isNext || (isKnownSurname(name) && isKnownGiven(after.toUpperCase()))
      return isPerson ? `${kin} OF ${next}` : all
    }
    const isRole = ROLES.has(role) || SOFT_ROLES.has(role) || MIDDLE_ROLES.has(role)
    return isRole || !isKnownGiven(name) ? all : `${first} & ${second} ${next}`
  })
}

/** `HARLOW, PAUL - MILLER, ANNA`, `PAUL HARLOW - ANNA`: a hyphen parts two persons. */
function partNames(text: string): string {
  const [first = [], second = [], ...more] = text
    .toUpperCase()
    .split(' - ')
    .map((part) => part.split(/[ ,.]+/).filter((word) => word !== ''))
  const [next = '', ...others] = second
  // `HARLOW TAYLOR - DAVIS ANNA`: perhaps a double surname.
  const isDouble = isKnownSurname(next) && isKnownSurname(first.at(-1) ?? '')
  // `HARLOW PAUL - TOD` has a role.
  const isGivenAlone = isKnownGiven(next) && !isKnownSurname(next) && !ROLES.get(next)?.has('')
  const isSecond = others.length === 0 ? isGivenAlone : isWholeName(second, undefined)
  const arePersons = more.length === 0 && isSecond && !isDouble && isWholeName(first, undefined)
  return arePersons ? text.replace(' - ', ' & ') : text
}

function joinSurnames(pair: string): string {
  const words = pair.toUpperCase().split(' - ')
  const areSurnames =
    isKnownSurname(words[1] ?? '') && words.every((word) => leaning(word, undefined) > 0)
  return areSurnames ? words.join('-') : pair
}

/** At the start or the end of a name, since elsewhere a hyphen may part two persons. */
const LONE_HYPHEN =
  /(?<=^|& ?)[a-z]{3,20} - [a-z]{3,20}(?=,? [a-z])|(?<=[a-z] )[a-z]{3,20} - [a-z]{3,20}(?=$| ?&)/gi
const INITIALS = /(?<=[a-z] )([a-z])\/([a-z]) +([a-z]{2,20})(?![a-z])(?=,? ?([a-z]*))/gi

/** Moves a surname behind a comma to the front, in natural order: `ANNA MARIE T, ODELL`. */
export function moveLateSurname(
  words: readonly Word[],
  evidence: NameEvidence | undefined,
): readonly Word[] {
  const comma = words.indexOf(',')
  const last = words[comma + 1] ?? ''
  if (comma < 2 || comma !== words.length - 2 || last.length < 3) return words
  const given = words.slice(0, comma)
  const isGiven = (word: Word) =>
    word.length === 1 ? /[A-Z]/.test(word) : isKnownGiven(word) && !isKnownSurname(word)
  if (!given.every(isGiven) || given.every((word) => word.length === 1)) return words
  if (!/^[A-Z]+$/.test(last)) return words
  const isInitialed = given.at(-1)?.length === 1
  if (isInitialed ? leaning(last, evidence) <= -2 : !isKnownSurname(last) || isKnownGiven(last)) {
    return words
  }
  return [last, ',', ...given]
}

/** Two surnames, neither of them a given name: in `JOHN PAUL I HARLOW` the letter is an initial. */
export function isCatalanPair(
  before: Word,
  after: Word,
  evidence: NameEvidence | undefined,
): boolean {
  const isSurname = (word: Word) =>
    word.length > 2 && !isKnownGiven(word) && leaning(word, evidence) > 0.3
  return isSurname(before) && isSurname(after)
}
