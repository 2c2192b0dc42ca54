/** Decides whether a second slot continues the first. docs/matching.md, owner rule 9. */
import type { NameEvidence } from '../base/model/owner.ts'
import { readState } from '../regions/states.ts'
import { GIVEN_SECONDS, PARTICLES } from './dictionaries/names.ts'
import {
  COMPANY_ENDS,
  CONNECTORS,
  JOINING,
  LEGAL_FORMS,
  NAME_STARTS,
  PERSONAL_TRUST,
  PLACEHOLDER,
  STRONG,
  SURNAME_TOO,
  WEAK,
} from './dictionaries/organization-words.ts'
import { SUFFIXES } from './dictionaries/roles.ts'
import { isKnownGiven, leaning } from './evidence.ts'
import type { ParsedName } from './parse.ts'
import { GAP, liftRoles } from './roles.ts'
import { isSeparator, SEPARATORS, splitAt, type Word } from './words.ts'

/**
 * Returns the joint between two slots that form one name.
 *
 * `''`: the second slot continues the first. `'&'`: it names a further person of the same surname.
 * `undefined`: it is a name of its own.
 */
export function continues(
  first: readonly Word[],
  parsed: ParsedName,
  second: readonly Word[],
  evidence: NameEvidence | undefined,
): '' | '&' | undefined {
  const start = second[0] as Word
  const end = first[first.length - 1] as Word
  // `OAK HOLLOW FARMS LLC/` / `MARTIN J & LESLIE A HARLOW`: a legal form ends the company's name.
  if ((end === '&' || end === '/') && COMPANY_ENDS.has(first.at(-2) ?? '')) return undefined
  if (start === '&' || start === '/' || end === '&' || end === '/') return ''
  if (start === 'OR' && second.length > 1) return '&'
  if (CONNECTORS.has(start) || (start === 'IN' && second[1] === 'TRUST')) return ''
  if (CONNECTORS.has(end) || end === 'THE') return ''
  const lifted = liftRoles(second, true).words.filter((word) => word !== GAP && !SUFFIXES.has(word))
  const names = lifted.filter((word) => !SEPARATORS.has(word))
  if (names.length === 0) return ''
  // `HARLOW PROPERTIES` / `L L C`
  const isSpaced = names.length > 1 && names.every((word) => word.length === 1)
  if (isSpaced && LEGAL_FORMS.has(names.join('')))
    return parsed.organizations.length > 0 ? '' : undefined
  // `HARLOW/BRYCE/& BRENDT` / `HARLOW`
  const [lone = ''] = names.length === 1 ? names : []
  const isLast = second.length === 1 || parsed.persons.length > 1
  if (lone !== '' && lone === parsed.persons[0]?.surname && isLast) return ''
  // `HARLOW/PAUL/& LAVONNE` / `VOSSEN`: her surname.
  const isOpen = first.at(-2) === '&' && first.at(-3) === '/'
  const isSurname = PARTICLES.has(names[0] as Word) ? names.length === 2 : names.length === 1
  if (isOpen && isSurname && !isKnownGiven(names.at(-1) as Word)) return ''
  // `FIRST UNITED METHODIST` / `CHURCH OF HARLOW`, `OAK LLC` / `A DELAWARE COMPANY`
  if (start === 'CHURCH' && parsed.persons.length === 0 && DENOMINATION.test(end)) return ''
  const isOfState = start === 'A' && (isState(names[1]) || isState(names.slice(1, 3).join(' ')))
  if (isOfState && COMPANY_ENDS.has(end) && LEGAL_FORMS.has(names.at(-1) as Word)) return ''
  if (isOwnCompany(names, parsed, end)) return undefined
  if (names.every(isOrganizationWord))
    return parsed.organizations.length > 0 || isTail(second) ? '' : undefined
  if (parsed.persons.length === 0 || parsed.organizations.length > 0) return undefined
  // `HARLOW PAUL` / `MARJORIE F & JOHN`
  const parts = splitAt(lifted, isSeparator)
  const isClear = parts.length === 1 || leaning(names[0] as Word, evidence) < -2.4
  const areGiven = isClear && parts.every((part) => isGivenAlone(part, evidence))
  return areGiven && !PLACEHOLDER.test(second.join(' ')) ? '&' : undefined
}

/** Reports whether the second slot is a company of its own: `OAK LLC` / `GARAGE STORAGE LLC`. */
function isOwnCompany(names: readonly Word[], parsed: ParsedName, end: Word): boolean {
  const isWhole = parsed.organizations.length > 0 && COMPANY_ENDS.has(end)
  // `HARLOW PAUL R` / `PRAIRIE WIND LLC`
  const [start = '', next = ''] = names
  const isPerson = parsed.persons[0]?.given.some((word) => word.length === 1 || isKnownGiven(word))
  const isPlace = WEAK.has(start) && WEAK.has(next) && !PERSONAL_TRUST.has(start)
  if (!isWhole && !(isPerson && isPlace) && !NAME_STARTS.has(start)) return false
  return names.some((word, at) => at > 0 && !LEGAL_FORMS.has(word) && word !== 'CO')
}

/** Reports whether a word occurs only in names of organizations and never begins one. */
function isOrganizationWord(word: Word): boolean {
  return LEGAL_FORMS.has(word) || STRONG.has(word) || WEAK.has(word) || TAIL.has(word)
}

const isState = (text = '') => text.length > 2 && readState(text) !== undefined

const DENOMINATION =
  /^(?:BAPTIST|CATHOLIC|CHRISTIAN|EPISCOPAL|EVANGELICAL|LUTHERAN|METHODIST|[A-Z]*TERIAN)$/

const TAIL = new Set(['ESTATE', 'DEPT', 'HUD', 'PROP', 'PUB', 'O', 'NO', 'CO'])

/** Reports whether the words complete an open name: `COMPANY LLC`, `REAL ESTATE INC`. */
function isTail(words: readonly Word[]): boolean {
  const last = words[words.length - 1] as Word
  if (words.length === 1 && SURNAME_TOO.has(last)) return false
  return LEGAL_FORMS.has(last) || STRONG.has(last) || last === 'CO'
}

/** Reports whether words are given names alone: `LINDA`, `VELMA A`, `MARY ANN`, but not `SON`. */
function isGivenAlone(names: readonly Word[], evidence: NameEvidence | undefined): boolean {
  const long = names.filter((word) => word.length > 1)
  if (JOINING.has(long[0] ?? '') || long.every(isOrganizationWord)) return false
  if (long.length === 1) return leaning(long[0] as Word, evidence) < (names.length === 1 ? 2 : 1)
  if (long.length > 2) return false
  return long.every((word) => leaning(word, evidence) < -2.4) && GIVEN_SECONDS.has(long[1] as Word)
}
