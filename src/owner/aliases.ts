/** Splits a slot into the several names of one owner, as at AKA. docs/matching.md, owner rule 4. */
import { ALSO_KNOWN, ROLES, TRADES_AS } from './dictionaries/roles.ts'
import { phraseLength } from './roles.ts'
import type { Word } from './words.ts'

/**
 * One of an owner's names. `isTrade`: a business name, such as the one after DBA. `isFormer`: an
 * earlier or later surname, as after NEE.
 */
type Alias = { words: readonly Word[]; isTrade: boolean; isFormer: boolean }

/** Splits a name at DBA, AKA and the like. The first is the one before the first phrase. */
export function splitAliases(name: readonly Word[]): readonly Alias[] {
  if (!name.some(mayBeAlias)) return [{ words: name, isTrade: false, isFormer: false }]
  const parts: (Alias & { words: Word[] })[] = [{ words: [], isTrade: false, isFormer: false }]
  for (let at = 0; at < name.length; ) {
    const length = isAlias(name, at)
    if (length > 0) {
      const found = name.slice(at, at + length)
      const phrase = found.join(' ').replaceAll('.', '')
      parts.push({ words: [], isTrade: TRADES_AS.has(phrase), isFormer: FORMER.has(phrase) })
    } else parts[parts.length - 1]?.words.push(name[at] as Word)
    at += length || 1
  }
  return parts.filter(({ words }) => words.length > 0)
}

const FORMER = new Set(['NEE', 'FORMERLY', 'FORMERLY KNOWN AS', 'FKA', 'F K A', 'NOW', 'NKA'])

/** Reports whether a phrase may begin here: a listed word, or a dotted form such as `D.B.A`. */
const mayBeAlias = (word: Word) => ALSO_KNOWN.has(word) || word.includes('.')

function isAlias(words: readonly Word[], at: number): number {
  const word = words[at] as Word
  const dotted = word.includes('.') ? word.replaceAll('.', '') : word
  if (dotted !== word) return phraseLength([dotted], 0, ALSO_KNOWN)
  // Around a comma, `TA` is a name: `PWE, TA K`, `TA, TRANG M`.
  const mayBeName = word === 'NOW' || word === 'TA' || word === 'NEE'
  // `ANNA HARLOW, NEE TRENT`
  const isBehind = at > 2 && word !== 'TA' && words[at + 1] !== ','
  if (mayBeName && !isBehind && (at === 0 || words[at - 1] === ',' || words[at + 1] === ','))
    return 0
  // `HARLOW PAUL T A SINGLE MAN`: an initial before a role.
  if (word === 'T' && (words[at - 1] === 'E' || phraseLength(words, at + 1, ROLES) > 1)) return 0
  return phraseLength(words, at, ALSO_KNOWN)
}
