/** Removes roles, shares and noise from a name. docs/matching.md, owner rule 4. */
import type { NameOrder } from '../base/model/owner.ts'
import { PARTICLES, VIETNAMESE_SURNAMES } from './dictionaries/names.ts'
import {
  COMPANY_ENDS,
  LEGAL_FORMS,
  PERSONAL_TRUST,
  STRONG,
  WEAK,
} from './dictionaries/organization-words.ts'
import {
  type Phrases,
  type PhrasesAt,
  ROLES,
  SOFT_ROLES,
  SUFFIXES,
  TITLES,
} from './dictionaries/roles.ts'
import { isKnownGiven, isKnownSurname, leaning } from './evidence.ts'
import { listCuts } from './organizations/practice.ts'
import { isSyllable } from './organizations/surname-words.ts'
import { joinWord, type Word } from './words.ts'

/** Word that replaces a role. The names on its two sides belong to different owners. */
export const GAP = '|'
export type Lifted = { words: Word[]; roles: string[] }
/** Words between two owners. */
export const PARTING: ReadonlySet<Word> = new Set(['&', '/', ';', GAP])

const FRACTION = /^(?:\d{1,3}\/\d{1,4}(?:TH|RDS|ND|RD|THS|ST)?|[\d.]+%|0\.\d{1,4})$/
const DATE = /^\d{1,4}(?:[-/]\d{1,2}[-/]\d{2,4}|\d{0,4})$/

/**
 * Replaces each role by `|` and returns the roles.
 *
 * `soft`: also removes short words that occur in names of organizations, and lone shares.
 */
export function liftRoles(words: readonly Word[], soft: boolean): Lifted {
  let start = 0
  while (start < words.length && roleLength(words, start, soft) === 0) start++
  if (start === words.length) return { words: words as Word[], roles: [] }
  const kept: Word[] = words.slice(0, start)
  const roles: string[] = []
  let at = start
  while (at < words.length) {
    const length = roleLength(words, at, soft)
    if (length === 0) {
      kept.push(words[at++] as Word)
      continue
    }
    const role = words.slice(at, at + length)
    roles.push(role.map((one) => (FRACTION.test(one) ? one : one.replace(/[-.]/g, ''))).join(' '))
    at += length
    // `(TRUSTEE)`: the parentheses are removed together with the role.
    if (kept[kept.length - 1] === '(' && (words[at] === ')' || at === words.length)) {
      kept.pop()
      at++
    }
    kept.push(GAP)
  }
  return { words: kept, roles }
}

/** Returns the length of the longest phrase of a table at a position; 0 if there is none. */
export function phraseLength(words: readonly Word[], at: number, table: Phrases): number {
  const word = words[at] ?? ''
  const phrases = table.get(word)
  if (phrases === undefined && !word.startsWith('CO-')) return 0
  // `CO-EXECUTOR`
  return phraseFrom(words, at, phrases ?? table.get(word.slice(3)))
}

function roleLength(words: readonly Word[], at: number, soft: boolean): number {
  const word = words[at] as Word
  if (isShare(word)) {
    const length = phraseFrom(words, at, ROLES.get('#'))
    return length > 0 ? length : soft ? 1 : 0
  }
  const whole = wholeLength(words, at)
  const isCut = at > 1 && at + whole < words.length
  const length = isCut ? Math.max(whole, cutRoleLength(words, at, soft)) : whole
  if (length === 0) return 0
  // `ROS, IRENE`: a surname. `OSCAR A MINOR`: a role.
  const starts = at === 0 || words[at - 1] === '&'
  const isSurname = starts && length === 1 && words[at + 1] === ',' && words.length > at + 2
  if (isSurname && SOFT_ROLES.has(word)) return 0
  // `& COUSINS, ANNA`: a surname.
  const isNamed = word === '&' && words[at + length] === ',' && words.length > at + length + 1
  if (isNamed && words[at + 1] === 'COUSINS') return 0
  // `ROS NINA`: at the start these words are surnames.
  // `LATE EDWARD J`: a surname, since no other is there.
  const [, given = '', initial = ''] = words
  const isLone = at === 0 && words.length < 4 && initial.length < 2 && isKnownGiven(given)
  if (isLone && length === 1 && LONE_FIRST.has(word)) return 0
  const isFirst = at === 0 || (starts && words[0] === word)
  if (isFirst && length === 1 && words.length > at + 1 && NAME_FIRST.has(word)) return 0
  // `WILLOWBROOK POA`, `WILLOW LAKES POA`: property owners.
  const isOwners = word === 'POA' && at > 0 && at < 3 && at === words.length - 1
  if (isOwners && !words.some(isKnownGiven) && (at === 1 || WEAK.has(words[1] ?? ''))) return 0
  // `SELF DIRECTED IRA SERVICES INC`
  if (at === 0 && words[length - 1] === 'IRA') return 0
  // `HARLOW PAUL L/C` holds by land contract. `OAK HOLLOW L/C` is a company.
  const isHeld = HELD.test(words.slice(at, at + length).join(' '))
  if (isHeld && !isBehindPerson(words, at)) return 0
  // `TE VELDE HENK`, `CHU, TE`: a name, since a tenure follows a whole one. `ANNA TE` has one.
  if (word === 'TE' && isNameAt(words, at)) return 0
  // `HARLOW HEIRS LLC`: part of the company's name.
  const isInside = (at > 0 || length > 1) && at + length === words.length - 1
  if (isInside && COMPANY_ENDS.has(words[at + length] ?? '')) return 0
  if (at < 2 && length === 2 && (word === 'A' || KIN.has(word))) return 0
  // `HARLOW PAUL M 401K PLAN`: part of the plan's name.
  const [next = '', last = ''] = words.slice(at + 1, at + 3)
  if (word === '401K' && /^[A-Z]/.test(next) && !isKnownGiven(next) && !isKnownGiven(last)) return 0
  // `GLASGOW, TOD ALLEN`: a given name, unless a whole name precedes it.
  if (word === 'TOD' && length === 1 && !isBehindName(words, at)) return 0
  // `HARLOW PAUL SEPARATE PROPERTY TRUST`: a kind of trust.
  if (PROPERTY_KINDS.has(word) && words[at + length]?.startsWith('TRUST')) return 0
  const before = words[at - 1] ?? ''
  if (word.startsWith('CO') && isInFirm(words, at, at + length)) return 0
  if (before === 'REAL' || before === 'RL' || (before === 'OF' && word.startsWith('TRUSTEE')))
    return 0
  // `SMITH FAMILY TR OF 1990`: part of the trust's name.
  if (word === 'TR' || word === 'TRS') {
    if (PERSONAL_TRUST.has(before) || /^\d/.test(words[at + length] ?? '')) return 0
  }
  // `REVOC FAM TRST`: here the word means trust, not trustee.
  if (word.startsWith('TRST') && PERSONAL_TRUST.has(before)) return 0
  // `HARLOW TRUST CO CUST TRENT PAUL`
  const isHolder = word === 'CUST' && at > 1 && /^(?:BANK|CO|NA)$/.test(before)
  return soft || isHolder || !isSoft(words, at, length) ? length : 0
}

/** The length of a role that the roll wrote whole: `JTWROS`, `J.T.R.S`, `JT-WROS`, `T-I-C`. */
function wholeLength(words: readonly Word[], at: number): number {
  const word = words[at] as Word
  const length = phraseLength(words, at, ROLES)
  const isJoined = length === 0 && (word[1] === '-' || word[2] === '-' || word.includes('.'))
  return isJoined ? phraseLength([joinWord(word)], 0, ROLES) : length
}

function isNameAt(words: readonly Word[], at: number): boolean {
  if (words.length === 2) return at === 0 || isSyllable(words[0] as Word)
  return at === 2 ? words[1] === ',' : at < 2 && words.length > 2
}

/** `OAK HOLLOW COUNCIL OF CO-OWNERS`, `OAK CO-OWNERS ASSN`, `HARLOW TRUST CO TR`. */
function isInFirm(words: readonly Word[], at: number, end: number): boolean {
  // `LE CO TRUSTEE`: a given name.
  const isGiven = at === 1 && VIETNAMESE_SURNAMES.has(words[0] as Word)
  if (words[at] === 'CO' && (isGiven || isCompanyAt(words, at))) return true
  const isBody = (word = '') => word === 'OF' || LEGAL_FORMS.has(word) || STRONG.has(word)
  const isOwner = words[end - 1]?.includes('OWNER') === true
  return isOwner && (words[at - 1] === 'OF' || isBody(words[end]))
}

/** `NATIONAL TRUST CO TR`, `HARLOW BANK TRUST CO TRS`, but not `HARLOW PAUL TRUST CO TRUSTEES`. */
function isCompanyAt(words: readonly Word[], at: number): boolean {
  const before = words[at - 1] ?? ''
  if (before !== 'TRUST' || words.includes('BANK')) return COMPANY_KINDS.has(before)
  return !PERSONAL_TRUST.has(words[at - 2] ?? '') && !/S$/.test(words[at + 1] ?? '')
}

/** Reports whether a person's whole name precedes a word, and no word of a company's. */
function isBehindPerson(words: readonly Word[], at: number): boolean {
  const names = words
    .slice(0, at)
    .filter((word) => !/^[(),]$/.test(word) && !SUFFIXES.has(word) && !PARTICLES.has(word))
  const isFirm = (word: Word, index: number) =>
    LEGAL_FORMS.has(word) ||
    (WEAK.has(word) && index > 0) ||
    (STRONG.has(word) && (index > 0 || !isKnownSurname(word)))
  const persons = names
    .join(' ')
    .split(/ ?[&/;|] ?/)
    .map((name) => name.split(' '))
  return persons.some(isPlainPerson) && !persons.some((name) => name.some(isFirm))
}

/** `HARLOW PAUL`, `HARLOW ZELPHIA R`, `PAUL R HARLOW`: two to four words. */
function isPlainPerson([first = '', second = '', ...more]: readonly Word[]): boolean {
  if (first.length < 2 || more.length > 2) return false
  const isInitial = (word: Word) => /^[A-Z]$/.test(word)
  const [third = '', fourth = third] = more
  if (isInitial(fourth)) return true
  if (isKnownGiven(second)) return more.every((word) => isInitial(word) || isKnownGiven(word))
  if (!isKnownGiven(first)) return false
  return more.length === 0 ? leaning(second, undefined) > 2 : isInitial(second) && more.length < 2
}

/**
 * Returns the length of a role that the roll truncated: `HARLOW, ANNA AS SU`, `HARLOW PAUL R
 * TENANTS IN C`. One word alone is a role only in a person's name (`soft`).
 */
function cutRoleLength(words: readonly Word[], at: number, soft: boolean): number {
  const left = words.length - at
  const [first, cut] = [words[at] as Word, words[words.length - 1] as Word]
  const isAs = first === 'AS'
  if (left === 1) {
    cutRoles ??= listCuts(
      [...ROLES.keys()].filter((word) => !STRONG.has(word) && !TITLES.has(word)),
    )
    return soft && (isAs || (cutRoles.has(cut) && isBehindPerson(words, at))) ? 1 : 0
  }
  // `& SIST` may be a surname, `TODD D` has an initial.
  const phrases = first === '&' || isKnownGiven(first) ? undefined : ROLES.get(first)
  if (phrases === undefined || left > LONGEST_CUT) return 0
  const before = words.slice(at, -1)
  // `JOHN LEE A SING`: a middle initial and a surname.
  const isNatural = leaning(words[0] as Word, undefined) < -0.5 && leaning(cut, undefined) > 0
  if (before.join() === 'A' && isNatural && words.slice(0, at).every(isKnownGiven)) return 0
  // `JOINT TRUST`, `LAND CO`: whole words.
  const isEnough = (cut.length > 3 || before.join('').length > 3) && !WHOLE.has(cut)
  if (isAs ? !soft : !isEnough || !isBehindPerson(words, at)) return 0
  const isFound = [...phrases.values()]
    .flat()
    .some(
      (phrase) =>
        phrase[left - 1]?.startsWith(cut) === true &&
        before.every((word, index) => word === phrase[index]),
    )
  return isFound ? left : 0
}

const WHOLE = new Set(['TRUST', 'CO'])
let cutRoles: ReadonlySet<Word> | undefined
const LONGEST_CUT = 6

/** Words before `CO` that make it a company, and not the first word of a role. */
const COMPANY_KINDS = new Set(['TRUST', 'BANK', 'SAVINGS', 'INSURANCE', 'MORTGAGE', 'TITLE'])

/** Tenures that are parts of companies' names too: `HARLOW PAUL L/C BUYER`, `OAK LEASEHOLD LLC`. */
const HELD = /^(?:L-C$|LEASEHOLD|FOR .*LI[FV]ES?$)/

/** First words of a tenure that a trust may be named after. */
const PROPERTY_KINDS = new Set(['SEPARATE', 'COMMUNITY'])

/** `SON OF MAN MINISTRY`: no role at the start. */
const KIN = new Set(['SON', 'SONS', 'DAUGHTER', 'CHILD', 'CHILDREN'])

/** Roles that are the surname where only a given name and an initial follow. */
const LONE_FIRST = new Set('GUARDIAN WIDOW LATE BUYER EACH HEIR AGENT HUSBAND'.split(' '))
/** Roles that never begin a name. */
const NAME_FIRST = new Set(['ROS', 'SINGLE', 'GUARD', 'POA'])

/** Reports whether a whole name precedes a word or, at the start, follows it. */
function isBehindName(words: readonly Word[], at: number): boolean {
  if (at === 0) return words.length > 2
  return at > 1 && words[at - 1] !== ',' && words[at - 1] !== '&'
}

/** Returns the length of the longest phrase that matches; the caller found its first word. */
function phraseFrom(words: readonly Word[], at: number, phrases: PhrasesAt | undefined): number {
  if (phrases === undefined) return 0
  const next = words[at + 1]
  const length = next === undefined ? 0 : firstLength(words, at, phrases.get(next))
  return (
    length || firstLength(words, at, phrases.get('#')) || firstLength(words, at, phrases.get(''))
  )
}

function firstLength(
  words: readonly Word[],
  at: number,
  candidates: readonly (readonly string[])[] = [],
): number {
  for (const phrase of candidates) {
    let index = 1
    while (index < phrase.length && matchesWord(phrase, index, words, at)) index++
    if (index === phrase.length) return index
  }
  return 0
}

function matchesWord(
  phrase: readonly string[],
  index: number,
  words: readonly Word[],
  at: number,
): boolean {
  const recorded = words[at + index] ?? ''
  if (phrase[index] !== '#') return phrase[index] === recorded
  const next = words[at + index + 1] ?? ''
  // `TRUSTEE DATED MAY 2 2001`. `HARLOW TRUST DATED MAY` is the name of a trust.
  const isMonth =
    MONTH.test(recorded) &&
    (index > 1 ? !/^[A-Z]/.test(next) : /^U/.test(phrase[0] as string) && /^\d/.test(next))
  const isDate = isMonth || DATE.test(recorded)
  return isShare(recorded) || (isDate && phrase.some((word) => DATED.has(word)))
}

const MONTH =
  /^(?:JAN|FEB|MAR|APR|MAY|JUNE?|JULY?|AUG|SEPT?|OCT|NOV|DEC)(?:R?UARY|CH|IL|UST|E?M?O?BER)?$/

const DATED = new Set(['OF', 'DTD', 'DATED', 'UTD', 'UDT', 'UA', 'UAD', 'UTA', 'UNDER'])

/** Returns the order of the names after a role. After `ESTATE OF` and `FBO` either occurs. */
export function orderAfter(roles: readonly string[], order: NameOrder): NameOrder {
  if (order !== 'last-first') return order
  return roles.some((role) => OF_SOMEONE.test(role)) ? 'mixed' : order
}

const OF_SOMEONE = new RegExp(
  '^(?:THE )?(?:UNKNOWN |UNK )?(?:ESTATE|EST|SUCCESSION|HEIRS|HRS|HEIR|HEIRS AT LAW|EXECUTOR' +
    '|EXECUTRIX|PERS REP|LIFE ESTATE|(?:TR )?UNDER WILL) OF|^TR UW$|UWO$|^TUW|BENEFIT OF$|FBO$',
)

export const FOR_SOMEONE = /(?:FBO|BENEFIT OF)$/

/** Reports whether a word is a share of less than the whole: `1/2`, `33.3%`. */
export function isShare(word: Word): boolean {
  const first = word.charCodeAt(0)
  if (first < 48 || first > 57) return false
  if (!FRACTION.test(word)) return false
  const [part = '', whole] = word.replace(/[A-Z]+$/, '').split('/')
  return whole === undefined || Number(part) <= Number(whole)
}

/** Reports whether a role is too weak to be removed from a firm: one soft word, single letters. */
function isSoft(words: readonly Word[], at: number, length: number): boolean {
  const phrase = words.slice(at, at + length)
  if (length === 1) return SOFT_ROLES.has(joinWord(phrase[0] as Word))
  return phrase.every((word) => word.length === 1)
}
