/** A column prepared for guessing: the words of its name, its alias, its values. */
import { TEXT_PREFIX } from '../../import/readers/coded.ts'
import { aliasOf, type ColumnHints } from '../sample/column-hints.ts'
import { type Contents, readContents } from '../sample/contents.ts'
import type { Sample } from '../sample/sample.ts'
import { type Meaning, readName } from './name-words.ts'

export type Subject = {
  index: number
  name: string
  /** The name begins with that of an object: `deed.date`. */
  isNested?: boolean | undefined
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

/** Prepares the columns of a sample; a name without a letter or digit counts as none. */
export function makeSubjects(
  sample: Sample,
  today: string,
  hints: ColumnHints | undefined,
): Subject[] {
  const wrapper = findWrapper(sample.columns)
  const isDotted = hasDotsForBlanks(sample.columns)
  return sample.columns.map((column, index) => {
    const { name, isNested } = column
    const subject = { index, name, isNested }
    const contents = readContents(sample, column, index, today)
    const own = name.slice(wrapper.length)
    const bare = { name: isDotted ? own.replaceAll('.', ' ') : own, isNested }
    const [meaning, shown] = [readMeaning(bare), aliasOf(hints, name)]
    if (shown === undefined) return { ...subject, meaning, contents }
    const alias = readMeaning({ name: shown })
    return { ...subject, meaning: isFuller(meaning, alias) ? alias : meaning, alias, contents }
  })
}

/** An object around the whole row says nothing about a column: `tax.` where all names begin so. */
function findWrapper(columns: readonly Pick<Subject, 'name' | 'isNested'>[]): string {
  const [first, ...others] = columns
  const wrapper = first?.isNested ? first.name.slice(0, first.name.indexOf('.') + 1) : ''
  return others.length > 0 && others.every(({ name }) => name.startsWith(wrapper)) ? wrapper : ''
}

/**
 * R writes `Owner.Name` and `Mailing.Address.City`. The tables of a query are few, and each has
 * several columns.
 */
function hasDotsForBlanks(columns: readonly Pick<Subject, 'name' | 'isNested'>[]): boolean {
  const dotted = columns.filter(({ name, isNested }) => !isNested && /\w\.\w/.test(name))
  const firsts = new Set(dotted.map(({ name }) => name.slice(0, name.indexOf('.'))))
  return dotted.length > 3 && firsts.size > Math.max(3, dotted.length / 5)
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

export function withWords(of: Subject, words: string[], ordinal = of.meaning.ordinal): Subject {
  return { ...of, meaning: { words, ordinal } }
}

type Named = Pick<Subject, 'name' | 'isNested'>

/** `d_USE_CODE` holds the texts of the code table of `USE_CODE`: a use's description. */
export function readMeaning({ name, isNested }: Named): Meaning {
  const isText = name.startsWith(TEXT_PREFIX)
  const { words, ordinal } = readName(isText ? name.slice(TEXT_PREFIX.length) : name, isNested)
  if (!isText) return { words: dedupe(words), ordinal }
  const bare = words.filter((word) => word !== 'code' && word !== 'description')
  return { words: dedupe([...bare, 'description']), ordinal }
}

/** Drops words that repeat the one before. */
export function dedupe(words: string[]): string[] {
  return words.filter((word, at) => word !== words[at - 1])
}
