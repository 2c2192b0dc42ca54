/** One part of a name between `&`, `/` and roles: its words, suffix and what a comma tells. Rule 2 of matching.md. */
import type { NameEvidence } from '../model/owner.ts'
import { ASIAN_GIVEN, VIETNAMESE_SURNAMES } from './dictionaries/leanings.ts'
import {
  DOUBTFUL_DEGREES,
  LATE_ROLES,
  SUFFIXES,
  SURNAME_TITLES,
  TITLE_PHRASES,
  TITLES,
} from './dictionaries/roles.ts'
import { isKnownSurname, isWomansName, leaning } from './evidence.ts'
import { GAP, liftRoles, phraseLength } from './roles.ts'
import { joinToken, type Token } from './words.ts'

export type Segment = {
  /** The surname's words, when a comma tells them. */
  surname: Token[] | null
  /** The given words after a comma; without one all words in the order recorded. */
  words: Token[]
  suffix: string | null
  /** A suffix stood right after the first word: `HORN JR FREEMAN H`. */
  suffixSecond: boolean
}

/**
 * Cuts persons' names into segments; roles at the ends of segments are added to `roles`. `natural`: the source puts
 * given names first, so that a rank may stand before them.
 */
export function readSegments(
  tokens: readonly Token[],
  roles: string[],
  natural: boolean,
  evidence: NameEvidence | undefined,
): Segment[] {
  const segments: Segment[] = []
  for (const part of splitParts(liftTitles(liftAsides(tokens, roles)))) {
    for (const segment of readPart(part, roles, segments.length > 0, natural, evidence))
      segments.push(segment)
  }
  return segments
}

/** What stands in parentheses is a role, else a nickname; neither is a name. */
function liftAsides(tokens: readonly Token[], roles: string[]): Token[] {
  if (!tokens.includes('(')) return tokens.filter((token) => token !== ')')
  const kept: Token[] = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as Token
    if (token === ')') continue
    if (token !== '(') {
      kept.push(token)
      continue
    }
    const close = tokens.indexOf(')', at)
    const inside = tokens.slice(at + 1, close === -1 ? tokens.length : close)
    const lifted = liftRoles(inside, true)
    roles.push(...lifted.roles)
    if (inside.length === 1 && LATE_ROLES.has(inside[0] as Token)) roles.push(inside[0] as Token)
    at = close === -1 ? tokens.length : close
  }
  return kept
}

/** Takes out `MR & MRS`, `ATTORNEY AT LAW` and the like. */
function liftTitles(tokens: Token[]): Token[] {
  if (!tokens.some((token) => TITLE_PHRASES.has(token))) return tokens
  const kept: Token[] = []
  for (let at = 0; at < tokens.length; ) {
    const length = phraseLength(tokens, at, TITLE_PHRASES)
    if (length === 0) kept.push(tokens[at++] as Token)
    else at += length
  }
  return kept
}

function splitParts(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]]
  for (const token of tokens) {
    if (token === '&' || token === '/' || token === ';' || token === GAP || token === 'OR')
      parts.push([])
    else parts[parts.length - 1]?.push(token)
  }
  return parts.filter((part) => part.some((token) => token !== ','))
}

/** One part is one segment, unless a role or a comma inside it divides two persons. */
function readPart(
  part: readonly Token[],
  roles: string[],
  later: boolean,
  natural: boolean,
  evidence: NameEvidence | undefined,
): Segment[] {
  const pieces = splitCommas(part)
  const cleaned = pieces.map((piece, at) =>
    cleanPiece(piece, at > 0, at > 1 ? 0 : later || at > 0 ? 1 : 2, natural, roles, evidence),
  )
  const suffix = cleaned.find((piece) => piece.suffix !== null)?.suffix ?? null
  const named = cleaned.filter((piece) => piece.words.length > 0)
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
  if (
    isList(
      named.map((piece) => piece.words),
      evidence,
    )
  ) {
    return named.map((piece) => ({ surname: null, ...piece }))
  }
  if (!natural && isWholeName(first.words, named[1]?.words ?? [], evidence)) {
    return named.map((piece) => ({ surname: null, ...piece }))
  }
  const [, second, ...rest] = named
  const segment: Segment = {
    surname: first.words,
    words: second?.words ?? [],
    suffix,
    suffixSecond: false,
  }
  const segments = [segment]
  for (const piece of rest) {
    const lone = piece.words[0] ?? ''
    if (lone.length > 2 && leaning(lone, evidence) < -1) {
      segments.push({ surname: null, ...piece })
    } else segment.words = [...segment.words, ...piece.words]
  }
  return segments
}

function splitCommas(part: readonly Token[]): Token[][] {
  const pieces: Token[][] = [[]]
  for (const token of part) {
    if (token === ',') pieces.push([])
    else pieces[pieces.length - 1]?.push(token)
  }
  return pieces
}

/** `SMITH JOHN, MARY & BOB`: before the comma stands a given name too. */
function isWholeName(
  words: readonly Token[],
  next: readonly Token[],
  evidence: NameEvidence | undefined,
): boolean {
  const [first = '', given = ''] = words
  if (words.length < 2 || given.length < 3 || isKnownSurname(given)) return false
  const told = leaning(first, evidence) > 1 && leaning(given, evidence) < -2
  return told && leaning(next[0] ?? '', evidence) < -2
}

/** Commas between whole names: `SMITH JOHN, JONES MARY`. */
function isList(
  pieces: readonly (readonly Token[])[],
  evidence: NameEvidence | undefined,
): boolean {
  if (!pieces.every((words) => words.length >= 2)) return false
  const lean = (word: Token | undefined) => (word === undefined ? 0 : leaning(word, evidence))
  const lastFirst = (words: readonly Token[]) => lean(words[0]) > 0 && lean(words[1]) < -0.5
  const firstLast = (words: readonly Token[]) =>
    lean(words[0]) < -0.5 && lean(words[words.length - 1]) > 0
  const initialed = (words: readonly Token[]) => (words[words.length - 1] ?? '').length === 1
  const [first, second] = pieces as [Token[], Token[]]
  // `SMITH JOHN A, MARY B` begins like a list, but what follows is a given name.
  return (
    (lastFirst(first) && lastFirst(second) && !isDouble(first)) ||
    (firstLast(first) && firstLast(second) && !initialed(second)) ||
    (initialed(first) && initialed(second) && first.length === 2 && second.length === 2)
  )
}

const isDouble = (words: readonly Token[]) => words.length === 2 && words[1]?.includes('-') === true

type Piece = { words: Token[]; suffix: string | null; suffixSecond: boolean }

/** Takes titles, suffixes and closing roles, behind so many names, out of the words between two commas. */
function cleanPiece(
  piece: readonly Token[],
  afterComma: boolean,
  namesBefore: number,
  natural: boolean,
  roles: string[],
  evidence: NameEvidence | undefined,
): Piece {
  const spread = spreadInitials(piece)
  const words: Token[] = []
  let suffix: string | null = null
  let suffixSecond = false
  for (let at = 0; at < spread.length; at++) {
    const word = spread[at] as Token
    const joined = joinToken(word)
    if (isTitle(joined, at, spread, afterComma, natural)) continue
    const found = readSuffix(joined, at, spread, afterComma, evidence)
    if (found === null) words.push(word.includes('.') ? joined : word)
    else {
      suffix = suffix === null || suffix === found ? found : `${suffix} ${found}`
      if (words.length === 1 && at < spread.length - 1) suffixSecond = true
    }
  }
  liftLateRoles(words, namesBefore, natural, roles)
  return { words, suffix, suffixSecond }
}

/** `J.R` is two initials unless it is a suffix or degree. */
function spreadInitials(piece: readonly Token[]): Token[] {
  if (!piece.some((token) => token.includes('.'))) return [...piece]
  return piece.flatMap((token, at) => {
    if (!token.includes('.')) return [token]
    const joined = joinToken(token)
    const isSuffix = SUFFIXES.has(joined) && joined !== 'V' && at >= 2
    return TITLES.has(joined) || isSuffix || joined === 'MD' ? [joined] : token.split('.')
  })
}

function isTitle(
  word: Token,
  at: number,
  piece: readonly Token[],
  afterComma: boolean,
  natural: boolean,
): boolean {
  if (word === 'SR' && at === 0 && piece.length >= 3 && !afterComma) return true
  if (!TITLES.has(word)) return false
  if (afterComma && piece.length === 1) return true
  if (SURNAME_TITLES.has(word)) {
    return at === 0 && (afterComma ? piece.length >= 2 : natural && piece.length >= 3)
  }
  if (DOUBTFUL_DEGREES.has(word)) {
    return at >= 2 && at === piece.length - 1 && !ASIAN_GIVEN.has(piece[at - 1] ?? '')
  }
  return true
}

/** The suffix that a word is, or `null`. */
function readSuffix(
  word: Token,
  at: number,
  piece: readonly Token[],
  afterComma: boolean,
  evidence: NameEvidence | undefined,
): string | null {
  const last = at === piece.length - 1
  if (word === 'JUNIOR' || word === 'SENIOR') {
    return last && at >= 2 ? (word === 'JUNIOR' ? 'JR' : 'SR') : null
  }
  const suffix = SUFFIXES.get(word)
  if (suffix === undefined) return null
  if (word !== 'V') return piece.length > 1 || afterComma ? suffix : null
  // The fifth is rare and an initial is not: V is a suffix only behind the names of one who may be a man.
  const given = piece[at - 1] ?? ''
  const names = piece.slice(0, at)
  if (!last || names.length < (afterComma ? 1 : 2))
    return afterComma && piece.length === 1 ? 'V' : null
  return names.some(isWomansName) && leaning(given, evidence) < 1 ? null : suffix
}

/** `TR`, `LE` and the like at the end of a name. */
function liftLateRoles(
  words: Token[],
  namesBefore: number,
  natural: boolean,
  roles: string[],
): void {
  // `FBO JOHN DOE IRA`, `DOE JOHN A IRA`: the account, not the name.
  // `GOLDSTEIN S IRA` is one.
  const isAccount =
    roles.some((role) => role.endsWith('FBO')) || (words.length > 3 && words.at(-2)?.length === 1)
  if (words.length > 2 && words.at(-1) === 'IRA' && isAccount) roles.push(words.pop() as Token)
  while (words.length > namesBefore && LATE_ROLES.has(words[words.length - 1] ?? '')) {
    if (words[words.length - 1] === 'LE' && isSurnameLe(words, natural)) return
    roles.push((words.pop() as Token).replace('-', ''))
  }
}

/** `HUNG VAN LE`, `MICHAEL T LE`: LE is the surname. */
function isSurnameLe(words: readonly Token[], natural: boolean): boolean {
  if (natural && words.length === 3 && words[1]?.length === 1) return true
  const before = words.slice(0, -1)
  const syllables = before.filter((word) => ASIAN_GIVEN.has(word) || VIETNAMESE_SURNAMES.has(word))
  return syllables.length === before.length && !VIETNAMESE_SURNAMES.has(before[0] ?? '')
}

/** `CONNER ROBERT G BERNICE E`: a second given name with its initial, and no `&` between. */
function cutAtSecondGiven(words: readonly Token[], evidence: NameEvidence | undefined): Token[][] {
  const [, , initial = '', given = '', last = ''] = words
  const two = words.length === 5 && initial.length === 1 && given.length > 2 && last.length === 1
  if (!two || (words[1] as Token).length < 3 || leaning(given, evidence) > -1.5) return [[...words]]
  return [words.slice(0, 3), words.slice(3)]
}

/** A trustee's or life tenant's name followed by another: `SMITH JOHN TR JONES MARY`. */
function cutAtRole(words: readonly Token[], roles: string[]): Token[][] {
  for (let at = 2; at < words.length - 1; at++) {
    const word = words[at] as Token
    const cuts = word === 'TR' || word === 'TRS' || (word === 'LE' && words[at - 1]?.length === 1)
    if (!cuts || (word === 'LE' && words.length - at < 3)) continue
    roles.push(word)
    return [words.slice(0, at), words.slice(at + 1)]
  }
  return [[...words]]
}
