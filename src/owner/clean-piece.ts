/** Removes titles and suffixes from the words of one person. docs/matching.md, owner rule 2. */
import type { NameEvidence, NameOrder } from '../base/model/owner.ts'
import { ASIAN_GIVEN, PARTICLES, VIETNAMESE_SURNAMES } from './dictionaries/names.ts'
import {
  COMMA_DEGREES,
  DOUBTFUL_DEGREES,
  LATE_ROLES,
  LATE_SUFFIXES,
  OFFICES,
  SUFFIXES,
  SURNAME_TITLES,
  TITLES,
} from './dictionaries/roles.ts'
import { isKnownGiven, isWomansName, leaning } from './evidence.ts'
import { FOR_SOMEONE } from './roles.ts'
import { joinWord, type Word } from './words.ts'

export type Piece = {
  words: Word[]
  suffix: string | null
  /** Whether a suffix followed the first word: `HORN JR FREEMAN H`. */
  suffixSecond: boolean
}

type Place = {
  order: NameOrder
  /** Number of words before the first comma; 0 for the piece that precedes that comma. */
  wordsBefore: number
  beforeComma: boolean
  /** Number of leading words that are names even if they look like roles. */
  namesBefore: number
  evidence: NameEvidence | undefined
}

/** Removes titles, suffixes and closing roles from a piece. Adds the roles to `roles`. */
export function cleanPiece(piece: readonly Word[], place: Place, roles: string[]): Piece {
  const spread = spreadInitials(piece, place)
  const words: Word[] = []
  let suffix: string | null = null
  let suffixSecond = false
  for (let at = 0; at < spread.length; at++) {
    const word = spread[at] as Word
    const joined = joinWord(word)
    if (isTitle(at, spread, words.length, place)) continue
    const found = readSuffix(joined, at, spread, place)
    if (found === null) words.push(word.includes('.') ? joined : word)
    else {
      suffix = suffix === null || suffix === found ? found : `${suffix} ${found}`
      if (words.length === 1 && at < spread.length - 1) suffixSecond = true
    }
  }
  liftLateRoles(words, place, roles)
  return { words, suffix, suffixSecond }
}

/** Splits `J.R` into two initials, unless it is a suffix or a degree after a name. */
function spreadInitials(piece: readonly Word[], place: Place): Word[] {
  if (!piece.some((word) => word.includes('.'))) return [...piece]
  // `M.D. HARMON` and `HARMON, J.D.`: initials, since no given name precedes them.
  const starts =
    piece.length > 1 ? place.wordsBefore === 0 : place.wordsBefore === 1 && place.namesBefore > 0
  return piece.flatMap((word, at) => {
    if (!word.includes('.')) return [word]
    if (at === 0 && starts) return word.split('.')
    const joined = joinWord(word)
    // `HARLOW M.D.`: initials, since there is no given name.
    if (at === 1 && piece.length === 2 && place.wordsBefore === 0) return word.split('.')
    // `PAUL HARLOW M.A.`: a degree, since a whole name precedes it.
    const closes = at >= 2 && at === piece.length - 1 && place.order === 'first-last'
    if (closes && COMMA_DEGREES.has(joined)) return []
    const isSuffix =
      SUFFIXES.has(joined) && joined !== 'V' && (at >= 2 || (at === 0 && piece.length === 1))
    const isAlone = piece.length === 1 && place.wordsBefore > 1
    // `HARLOW PAUL L.E.` holds for life.
    const isLater = at >= (place.wordsBefore > 0 ? 1 : 2)
    if (joined === 'LE' && isLater && at === piece.length - 1) return [joined]
    const isDegree = TITLES.has(joined) || joined === 'MD' || (isAlone && COMMA_DEGREES.has(joined))
    return isDegree || isSuffix ? [joined] : word.split('.')
  })
}

function isTitle(at: number, piece: readonly Word[], namesRead: number, place: Place): boolean {
  const recorded = piece[at] as Word
  const word = TITLES.has(recorded) ? recorded : joinWord(recorded)
  const afterComma = place.wordsBefore > 0
  if (isAcronym(recorded)) {
    const isLast = at === piece.length - 1
    if (afterComma && place.wordsBefore > 1 && piece.every(isCredential)) return true
    const before = piece[at - 1] ?? ''
    const follows = isLast && at >= 2 && place.order === 'first-last' && before.length > 1
    if (follows && !afterComma && leaning(before, place.evidence) > 0) return true
  }
  // `SR JUAN GARZA`: here `SR` abbreviates señor.
  if (word === 'SR' && at === 0 && piece.length >= 3 && !afterComma) return true
  const isDegreeHere = TITLES.has(word) || COMMA_DEGREES.has(word)
  if (!isDegreeHere) return false
  if (afterComma && piece.every(isCredential)) {
    return place.wordsBefore > 1 || place.namesBefore === 0 || !isNameToo(word)
  }
  if (COMMA_DEGREES.has(word) && at === piece.length - 1 && at > 2) {
    if (isPlainDegree(piece[at - 1] as Word)) return true
  }
  if (!TITLES.has(word)) return false
  if (OFFICES.has(word) || SURNAME_TITLES.has(word)) return isOffice(at, piece, namesRead, place)
  if (DOUBTFUL_DEGREES.has(word)) {
    return at >= 2 && piece.slice(at).every(isCredential) && !ASIAN_GIVEN.has(piece[at - 1] as Word)
  }
  return true
}

const isCredential = (word: Word) =>
  TITLES.has(word) || COMMA_DEGREES.has(word) || SUFFIXES.has(word) || isAcronym(word)

/** Reports whether a word is an acronym: no vowel, 3 to 5 letters (`LMHC`, `CCC-SLP`). */
const isAcronym = (word: Word) => ACRONYM.test(word) && !NO_ACRONYMS.has(word)
const ACRONYM = /^[BCDFGHJKLMNPQRSTVWXZ]{3,5}(?:-[BCDFGHJKLMNPQRSTVWXZ]{1,5})?$/
/** Words without a vowel that are not acronyms: suffixes and abbreviated given names. */
const NO_ACRONYMS = new Set([...SUFFIXES.keys(), 'THS', 'CHS', 'CHRLS', 'RCHD', 'RBT', 'JHN'])
const isPlainDegree = (word: Word) =>
  (TITLES.has(word) && !SURNAME_TITLES.has(word) && !OFFICES.has(word)) || word === 'MD'
const isNameToo = (word: Word) =>
  SURNAME_TITLES.has(word) || DOUBTFUL_DEGREES.has(word) || COMMA_DEGREES.has(word)

/** Reports whether a word that may be an office, a rank or a surname is used as a title here. */
function isOffice(at: number, piece: readonly Word[], namesRead: number, place: Place): boolean {
  const word = joinWord(piece[at] as Word)
  const next = piece[at + 1] ?? ''
  const left = piece.length - at - 1
  if (place.wordsBefore > 0) return namesRead === 0 && left > 0
  if (place.order === 'last-first') {
    const isOfficeSecond = at === 1 && (OFFICES.has(word) || RANKS.has(word)) && left > 0
    return isOfficeSecond && next.length > 1 && leaning(next, place.evidence) < -1.5
  }
  if (namesRead > 0 || left < 2) return false
  const last = piece.findLast((other) => !isCredential(other)) ?? ''
  if (last.length < 2) return false
  if (place.order === 'first-last') return true
  return leaning(next, place.evidence) < -1 && leaning(last, place.evidence) > 0
}

/** Abbreviated ranks, which are rarely middle names. */
const RANKS = new Set(['COL', 'GEN', 'MAJ', 'HON', 'LT'])

/** Returns the suffix that a word denotes, or `null`. */
function readSuffix(word: Word, at: number, piece: readonly Word[], place: Place): string | null {
  const last = at === piece.length - 1
  const afterComma = place.wordsBefore > 0
  if (word === 'JUNIOR' || word === 'SENIOR') {
    const behindName = at >= 2 || (at === 0 && place.wordsBefore > 1)
    return last && behindName ? (word === 'JUNIOR' ? 'JR' : 'SR') : null
  }
  if (word === 'I') return isFirst(at, piece, place) ? 'I' : null
  const late = LATE_SUFFIXES.get(word)
  if (late !== undefined) return isLateSuffix(at, piece, place) ? late : null
  const suffix = SUFFIXES.get(word)
  if (suffix === undefined) return null
  // `MD RAHMAN`: here `MD` abbreviates Mohammed.
  if (word === 'MD' && at === 0 && place.order !== 'last-first' && piece.length > 1) return null
  // `CHOWDHURY, MD`: a given name, since a name has more than a surname.
  const isAlone = afterComma && piece.length === 1 && place.wordsBefore === 1
  if (word === 'MD' && isAlone && place.namesBefore > 0) return null
  // `CHOWDHURY MD MIZANUL`: a given name too. As a doctor's title, `MD` precedes a known given
  // name.
  const next = piece[at + 1]
  const isSecond = word === 'MD' && at === 1 && !afterComma && !place.beforeComma
  const isPlain = isSecond && !PARTICLES.has(piece[0] as Word) && (piece[0] as Word).length > 1
  if (isPlain && next !== undefined && next.length > 1 && !isKnownGiven(next)) return null
  if (word !== 'V') return piece.length > 1 || afterComma ? suffix : null
  // A suffix V is rare and an initial V common, so V is a suffix only after names a man may have.
  const given = piece[at - 1] ?? ''
  const names = piece.slice(0, at)
  // `HARLOW PAUL V`: an initial, since no other is there.
  const least = afterComma || place.order === 'last-first' ? 3 : 2
  if (!last || names.length + (afterComma ? 1 : 0) < least)
    return afterComma && piece.length === 1 ? 'V' : null
  return names.some(isWomansName) && leaning(given, place.evidence) < 1 ? null : suffix
}

/** Reports whether `I` is a suffix: `PAUL HARLOW I` in natural order. Else it is an initial. */
function isFirst(at: number, piece: readonly Word[], place: Place): boolean {
  if (at !== piece.length - 1) return false
  if (place.wordsBefore > 1 && piece.length === 1) return true
  if (place.order !== 'first-last' || at < 2 || place.wordsBefore > 0) return false
  const [first = ''] = piece
  return leaning(first, place.evidence) < -0.5 && leaning(piece[at - 1] as Word, place.evidence) > 0
}

/** Reports whether a word such as `VI` is a suffix. In `NGUYEN THI VI` it is a given name. */
function isLateSuffix(at: number, piece: readonly Word[], place: Place): boolean {
  const before = piece[at - 1] ?? ''
  if (piece.slice(0, at).some(isAsian)) return false
  if (place.wordsBefore > 1 && piece.length === 1) return true
  if (at === piece.length - 1) {
    if (at === 1 && place.beforeComma) return true
    return at >= (place.wordsBefore > 0 ? 1 : 2) && !isWomansName(before)
  }
  const next = piece[at + 1] as Word
  return at === 1 && place.order === 'last-first' && leaning(next, place.evidence) < -1.5
}

const isAsian = (word: Word) => ASIAN_GIVEN.has(word) || VIETNAMESE_SURNAMES.has(word)

/** Moves closing roles such as `TR` and `LE` from a name to `roles`. */
function liftLateRoles(words: Word[], place: Place, roles: string[]): void {
  const names = words.length + (place.wordsBefore > 0 ? 1 : 0)
  // `FBO JOHN DOE IRA`, `DOE JOHN A IRA`: a retirement account. In `GOLDSTEIN S IRA` it is a given
  // name.
  if (words.length > 1 && words.at(-1) === 'IRA') {
    const isHeld = roles.some((role) => FOR_SOMEONE.test(role))
    // `FBO PAUL HARLOW ROTH IRA`: a kind of account. `FBO ANNA M ROTH IRA`: a surname.
    const isKind =
      words.at(-2) === 'ROTH' && names > 3 && isKindRoth(words.slice(0, -2), place, isHeld)
    const end = isKind ? words.length - 2 : words.length - 1
    const isKept = isHeld || roles.some((role) => role.startsWith('CUST'))
    const isAccount = isKept || isKind || (names > 3 && words[end - 1]?.length === 1)
    if (names > 2 && isAccount) roles.push(...words.splice(end))
  }
  // `HARLOW, ANNA M LIV`: a living trust, truncated by the roll. `ANTHONY J LIVI` is a surname.
  const [initial = '', living = ''] = words.slice(-2)
  if (/^LIVI?N?G?$/.test(living) && initial.length === 1 && (names > 3 || living === 'LIV')) {
    roles.push(words.pop() as Word)
  }
  while (words.length > place.namesBefore && LATE_ROLES.has(words[words.length - 1] ?? '')) {
    if (words[words.length - 1] === 'LE' && isSurnameLe(words, place)) return
    // `NGUYEN VAN TEN`: a given name.
    if (words[words.length - 1] === 'TEN' && VIETNAMESE_SURNAMES.has(words[0] as Word)) return
    roles.push((words.pop() as Word).replace('-', ''))
  }
}

/** Reports whether `ROTH` is a kind of account, behind these words, and not a surname. */
function isKindRoth(names: readonly Word[], place: Place, isHeld: boolean): boolean {
  const isInitialed = names.at(-1)?.length === 1
  // `HARLOW PAUL ROTH IRA`
  const isPlain = place.order === 'last-first' && names.length === 2
  if (!isHeld) return isInitialed || (isPlain && isKnownGiven(names[1] as Word))
  // `FBO HARLOW, PAUL J ROTH IRA`, `FBO HARLOW PAUL J ROTH IRA`: the surname stands before.
  const [first = '', second = ''] = names
  const isSurnameFirst = names.length > 2 && leaning(first, place.evidence) > 0
  return !isInitialed || place.wordsBefore > 0 || (isSurnameFirst && isKnownGiven(second))
}

/** Reports whether a closing `LE` is the surname: `HUNG VAN LE`, `MICHAEL T LE`. */
function isSurnameLe(words: readonly Word[], place: Place): boolean {
  if (place.order !== 'last-first' && words.length === 3 && words[1]?.length === 1) return true
  // `MAI LE`, `UOC THI LE`: in natural order a surname stands last.
  const before = words.slice(0, -1)
  const isNatural = place.order === 'first-last'
  if (isNatural && before.at(-1) === 'THI') return true
  const [first] = before
  return (
    first !== undefined && before.every(isAsian) && (isNatural || !VIETNAMESE_SURNAMES.has(first))
  )
}
