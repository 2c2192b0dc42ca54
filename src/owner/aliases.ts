/** Parts a name where another name of the same owner follows. docs/matching.md, owner rule 4. */
import { ALSO_KNOWN, TRADES_AS } from './dictionaries/roles.ts'
import { phraseLength } from './roles.ts'
import type { Token } from './words.ts'

/** One of the names; `isTrade`: a name of business, behind DBA and the like. */
type Alias = { words: readonly Token[]; isTrade: boolean }

/** The name before and the name after DBA, AKA and the like. */
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

/** A dot inside, or a word that begins such a phrase. */
const mayBeAlias = (token: Token) => ALSO_KNOWN.has(token) || token.includes('.')

function isAlias(tokens: readonly Token[], at: number): number {
  const token = tokens[at] as Token
  const dotted = token.includes('.') ? token.replaceAll('.', '') : token
  if (dotted !== token) return phraseLength([dotted], 0, ALSO_KNOWN)
  // `PWE, TA K`: behind a comma it is a given name.
  const mayBeName = token === 'NOW' || token === 'TA' || token === 'NEE'
  if (mayBeName && (at === 0 || tokens[at - 1] === ',')) return 0
  return phraseLength(tokens, at, ALSO_KNOWN)
}
