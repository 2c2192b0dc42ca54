/** Reads one recorded name into persons, organizations and roles. docs/matching.md, owner rules. */
import type { NameEvidence, NameOrder, Person } from '../base/model/owner.ts'
import { splitAliases } from './aliases.ts'
import { PARTICLES, VIETNAMESE_SURNAMES } from './dictionaries/names.ts'
import {
  COMPANY_ENDS,
  JOINING,
  LEGAL_FORMS,
  PERSON_ENDS,
  PERSONAL_TRUST,
  PLACEHOLDER,
  STRONG,
} from './dictionaries/organization-words.ts'
import { LATE_ROLES, SOFT_ROLES, SPOUSE_ROLES, SUFFIXES } from './dictionaries/roles.ts'
import { isKnownGiven, isKnownSurname, leaning, preferNatural } from './evidence.ts'
import { dropOffice } from './offices.ts'
import { isFirmPair, isOrganization } from './organizations/organization.ts'
import { organizationType } from './organizations/organization-type.ts'
import { readTrustPersons, trustPerson, wholeTrust } from './organizations/trust.ts'
import { type Persons, readPersons } from './persons.ts'
import { FOR_SOMEONE, GAP, isShare, type Lifted, liftRoles, orderAfter } from './roles.ts'
import { isTurned } from './segment.ts'
import {
  isWholeName,
  liftMiddleRoles,
  moveLateSurname,
  readSurnameStroke,
} from './signs/middle-roles.ts'
import { splitGroups, trimSeparators } from './signs/split-groups.ts'
import { SEPARATORS, type Word } from './words.ts'

export type ParsedName = {
  persons: Person[]
  alternates: Person[]
  /** In the recorded order; folded, with blanks around `&`. */
  organizations: string[]
  /** Texts read as persons that may be organizations: searchable as both, shown as persons. */
  unclear: string[]
  roles: string[]
}

/** Reads the words of one name. Pure; never throws; linear in the words. */
export function parseName(
  name: readonly Word[],
  order: NameOrder,
  evidence?: NameEvidence,
): ParsedName {
  const parsed: ParsedName = {
    persons: [],
    alternates: [],
    organizations: [],
    unclear: [],
    roles: [],
  }
  for (const { words, isTrade, isFormer } of splitAliases(name)) {
    const first = parsed.persons[0]
    if (first === undefined) {
      if (!isTrade || !readTrade(words, evidence, parsed)) readPart(words, order, evidence, parsed)
      continue
    }
    const bare = words.filter((word) => word !== '(' && word !== ')')
    const suffix = SUFFIXES.get(bare.at(-1) ?? '') ?? first.suffix
    const named = bare.filter((word) => !SUFFIXES.has(word))
    const [lone = '', ...more] = named.at(-1) === ',' ? named.slice(0, -1) : named
    const isLone = more.every(isLetter)
    const isSurname = bare.length === 1 && (isFormer || (!isTrade && isKnownSurname(lone)))
    // `HARLOW WILLIAM AKA BILL R`: BILL has the surname of the name before it.
    if (isLone && !isFormer && leaning(lone, evidence) < -1) {
      parsed.persons.push({ ...first, given: [lone, ...more], suffix })
    } else if (isLone && isSurname) {
      // `ANNA HARLOW FKA TRENT`: another surname of the same person.
      parsed.persons.push({ ...first, surname: lone })
    } else if (!isTrade || !readTrade(words, evidence, parsed)) {
      const isNatural = order === 'last-first' && endsInOwn(bare, first)
      readPart(words, isNatural ? 'first-last' : order, evidence, parsed)
    }
  }
  return parsed
}

/** `HARLOW WILLIAM AKA BILL HARLOW`, `AKA WILLIAM TRENT`: in natural order. */
function endsInOwn(words: readonly Word[], { surname, given }: Person): boolean {
  const end = words.indexOf('&')
  const names = words.slice(0, end < 0 ? undefined : end).filter((word) => !SUFFIXES.has(word))
  const [start = ''] = names
  if (names.length < 2 || start === surname) return false
  return names.at(-1) === surname || (start === given[0] && isKnownGiven(start))
}

/** Reads a trade name as an organization, if no comma and no given name indicates a person. */
function readTrade(
  words: readonly Word[],
  evidence: NameEvidence | undefined,
  parsed: ParsedName,
): boolean {
  const { words: names, roles } = liftRoles(words, false)
  const name = showName(names.filter(isNoGap))
  const isPersons = (word: Word) =>
    word === ',' || /^[A-Z]$/.test(word) || (word !== '&' && leaning(word, evidence) < -0.5)
  if (name === '' || names.some(isPersons)) return false
  parsed.organizations.push(name)
  parsed.roles.push(...roles)
  return true
}

function readPart(
  words: readonly Word[],
  order: NameOrder,
  evidence: NameEvidence | undefined,
  parsed: ParsedName,
): void {
  const plain = order === 'first-last' ? moveLateSurname(words, evidence) : words
  const ordered = readSurnameStroke(wholeTrust(plain), order, evidence)
  const lifted = liftRoles(ordered, false)
  parsed.roles.push(...lifted.roles)
  const named = liftMiddleRoles(joinAside(lifted, order), parsed.roles, evidence)
  const groups = splitGroups(named)
  let people: Word[] = []
  const flush = () => {
    if (people.length === 0) return
    const personsOrder = orderAfter(parsed.roles, order)
    const soft = liftRoles(people, true)
    parsed.roles.push(...soft.roles)
    // `IRA FBO PAUL HARLOW`: mostly in natural order.
    const isFor = personsOrder !== order && parsed.roles.some((role) => FOR_SOMEONE.test(role))
    const known = isFor ? preferNatural(evidence) : evidence
    add(parsed, readPersons(soft.words, personsOrder, known, parsed.roles))
    if (order === 'mixed' && isUnclear(soft.words, evidence)) {
      parsed.unclear.push(showName(soft.words))
    }
    people = []
  }
  for (const group of groups) {
    if (group.length === 1 && LATE_ROLES.has(group[0] as Word)) {
      parsed.roles.push(group[0] as Word)
      continue
    }
    // `HARLOW PAUL ETAL 3`, `HARLOW PAUL TTEE UA 01/02/03`: a number behind a role is no owner.
    if (groups.length > 1 && group.every((word) => NO_OWNER.test(word))) continue
    // `HARLOW PAUL R ETUX A M`: initials after a role are a person, not an organization.
    const areInitials = group.length < 3 && group.every(isLetter)
    const isGiven =
      people.length > 0
        ? areInitials || isSpouse(group, parsed.roles)
        : isHeldByCo(group, parsed.roles) ||
          (group.length === 1 && groups.length === 1 && isHeldAlone(group[0] as Word, parsed.roles))
    // `HARLOW PAUL ET AL IRREVOCABLE`: the trust's last word is cut off, and a role is in its name.
    const isKind = people.length > 0 && group.every((word) => PERSONAL_TRUST.has(word))
    // `MIDLAND IRA FBO PAUL HARLOW`: a custodian of accounts.
    const isKeeper = group !== groups.at(-1) && isIraKeeper(group, parsed.roles)
    const cut = isGiven
      ? { people: group, organization: [] }
      : isKeeper
        ? { people: [], organization: group }
        : isKind
          ? { people: [], organization: [...people.splice(0), ...group] }
          : cutOrganization(group, order, evidence)
    if (cut.people.length > 0) people.push(...(people.length > 0 ? [GAP] : []), ...cut.people)
    if (cut.organization.length > 0) {
      flush()
      const known = parsed.persons.length
      readOrganization(cut.organization, order, evidence, parsed)
      // `TRUSTEES OF THE UNIVERSITY`: here the role is part of the organization's name.
      if (/^TRUSTEES? OF/.test(parsed.roles[0] ?? '') && words[0]?.startsWith('TRUSTEE')) {
        const whole = showName(words)
        if (organizationType(whole) !== 'trust') parsed.organizations.unshift(whole)
      }
      // `HARLOW PAUL ET UX LIVING`: no trust in whose name the person is found.
      if (isKind && !isGiven && parsed.persons.length === known)
        people = cut.organization.slice(0, -group.length)
    }
  }
  flush()
}

/** Reports whether `IRA` ends a firm's name, before a role such as `FBO`, and no person's. */
function isIraKeeper(group: readonly Word[], roles: readonly string[]): boolean {
  const names = group.slice(0, -1)
  if (group.at(-1) !== 'IRA' || names.length === 0 || !roles.some((role) => FOR_SOMEONE.test(role)))
    return false
  return names.every((word) => /^[A-Z]{2,}$/.test(word) && !isKnownGiven(word))
}

/** Joins a surname and the name behind a role: `HARLOW, TRUSTEE, PAUL`, `HARLOW EST OF PAUL`. */
function joinAside({ words, roles: [role] }: Lifted, order: NameOrder): readonly Word[] {
  if (role === undefined) return words
  const at = words.findIndex((word, index) => index > 0 && word !== ',' && word !== GAP)
  const [surname = '', given = ''] = [words[0], words[at]]
  if (at < 2 || given.length < 2 || !words.slice(0, at).includes(GAP)) return words
  const isBetween = words[1] === ',' && words[at - 1] === ',' && words[at + 1] !== ','
  const isOf = OF_DEAD.test(role) && isKnownGiven(given) && leaning(surname, undefined) > 0
  // `GRANT ESTATE OF PAUL JONES`: he has a surname of his own.
  const isOwn = (word: Word) => word === surname || leaning(word, undefined) > 1.5
  const isAside = isBetween || (isOf && !words.slice(at).some(isOwn))
  if (!isAside && (order !== 'last-first' || !isSurnameAlone(words, at, role))) return words
  return [surname, ',', ...words.slice(at)]
}

/** `HARLOW TRUSTEE PAUL R & ANNA`: given names and initials alone follow a surname and a role. */
function isSurnameAlone(words: readonly Word[], at: number, role: string): boolean {
  const isGiven = (word: Word, index: number) => {
    if (word === '&' || word === GAP || word.length === 1) return true
    return (index === 0 || words[at + index - 1] === '&') && leaning(word, undefined) <= -1.5
  }
  const isSurname = words[1] === GAP && leaning(words[0] as Word, undefined) > 1
  const isHolder = FOR_SOMEONE.test(role) || role.startsWith('CUST') || STRONG.has(words[0] as Word)
  return isSurname && !isHolder && words.slice(at).every(isGiven)
}

const OF_DEAD = /\b(?:EST(?:ATE)?|HEIRS?|HRS) OF$/

/** `HARLOW PAUL ET UX ZELPHIA`: a given name, but `ET UX REVOC` has the kind of a trust. */
function isSpouse([word = '', ...rest]: readonly Word[], roles: readonly string[]): boolean {
  const isPlain = rest.length === 0 && /^[A-Z]{3,}$/.test(word) && !STRONG.has(word)
  const isTrust = PERSONAL_TRUST.has(word) && !isKnownGiven(word)
  const isName = isPlain && !isTrust && !LEGAL_FORMS.has(word)
  return isName && roles.some((role) => SPOUSE_ROLES.has(role))
}

/** `HARLOW CP/RS`, `HEIRS OF HARLOW`: only persons hold so. */
function isHeldAlone(word: Word, roles: readonly string[]): boolean {
  const isPlain = /^[A-Z-]{3,}$/.test(word) && !STRONG.has(word)
  return isPlain && roles.some((role) => SPOUSE_ROLES.has(role) || OF_PERSONS.test(role))
}

/** `NGUYEN CO CUST PAUL`: a Vietnamese given name, since only persons hold so. */
function isHeldByCo([first = '', co, ...rest]: readonly Word[], roles: readonly string[]): boolean {
  if (co !== 'CO' || rest.length > 0 || !VIETNAMESE_SURNAMES.has(first)) return false
  return roles.some(
    (role) => SPOUSE_ROLES.has(role) || OF_PERSONS.test(role) || /^(?:CUST|TRUSTEE)/.test(role),
  )
}

const OF_PERSONS = /^(?:CP|JT|JOINT|HW|L(?:F|IFE)?\b|TBE|TEN)|\b(?:DECD|EST(?:ATE)? OF|HEIRS|HRS)\b/

const NO_OWNER = /^(?:OF|JR|SR|I{1,3}|[^A-Z]+)$/
const isNoGap = (word: Word) => word !== GAP
const isLetter = (word: Word) => /^[A-Z]$/.test(word)

/** Reports whether a name may be an organization: no known given name, no comma and no initial. */
function isUnclear(name: readonly Word[], evidence: NameEvidence | undefined): boolean {
  const words = name.filter((word) => !SEPARATORS.has(word))
  if (words.length < 2 || name.includes(',')) return false
  return name.every(
    (word) =>
      word !== GAP && (SEPARATORS.has(word) || (word.length > 1 && leaning(word, evidence) > -0.8)),
  )
}

function add(parsed: ParsedName, found: Persons): void {
  parsed.persons.push(...found.persons)
  parsed.alternates.push(...found.alternates)
}

/** Splits a group into persons and an organization: `SMITH JOHN & OAK HOLLOW LLC`. */
function cutOrganization(
  group: readonly Word[],
  order: NameOrder,
  evidence: NameEvidence | undefined,
): { people: readonly Word[]; organization: readonly Word[] } {
  const officer = dropOffice(group, order, evidence)
  if (officer !== undefined && !isOrganization(officer, order, evidence)) {
    return { people: officer, organization: [] }
  }
  const by = group.indexOf('BY')
  // `ROSE COTTAGE BY THE SEA`
  if (by > 1 && by < group.length - 2 && group[by + 1] !== 'THE') {
    const [before, after] = [group.slice(0, by), group.slice(by + 1)]
    // `PAUL HARLOW BY ANNA TRENT POA`, `PAUL HARLOW BY TRENT BANK TRUSTEE`
    if (before.some((word) => isKnownGiven(word)) && !isOrganization(before, order, evidence)) {
      return isOrganization(liftRoles(after, true).words.filter(isNoGap), order, evidence)
        ? { people: before, organization: after }
        : { people: [...before, GAP, ...after], organization: [] }
    }
  }
  const isPeople = areCommaNames(group) || !isOrganization(group, order, evidence)
  if (isPeople) return { people: group, organization: [] }
  const soft = liftRoles(group, true)
  if (soft.roles.length > 0) {
    const names = trimSeparators(soft.words.filter(isNoGap))
    if (!isOrganization(names, order, evidence)) return { people: group, organization: [] }
  }
  const plain = [dropNumberedAside(group), dropNumber(group)].find(
    (names) => names !== undefined && !isOrganization(names, order, evidence),
  )
  if (plain !== undefined) return { people: plain, organization: [] }
  for (let at = 2; at < group.length - 1; at++) {
    if ((group[at] !== '&' && group[at] !== '/') || isFirmPair(group, at)) continue
    const before = group.slice(0, at)
    const after = group.slice(at + 1)
    if (joinsPersonAndCompany(before, after, order, evidence)) {
      return { people: before, organization: after }
    }
  }
  return { people: [], organization: group }
}

/** Reports whether `&` joins two names with commas: `HARLOW, PAUL J & BUREAU, PAUL R`. */
function areCommaNames(group: readonly Word[]): boolean {
  const at = group.indexOf('&')
  if (at < 3 || group[1] !== ',' || group[at + 2] !== ',' || group.length > at + 5) return false
  const isName = (word: Word, index: number) =>
    index === 0 || index === at + 1 || /^[,&A-Z]$/.test(word) || isKnownGiven(word)
  return isKnownGiven(group[2] as Word) && group.every(isName)
}

/** Removes a nickname with a number: `PAUL (MAC 10) HARLOW`. `undefined`: there is none. */
function dropNumberedAside(group: readonly Word[]): readonly Word[] | undefined {
  const open = group.indexOf('(')
  if (open < 0 || group.length < 4) return undefined
  const found = group.indexOf(')', open)
  const close = found < 0 ? group.length : found
  const inside = group.slice(open + 1, close)
  const rest = [...group.slice(0, open), ...group.slice(close + 1)]
  // `HARLOW PAUL (RENTAL)`: a note.
  const isShort = inside.length === 1 && !isEnding(inside[0] as Word)
  // `HARLOW PAUL (DO NOT MAIL)`
  const isNote = (isShort || PLACEHOLDER.test(inside.join(' '))) && isWholeName(rest, undefined)
  const isNickname = inside.length < 4 && inside.some((word) => /\d/.test(word))
  return isNote || isNickname ? rest : undefined
}

/** Removes a file number behind a person's name: `SMITH JOHN A 12345`. `undefined`: none. */
function dropNumber(group: readonly Word[]): readonly Word[] | undefined {
  const [names, number = ''] = [group.slice(0, -1), group.at(-1)]
  if (!/^(?:[A-Z]?\d{4,}|\d+|\d+[-/]\d+[-/]\d+)$/.test(number)) return undefined
  // `SMITH JOHN A #2`: the same owner's second account.
  const shown = number.length < 3 ? names.slice(-1) : names
  // `HARLOW PAUL IRA 200123456`
  const isPerson = names.at(-1) === 'IRA' || shown.some((word) => /^[A-Z,]$/.test(word))
  const isNamed = isTurned(names) || (number.length > 4 && isWholeName(names, undefined))
  return (isPerson && names.length > 2) || isNamed ? names : undefined
}

/** Reports whether `&` joins a person and an organization that has a name of its own. */
function joinsPersonAndCompany(
  before: readonly Word[],
  after: readonly Word[],
  order: NameOrder,
  evidence: NameEvidence | undefined,
): boolean {
  const first = after[0] as Word
  if (after.length < 2 || first.length === 1 || JOINING.has(first)) return false
  if (isOrganization(before, order, evidence) || !isOrganization(after, order, evidence))
    return false
  if (isKnownGiven(first) && !isKnownSurname(first)) return false
  const trust = trustPerson(after)
  if (trust?.family === true || trust?.firm === true) return false
  // `HARLOW, PAUL R & ANNA M TRUST`: the trust's person shares the surname.
  if (trust?.words.length === 2 && trust.words[1]?.length === 1) return false
  // `HARLOW, PAUL & SHERLETTE TRUST`
  const [lone = ''] = trust?.words.length === 1 ? trust.words : []
  if (lone !== '' && before.includes(',') && !isKnownSurname(lone)) return false
  const words = before.filter((other) => !SEPARATORS.has(other))
  const isFirm = isEnding(after.at(-1) as Word) || after.at(-1) === 'CO'
  if (isFirm && !before.includes(',') && !beginsAsPerson(before, order, evidence)) return false
  // `HARLOW, STEEN & TRENT LLP`: a list of surnames is one firm.
  const isListed = before.every((word, at) => (at % 2 === 0 ? word.length > 1 : word === ','))
  if (isListed && words.slice(1).every((word) => leaning(word, evidence) > 0)) return false
  // `HARLOW, TRENT & VOSS LLP`: `VOSS LLP` alone is too short for a firm's name.
  const isPlain = isListed || before.every((word) => word.length > 1)
  if (isPlain && after.length === 2 && PRACTICE_FORMS.has(after[1] as Word)) return false
  return (
    before.includes(',') ||
    words.some((word) => word.length === 1 || leaning(word, evidence) < -0.5) ||
    (/\d/.test(first) && words.some(isKnownGiven))
  )
}

/**
 * Reports whether words before `&` are a person's in the order of the roll. They must not be the
 * first half of a firm's name: `GORDON CUTTER & CAR WASH LLC`.
 */
function beginsAsPerson(
  before: readonly Word[],
  order: NameOrder,
  evidence: NameEvidence | undefined,
): boolean {
  const end = before.indexOf('&')
  const head = before.slice(0, end < 0 ? before.length : end)
  const [first = '', second = ''] = head.filter((word) => !PARTICLES.has(word))
  if (second === '') return false
  if (order === 'first-last') return true
  if (first.length === 1) return order === 'mixed' && second.length > 1
  return order === 'mixed' || leaning(first, evidence) > -1 || isKnownSurname(first)
}

const PRACTICE_FORMS = new Set(['LLP', 'PLLC', 'PC', 'PA', 'PLLP', 'PSC'])

function readOrganization(
  words: readonly Word[],
  order: NameOrder,
  evidence: NameEvidence | undefined,
  parsed: ParsedName,
): void {
  const isPerson = (part: readonly Word[]) => isPersonAfter(part, order, evidence)
  const parts = splitTrustee(words, isPerson, parsed.roles) ?? splitCompanies(words, isPerson)
  for (const [at, part] of parts.entries()) {
    // `12 OAK LLC & JOHN ROE`: a person after a company.
    if (at > 0 && part.length > 1 && isPerson(part)) {
      const natural = order === 'last-first' ? 'mixed' : order
      const soft = liftRoles(withoutTrustee(part), true)
      parsed.roles.push(...soft.roles)
      add(parsed, readPersons(soft.words, natural, evidence, parsed.roles))
      continue
    }
    const name = showName(part)
    if (name !== '') parsed.organizations.push(name)
    readTrustPersons(part, order, evidence, parsed)
  }
}

/** Splits a trust from its trustee's name: `HARLOW FAMILY TRUST HARLOW PAUL M`. */
function splitTrustee(
  words: readonly Word[],
  isPerson: (part: readonly Word[]) => boolean,
  roles: readonly string[],
): Word[][] | undefined {
  const at = words.indexOf('TRUST') + 1
  // `HARLOW LIVING TRUST DATED MAY`
  const next = words[at] as Word
  if (at < 2 || at > words.length - 2 || SOFT_ROLES.has(next) || next === 'CO') return undefined
  const trust = trustPerson(words.slice(0, at))
  const isOwn = trust?.firm === true || isWholeName(trust?.words ?? [], undefined)
  // `OAK HOLLOW TRUST SAN ANTONIO`: a place, without a role, a sign or the trust's surname.
  const isMark = (word: Word) => word.length === 1 || LATE_ROLES.has(word) || word === words[0]
  if (!isOwn && roles.length === 0 && !words.slice(at).some(isMark)) return undefined
  const trustee = trimSeparators(words.slice(at).filter((word) => word !== '(' && word !== ')'))
  const end = trustee.findIndex((word) => word === '&' || LATE_ROLES.has(word))
  const isNamed = isWholeName(trustee.slice(0, end < 0 ? undefined : end), undefined)
  return isNamed && isPerson(trustee) ? [words.slice(0, at), trustee] : undefined
}

/** `DONNA TRENT TRUS`: the roll cut off the word for trustee. */
const withoutTrustee = (part: readonly Word[]) => part.filter((word) => !/^TRUS/.test(word))

/** Reports whether words after a company are a person: no organization, and a given name in it. */
function isPersonAfter(
  part: readonly Word[],
  order: NameOrder,
  evidence: NameEvidence | undefined,
): boolean {
  const isGiven = (word: Word) =>
    word.length > 1 && (isKnownGiven(word) || leaning(word, evidence) < -0.5)
  return part.some(isGiven) && !isOrganization(part, order, evidence)
}

const isEnding = (word: Word) => COMPANY_ENDS.has(word) || word === 'TRUST'

/** Splits two companies in one text: `5054 ENTERPRISE LLC & 143 ENTERPRISE LLC`. */
function splitCompanies(
  words: readonly Word[],
  isPerson: (part: readonly Word[]) => boolean,
): Word[][] {
  const parts: Word[][] = [[]]
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as Word
    if (!isBetween(word) || at >= words.length - 2) {
      parts.at(-1)?.push(word)
      continue
    }
    // `ACME LLC 1/2 & HARLOW PAUL`
    const share = isShare(words[at - 1] ?? '') ? 1 : 0
    const end = words[at - 1 - share] ?? ''
    const after = words.slice(at + 1)
    // `CITY OF HARLOW/ROE JOHN`
    const isNamed = word !== '&' && isPerson(after) && isWholeStart(after, word)
    const isTwo = isEnding(after.at(-1) ?? '') && !/^(?:AN?|ITS)$/.test(after[0] as Word)
    // `HARLOW LAND CO & TRENT PAUL`, `12 OAK LLC, JOHN ROE`, `12 OAK LLC, 14 OAK LLC`
    const ends =
      word === ','
        ? isEnding(end) && (isNamed || isTwo)
        : isEnding(end) || (at > 1 && (isNamed || (PERSON_ENDS.has(end) && isPerson(after))))
    if (ends && !JOINING.has(words[at + 1] ?? '')) {
      if (share > 0) parts.at(-1)?.pop()
      parts.push([])
    } else parts[parts.length - 1]?.push(word)
  }
  return parts
}

const SAINTS = /^(?:ST|STE|SAINT)$/
const isBetween = (word: Word) => word === '&' || word === '/' || word === ','

/**
 * Reports whether a whole name is first, before `&` or a stroke. Behind a stroke it begins with the
 * surname: `CITY OF HARLOW / PAUL REVERE` names a school.
 */
function isWholeStart(words: readonly Word[], mark: Word): boolean {
  const [first = '', second = ''] = words
  if (
    mark === '/' &&
    (SAINTS.test(first) || leaning(first, undefined) < leaning(second, undefined))
  )
    return false
  const end = words.findIndex((word) => word === '&' || word === '/')
  return words.at(-1) !== 'IN' && isWholeName(words.slice(0, end < 0 ? undefined : end), undefined)
}

/** Joins words for display: words and `&`, separated by one blank. */
function showName(words: readonly Word[]): string {
  return words
    .filter((word) => word === '&' || !SEPARATORS.has(word))
    .map((word) => (word === 'L-C' ? 'LC' : word.includes('.') ? word.replaceAll('.', '') : word))
    .join(' ')
}
