/** The words of a slot that `nameContains` finds. docs/matching.md, owner rules 1, 5 and 7. */
import { PARTICLES, START_PARTICLES } from './dictionaries/names.ts'
import { SHORT_PHRASES } from './dictionaries/organization-words.ts'
import type { ParsedName } from './parse.ts'
import { canonicalWord, joinWord, SEPARATORS, type Word } from './words.ts'

/** Returns a slot's distinct canonical words: single, halves, joined particles and initials. */
export function slotWords(name: readonly Word[], parsed: ParsedName): string[] {
  const words = new Set<string>()
  const isOwn = (word: Word) =>
    parsed.organizations.length === 0 && parsed.persons.some(({ given }) => given.includes(word))
  for (const word of name) {
    // `HARLOW CH`: no church.
    if (word.length === 2 && canonicalWord(word) !== word && isOwn(word)) words.add(word)
    else if (word === '&' || word === '/' || word === ';') words.add('AND')
    else if (!SEPARATORS.has(word)) addWord(word, words)
  }
  const plain = name.filter((word) => !SEPARATORS.has(word))
  const joined = joinInitials(plain)
  if (joined !== plain)
    for (const word of joined) if (!plain.includes(word)) words.add(canonicalWord(word))
  // `LIMITED LIABILITY COMPANY` is `LLC`, `ET AL` is `ETAL`.
  const folded = name.map(canonicalWord)
  for (let at = 0; at < folded.length; at++)
    for (const [, short] of phrasesAt(folded, at)) words.add(short)
  addParticles(plain, words)
  for (const { surname } of parsed.persons) {
    if (!surname.includes(' ')) continue
    const parts = surname.split(' ')
    const first = parts[0] as Word
    if (PARTICLES.has(first) || START_PARTICLES.has(first)) words.add(joinSurname(parts))
  }
  for (const name of parsed.organizations) {
    // At the end of an organization's name, TRUST and TR are equivalent.
    if (/ (?:TRUST|TR)$/.test(name)) words.add('TRUST').add('TR')
  }
  return [...words]
}

/** Adds the canonical form of a word; of `SMITH-JONES` and `J.R` also the parts and the whole. */
function addWord(word: Word, words: Set<string>): void {
  const joined = joinWord(word)
  words.add(canonicalWord(joined))
  if (joined === word) return
  for (const part of word.split(/[-./%]/)) if (part !== '') words.add(canonicalWord(part))
}

/** Returns the words with initials joined: `L L C` is `LLC`, `A B C` is `ABC`. */
export function joinInitials(words: readonly Word[]): readonly Word[] {
  if (!words.some((word, at) => word.length === 1 && words[at + 1]?.length === 1)) return words
  return words
    .join(' ')
    .replace(INITIALS, (run) => run.replaceAll(' ', ''))
    .split(' ')
}

const INITIALS = /(?<!\S)[A-Z0-9](?: [A-Z0-9])+(?!\S)/g

/** Returns the phrases at a position of canonical words. */
export function phrasesAt(words: readonly string[], at: number) {
  const phrases = PHRASES.get(words[at] as string)
  if (phrases === undefined) return NONE
  return phrases.filter(([phrase]) => phrase.every((word, index) => word === words[at + index]))
}

const NONE: (readonly [string[], string])[] = []

/** Phrases of canonical words with their short form, by their first word. */
export const PHRASES = Map.groupBy(
  SHORT_PHRASES.map(([phrase, short]) => [phrase.split(' ').map(canonicalWord), short] as const),
  ([[first = '']]) => first,
)

/** Adds particles joined to the next word: `MC DONALD` is also `MCDONALD`. */
function addParticles(name: readonly Word[], words: Set<string>): void {
  for (let at = 0; at < name.length - 1; at++) {
    if (!PARTICLES.has(name[at] as Word)) continue
    let end = at + 1
    while (end < name.length - 1 && PARTICLES.has(name[end] as Word)) end++
    if ((name[end] as Word).length > 1) words.add(joinSurname(name.slice(at, end + 1)))
  }
}

/** Joins the words of a surname. A leading form of saint becomes `ST`. */
export function joinSurname(words: readonly Word[]): string {
  let joined = ''
  for (const word of words) joined += joinWord(word)
  return joined.startsWith('SAINT') ? joined.replace(/^SAINT(?=[A-Z]{2})/, 'ST') : joined
}
