/**
 * Owner names in the form that searches compare. docs/matching.md, owner rules.
 *
 * `readOwners` and `indexOwners` make what an import stores, `makeOwnerQuestion` what a request
 * looks up. All three fold words by the same functions.
 */
import type {
  NameEvidence,
  NameOrder,
  OwnersReading,
  OwnerType,
  SlotReading,
} from '../base/model/owner.ts'
import { continues } from './continuation.ts'
import {
  LEGAL_FORMS,
  PERSONAL_TRUST,
  PLACEHOLDER,
  STRONG,
} from './dictionaries/organization-words.ts'
import { ROLES, SUFFIXES } from './dictionaries/roles.ts'
import { isKnownGiven, isKnownSurname, leaning, preferNatural } from './evidence.ts'
import { isOrganization } from './organizations/organization.ts'
import { organizationType } from './organizations/organization-type.ts'
import { TRUST_ENDS } from './organizations/trust.ts'
import { type ParsedName, parseName } from './parse.ts'
import { GAP, liftRoles } from './roles.ts'
import { isNatural } from './segment.ts'
import { cutCareOf } from './signs/care-of.ts'
import { endsWith } from './signs/later-form.ts'
import { partInitials } from './signs/middle-roles.ts'
import { slotWords } from './slot-words.ts'
import { joinWord, readWords, SEPARATORS, type Word } from './words.ts'

/**
 * Reads the two recorded owner slots of a parcel.
 *
 * `order` states how the source writes names that have no comma. With `mixed`, `evidence` and the
 * words themselves decide for each name. A slot that holds only a care-of is not an owner. Reads
 * as much of a slot as `readWords`, in time linear in the text. Never throws.
 *
 * @example readOwners(['SMITH JOHN A', '& MARY B'], 'last-first').slots[0].persons // two Smiths
 */
export function readOwners(
  slots: [string | null, string | null],
  order: NameOrder,
  evidence?: NameEvidence,
): OwnersReading {
  const careOfs: string[] = []
  const careOfSlots: (1 | 2)[] = []
  let isOpen = false
  const words = slots.map((recorded, at) => {
    if (recorded === null) return []
    const text = IDLE_BLANKS.test(recorded) ? recorded.trim().replace(/\s+/g, ' ') : recorded
    // `HARLOW PAUL C/O` / `TRENT ANNA`
    const cut = cutCareOf(isOpen ? `% ${text}` : text)
    isOpen = cut.careOf === '' && cut.name !== ''
    if (cut.careOf) careOfs.push(cut.careOf)
    const words = readWords(partInitials(cut.name))
    const read = at === 0 ? unwrap(words) : words
    if (read.length === 0 && cut.name !== text) careOfSlots.push(at === 0 ? 1 : 2)
    return read
  }) as [Word[], Word[]]
  const readings = readSlots(words, order, evidence)
  return {
    slots: readings,
    careOf: careOfs.length === 0 ? null : careOfs.join('; '),
    careOfSlots,
    ownerType: typeOf(readings),
  }
}

/** Blanks that some rolls fill a slot with. */
const IDLE_BLANKS = /^\s|\s\s|\s$|[^\S ]/

/** A first slot wholly in parentheses is no nickname. In a second slot it is a note. */
function unwrap(words: Word[]): Word[] {
  const isWhole = words[0] === '(' && words.indexOf(')') === words.length - 1
  return isWhole && words.lastIndexOf('(') === 0 ? words.slice(1, -1) : words
}

function readSlots(
  [first, second]: [Word[], Word[]],
  order: NameOrder,
  evidence: NameEvidence | undefined,
): SlotReading[] {
  const read = (slot: 1 | 2, words: readonly Word[]) =>
    reading(slot, words, parseName(words, order, evidence))
  const one = first.length === 0 ? undefined : parseName(first, order, evidence)
  if (second.length === 0) return one === undefined ? [] : [reading(1, first, one)]
  const cut = joinCut(first, second)
  if (cut !== undefined) return [read(1, cut)]
  if (one === undefined) return [read(2, second)]
  const trust = trustUnder(second)
  if (trust !== undefined) return [read(1, [...first, ';', ...trust])]
  const joint = continues(first, one, second, evidence)
  if (joint !== undefined) {
    const words = joint === '' ? [...first, ...second] : [...first, joint, ...second]
    // A lone given name in the second slot occurs mostly in rolls in natural order.
    const natural = joint === '&' && order === 'last-first' && second[0] !== 'OR'
    return [natural ? reading(1, words, parseNatural(words, evidence)) : read(1, words)]
  }
  // `HARLOW, PAUL` / `ANNA TRENT`: only the first slot has a comma.
  const isPlain = first.includes(',') && !second.includes(',') && isNatural(second, evidence)
  const two =
    isPlain && one.persons.length > 0
      ? parseNatural(second, evidence)
      : parseSecond(second, one, order, evidence)
  return [reading(1, first, one), reading(2, second, two)]
}

/** Joins the two halves of a word that the roll cut: `TRENT PAUL & ELIZAB` / `ETH ANNE`. */
function joinCut(first: readonly Word[], second: readonly Word[]): Word[] | undefined {
  const start = second[0] as Word
  const isName = SEPARATORS.has(start) || isKnownSurname(start) || isKnownGiven(start)
  if (isName || STRONG.has(start) || LEGAL_FORMS.has(start)) return undefined
  const whole = `${first.at(-1)}${start}`
  const isRole = whole.length > 4 && (PERSONAL_TRUST.has(whole) || ROLES.has(whole))
  const isPlain = isRole || STRONG.has(whole) || LEGAL_FORMS.has(whole) || first.includes(whole)
  if (!isPlain && (start.length < 2 || !isKnownGiven(whole))) return undefined
  // `TRENT PAUL R` / `AY MARY`: an initial is whole, unless it begins a name or all else is `LC`.
  if (first.at(-1)?.length === 1 && first.at(-2) !== '&' && second.length > 1) return undefined
  // A field that cut a word is filled.
  return first.join(' ').length < 20
    ? undefined
    : [...first.slice(0, -1), whole, ...second.slice(1)]
}

/** The trust under which the first slot holds: `UNDER THE HARLOW FAMILY LVG TRUST`. */
function trustUnder(second: readonly Word[]): readonly Word[] | undefined {
  if (second[0] !== 'UNDER' || !TRUST_ENDS.has(second.at(-1) ?? '')) return undefined
  const trust = second.slice(second[1] === 'THE' ? 2 : 1)
  return trust.length > 1 ? trust : undefined
}

/** Reads a second slot that is a name of its own. Its order may differ from that of the roll. */
function parseSecond(
  second: readonly Word[],
  first: ParsedName,
  order: NameOrder,
  evidence: NameEvidence | undefined,
): ParsedName {
  if (order !== 'last-first') return parseName(second, order, evidence)
  if (endsInSurnameOf(first, second, evidence)) {
    // `NATHAN DORIS L` / `JOSEPH NATHAN & RENEE`: the first slot shows that it is a surname.
    const leanings = new Map(first.persons.map(({ surname }) => [surname, 5]))
    return parseName(second, 'first-last', evidence ?? { leanings, lastFirst: 0 })
  }
  // Beneficiaries on death (TOD) are mostly written in natural order.
  const isBeneficiary = first.roles.some((role) => role === 'TOD') || second[0] === 'TOD'
  return isBeneficiary ? parseNatural(second, evidence) : parseName(second, order, evidence)
}

const parseNatural = (words: readonly Word[], evidence: NameEvidence | undefined) =>
  parseName(words, 'mixed', preferNatural(evidence))

/** Reports whether slot two ends in a surname of slot one: `HARLOW PAUL TOD` / `KEVIN J HARLOW`. */
function endsInSurnameOf(
  first: ParsedName,
  second: readonly Word[],
  evidence: NameEvidence | undefined,
): boolean {
  if (second.includes(',')) return false
  // `JOSEPH HARLOW & ANNA`: the person before `&` has the surname.
  const joint = second.lastIndexOf('&')
  const isShared =
    joint > 1 && joint === second.length - 2 && !isOrganization(second, 'last-first', evidence)
  if (isShared) return endsInSurnameOf(first, second.slice(0, joint), evidence)
  const lifted = liftRoles(second, true)
  const words = lifted.words.filter((word) => word !== GAP && !SEPARATORS.has(word))
  const names = words.filter((word) => !SUFFIXES.has(joinWord(word)))
  // `HARLOW PROPERTIES LLC` / `BRADFORD HARLOW`: the company's first word is a surname.
  const company = first.organizations[0]?.split(' ')[0] ?? ''
  const surnames = company === '' ? first.persons.map(({ surname }) => surname) : [company]
  if (company !== '' && names.length !== 2) return false
  // `VAN HOLLEN ANNA` / `PAUL VAN HOLLEN`
  const compound = surnames.find(
    (surname) => surname.includes(' ') && endsWith(names.slice(1), surname.split(' ')),
  )
  if (compound !== undefined) return !surnames.some((surname) => names[0] === surname.split(' ')[0])
  const [start = '', last = ''] = [names[0], names[names.length - 1]]
  if (names.length < 2 || !surnames.includes(last) || surnames.includes(start)) return false
  // `TORRES FELIX M JAQUEZ`: TORRES is this person's surname, and JAQUEZ a middle name here.
  const isPlain = names.length === 2 || names[1]?.length === 1
  return leaning(start, evidence) < (isPlain ? 1 : -0.5)
}

function reading(slot: 1 | 2, name: readonly Word[], parsed: ParsedName): SlotReading {
  const [organization = null, ...others] = parsed.organizations.filter((name) => !isNobody(name))
  return {
    slot,
    persons: parsed.persons,
    alternates: parsed.alternates,
    organization,
    otherOrganizations: [...others, ...parsed.unclear],
    roles: [...parsed.roles, ...parsed.organizations.filter(isNobody)],
    words: slotWords(name, parsed),
  }
}

/** Texts such as `CURRENT TAXPAYER` and `NAME WITHHELD` name nobody. */
const isNobody = (name: string) => PLACEHOLDER.test(name)

/** Returns the type of the first slot that has one. A trust in any slot takes precedence. */
function typeOf(readings: readonly SlotReading[]): OwnerType | null {
  const types = readings.map(slotType)
  if (types.includes('trust')) return 'trust'
  return types.find((type) => type !== 'unknown') ?? types[0] ?? null
}

function slotType(slot: SlotReading): OwnerType {
  if (slot.organization === null) return slot.persons.length > 0 ? 'individual' : 'unknown'
  const type = organizationType(slot.organization)
  // A person with a trade name counts as an individual.
  return type === 'company' && slot.persons.length > 0 ? 'individual' : type
}

export { indexOwners } from './index-owners.ts'
export { makeOwnerQuestion } from './owner-question.ts'
