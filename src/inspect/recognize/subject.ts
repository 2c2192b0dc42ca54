/** A column as the guesses see it: its name in words, its alias, its values. */
import { TEXT_PREFIX } from '../../import/readers/coded.ts'
import type { Contents } from '../sample/contents.ts'
import { type Meaning, readName } from './name-words.ts'

/** A column as the guesses see it. */
export type Subject = {
  index: number
  name: string
  meaning: Meaning
  /** What the layer calls the column beside its name. */
  alias?: Meaning
  contents: Contents
  /** Its meaning was read from its values, as it has no name. */
  isNameless?: boolean
}

/**
 * Makes subjects of columns; names without any letter or digit are none. `alias`: what the layer
 * calls the column beside its name.
 */
export function makeSubject(
  index: number,
  name: string,
  contents: Contents,
  alias?: string,
): Subject {
  const subject = { index, name, meaning: readMeaning(name), contents }
  return alias === undefined ? subject : { ...subject, alias: readMeaning(alias) }
}

/** `d_USE_CODE` holds the texts of the code table of `USE_CODE`: a use's description. */
export function readMeaning(name: string): Meaning {
  const isText = name.startsWith(TEXT_PREFIX)
  const { words, ordinal } = readName(isText ? name.slice(TEXT_PREFIX.length) : name)
  if (!isText) return { words: dedupe(words), ordinal }
  const bare = words.filter((word) => word !== 'code' && word !== 'description')
  return { words: dedupe([...bare, 'description']), ordinal }
}

/** Words without those that repeat the one before. */
export function dedupe(words: string[]): string[] {
  return words.filter((word, at) => word !== words[at - 1])
}
