/** Splits a recorded text into independent names. docs/matching.md, owner rules 3 and 5. */
import { PERSONAL_TRUST, TRUST_WORDS } from '../dictionaries/organization-words.ts'
import { GAP } from '../roles.ts'
import type { Word } from '../words.ts'

/** Splits at roles and semicolons, which separate independent names. */
export function splitGroups(words: readonly Word[]): Word[][] {
  const groups: Word[][] = [[]]
  for (const [at, word] of words.entries()) {
    const next = words[at + 1] ?? ''
    // `TRUST DATED 5/5/1999 OF PAUL HARLOW`
    const isOf = word === GAP && (next === 'OF' || next === 'FOR') && isKindAlone(groups.at(-1))
    if (isOf && !words.includes('TRUST', at)) continue
    if (word === GAP || word === ';' || isTrustJoint(words, at)) groups.push([])
    else groups[groups.length - 1]?.push(word)
  }
  return groups.map(trimSeparators).filter((group) => group.length > 0)
}

const isKindAlone = (group: readonly Word[] = []) =>
  group.at(-1) === 'TRUST' && group.every((word) => TRUST_WORDS.has(word))

/** Reports whether `&` or a stroke separates trusts: `J DOE REV LIV TR/K AND C ROE TR`. */
function isTrustJoint(words: readonly Word[], at: number): boolean {
  if (words[at] === '&') return partsTrusts(words, at)
  if (words[at] !== '/') return false
  return endsTrust(words, at) && TRUST_CLOSE.has(words.at(-1) ?? '') && words.length - at > 2
}

/** Reports whether `&` separates two whole trusts: `HARLOW PAUL REV TR & HARLOW ANNA REV TR`. */
function partsTrusts(words: readonly Word[], at: number): boolean {
  if (!endsTrust(words, at) || at < 4) return false
  const gap = words.indexOf(GAP, at)
  const end = gap < 0 ? words.length : gap
  return end - at > 4 && endsTrust(words, end)
}

const endsTrust = (words: readonly Word[], end: number) =>
  TRUST_CLOSE.has(words[end - 1] ?? '') && PERSONAL_TRUST.has(words[end - 2] ?? '')

const TRUST_CLOSE = new Set(['TRUST', 'TR', 'TRST'])

export function trimSeparators(words: Word[]): Word[] {
  let start = 0
  let end = words.length
  while (start < end && isEdge(words[start] as Word)) start++
  while (end > start && isEdge(words[end - 1] as Word)) end--
  return words.slice(start, end)
}

const isEdge = (word: Word) => word === '&' || word === '/' || word === ',' || word === ')'
