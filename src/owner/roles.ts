/** Removes roles, shares and noise from a name. docs/matching.md, owner rule 4. */

import type { NameOrder } from '../base/model/owner.ts'
import { PERSONAL_TRUST } from './dictionaries/organization-words.ts'
import { type Phrases, ROLES, SOFT_ROLES } from './dictionaries/roles.ts'
import { joinToken, type Token } from './words.ts'

/** Token that replaces a role. The names on its two sides belong to different owners. */
export const GAP = '|'

const FRACTION = /^(?:\d{1,3}\/\d{1,4}(?:TH|RDS|ND|RD|THS|ST)?|[\d.]+%|0\.\d{1,4})$/
const DATE = /^\d{1,4}(?:[-/]\d{1,2}[-/]\d{2,4}|\d{0,4})$/

/**
 * Replaces each role by `|` and returns the roles.
 *
 * `soft`: also removes short words that occur in names of organizations, and lone shares.
 */
export function liftRoles(
  tokens: readonly Token[],
  soft: boolean,
): { tokens: Token[]; roles: string[] } {
  let start = 0
  while (start < tokens.length && roleLength(tokens, start, soft) === 0) start++
  if (start === tokens.length) return { tokens: tokens as Token[], roles: [] }
  const kept: Token[] = tokens.slice(0, start)
  const roles: string[] = []
  let at = start
  while (at < tokens.length) {
    const length = roleLength(tokens, at, soft)
    if (length === 0) {
      kept.push(tokens[at] as Token)
      at++
      continue
    }
    roles.push(
      tokens
        .slice(at, at + length)
        .map(joinRole)
        .join(' '),
    )
    at += length
    // `(TRUSTEE)`: the parentheses are removed together with the role.
    if (kept[kept.length - 1] === '(' && (tokens[at] === ')' || at === tokens.length)) {
      kept.pop()
      at++
    }
    kept.push(GAP)
  }
  return { tokens: kept, roles }
}

/**
 * Returns the number of tokens of the longest phrase of a table at a position; 0 if there is none.
 */
export function phraseLength(tokens: readonly Token[], at: number, table: Phrases): number {
  return phraseFrom(tokens, at, table.get(tokens[at] ?? ''))
}

function roleLength(tokens: readonly Token[], at: number, soft: boolean): number {
  const token = tokens[at] as Token
  if (isShare(token)) {
    const length = phraseAt(tokens, at, '#')
    return length > 0 ? length : soft ? 1 : 0
  }
  const length = token.includes('.') ? dottedRole(tokens, at) : phraseAt(tokens, at, token)
  if (length === 0) return soft && token === 'AS' ? cutRoleLength(tokens, at) : 0
  // `ROS, IRENE`: a surname. `OSCAR A MINOR`: a role.
  const starts = at === 0 || tokens[at - 1] === '&'
  const isSurname = starts && length === 1 && tokens[at + 1] === ',' && tokens.length > at + 2
  if (isSurname && SOFT_ROLES.has(token)) return 0
  // `ROS NINA`: at the start these words are surnames.
  if (at === 0 && length === 1 && tokens.length > 1 && NAME_FIRST.has(token)) return 0
  // `TE VELDE HENK`: a particle, since a tenure follows a name.
  if (token === 'TE' && at < 2 && tokens.length > 2 && tokens[1] !== ',') return 0
  // `HARLOW HEIRS LLC`: part of the company's name.
  if (at > 0 && at + length === tokens.length - 1 && COMPANY_FORMS.has(tokens[at + length] ?? ''))
    return 0
  if (at < 2 && length === 2 && token === 'A') return 0
  // `GLASGOW, TOD ALLEN`: a given name, unless a whole name precedes it.
  if (token === 'TOD' && length === 1 && !isBehindName(tokens, at)) return 0
  // `HARLOW PAUL SEPARATE PROPERTY TRUST`: a kind of trust.
  if (PROPERTY_KINDS.has(token) && tokens[at + length]?.startsWith('TRUST')) return 0
  const before = tokens[at - 1] ?? ''
  if (before === 'REAL' || (before === 'OF' && token.startsWith('TRUSTEE'))) return 0
  // `SMITH FAMILY TR OF 1990`: part of the trust's name.
  if (token === 'TR' || token === 'TRS') {
    if (PERSONAL_TRUST.has(before) || /^\d/.test(tokens[at + length] ?? '')) return 0
  }
  // `REVOC FAM TRST`: here the word means trust, not trustee.
  if (token.startsWith('TRST') && PERSONAL_TRUST.has(before)) return 0
  return soft || !isSoft(tokens, at, length) ? length : 0
}

/** Returns the length of a role that the roll truncated: `HARLOW, ANNA AS SU`. */
function cutRoleLength(tokens: readonly Token[], at: number): number {
  const left = tokens.length - at
  if (at < 2 || left > 2) return 0
  const word = tokens[at + 1] ?? ''
  return AS_WHAT.some((role) => role.startsWith(word)) ? left : 0
}

/** First words of a tenure that a trust may be named after. */
const PROPERTY_KINDS = new Set(['SEPARATE', 'COMMUNITY'])

/** Roles that never begin a name. */
const NAME_FIRST = new Set(['ROS', 'SINGLE', 'GUARD'])

const AS_WHAT = [
  'TRUSTEES',
  'SUCCESSOR',
  'SURVIVING',
  'NOMINEE',
  'EXECUTOR',
  'EXECUTRIX',
  'COTRUSTEE',
]

const COMPANY_FORMS = new Set(['LLC', 'INC', 'CORP', 'LP', 'LTD', 'LLP'])

/**
 * Reports whether a surname and a given name precede a word, or, at the start, a whole name follows
 * it.
 */
function isBehindName(tokens: readonly Token[], at: number): boolean {
  if (at === 0) return tokens.length > 2
  return at > 1 && tokens[at - 1] !== ',' && tokens[at - 1] !== '&'
}

function dottedRole(tokens: readonly Token[], at: number): number {
  return phraseAt([joinToken(tokens[at] as Token)], 0, joinToken(tokens[at] as Token))
}

function phraseAt(tokens: readonly Token[], at: number, first: Token): number {
  return phraseFrom(tokens, at, ROLES.get(first))
}

/** Returns the length of the first phrase that matches. The caller has looked up its first word. */
function phraseFrom(
  tokens: readonly Token[],
  at: number,
  candidates: readonly (readonly string[])[] | undefined,
): number {
  if (candidates === undefined) return 0
  for (const phrase of candidates) {
    let index = 1
    while (
      index < phrase.length &&
      matchesWord(phrase[index] as string, tokens[at + index], phrase)
    ) {
      index++
    }
    if (index === phrase.length) return index
  }
  return 0
}

function matchesWord(word: string, token: Token | undefined, phrase: readonly string[]): boolean {
  if (token === undefined) return false
  if (word !== '#') return word === token
  return isShare(token) || (DATE.test(token) && DATED.has(phrase[0] ?? ''))
}

const DATED = new Set(['DTD', 'DATED', 'UTD', 'UDT', 'UA', 'UAD', 'UTA', 'UNDER'])

/**
 * Returns the order of the names after a role. `FBO` implies natural order; after `ESTATE OF`
 * either order occurs.
 */
export function orderAfter(roles: readonly string[], order: NameOrder): NameOrder {
  if (order !== 'last-first') return order
  if (roles.some((role) => role.endsWith('FBO'))) return 'first-last'
  return roles.some(isOf) ? 'mixed' : order
}

const isOf = (role: string) => OF_SOMEONE.test(role)
const OF_SOMEONE = new RegExp(
  '^(?:THE )?(?:UNKNOWN |UNK )?(?:ESTATE|EST|HEIRS|HRS|HEIR|HEIRS AT LAW|EXECUTOR|EXECUTRIX' +
    '|PERS REP|LIFE ESTATE) OF',
)

/** Reports whether a token is a share of less than the whole: `1/2`, `33.3%`. */
export function isShare(token: Token): boolean {
  const first = token.charCodeAt(0)
  if (first < 48 || first > 57) return false
  if (!FRACTION.test(token)) return false
  const [part = '', whole] = token.replace(/[A-Z]+$/, '').split('/')
  return whole === undefined || Number(part) < Number(whole) || part === '1'
}

/**
 * Reports whether a role is too weak to be removed from an organization: one soft word, or single
 * letters.
 */
function isSoft(tokens: readonly Token[], at: number, length: number): boolean {
  const phrase = tokens.slice(at, at + length)
  if (length === 1) return SOFT_ROLES.has(joinToken(phrase[0] as Token))
  return phrase.every((word) => word.length === 1)
}

function joinRole(token: Token): string {
  return FRACTION.test(token) ? token : token.replace(/[-.]/g, '')
}
