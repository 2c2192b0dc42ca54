/** The person whose trust an organization's name tells of. Rule 5 of matching.md. */
import {
  BUSINESS_TRUST,
  CONNECTORS,
  LEGAL_FORMS,
  PERSONAL_TRUST,
  STRONG,
  SURNAME_TOO,
  TRUST_WORDS,
} from './dictionaries/organization-words.ts'
import type { Token } from './words.ts'

/** Words that end the name of a trust. */
export const TRUST_ENDS = new Set(['TRUST', 'TRUSTS', 'TRST', 'TRUS', 'QPRT', 'UNITRUST'])

/** The words of a trust's name that may be its person, and whether the name says that it is a person's trust. */
export type TrustPerson = { words: Token[]; firm: boolean; family: boolean; natural: boolean }

/**
 * Finds the person's words in the name of a trust; `undefined` when it is no trust or is one of business.
 *
 * @example trustPerson(['SMITH', 'JOHN', 'A', 'REVOCABLE', 'TRUST']) // words SMITH JOHN A, firm
 */
export function trustPerson(tokens: readonly Token[]): TrustPerson | undefined {
  const said = tokens.findLastIndex(
    (token) => TRUST_ENDS.has(token) || token === 'TR' || token === 'TRU',
  )
  const at = said < 0 && isCutTrust(tokens) ? tokens.length : said
  if (at < 0 || (at === 0 && tokens[1] !== 'OF')) return undefined
  // `TRUST OF 1990` is named by its year.
  const of = tokens.findIndex(
    (token, index) =>
      index >= at && (token === 'OF' || token === 'FOR') && !/^\d/.test(tokens[index + 1] ?? ''),
  )
  const scope = of > 0 && of < tokens.length - 1 ? tokens.slice(of + 1) : tokens.slice(0, at)
  const kinds = of > 0 ? tokens.slice(0, of) : tokens
  if (kinds.some((token) => BUSINESS_TRUST.has(token))) return undefined
  let end = scope.length
  while (end > 0 && isTrustWord(scope, end - 1)) end--
  let start = 0
  while (start < end && (scope[start] === 'THE' || scope[start] === ',')) start++
  const words = scope.slice(start, end).filter((token) => token !== '(' && token !== ')')
  // `ORCHARD, STELLA M REVOCABLE TRUST`: the comma shows a surname.
  const isNoName = (word: Token, index: number) =>
    /\d/.test(word) || (isOther(word) && !(index === 0 && words[1] === ','))
  if (words.length === 0 || words.some(isNoName)) return undefined
  return {
    words,
    firm: kinds.some((token) => PERSONAL_TRUST.has(token)),
    family: kinds.some((token) => token === 'FAMILY' || token === 'FAM'),
    natural: of > 0,
  }
}

/** `SMITH JOHN A REVOCABLE LIVING`: a name that the roll cut off before its last word. */
function isCutTrust(tokens: readonly Token[]): boolean {
  const at = tokens.length - (/^LIV/.test(tokens.at(-1) ?? '') ? 2 : 1)
  return at > 0 && /^(?:IR)?REVOC/.test(tokens[at] as Token)
}

function isTrustWord(scope: readonly Token[], at: number): boolean {
  const token = scope[at] as Token
  // `AMENDED & RESTATED`
  if (token === ',' || token === '&') return true
  if (token.length === 1) return false
  return TRUST_WORDS.has(token) || /^\d/.test(token)
}

/** A word that no person has in a trust's name. */
function isOther(word: Token): boolean {
  if (CONNECTORS.has(word)) return true
  return (LEGAL_FORMS.has(word) || STRONG.has(word)) && !SURNAME_TOO.has(word)
}
