/** Splits a slot into the several names of one owner, as at AKA. docs/matching.md, owner rule 4. */
import { ALSO_KNOWN, TRADES_AS } from './dictionaries/roles.ts'
import { phraseLength } from './roles.ts'
import type { Token } from './words.ts'

/** One of an owner's names. `isTrade`: a business name, such as the one after DBA. */
type Alias = { words: readonly Token[]; isTrade: boolean }

/**
 * Splits tokens at DBA, AKA and similar phrases. The first name is the one before the first phrase.
 */
export function splitAliases(tokens: readonly Token[]): readonly Alias[] {
  if (!tokens.some(mayBeAlias)) return [{ words: tokens, isTrade: false }]
  const parts: { words: Token[]; isTrade: boolean }[] = [{ words: [], isTrade: false }]
  for (let at = 0; at < tokens.length; ) {
    const length = isAlias(tokens, at)
    if (length > 0) {
      const phrase = tokens
        .slice(at, at + length)
        .join(' ')
        .replaceAll('.', '')
      parts.push({ words: [], isTrade: TRADES_AS.has(phrase) })
    } else parts[parts.length - 1]?.words.push(tokens[at] as Token)
    at += length || 1
  }
  return parts.filter(({ words }) => words.length > 0)
}

/**
 * Reports whether a phrase may begin here: a listed first word, or a dotted form such as `D.B.A`.
 */
const mayBeAlias = (token: Token) => ALSO_KNOWN.has(token) || token.includes('.')

function isAlias(tokens: readonly Token[], at: number): number {
  const token = tokens[at] as Token
  const dotted = token.includes('.') ? token.replaceAll('.', '') : token
  if (dotted !== token) return phraseLength([dotted], 0, ALSO_KNOWN)
  // After a comma, `TA` is a given name: `PWE, TA K`.
  const mayBeName = token === 'NOW' || token === 'TA' || token === 'NEE'
  if (mayBeName && (at === 0 || tokens[at - 1] === ',')) return 0
  return phraseLength(tokens, at, ALSO_KNOWN)
}
