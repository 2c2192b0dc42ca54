/** Recognises words of organizations that are surnames. docs/matching.md, owner rule 5. */
import type { NameEvidence, NameOrder } from '../../base/model/owner.ts'
import { ASIAN_GIVEN, VIETNAMESE_SURNAMES } from '../dictionaries/names.ts'
import {
  LEGAL_FORMS,
  RARE_SURNAMES,
  SCHOOL_ENDS,
  WEAK,
} from '../dictionaries/organization-words.ts'
import { SUFFIXES, TITLES } from '../dictionaries/roles.ts'
import { isKnownGiven, isKnownSurname, leaning } from '../evidence.ts'
import type { Word } from '../words.ts'

/** Reports whether a rare surname has only given names and initials next to it: `PAUL R BUREAU`. */
export function isRareSurname(
  recorded: readonly Word[],
  word: string,
  order: NameOrder,
  evidence: NameEvidence | undefined,
): boolean {
  if (!RARE_SURNAMES.has(word)) return false
  // `DR ANNA COUNCIL`, `ANNA COUNCIL JR`
  const words = recorded.filter((other) => other === word || !isAddress(other))
  const at = words.indexOf(word)
  if (words.length < 2 || words.length > 4) return false
  const isFirst = at === 0 && order !== 'first-last'
  // `ANNA M TRUST`: at the end the word is more likely a legal form.
  const isLast = at === words.length - 1 && order !== 'last-first' && !LEGAL_FORMS.has(word)
  if (!isFirst && !isLast) return false
  if (!isPlainGiven(words[isFirst ? 1 : 0] as Word, evidence)) return false
  return words.every(
    (other, index) => index === at || other.length === 1 || isPlainGiven(other, evidence),
  )
}

const isAddress = (word: Word) => word === 'THE' || TITLES.has(word) || SUFFIXES.has(word)

const isPlainGiven = (word: Word, evidence: NameEvidence | undefined) =>
  isKnownGiven(word) && leaning(word, evidence) <= -2

const INSTITUTIONS = new Set(
  (
    'CENTER LIBRARY CLINIC HEALTH CHAPEL FARM FARMS SALES SHOP MARKET DAIRY WELDING GREENHOUSE ' +
    'KENNEL VINEYARD RANCH GRAIN LUMBER STABLE STATION VILLAGE MANOR TERRACE GRILL LANDING'
  ).split(' '),
)

/** Reports whether two words of firms are a given name and a surname: `GRACE HALL`. */
export function isWeakPair(first: Word, last: Word, order: NameOrder): boolean {
  const [given, surname] = order === 'last-first' ? [last, first] : [first, last]
  const isGiven = isKnownGiven(given) && leaning(given, undefined) <= -0.9
  return isGiven && isKnownSurname(surname) && WEAK.has(surname)
}

/** Reports whether the words are a Korean name: `CHAN HO PARK`, `SUNG-HO PARK`, `PARK MI-RAN`. */
export function isKorean(words: readonly Word[]): boolean {
  if (words[0] === 'PARK' && words.length < 4) return words.slice(1).every(isSyllable)
  if (words[words.length - 1] !== 'PARK' || words.length > 3) return false
  const before = words.slice(0, -1)
  const isShort = (word: Word) => word.length <= 5 || word.includes('-')
  return before.some(isSyllable) && before.every(isShort)
}

/** Reports whether an institution is named after a person: `THOMAS JEFFERSON SCHOOL`. */
export function isNamedAfter(words: readonly Word[], evidence: NameEvidence | undefined): boolean {
  const [, middle = '', kind = ''] = words
  const last = words.at(-1) as Word
  // `PAUL KOWALSKI TREE FARM`
  if (words.length === 4 && kind.length > 1)
    return INSTITUTIONS.has(last) && leaning(middle, evidence) >= 2
  if (words.length !== 3 || middle.length < 2) return false
  return (SCHOOL_ENDS.has(last) || INSTITUTIONS.has(last)) && leaning(middle, evidence) >= 0.5
}

/** Reports whether `HOA` is a given name, not an owners' association. */
export function isAsianHoa(words: readonly Word[], at: number): boolean {
  const [before = '', next = ''] = [words[at - 1], words[at + 1]]
  // `TRAN TAM & LE HOA`, `TRAN KIM HOA`, `TUAN NGUYEN & HOA TRAN`, `PHAM HOA THI & DUNG`
  if (before === 'THI' || next === 'THI' || VIETNAMESE_SURNAMES.has(next)) return true
  if (VIETNAMESE_SURNAMES.has(before) || VIETNAMESE_SURNAMES.has(words[at - 2] ?? '')) return true
  return words.length < 4 && (VIETNAMESE_SURNAMES.has(words[0] ?? '') || words.every(isSyllable))
}

/** Reports whether a word of firms is an Asian name: `NGUYEN LOAN`, `TRAN KIM LOAN`, `SON JIN`. */
export function isAsianName(
  words: readonly Word[],
  at: number,
  word: string,
  order: NameOrder,
): boolean {
  if (word !== 'LOAN' && word !== 'SON') return false
  if (at === 0) return word === 'SON' && order !== 'first-last' && isSyllable(words[1] ?? '')
  // `PHAM THI KIM LOAN`
  const start = words.findLastIndex((other, index) => index < at && VIETNAMESE_SURNAMES.has(other))
  const isNamed = (other: Word) => isSyllable(other) || other === 'THI'
  return start >= 0 && words.slice(start, at).every(isNamed)
}

/** Reports whether a word is a syllable of East Asian names, or two joined by a hyphen. */
export function isSyllable(word: Word): boolean {
  if (word.includes('-')) return word.split('-').every(isSyllable)
  return ASIAN_GIVEN.has(word) || VIETNAMESE_SURNAMES.has(word) || word === 'LI'
}

/** Reports whether a surname and two syllables begin a Korean name: `KIM SOON JA`. */
export function startsOwnSyllables([first = '', ...rest]: readonly Word[], lean: number): boolean {
  if (rest.length !== 2 || !rest.every(isSyllable)) return false
  const isShort = first.length < 5 && !isSyllable(first)
  return first === 'KIM' || (lean > 1 && (isShort || VIETNAMESE_SURNAMES.has(first)))
}
