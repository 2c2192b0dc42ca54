/** Distinguishes organizations from persons. docs/matching.md, owner rule 5. */
import type { NameEvidence, NameOrder } from '../../base/model/owner.ts'
import { HEBREW_SURNAMES, PARTICLES, VIETNAMESE_SURNAMES } from '../dictionaries/names.ts'
import {
  CONNECTORS,
  FIRM_NAMES,
  FIRM_PAIRS,
  FIRM_PHRASES,
  LEGAL_FORMS,
  NATURE,
  ORDERS,
  PERSONAL_TRUST,
  PLACE_ENDS,
  PLACEHOLDER,
  SCHOOL_ENDS,
  STRONG,
  SURNAME_TOO,
  WEAK,
} from '../dictionaries/organization-words.ts'
import { LATE_SUFFIXES, OFFICES, SUFFIXES } from '../dictionaries/roles.ts'
import { differInSex, isKnownGiven, isKnownSurname, leaning } from '../evidence.ts'
import { isShare } from '../roles.ts'
import { joinWord, SEPARATORS, splitAt, type Word } from '../words.ts'
import { isCutWord, isPhaseOrTract, isPractice } from './practice.ts'
import {
  isAsianHoa,
  isAsianName,
  isKorean,
  isNamedAfter,
  isRareSurname,
  isSyllable,
  isWeakPair,
} from './surname-words.ts'

/** Reports whether a name is an organization's. It includes commas and `&`, but no roles. */
export function isOrganization(
  name: readonly Word[],
  order: NameOrder,
  evidence: NameEvidence | undefined,
): boolean {
  const words = name.filter((word) => !SEPARATORS.has(word))
  if (words.length === 0) return false
  const isNamed = isKnownGiven(words[0] as Word) || isKnownGiven(words[1] ?? '')
  if (words.length > 1 && !isNamed && PLACEHOLDER.test(words.join(' '))) return true
  if (name.includes('&') && name.some((_, at) => isFirmPair(name, at))) return true
  // Around a comma, short words belong to a person: `TRAN, HOA & NA`.
  const comma = name.indexOf(',')
  const early = comma > 0 && comma <= 2 && comma < name.length - 1
  // `HARLOW HOUSE, IN`: the roll cut INC off.
  const isCut = comma > 1 && comma === name.length - 2 && name[comma + 1] === 'IN'
  if (isCut && (isOrg(words.at(-2) as Word) || !words.some(isKnownGiven))) return true
  let weak = 0
  let doubtful = 0
  for (let at = 0; at < words.length; at++) {
    const recorded = words[at] as Word
    if (recorded.includes('-')) {
      const halves = recorded.split('-')
      if (halves.some((half) => isPlainFirm(half) && !(early && COMMA_NAMES.has(half)))) return true
    }
    const word = joinWord(recorded)
    if (!early && (isFirmPhrase(words, at, word) || isFirmNameAt(words, at, word))) return true
    if (!NOTABLE.has(word) && !DIGIT.test(word)) continue
    if (early && isNameByComma(words, at, word, evidence)) continue
    if (isFirm(words, at, word)) {
      return !isRareSurname(words, word, early ? 'last-first' : order, evidence)
    }
    if (isAsianName(words, at, word, order)) continue
    // `DE SALES ANNA`
    if (word === 'SALES' && PARTICLES.has(words[at - 1] ?? '')) continue
    if (SURNAME_TOO.has(word)) doubtful++
    else if (WEAK.has(word)) weak++
  }
  if (isSeat(words)) return true
  if (isFirmName(name, words) || isPractice(name, words, order)) return true
  if (!early && endsCut(words)) return true
  if (words.length === 1) return !isLoneSurname(words[0] as Word, evidence)
  if (weak + doubtful === 0) return false
  // Joint owners are examined separately: `WILLIAM GATES & MARY MAIN`.
  const parts = splitAt(name, (word) => word === '&' || word === '/')
  const isWhole = (part: readonly Word[], at: number) =>
    part.length > 1 || (at > 0 && !name.includes('/') && isKnownGiven(part[0] ?? ''))
  if (!early && parts.length > 1 && parts.every(isWhole)) {
    const isFirm = parts.some(
      (part, at) => !(at > 0 && isGivenPart(part)) && isOrganization(part, order, evidence),
    )
    // `HARLOW FOREST & ANNA` has a spouse.
    if (!isFirm || parts.every((part) => part.length > 1)) return isFirm
  }
  return !isPersonInSpite(name, words, order, evidence)
}

/** `HARLOW TRENT PARTN`: truncated texts are long, and `HARLOW MANSI` is a person. */
const endsCut = (words: readonly Word[]) =>
  words.length > 1 && isCutWord(words[words.length - 1] as Word) && words.join('').length > 12

/** `HARLOW PAUL & GRACE M`, `HARLOW PAUL & HOPE TRS`: a given name, and no other such word. */
const isGivenPart = ([first = '', ...rest]: readonly Word[]) =>
  isKnownGiven(first) && !rest.some((word) => NOTABLE.has(word))

/** Reports whether an office is the owner itself: `CLAY COUNTY SHERIFF`. */
const isSeat = (words: readonly Word[]) =>
  words.length > 1 &&
  OFFICES.has(words[words.length - 1] as Word) &&
  PLACES.has(words[words.length - 2] as Word)

const PLACES = new Set(['COUNTY', 'CO', 'CITY', 'TOWNSHIP', 'TWP', 'PARISH', 'BOROUGH'])

/** `PARK N FLY`, but `JOHN N FLY`, `FLY JOHN N & FLY MARY`: a given name is there. */
function isFirmPhrase(words: readonly Word[], at: number, word: Word): boolean {
  const next = words[at + 1]
  if (!PHRASE_STARTS.has(word) || !FIRM_PHRASES.has(`${word} ${next}`)) return false
  return !((word === 'N' || next === 'N') && words.some(isKnownGiven))
}

/** Reports whether the `&` at a position joins words of a trade: `ROD & GUN CLUB`. */
export function isFirmPair(name: readonly Word[], at: number): boolean {
  if (name[at] !== '&' || at < 2) return false
  return FIRM_PAIRS.has(`${name[at - 1]} ${name[at + 1]}`)
}

/** First words of the phrases, to reject most names early. */
const PHRASE_STARTS = new Set([...FIRM_PHRASES].map((phrase) => phrase.split(' ')[0] ?? ''))

/** Reports whether a listed name begins here: `TEMPLE BETH EL`, but not `COHEN BETH ISRAEL`. */
function isFirmNameAt(words: readonly Word[], at: number, word: Word): boolean {
  if (!FIRM_NAMES.get(word)?.includes(`${word} ${words[at + 1]}`)) return false
  return words.every((other, index) => index === at || index === at + 1 || NOTABLE.has(other))
}

const DIGIT = /\d/
const NOTABLE = new Set([
  ...LEGAL_FORMS,
  ...STRONG,
  ...SURNAME_TOO,
  ...WEAK,
  ...CONNECTORS,
  ...['HOA', 'THE', 'CO', 'TR', 'TRU', 'NA', 'SA'],
])

/** Reports whether half of a hyphened word occurs only in organizations: `SELF-STORAGE`. */
const isPlainFirm = (half: string) => STRONG.has(half) && !SURNAME_TOO.has(half)

/** Words of organizations that are given names when a comma marks the surname. */
const COMMA_NAMES = new Set(['HOA', 'NA', 'SA', 'CO', 'SON'])

/** Reports whether a word is a name (`HOLDING, DAVID`), unlike `HARLOW, PAUL & OAK LAND CO`. */
function isNameByComma(
  words: readonly Word[],
  at: number,
  word: string,
  evidence: NameEvidence | undefined,
): boolean {
  // `LIM, JOSE & MARIA SOO CO`, but `HARLOW, PAUL & OAK LAND CO`.
  const [given = '', middle = ''] = [words[at - 2], words[at - 1]]
  const isNamed = isKnownGiven(given) && isSyllable(middle) && !isKnownSurname(middle)
  if (COMMA_NAMES.has(word)) return word !== 'CO' || at < 4 || isNamed
  return (
    at === 0 &&
    (STRONG.has(word) || CONNECTORS.has(word)) &&
    leaning(words[1] ?? '', evidence) <= -1
  )
}

/** Reports whether a word alone makes the name an organization's. */
function isFirm(words: readonly Word[], at: number, word: string): boolean {
  // `2ND BAPTIST`: a person's name does not begin with an ordinal.
  if (DIGIT.test(word)) {
    if (SUFFIXES.has(word)) return at === 0
    if (LATE_SUFFIXES.has(word)) return at < 2 || !isKnownGiven(words[0] as Word)
    return !isShare(words[at] as Word)
  }
  if (word === 'HOA') return !isAsianHoa(words, at)
  if (LEGAL_FORMS.has(word)) return word.length > 2 || at > 0
  const next = words[at + 1] ?? ''
  // `WELLS FARGO BANK N A`
  if (word === 'BANK' && at > 0 && next === 'N' && words[at + 2] === 'A') return true
  if (STRONG.has(word)) return !SURNAME_TOO.has(word)
  if (CONNECTORS.has(word)) return true
  const last = at === words.length - 1
  // `LY QUOC THE`: a Vietnamese given name.
  if (word === 'THE' && last && VIETNAMESE_SURNAMES.has(words[0] as Word)) return false
  if (word === 'THE') return last || (at === 0 && !ADDRESSED.has(words[1] ?? ''))
  // `TRAN THI CO`: a Vietnamese given name.
  const isMiddle = word === 'CO' && /^(?:THI|VAN)$/.test(words[at - 1] ?? '')
  if (isMiddle && VIETNAMESE_SURNAMES.has(words[at - 2] ?? '')) return false
  // `TAKARA CO LT`: the roll cut the last word off.
  if (word === 'CO') return at > 0 && (last || (words.length > 3 && isCutForm(words.slice(at + 1))))
  if (word === 'TR' || word === 'TRU') {
    // `HARLOW FAM TR B`
    const isNumbered = at === words.length - 2 && /^(?:[A-D]|\d+)$/.test(next)
    const closes = last || isNumbered || DATING.has(next)
    return closes && PERSONAL_TRUST.has(words[at - 1] ?? '')
  }
  // `ZHANG WEI & LI NA` ends in a syllable, `CITIZENS BANK NA` does not.
  if (word === 'NA' || word === 'SA') return last && at > 1 && !isSyllable(words[at - 1] as Word)
  return false
}

const isCutForm = ([form = '', ...more]: readonly Word[]) =>
  more.length === 0 && /^(?:IN|LT|LL|LTC|LP)$/.test(form)

/** Words behind a trust. */
const DATING = new Set(['UTA', 'UA', 'UTD', 'UDT', 'UAD', 'DTD', 'DATED', 'AGREEMENT'])

/** Forms of address after `THE` that belong to a person: `THE HONORABLE JOHN DOE`. */
const ADDRESSED = new Set(['HON', 'HONORABLE', 'REV', 'REVEREND'])

/** Reports whether a name has the form of a firm's: `JOHNSON & JOHNSON`, `A B C`. */
function isFirmName(name: readonly Word[], words: readonly Word[]): boolean {
  if (words.length >= 2 && name.includes('&') && !name.includes(',')) {
    const lone = name.every((word, at) => (at % 2 === 1 ? word === '&' : word.length > 1))
    if (lone && name.length % 2 === 1) return true
  }
  if (words.length >= 2 && words.every((word) => word.length === 1)) return true
  // `SMITH JONES & BROWN`
  if (name.length === 4 && name[2] === '&' && words.every(isPlainSurname)) return true
  // `PG & E`
  if (name.length === 3 && name[1] === '&' && words[1]?.length === 1) {
    if (/^[BCDFGHJKLMNPQRSTVWXZ]{2,4}$/.test(words[0] as Word) && words[0] !== 'NG') return true
  }
  if (isFirmOfInitials(name) || isPhaseOrTract(name, words)) return true
  // `ST BRIDGETS`
  const [start = '', saint = ''] = words
  if (name.at(-2) === '&') {
    if (FIRM_KIN.has(name.at(-1) as Word)) return true
    // `STARK, WM & CO`, but `TRAN, ANH & CO`
    if (name.at(-1) === 'CO' && words.length > 2 && !isSyllable(start)) return true
  }
  const isSaint = (start === 'ST' || start === 'SAINT') && /^[A-Z]+S$/.test(saint)
  const isChurch = isSaint && (words.length === 2 || words[2] === 'RC')
  // `ST JOHN NEPOMUCENE CH`, `FIRST SHARON CH`
  const isClosing = words.length > 2 && words.at(-1) === 'CH' && !name.includes(',')
  const isOther = !isKnownSurname(start) || (start === 'ST' && !words.slice(2).some(isKnownGiven))
  if (isClosing && isOther && words.some((word) => NOTABLE.has(word))) return true
  if (isChurch && isKnownGiven(saint.slice(0, -1)) && !isKnownGiven(saint)) return true
  if (words.at(-1) === 'POA' && words.length < 4 && start.length > 3)
    return saint === 'POA' || WEAK.has(saint)
  // All remaining forms end in a single letter.
  if (words[words.length - 1]?.length !== 1) return false
  if (words.length === 2 && BRANDS.has(start)) return true
  // `R G HALL L P` has no given name. `CITIZENS BANK N A` is a bank; `SMITH N A` has two initials.
  const ending = words.slice(-2).join(' ')
  if (ending === 'C V' && words.at(-3) === 'DE') return true
  // `HARLOW & WESTERN R R`: a railroad.
  if (ending === 'R R' && REGIONAL.test(words.at(-3) ?? '')) return true
  if (words.length > 2 && !name.includes(',') && TWO_LETTERS.has(ending)) {
    if (!words.some((word) => word.length > 1 && isKnownGiven(word) && !isKnownSurname(word)))
      return true
  }
  // `OAK HOLLOW L L C`: three letters. Two are more likely a person's initials.
  return (
    words.length > 3 &&
    words.slice(-3).every((word) => word.length === 1) &&
    (LEGAL_FORMS.has(words.slice(-3).join('')) || words.slice(-3).join('') === 'HOA')
  )
}

const isPlainSurname = (word: Word) => isKnownSurname(word) && leaning(word, undefined) >= 2.5

/** Reports whether two initials begin a firm's name: `A & B AUTO BODY`. */
function isFirmOfInitials(words: readonly Word[]): boolean {
  const [first = '', and, second = '', ...rest] = words
  // `A B C HOMES`
  const areMany = first.length === 1 && /^(?:[A-Z] ){2,}[A-Z]$/.test(words.slice(0, -1).join(' '))
  if (areMany && STRONG.has(words.at(-1) as Word)) return true
  // `V F W POST 12`, `N C DOT`
  if (first.length === 1 && ORDERS.test(words.join(' '))) return true
  if (and !== '&' || first.length !== 1 || second.length !== 1) return false
  const last = rest.at(-1) ?? ''
  // `J & M HARLOW FARMS`
  if (STRONG.has(last) && !isKnownSurname(last)) return true
  if (rest.length < 2 || !NOTABLE.has(rest[0] as Word)) return false
  const isPerson = (word: Word) =>
    SEPARATORS.has(word) || PARTICLES.has(word) || isKnownGiven(word) || isKnownSurname(word)
  return !rest.some(isPerson)
}

/** `PAUL HARLOW & SONS` */
const FIRM_KIN = new Set(['SONS', 'DAUGHTERS', 'BROTHERS'])

/** Words before the letter of a ranch: `LAZY K`. */
const BRANDS = new Set(['BAR', 'CIRCLE', 'DOUBLE', 'FLYING', 'LAZY', 'ROCKING', 'TRIPLE'])

const TWO_LETTERS = new Set(['L P', 'P C'])
const REGIONAL = /^(?:(?:NORTH|SOUTH|EAST|WEST)ERN|CENTRAL|PACIFIC)$/

/** Reports whether a single word is a surname; only a known surname is. */
function isLoneSurname(word: Word, evidence: NameEvidence | undefined): boolean {
  const isSurname = (half: Word) => isKnownSurname(half) || (evidence?.leanings.get(half) ?? 0) > 1
  return isKnownGiven(word) || word.split('-').every(isSurname)
}

const isOrg = (word: Word) => SURNAME_TOO.has(word) || WEAK.has(word)

/** Reports whether a person's name has a word of organizations: `CHURCH, JOHN`, `PARK SUNG HO`. */
function isPersonInSpite(
  name: readonly Word[],
  words: readonly Word[],
  order: NameOrder,
  evidence: NameEvidence | undefined,
): boolean {
  const comma = name.indexOf(',')
  if (comma > 0 && comma < name.length - 1) return isPersonByComma(name, comma, evidence)
  if (words.length > 6) return false
  const given = (word: Word | undefined) => mayBeGiven(word, evidence)
  const first = words[0] as Word
  const last = words[words.length - 1] as Word
  const count = words.filter(isOrg).length
  if (order !== 'last-first' && words.length === 2) {
    if (PLACE_ENDS.has(last)) return false
    if (SCHOOL_ENDS.has(last) && leaning(first, evidence) > -1.5) return false
  }
  if (words.length === 2 && isWeakPair(first, last, order)) return true
  // `J P HARLOW TRENT BANK`
  if (order === 'last-first' && words.length > 2 && last === 'BANK') return false
  // `BETHANY MANOR`: neither word is a surname. `DONNA KITCHEN` has one.
  const isLate =
    isKnownSurname(last) ||
    (leaning(first, undefined) < -2.5 && WEAK.has(last) && leaning(last, undefined) > 2)
  if (order === 'last-first' && words.length === 2 && isOrg(last) && !isLate) {
    if (isKnownGiven(first) && !isKnownSurname(first) && !isKnownGiven(last)) return false
  }
  // `SOLOMON CHURCH JR`
  if (count === 1 && words.length > 2 && (last === 'JR' || last === 'SR')) return true
  if (count === 1 && isSaintly(words, order)) return true
  if (order !== 'last-first' && isKorean(words)) return true
  if (order !== 'last-first' && isNamedAfter(words, evidence)) return false
  const lastFirst = order !== 'first-last' && isOrg(first) && given(words[1]) && count === 1
  const surname = order === 'last-first' && count === 1 && words.length <= 3 && isOrg(first)
  if (surname && isKnownSurname(first) && !SURNAME_TOO.has(first)) return true
  const firstLast =
    order !== 'last-first' && isOrg(last) && count === 1 && leaning(first, evidence) <= -1
  if (lastFirst || firstLast) return true
  // `SILVER BARBARA OAKS`: only a given name can follow this surname.
  const clear =
    order === 'last-first' &&
    words.length > 2 &&
    words.length <= 4 &&
    !SURNAME_TOO.has(last) &&
    !PARTICLES.has(first)
  if (clear && isKnownGiven(words[1] as Word) && leaning(words[1] as Word, evidence) <= -2)
    return true
  if (order === 'first-last' && count === 1 && isKnownGiven(first) && words.length <= 3) return true
  return count > 1 ? isOfNature(words, order) : isNameWithOne(words, order, evidence)
}

const mayBeGiven = (word: Word | undefined, evidence: NameEvidence | undefined) =>
  word !== undefined &&
  word !== 'IN' &&
  !isOrg(word) &&
  (word.length === 1 || leaning(word, evidence) <= -0.5)

/** Reports whether a name with one word of organizations is a person's. */
function isNameWithOne(
  words: readonly Word[],
  order: NameOrder,
  evidence: NameEvidence | undefined,
): boolean {
  const given = (word: Word | undefined) => mayBeGiven(word, evidence)
  const [first = '', last = ''] = [words[0], words.at(-1)]
  // `PEREZ ANA MARINA`: the second of two given names.
  const middle = words[1] as Word
  const areGiven = isKnownGiven(middle) && isKnownGiven(last) && !differInSex(middle, last)
  const isThree = order === 'last-first' && words.length === 3
  const isSecond = isThree && isKnownSurname(first) && areGiven
  // One weak word is a middle or given name, unless it ends the name of a place.
  if (SURNAME_TOO.has(words.find(isOrg) as Word))
    return words.length === 2
      ? isNamedPair(first, last)
      : words.some(given) && (words.some((word) => word.length === 1) || isSecond)
  // `ROSY MEAD FARM`: no given name follows the first word.
  if (last === 'FARM' && order === 'last-first' && !given(words[1])) return false
  if (isOrg(last)) return words.slice(0, -1).some(given) || isKnownGiven(last)
  return words.some((word) => given(word) || (!isOrg(word) && isKnownSurname(word)))
}

function isPersonByComma(
  name: readonly Word[],
  comma: number,
  evidence: NameEvidence | undefined,
): boolean {
  const before = name.slice(0, comma)
  const after = name.slice(comma + 1).filter((word) => !SEPARATORS.has(word))
  const isBank = after.length === 1 && after[0] === 'NA'
  if (isBank && before.length > 1 && isOrg(before.at(-1) as Word)) return false
  const named = after[0] !== undefined && leaning(after[0], evidence) < 0
  if (before.length > 3) return false
  // `FIRST BAPTIST CHURCH, HILLTOWN`
  if (!named && before.filter(isOrg).length > 1) return false
  return named || after.filter(isOrg).length <= 1 || !isOrg(after[after.length - 1] as Word)
}

/** `CHURCH PAUL`, `IVANOVA MARINA`, `COHEN NISSAN`, but `BAKER NISSAN`: the make of a car. */
const isNamedPair = (first: Word, last: Word) =>
  last === 'NISSAN'
    ? HEBREW_SURNAMES.has(first)
    : isKnownGiven(last) || (first === 'NISSAN' && HEBREW_SURNAMES.has(last))

/** Reports whether two words of nature are the surname: `RED BEAR JOSEPH`, `JOSEPH RED BEAR`. */
function isOfNature(words: readonly Word[], order: NameOrder): boolean {
  const given = order === 'first-last' ? words[0] : words.findLast((word) => word.length > 1)
  const isGiven = given !== undefined && isKnownGiven(given) && leaning(given, undefined) <= -2
  return isGiven && words.every((word) => !isOrg(word) || NATURE.has(word))
}

/** Reports whether `SAINT` begins a surname, since no saint has this name: `SAINT FLEUR WILNER`. */
function isSaintly(words: readonly Word[], order: NameOrder): boolean {
  const at = words.indexOf('SAINT')
  const named = (words[at + 1] ?? '').replace(/S$/, '')
  if (words.length !== 3 || at < 0 || at === 2 || isKnownGiven(named)) return false
  return at === 0 ? order !== 'first-last' : order !== 'last-first'
}
