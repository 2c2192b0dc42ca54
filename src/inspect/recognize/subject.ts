/** A column prepared for guessing: the words of its name, its alias, its values. */
import { TEXT_PREFIX } from '../../import/readers/coded.ts'
import type { Contents } from '../sample/contents.ts'
import { type Meaning, readName } from './name-words.ts'

/** A column prepared for guessing. */
export type Subject = {
  index: number
  name: string
  meaning: Meaning
  /** Meaning of the layer's alias for the column. */
  alias?: Meaning
  contents: Contents
  /** Why this column and not another that could be the same. */
  note?: string
  /** The year that the name gives an amount. */
  year?: number
  /** The column has no name; its meaning was read from its values. */
  isNameless?: boolean
}

/**
 * Prepares columns; a name without a letter or digit counts as none. `alias`: the layer's display
 * name.
 */
export function makeSubject(
  index: number,
  name: string,
  contents: Contents,
  alias?: string,
): Subject {
  const subject = { index, name, meaning: readMeaning(name), contents }
  if (alias === undefined) return subject
  const shown = readMeaning(alias)
  return {
    ...subject,
    meaning: isFuller(subject.meaning, shown) ? shown : subject.meaning,
    alias: shown,
  }
}

/** `ADDRES` displayed as `Property Address`: the alias has all words of the name, and more. */
function isFuller({ words }: Meaning, shown: Meaning): boolean {
  const isKnown = (word: string) => !word.startsWith('?')
  return (
    shown.words.length > words.filter(isKnown).length &&
    shown.words.every(isKnown) &&
    words.every((word) => !isKnown(word) || shown.words.includes(word))
  )
}

/** `d_USE_CODE` holds the texts of the code table of `USE_CODE`: a use's description. */
export function readMeaning(name: string): Meaning {
  const isText = name.startsWith(TEXT_PREFIX)
  const { words, ordinal } = readName(isText ? name.slice(TEXT_PREFIX.length) : name)
  if (!isText) return { words: dedupe(words), ordinal }
  const bare = words.filter((word) => word !== 'code' && word !== 'description')
  return { words: dedupe([...bare, 'description']), ordinal }
}

/** Drops words that repeat the one before. */
export function dedupe(words: string[]): string[] {
  return words.filter((word, at) => word !== words[at - 1])
}
