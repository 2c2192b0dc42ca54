/** Finds the person after whom a trust is named. docs/matching.md, owner rule 5. */
import type { NameEvidence, NameOrder } from '../../base/model/owner.ts'
import { PARTICLES } from '../dictionaries/names.ts'
import {
  BUSINESS_TRUST,
  CONNECTORS,
  LEGAL_FORMS,
  PERSONAL_TRUST,
  PLAN_WORDS,
  SHORT_KINDS,
  STRONG,
  SURNAME_TOO,
  TRUST_WORDS,
  WEAK,
} from '../dictionaries/organization-words.ts'
import { isKnownGiven, isKnownSurname, leaning } from '../evidence.ts'
import { type Persons, readPersons } from '../persons.ts'
import { isWholeName } from '../signs/middle-roles.ts'
import { isSeparator, splitAt, type Word } from '../words.ts'
import { isAsianName, startsOwnSyllables } from './surname-words.ts'

export const TRUST_ENDS = new Set(['TRUST', 'TRUSTS', 'TRST', 'TRUS', 'QPRT', 'UNITRUST'])

/** The words of a trust's name that may be a person's, and the kind of trust. */
type TrustPerson = { words: Word[]; firm: boolean; family: boolean; natural: boolean }

/**
 * Returns the person's words in a trust's name; `undefined` for business trusts and others.
 *
 * @example trustPerson(['SMITH', 'JOHN', 'A', 'REVOCABLE', 'TRUST']) // words SMITH JOHN A, firm
 */
export function trustPerson(name: readonly Word[]): TrustPerson | undefined {
  const said = name.findLastIndex((word) => TRUST_ENDS.has(word) || word === 'TR' || word === 'TRU')
  const at = said < 0 && isCutTrust(name) ? name.length : said
  // `TRUST UW PAUL HARLOW`
  const isUnder =
    /^U[AW]O?$/.test(name[at + 1] ?? '') &&
    at + 2 < name.length &&
    name.slice(0, at).every((word) => TRUST_WORDS.has(word))
  // `TRUST OF 1990`: a year, not a person.
  const isOf = (word: Word, index: number) =>
    index >= at && (word === 'OF' || word === 'FOR') && !/^\d/.test(name[index + 1] ?? '')
  const of = isUnder ? at + 1 : name.findIndex(isOf)
  const isNear = (word: Word, index: number) => word.length === 1 || isKind(name, index + 1)
  const begins = at === 0 && of > 0 && name.slice(1, of).every(isNear)
  if (at < 0 || (at === 0 && !isUnder && !begins && name[1] !== 'UNDER')) return undefined
  if (isHeldByBank(name, at)) return undefined
  const scope = of > 0 && of < name.length - 1 ? name.slice(of + 1) : name.slice(0, at)
  const kinds = of > 0 ? name.slice(0, of) : name
  let end = scope.length
  while (end > 0 && isKind(scope, end - 1)) end--
  let start = end === 0 && scope[0] === 'THE' ? 1 : 0
  // `THE 1998 HARLOW FAMILY TRUST`
  const isBefore = (word: Word) =>
    word === 'THE' ||
    word === ',' ||
    (isUnder && word === 'OF') ||
    (end > start + 1 && /^(?:19|20)\d\d$/.test(word))
  while (start < end && isBefore(scope[start] as Word)) start++
  const isBusiness = kinds.some((word) => BUSINESS_TRUST.has(word) && word !== scope[start])
  if (isSurnameToo(scope, start, end)) end = Math.max(start, end) + 1
  if (end === start + 1 && isPlan(scope, end)) return undefined
  const words = scope.slice(start, end).filter((word) => word !== '(' && word !== ')')
  // `ORCHARD, STELLA M REVOCABLE TRUST`: the comma marks a surname.
  const isNoName = (word: Word, index: number) =>
    /\d/.test(word) ||
    (isOther(word) && !(index === 0 && words[1] === ',')) ||
    // `PRAIRIE LOAN TRUST`, but `NGUYEN LOAN TRUST`
    (word === 'LOAN' && !isAsianName(words, index, word, 'last-first'))
  if (words.length === 0 || words.some(isNoName) || words.includes('EXEMPT')) return undefined
  // `PAUL HARLOW REALTY TRUST`, but `ROSE HILL REALTY TRUST`, `WILLIAM STREET REALTY TRUST`.
  // `HARLOW PAUL M LAND TRUST`, but `SAINT PAUL LAND TRUST`.
  const isMarked = name[at - 1] !== 'LAND' || words.some((word) => word.length === 1)
  const isPerson = words.some(isPlain) && !words.some(isPlace) && isMarked
  if (isBusiness && !(isPerson && isWholeName(words, undefined))) return undefined
  // `HARLOW TRUST, PAUL R`
  const late = of < 0 ? name.slice(at + 1).filter((word) => word !== ',') : []
  const isGiven = (word: Word) => word === '&' || word.length === 1 || isKnownGiven(word)
  const isLate = words.length === 1 && isKnownGiven(late[0] ?? '') && late.every(isGiven)
  return {
    words: isLate ? [...words, ',', ...late] : words,
    firm: kinds.some((word) => PERSONAL_TRUST.has(word)),
    family: kinds.some((word) => word === 'FAMILY' || word === 'FAM'),
    natural: of > 0,
  }
}

/**
 * Reports whether the word at `end`, which may state the kind of a trust, is the surname: `MAY
 * FAMILY TRUST`, `PAUL J MAY TRUST`.
 */
function isSurnameToo(scope: readonly Word[], start: number, end: number): boolean {
  const [word = '', next = ''] = scope.slice(Math.max(start, end))
  const isSurname = isKnownSurname(word) || (!word.includes('-') && leaning(word, undefined) > 1)
  // `PAUL REAL ESTATE TRUST`
  if (word === 'REAL' && next === 'ESTATE') return false
  if (end <= start) {
    const isFamily = next === 'FAMILY' || next === 'FAM'
    if (isSurname || PLAN_WORDS.has(word)) return PERSONAL_TRUST.has(next)
    return isFamily && isKnownGiven(word)
  }
  const given = scope.slice(start, end)
  const isGiven = (own: Word) =>
    own === '&' || own.length === 1 || (isKnownGiven(own) && leaning(own, undefined) <= -2)
  return isSurname && !/^\d/.test(next) && given.every(isGiven) && given.some(isKnownGiven)
}

/** `SWEET HOME TRUST`: a surname alone has no such trust, but `GUN FAMILY TRUST` is a family's. */
const isPlan = (scope: readonly Word[], at: number) =>
  PLAN_WORDS.has(scope[at] ?? '') && !scope.includes('FAMILY')

/** `HARBOR TRUST CO`, `HARBOR BANK NA TR`, `HARBOR BANK N A TR`: a company. */
function isHeldByBank(name: readonly Word[], at: number): boolean {
  const [first, last] = [name[at - 2], name[at - 1] ?? '']
  return (
    /^CO(?:MPANY)?$/.test(name[at + 1] ?? '') ||
    /^(?:BANK|NA)$/.test(last) ||
    (first === 'N' && last === 'A')
  )
}

const isPlain = (word: Word) => isKnownGiven(word) && leaning(word, undefined) <= -1.5
const isPlace = (word: Word, index: number) =>
  WEAK.has(word) || (STRONG.has(word) && index > 0) || PLACE_WORDS.has(word)
const PLACE_WORDS = new Set(['ALLEY', 'CAPE', 'LOOP', 'PATH', 'ROW', 'WAY'])

type TrustFound = Persons & { roles: string[] }

/**
 * Adds the person of a personal trust to the reading of its name.
 *
 * A family trust has a surname alone: `HARLOW FAMILY TRUST`.
 */
export function readTrustPersons(
  name: readonly Word[],
  order: NameOrder,
  evidence: NameEvidence | undefined,
  found: TrustFound,
): void {
  const trust = trustPerson(name)
  if (trust === undefined) return
  const { words } = trust
  // `J M D REVOCABLE TRUST`: initials only, so no surname.
  if (words.every((word) => word.length === 1)) return
  const names = words.filter((word) => !isSeparator(word))
  const [first = '', second = ''] = names
  const lone = names.length === 1
  if ((lone || (words.length === 2 && second.length === 1)) && leaning(first, evidence) < -1.5) {
    // `HARLOW PAUL TRUST & ANNA M TRUST`: a given name shares the surname before it.
    const before = trust.family ? undefined : found.persons.at(-1)
    if (before !== undefined) found.persons.push({ ...before, given: names, suffix: null })
    if (before !== undefined || !lone) return
  }
  if (lone) {
    const isSurname = trust.family || trust.firm || isKnownSurname(first)
    if (isSurname && (isKnownSurname(first) || (first.length > 2 && /[AEIOUY]/.test(first)))) {
      found.persons.push({ surname: first, given: [], suffix: null })
    }
    return
  }
  const isSurname = (word: Word) => isKnownSurname(word) || leaning(word, evidence) > 1.5
  // `SMITH & JONES LIVING TRUST`: two families.
  const arePair =
    trust.firm && /^[&/]$/.test(words[1] ?? '') && words.length === 3 && names.every(isSurname)
  const given = names.some(
    (word) => word.length === 1 || (!PARTICLES.has(word) && leaning(word, evidence) <= -0.5),
  )
  if (arePair || (!given && !words.includes(','))) {
    // `VAN DER MEER LIVING TRUST`
    const isParticled = trust.firm && names.slice(0, -1).every((word) => PARTICLES.has(word))
    if (trust.family || arePair || isParticled) {
      // `SMITH FAMILY GARAGE TRUST`
      const family = words.findIndex((word) => word === 'FAMILY' || word === 'FAM')
      const named = splitAt(family > 0 ? words.slice(0, family) : words, isSeparator)
      const surnames = named.map((run) => run.join(' ')).filter((surname) => surname !== '')
      found.persons.push(...surnames.map((surname) => ({ surname, given: [], suffix: null })))
    }
    return
  }
  // Names of trusts are mostly in natural order, whatever the order of the roll.
  const trustOrder: NameOrder = trust.natural
    ? 'first-last'
    : order === 'last-first' && !startsOwnSyllables(names, leaning(first, evidence))
      ? 'mixed'
      : order
  const shared = trust.family ? shareLastSurname(words) : words
  const read = readPersons(shared, trustOrder, evidence, found.roles)
  found.persons.push(...read.persons)
  found.alternates.push(...read.alternates)
}

/** Moves a family trust's surname to the front: `PAUL LEE & ANNA MARIE HARLOW`. */
function shareLastSurname(words: readonly Word[]): readonly Word[] {
  const at = words.indexOf('&')
  const given = words.filter((word, index) => word !== '&' && index < words.length - 1)
  const isGiven = (word: Word) => word.length === 1 || isKnownGiven(word)
  const isNatural = isKnownGiven(given[0] ?? '') && !isKnownSurname(given[0] ?? '')
  // The person before `&` has no surname but one that is a given name too.
  const isShared = at > 1 && words.length - at > 2 && words.at(-1)?.length !== 1
  if (!isShared || !isNatural || !given.every(isGiven)) return words
  return [words.at(-1) as Word, ',', ...words.slice(0, -1)]
}

/** Reports whether the roll cut a trust before its last word: `SMITH JOHN A REVOCABLE LIVING`. */
function isCutTrust(words: readonly Word[]): boolean {
  const at = words.length - (/^LIV/.test(words.at(-1) ?? '') ? 2 : 1)
  return at > 0 && REVOCABLE.test(words[at] as Word)
}

const REVOCABLE = /^(?:IR)?REVOC/

function isKind(scope: readonly Word[], at: number): boolean {
  const word = scope[at] as Word
  // `AMENDED & RESTATED`
  if (word === ',' || word === '&') return true
  if (word.length === 1) return false
  // `HARLOW PAUL CHAR REM TRUST`, but `CHAR FAMILY TRUST`
  if (word === 'CHAR' && !/^(?:REM|LEAD|UNI)/.test(scope[at + 1] ?? '')) return false
  return TRUST_WORDS.has(word) || /^\d/.test(word) || isCharitable(scope, at)
}

/** `CHAR REM TRUST`, `CHARITABLE LEAD ANNUITY TRUST`, `GRANTOR RETAINED ANNUITY TRUST` */
const isCharitable = (scope: readonly Word[], at: number) =>
  /^(?:REM|LEAD|RETAINED|ANNUITY)$/.test(scope[at] as Word) &&
  /^(?:CHAR(?:ITABLE)?|REM(?:AINDER)?|LEAD|GRANTOR|RETAINED)$/.test(scope[at - 1] ?? '')

/** Reports whether a word of a trust's name cannot belong to a person. */
const isOther = (word: Word) =>
  CONNECTORS.has(word) || ((LEGAL_FORMS.has(word) || STRONG.has(word)) && !SURNAME_TOO.has(word))

/** Completes a trust that the roll truncated: `TRUSTEES OF THE HARLOW TRU`, `REV LIVING T`. */
export function wholeTrust(words: readonly Word[]): readonly Word[] {
  const last = words.at(-1) ?? ''
  if (!CUT_ENDS.has(last)) return words
  const kind = SHORT_KINDS.get(last)
  if (kind !== undefined) return words.length > 2 ? [...words.slice(0, -1), ...kind] : words
  if (last.startsWith('LI')) {
    // `HARLOW PAUL J REV LIV`
    const isRevocable = REVOCABLE.test(words.at(-2) ?? '')
    const isRev = words.length > 3 && words.at(-2) === 'REV' && last !== 'LI'
    return isRevocable || isRev ? [...words.slice(0, -1), 'LIVING', 'TRUST'] : words
  }
  if (last !== 'TR' && PERSONAL_TRUST.has(words.at(-2) ?? '')) {
    return [...words.slice(0, -1), 'TRUST']
  }
  const at = words.findIndex((word, index) => word === 'OF' && TRUSTEES.has(words[index - 1] ?? ''))
  // `TRUSTEE OF HARLOW PAUL T`: an initial.
  if (last === 'T' && words[at + 1] !== 'THE') return words
  return at > 0 && at < words.length - 2 ? [...words.slice(0, -1), 'TRUST'] : words
}

/** Last words of trusts that the roll truncated or shortened. */
const CUT_ENDS = new Set('T TR TRU TRUS TRS LI LIV LIVI LIVIN LIVING RLT RVT SNT'.split(' '))

const TRUSTEES = new Set(['TRUSTEE', 'TRUSTEES', 'TTEE', 'TTEES'])
