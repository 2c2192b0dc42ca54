/** Takes titles and suffixes out of a person's words. docs/matching.md, owner rule 2. */
import type { NameEvidence, NameOrder } from '../model/owner.ts'
import { ASIAN_GIVEN, VIETNAMESE_SURNAMES } from './dictionaries/leanings.ts'
import { PARTICLES } from './dictionaries/particles.ts'
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
import { joinToken, type Token } from './words.ts'

/** The words between two commas of one person's name. */
type Piece = {
  words: Token[]
  suffix: string | null
  /** A suffix stood right after the first word: `HORN JR FREEMAN H`. */
  suffixSecond: boolean
}

/** Where a piece stands in its name. */
type Place = {
  order: NameOrder
  /** Words before the first comma; 0 for the piece that stands before it. */
  wordsBefore: number
  /** Whether a comma follows. */
  beforeComma: boolean
  /** So many words at the start are names, even if they look like roles. */
  namesBefore: number
}

/** Takes titles, suffixes and closing roles out of a piece; the roles are added to `roles`. */
export function cleanPiece(
  piece: readonly Token[],
  place: Place,
  roles: string[],
  evidence: NameEvidence | undefined,
): Piece {
  const spread = spreadInitials(piece, place)
  const words: Token[] = []
  let suffix: string | null = null
  let suffixSecond = false
  for (let at = 0; at < spread.length; at++) {
    const word = spread[at] as Token
    const joined = joinToken(word)
    if (isTitle(word, at, spread, words.length, place, evidence)) continue
    const found = readSuffix(joined, at, spread, place, evidence)
    if (found === null) words.push(word.includes('.') ? joined : word)
    else {
      suffix = suffix === null || suffix === found ? found : `${suffix} ${found}`
      if (words.length === 1 && at < spread.length - 1) suffixSecond = true
    }
  }
  liftLateRoles(words, place, roles)
  return { words, suffix, suffixSecond }
}

/** Cuts `J.R` into two initials, unless it is a suffix or a degree behind a name. */
function spreadInitials(piece: readonly Token[], place: Place): Token[] {
  if (!piece.some((token) => token.includes('.'))) return [...piece]
  // `M.D. HARMON`, `HARMON, J.D.`: no name stands before it.
  const starts =
    piece.length > 1 ? place.wordsBefore === 0 : place.wordsBefore === 1 && place.namesBefore > 0
  return piece.flatMap((token, at) => {
    if (!token.includes('.')) return [token]
    if (at === 0 && starts) return token.split('.')
    const joined = joinToken(token)
    // `HARLOW M.D.`: without a given name these are initials.
    if (at === 1 && piece.length === 2 && place.wordsBefore === 0) return token.split('.')
    // `PAUL HARLOW M.A.`
    const closes = at >= 2 && at === piece.length - 1 && place.order === 'first-last'
    if (closes && COMMA_DEGREES.has(joined)) return []
    const isSuffix =
      SUFFIXES.has(joined) && joined !== 'V' && (at >= 2 || (at === 0 && piece.length === 1))
    const isAlone = piece.length === 1 && place.wordsBefore > 1
    const isDegree = TITLES.has(joined) || joined === 'MD' || (isAlone && COMMA_DEGREES.has(joined))
    return isDegree || isSuffix ? [joined] : token.split('.')
  })
}

function isTitle(
  token: Token,
  at: number,
  piece: readonly Token[],
  namesRead: number,
  place: Place,
  evidence: NameEvidence | undefined,
): boolean {
  const word = TITLES.has(token) ? token : joinToken(token)
  const afterComma = place.wordsBefore > 0
  if (isAcronym(token)) {
    const isLast = at === piece.length - 1
    if (afterComma && place.wordsBefore > 1 && piece.every(isCredential)) return true
    const before = piece[at - 1] ?? ''
    const follows = isLast && at >= 2 && place.order === 'first-last' && before.length > 1
    if (follows && !afterComma && leaning(before, evidence) > 0) return true
  }
  // `SR JUAN GARZA`: señor.
  if (word === 'SR' && at === 0 && piece.length >= 3 && !afterComma) return true
  const isDegreeHere = TITLES.has(word) || COMMA_DEGREES.has(word)
  if (!isDegreeHere) return false
  if (afterComma && piece.every(isCredential)) {
    return place.wordsBefore > 1 || place.namesBefore === 0 || !isNameToo(word)
  }
  if (COMMA_DEGREES.has(word) && at === piece.length - 1 && at > 2) {
    if (isPlainDegree(piece[at - 1] as Token)) return true
  }
  if (!TITLES.has(word)) return false
  if (OFFICES.has(word) || SURNAME_TITLES.has(word)) {
    return isOffice(word, at, piece, namesRead, place, evidence)
  }
  if (DOUBTFUL_DEGREES.has(word)) {
    return (
      at >= 2 && piece.slice(at).every(isCredential) && !ASIAN_GIVEN.has(piece[at - 1] as Token)
    )
  }
  return true
}

const isCredential = (word: Token) =>
  TITLES.has(word) || COMMA_DEGREES.has(word) || SUFFIXES.has(word) || isAcronym(word)

/** `LMHC`, `CCC-SLP`: three letters or more and no vowel; hardly a name. */
const isAcronym = (word: Token) => ACRONYM.test(word) && !NO_ACRONYMS.has(word)
const ACRONYM = /^[BCDFGHJKLMNPQRSTVWXZ]{3,5}(?:-[BCDFGHJKLMNPQRSTVWXZ]{1,5})?$/
/** Suffixes, and given names as rolls shorten them. */
const NO_ACRONYMS = new Set([...SUFFIXES.keys(), 'THS', 'CHS', 'CHRLS', 'RCHD', 'RBT', 'JHN'])
const isPlainDegree = (word: Token) =>
  (TITLES.has(word) && !SURNAME_TITLES.has(word) && !OFFICES.has(word)) || word === 'MD'
const isNameToo = (word: Token) =>
  SURNAME_TITLES.has(word) || DOUBTFUL_DEGREES.has(word) || COMMA_DEGREES.has(word)

/** Whether an office or rank that is a surname too stands before a name. */
function isOffice(
  word: Token,
  at: number,
  piece: readonly Token[],
  namesRead: number,
  place: Place,
  evidence: NameEvidence | undefined,
): boolean {
  const next = piece[at + 1] ?? ''
  const left = piece.length - at - 1
  if (place.wordsBefore > 0) return namesRead === 0 && left > 0
  if (place.order === 'last-first') {
    const isOfficeSecond = at === 1 && (OFFICES.has(word) || RANKS.has(word)) && left > 0
    return isOfficeSecond && next.length > 1 && leaning(next, evidence) < -1.5
  }
  if (namesRead > 0 || left < 2) return false
  const last = piece.findLast((token) => !isCredential(token)) ?? ''
  if (last.length < 2) return false
  if (place.order === 'first-last') return true
  return leaning(next, evidence) < -1 && leaning(last, evidence) > 0
}

/** Short forms of ranks, which are hardly ever middle names. */
const RANKS = new Set(['COL', 'GEN', 'MAJ', 'HON', 'LT'])

/** The suffix that a word is, or `null`. */
function readSuffix(
  word: Token,
  at: number,
  piece: readonly Token[],
  place: Place,
  evidence: NameEvidence | undefined,
): string | null {
  const last = at === piece.length - 1
  const afterComma = place.wordsBefore > 0
  if (word === 'JUNIOR' || word === 'SENIOR') {
    const behindName = at >= 2 || (at === 0 && place.wordsBefore > 1)
    return last && behindName ? (word === 'JUNIOR' ? 'JR' : 'SR') : null
  }
  if (word === 'I') return isFirst(at, piece, place, evidence) ? 'I' : null
  const late = LATE_SUFFIXES.get(word)
  if (late !== undefined) return isLateSuffix(at, piece, place, evidence) ? late : null
  const suffix = SUFFIXES.get(word)
  if (suffix === undefined) return null
  // `MD RAHMAN`: Mohammed, shortened.
  if (word === 'MD' && at === 0 && place.order !== 'last-first' && piece.length > 1) return null
  // `CHOWDHURY, MD`: nobody is named by a surname alone.
  const isAlone = afterComma && piece.length === 1 && place.wordsBefore === 1
  if (word === 'MD' && isAlone && place.namesBefore > 0) return null
  // `CHOWDHURY MD MIZANUL`: the same; a doctor's title stands before a name that is known.
  const next = piece[at + 1]
  const isSecond = word === 'MD' && at === 1 && !afterComma && !place.beforeComma
  const isPlain = isSecond && !PARTICLES.has(piece[0] as Token) && (piece[0] as Token).length > 1
  if (isPlain && next !== undefined && next.length > 1 && !isKnownGiven(next)) return null
  if (word !== 'V') return piece.length > 1 || afterComma ? suffix : null
  // The fifth is rare and an initial is not. V is a suffix only behind names that a man may have.
  const given = piece[at - 1] ?? ''
  const names = piece.slice(0, at)
  if (!last || names.length < (afterComma ? 1 : 2))
    return afterComma && piece.length === 1 ? 'V' : null
  return names.some(isWomansName) && leaning(given, evidence) < 1 ? null : suffix
}

/** `PAUL HARLOW I`, where given names come first; elsewhere I is an initial. */
function isFirst(
  at: number,
  piece: readonly Token[],
  place: Place,
  evidence: NameEvidence | undefined,
): boolean {
  if (at !== piece.length - 1) return false
  if (place.wordsBefore > 1 && piece.length === 1) return true
  if (place.order !== 'first-last' || at < 2 || place.wordsBefore > 0) return false
  const [first = ''] = piece
  return leaning(first, evidence) < -0.5 && leaning(piece[at - 1] as Token, evidence) > 0
}

/** `PAUL HARLOW VI`, `HARLOW, PAUL VI`, `HARLOW VI PAUL`; `NGUYEN THI VI` is a given name. */
function isLateSuffix(
  at: number,
  piece: readonly Token[],
  place: Place,
  evidence: NameEvidence | undefined,
): boolean {
  const before = piece[at - 1] ?? ''
  const isAsian = (word: Token) => ASIAN_GIVEN.has(word) || VIETNAMESE_SURNAMES.has(word)
  if (piece.slice(0, at).some(isAsian)) return false
  if (place.wordsBefore > 1 && piece.length === 1) return true
  if (at === piece.length - 1) {
    if (at === 1 && place.beforeComma) return true
    return at >= (place.wordsBefore > 0 ? 1 : 2) && !isWomansName(before)
  }
  const next = piece[at + 1] as Token
  return at === 1 && place.order === 'last-first' && leaning(next, evidence) < -1.5
}

/** Takes `TR`, `LE` and the like from the end of a name. */
function liftLateRoles(words: Token[], place: Place, roles: string[]): void {
  // `FBO JOHN DOE IRA`, `DOE JOHN A IRA`: the account, not the name.
  // `GOLDSTEIN S IRA` is one.
  const isAccount =
    roles.some((role) => role.endsWith('FBO')) || (words.length > 3 && words.at(-2)?.length === 1)
  if (words.length > 2 && words.at(-1) === 'IRA' && isAccount) roles.push(words.pop() as Token)
  // `HARLOW, ANNA M LIV`: a living trust that the roll cut off.
  if (words.at(-1) === 'LIV' && words.length > 1 && words.at(-2)?.length === 1) {
    roles.push(words.pop() as Token)
  }
  while (words.length > place.namesBefore && LATE_ROLES.has(words[words.length - 1] ?? '')) {
    if (words[words.length - 1] === 'LE' && isSurnameLe(words, place)) return
    roles.push((words.pop() as Token).replace('-', ''))
  }
}

/** `HUNG VAN LE`, `MICHAEL T LE`: LE is the surname. */
function isSurnameLe(words: readonly Token[], place: Place): boolean {
  if (place.order !== 'last-first' && words.length === 3 && words[1]?.length === 1) return true
  const before = words.slice(0, -1)
  const syllables = before.filter((word) => ASIAN_GIVEN.has(word) || VIETNAMESE_SURNAMES.has(word))
  return (
    before.length > 0 &&
    syllables.length === before.length &&
    !VIETNAMESE_SURNAMES.has(before[0] ?? '')
  )
}
