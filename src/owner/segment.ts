/** Splits persons' names into segments, one per person. docs/matching.md, owner rules 2, 3. */
import type { NameEvidence, NameOrder } from '../base/model/owner.ts'
import { liftAsides, liftTitlePhrases, readSpanishAnd } from './asides.ts'
import { cleanPiece, type Piece } from './clean-piece.ts'
import { PARTICLES, SPANISH, START_PARTICLES } from './dictionaries/names.ts'
import { LATE_ROLES } from './dictionaries/roles.ts'
import { isKnownGiven, isKnownSurname, leaning } from './evidence.ts'
import { GAP } from './roles.ts'
import { isComma, splitAt, type Word } from './words.ts'

export type Segment = {
  /** The words of the surname, if a comma shows them. */
  surname: Word[] | null
  /** The given words after a comma. Without a comma, all words in the recorded order. */
  words: Word[]
  suffix: string | null
  /** Whether a suffix followed the first word: `HORN JR FREEMAN H`. */
  suffixSecond: boolean
  /** Whether a role precedes the segment, so that it may have a surname of its own. */
  apart?: boolean
}

/** Splits persons' names into segments. Adds roles at the ends of segments to `roles`. */
export function readSegments(
  name: readonly Word[],
  roles: string[],
  order: NameOrder,
  evidence: NameEvidence | undefined,
): Segment[] {
  const segments: Segment[] = []
  const plain = liftTitlePhrases(liftAsides(name, roles, order))
  const parts = splitParts(readSpanishAnd(plain, evidence))
  for (const [at, { words, apart }] of parts.entries()) {
    const followed = at < parts.length - 1
    // `HARLOW, ANNA M DEC LE`: one role follows another.
    if (apart && words.length === 1 && LATE_ROLES.has(words[0] as Word)) {
      roles.push(words[0] as Word)
      continue
    }
    // `HARLOW PAUL SR & JR`: no name of its own.
    if (segments.length > 0 && words.length === 1 && GENERATION.test(words[0] as Word)) continue
    const place = { order, evidence, later: segments.length > 0, followed }
    for (const segment of readPart(words, roles, place)) {
      segments.push(apart ? { ...segment, apart } : segment)
    }
  }
  return segments
}

const GENERATION = /^(?:JR|SR|II|III|IV)$/

/** Splits at `&`, `OR` and roles. `apart`: a role precedes, so the part may be a whole name. */
function splitParts(name: readonly Word[]): { words: Word[]; apart: boolean }[] {
  const parts: { words: Word[]; apart: boolean }[] = [{ words: [], apart: false }]
  for (const word of name) {
    if (word === '&' || word === '/' || word === ';' || word === GAP || word === 'OR')
      parts.push({ words: [], apart: word === GAP })
    else parts[parts.length - 1]?.words.push(word)
  }
  return parts.filter(({ words }) => words.some((word) => word !== ','))
}

type PartPlace = {
  order: NameOrder
  evidence: NameEvidence | undefined
  /** Whether a segment precedes. */
  later: boolean
  followed: boolean
}

/** Reads one part. It is one segment, unless a role or a comma in it separates two persons. */
function readPart(part: readonly Word[], roles: string[], place: PartPlace): Segment[] {
  const { evidence } = place
  const cleaned = cleanPieces(part, roles, place)
  const suffix = joinSuffixes(cleaned)
  const filled = cleaned.filter((piece) => piece.words.length > 0)
  const named = place.order === 'first-last' ? dropLetters(filled, evidence) : filled
  const first = named[0]
  if (first === undefined) return []
  if (named.length === 1) {
    const cut = cutAtRole(first.words, roles).flatMap((words) => cutAtSecondGiven(words, evidence))
    return cut.map((words, at) => ({
      surname: null,
      words,
      suffix: at === 0 ? suffix : null,
      suffixSecond: first.suffixSecond,
    }))
  }
  if (arePersons(named, first, place)) return named.map((piece) => ({ surname: null, ...piece }))
  return readSurnameFirst(named, suffix, evidence)
}

/** Removes titles, suffixes and roles from each text between two commas. */
function cleanPieces(
  part: readonly Word[],
  roles: string[],
  { order, evidence, later }: PartPlace,
): Piece[] {
  const pieces = splitAt(part, isComma)
  return pieces.map((piece, at) =>
    cleanPiece(
      piece,
      {
        order,
        wordsBefore: at === 0 ? 0 : Math.max(pieces[0]?.length ?? 0, 1),
        beforeComma: at < pieces.length - 1,
        namesBefore: at > 1 || isWhole(at, pieces) ? 0 : later || at > 0 ? 1 : 2,
        evidence,
      },
      roles,
    ),
  )
}

/** Reports whether commas separate several persons, and not a surname from its given names. */
function arePersons(named: readonly Piece[], first: Piece, place: PartPlace): boolean {
  const { order, evidence, later, followed } = place
  const words = named.map((piece) => piece.words)
  const next = words[1] ?? []
  // `PAUL HARLOW, ANNA`: the second person shares the surname.
  const isShared = () =>
    order === 'first-last' &&
    isNatural(first.words, evidence) &&
    words.slice(1).every((one) => one.length === 1 && isKnownGiven(one[0] as Word))
  // `PAUL HARLOW, ANNA HARLOW & JOHN TRENT`: both have the surname.
  const isAlikeAt = (at: 0 | -1) =>
    words.every((one) => one.length > 1 && one.at(at) === first.words.at(at))
  const isAlike = () =>
    (order !== 'last-first' && isAlikeAt(-1)) || (order !== 'first-last' && isAlikeAt(0))
  return (
    isList(words, place) ||
    isShared() ||
    // `HARLOW PAUL & ANNA, TRENT PETER`
    (later && isGivenAlone(first.words) && isTurned(next, evidence)) ||
    isAlike() ||
    endsInInitial(first.words, next, evidence) ||
    (order === 'last-first' && followed && isWholeBeforeComma(first.words, next, evidence))
  )
}

/** Reads a surname before the first comma. Later pieces are further persons or given words. */
function readSurnameFirst(
  [first, second, ...rest]: readonly Piece[],
  suffix: string | null,
  evidence: NameEvidence | undefined,
): Segment[] {
  const segment: Segment = {
    surname: first?.words ?? [],
    words: second?.words ?? [],
    suffix,
    suffixSecond: false,
  }
  const segments = rest.length > 0 ? [segment] : cutGivenWords(segment, evidence)
  for (const [at, piece] of rest.entries()) {
    const lone = piece.words[0] ?? ''
    const own = rest[at - 1]?.words ?? []
    const isSame = own.join(' ') === segment.surname?.join(' ')
    // `HARLOW, PAUL, TRENT, ANNA`
    const isGiven = lone.length === 1 || isKnownGiven(lone) || leaning(lone, evidence) <= 0
    if (isSame || (isGiven && isOwnSurname(own, evidence))) {
      segment.words.splice(segment.words.length - own.length)
      segments.push({ ...piece, surname: own })
    } else if (lone.length > 2 && leaning(lone, evidence) < -1) {
      segments.push({ surname: null, ...piece })
    } else segment.words = [...segment.words, ...piece.words]
  }
  return segments
}

/** `TRENT`, `DE LA CRUZ`, `GARCIA LOPEZ`: a surname, and no list of given names. */
function isOwnSurname(words: readonly Word[], evidence: NameEvidence | undefined): boolean {
  const last = words.at(-1) ?? ''
  if (!words.slice(0, -1).every((word) => PARTICLES.has(word) || SPANISH.has(word))) return false
  return last.length > 1 && leaning(last, evidence) >= 0.5
}

/**
 * Drops a short word after a comma that follows a whole name in natural order: `PAUL HARLOW, RD`.
 * Such a word, unless it is a known name, is the abbreviation of a degree.
 */
function dropLetters<Words extends { words: Word[] }>(
  pieces: Words[],
  evidence: NameEvidence | undefined,
): Words[] {
  if (!isNatural(pieces[0]?.words ?? [], evidence)) return pieces
  return pieces.filter(({ words: [word = '', ...rest] }, at) => {
    if (at === 0 || rest.length > 0 || word.length < 2) return true
    const isShort = word.length <= 4 || /^[A-Z]{2,4}-[A-Z]{1,3}$/.test(word)
    return !isShort || isKnownGiven(word) || isKnownSurname(word) || leaning(word, evidence) < 0
  })
}

/** Reports whether a comma follows three words: `HARLOW EDWARD S, LE`. `LE` is no given name. */
const isWhole = (at: number, pieces: readonly (readonly Word[])[]) =>
  at === 1 && (pieces[0]?.length ?? 0) > 2 && pieces[1]?.length === 1

const isGivenAlone = ([word = '', ...more]: readonly Word[]) =>
  more.length === 0 && isKnownGiven(word) && !isKnownSurname(word)

/** Reports whether a name can only have its surname first: `JONES MARY`. */
export function isTurned([first = '', given = '']: readonly Word[], evidence?: NameEvidence) {
  const isSurname = isKnownSurname(first) && !isKnownGiven(first)
  return isSurname && isKnownGiven(given) && leaning(given, evidence) <= -1.5
}

/** Reports whether a name is in natural order: a given name first, a surname last. */
export function isNatural(words: readonly Word[], evidence: NameEvidence | undefined): boolean {
  const [start = '', end = ''] = [words[0], words[words.length - 1]]
  if (words.length < 2 || end.length < 2) return false
  return leaning(start, evidence) <= -1.5 && leaning(end, evidence) > 0
}

function joinSuffixes(pieces: readonly { suffix: string | null }[]): string | null {
  if (pieces.every(({ suffix }) => suffix === null)) return null
  return [...new Set(pieces.flatMap(({ suffix }) => suffix?.split(' ') ?? []))].join(' ')
}

/**
 * Reports whether the words before a comma are a whole name, as in `SMITH JOHN, MARY & BOB`.
 *
 * Two Spanish words before a comma are a double surname (`VEGA DAVID, ANA & LUIS`).
 */
function isWholeBeforeComma(
  words: readonly Word[],
  next: readonly Word[],
  evidence: NameEvidence | undefined,
): boolean {
  const [first = '', given = ''] = words
  if (words.length < 2 || given.length < 3 || isKnownSurname(given)) return false
  // `EL SAYED, NADIA & OMAR`
  if (START_PARTICLES.has(first)) return false
  if (words.length === 2 && SPANISH.has(first)) return false
  const isSurnameFirst = leaning(first, evidence) > 0.5 && leaning(given, evidence) < -2
  return isSurnameFirst && leaning(next[0] ?? '', evidence) < -2
}

/** Reports whether an initial ends a name, whose surname the next shares: `SMITH JOHN A, MARY`. */
function endsInInitial(
  words: readonly Word[],
  next: readonly Word[],
  evidence: NameEvidence | undefined,
): boolean {
  const [first = '', given = '', initial = ''] = words
  if (words.length !== 3 || initial.length !== 1 || next.length > 2) return false
  // The first word must be able to be a surname, and the second a given name.
  if (leaning(first, evidence) < -3.2 || leaning(given, evidence) >= -1) return false
  return leaning(next[0] ?? '', evidence) < -1
}

/** Reports whether commas separate whole names: `SMITH JOHN, JONES MARY`. */
function isList(pieces: readonly (readonly Word[])[], { order, evidence }: PartPlace): boolean {
  if (!pieces.every((words) => words.length >= 2)) return false
  // `AL HUSSEINI, OMAR NABIL`: a particle and its surname, not a whole name.
  if (pieces.some(([start = '']) => START_PARTICLES.has(start))) return false
  const lean = (word: Word | undefined) => (word === undefined ? 0 : leaning(word, evidence))
  const lastFirst = (words: readonly Word[]) => lean(words[0]) > 0 && lean(words[1]) < -0.5
  // `PAUL HARLOW, ANNA COLTON`: a surname that is a given name too.
  const least = order === 'first-last' ? -1.9 : 0
  const firstLast = (words: readonly Word[]) =>
    lean(words[0]) < -0.5 && lean(words[words.length - 1]) > least
  const initialed = (words: readonly Word[]) => (words[words.length - 1] ?? '').length === 1
  const [first, second] = pieces as [Word[], Word[]]
  // `SMITH JOHN A, MARY B` looks like a list, but MARY is a given name that shares the surname.
  return (
    (lastFirst(first) && lastFirst(second) && !isDouble(first)) ||
    (firstLast(first) && firstLast(second) && !initialed(second)) ||
    (initialed(first) && initialed(second) && first.length === 2 && second.length === 2)
  )
}

const isDouble = (words: readonly Word[]) => words.length === 2 && words[1]?.includes('-') === true

/** Splits persons without `&`: `CONNER ROBERT G BERNICE E`, `RULE JOAN D HARLOW ANNA`. */
function cutAtSecondGiven(words: Word[], evidence: NameEvidence | undefined): Word[][] {
  if (words.length < 5 || words.length > 6) return [words]
  const [, first = '', initial = '', start = '', next = '', last] = words
  if (initial.length !== 1 || start.length < 3 || first.length < 3) return [words]
  const shares = words.length === 5 && next.length === 1 && leaning(start, evidence) <= -1.5
  const isOwn = leaning(start, evidence) >= 2 && leaning(next, evidence) <= -2 && isKnownGiven(next)
  const closes = last === undefined || last.length === 1
  if (!shares && !(isOwn && closes && leaning(first, evidence) <= -1.5)) return [words]
  return [words.slice(0, 3), words.slice(3)]
}

/** Splits two given names that each have an initial: `FARMER, SCOTT M BRENDA S`. */
function cutGivenWords(segment: Segment, evidence: NameEvidence | undefined): Segment[] {
  const [first = '', initial = '', given = '', last = ''] = segment.words
  const isTwo = segment.words.length === 4 && initial.length === 1 && last.length === 1
  if (!isTwo || !isKnownGiven(given) || leaning(given, evidence) > -1.5) return [segment]
  const rest = { surname: null, words: [given, last], suffix: null, suffixSecond: false }
  return [{ ...segment, words: [first, initial] }, rest]
}

/** Splits after the role of a trustee or life tenant: `SMITH JOHN TR JONES MARY`. */
function cutAtRole(words: Word[], roles: string[]): Word[][] {
  // `HARLOW TRS PAUL`
  const isRole = words[1] === 'TR' || words[1] === 'TRS'
  if (isRole && isKnownGiven(words[2] ?? '') && leaning(words[0] as Word, undefined) > 0)
    roles.push(...words.splice(1, 1))
  for (let at = 2; at < words.length - 1; at++) {
    const word = words[at] as Word
    const cuts = word === 'TR' || word === 'TRS' || (word === 'LE' && words[at - 1]?.length === 1)
    if (!cuts || (word === 'LE' && words.length - at < 3)) continue
    roles.push(word)
    return [words.slice(0, at), words.slice(at + 1)]
  }
  return [words]
}
