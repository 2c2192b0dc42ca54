/**
 * Decides between columns of uses by their values: a class and the use that says more, each with a
 * code of its own.
 */
import { wordSet } from '../../base/tables.ts'
import { readUseCode } from '../../record/use-codes.ts'
import type { Sample } from '../sample/sample.ts'
import { partWords } from '../sample/text-kinds.ts'
import { scoreField } from './score.ts'
import { type Subject, withWords } from './subject.ts'

/** Share of rows in which one column's value gives the other's. */
const GIVEN = 0.98
export const ROWS_MIN = 20
/** Share of texts that are read as uses, in a column whose name does not say that it has them. */
const READ = 0.75
/** Words of columns that speak of dwellings, but not of a parcel's use. */
const OTHER: ReadonlySet<string> = new Set(
  `zoning style building residence owner mail taxpayer sale deed legal subdivision neighborhood
exemption heating cooling wall roof foundation basement garage district school planning`.split(
    /\s+/,
  ),
)

/**
 * Returns the subjects with the words of a use's description for the text that says most. Each of
 * its values has one value of the column that is named so, or no column is.
 */
export function settleUses(subjects: Subject[], sample: Sample): Subject[] {
  const texts = subjects.filter(isUseText)
  const [named] = texts
    .filter((one) => nameScore(one) > 0.6)
    .sort((a, b) => nameScore(b) - nameScore(a))
  const others = texts.filter((one) => one !== named && readShare(one) >= READ)
  const [best] = others
    .filter((one) => named === undefined || isFiner(one, named, sample))
    .sort((a, b) => b.contents.distinct - a.contents.distinct)
  if (best === undefined || (named === undefined && isNamedOther(best)))
    return settleLetters(subjects, sample)
  const code = subjects.find((one) => isCodeOf(one, best, sample))
  const note = named === undefined ? 'its texts are uses' : `it says more than ${named.name}`
  return subjects.map((subject): Subject => {
    if (subject === best) return reworded({ ...subject, note }, ['use', 'description'])
    if (subject === code) return reworded({ ...subject, note }, ['use', 'code'])
    if (subject === named) return reworded(subject, ['local', 'use', 'description'])
    // The code of the class that says less.
    const isRival = code !== undefined && scoreField('useCode', subject).byName > 0.6
    return isRival ? reworded(subject, ['local', 'use', 'code']) : subject
  })
}

/** Ohio's `CLASS` 510 next to a letter `S` that it gives: the letter says no more. */
function settleLetters(subjects: Subject[], sample: Sample): Subject[] {
  const codes = subjects.filter((one) => scoreField('useCode', one).byName > 0.6)
  const isLetter = ({ contents: c }: Subject) =>
    c.distinct > 1 && c.texts.length > 0 && c.texts.every((text) => /^[A-Z]{1,2}$/i.test(text))
  const isNumber = ({ contents: c }: Subject) => c.numeric > 0.9 && c.length >= 3 && c.length <= 5
  const letter = codes.find(isLetter)
  const finer = codes.find(
    (one) => letter !== undefined && isNumber(one) && gives(one, letter, sample),
  )
  if (letter === undefined || finer === undefined) return subjects
  return subjects.map((subject): Subject => {
    if (subject === letter) return reworded(subject, ['local', 'use', 'code'])
    const note = `${letter.name} follows from it`
    return subject === finer ? reworded({ ...subject, note }, ['use', 'code']) : subject
  })
}

const reworded = (subject: Subject, words: string[]): Subject => withWords(subject, words, 0)
const nameScore = (subject: Subject) => scoreField('useDescription', subject).byName

/** A column whose name says something else keeps it. */
const isNamedOther = ({ meaning: { words } }: Subject) =>
  words.length === 0 || words.some((word) => !PLAIN.has(word) && !word.startsWith('?'))
const PLAIN = wordSet(
  'account kind class use code description state site land parcel name tax group',
)

function isUseText({ contents: c, meaning: { words } }: Subject): boolean {
  return (
    c.numeric < 0.3 &&
    c.length > 4 &&
    c.distinct >= 3 &&
    c.distinct <= 200 &&
    c.uniqueness < 0.5 &&
    c.dwelling > 0.1 &&
    !words.some((word) => OTHER.has(word))
  )
}

/** The codes of a column's texts that are read as uses. */
const codesOf = ({ contents: { texts } }: Subject) =>
  texts.map((text) => readUseCode(null, partWords(text))).filter((code) => code !== null)
const readShare = (subject: Subject) =>
  codesOf(subject).length / Math.max(1, subject.contents.texts.length)

/** Reports whether a text is as full as the named one, is of more uses, and gives its value. */
function isFiner(one: Subject, named: Subject, sample: Sample): boolean {
  return (
    one.contents.fill > named.contents.fill * 0.95 &&
    new Set(codesOf(one)).size > new Set(codesOf(named)).size &&
    readShare(one) > readShare(named) - 0.05 &&
    gives(one, named, sample)
  )
}

/** Reports whether a short column has one code for each text, and one text for each code. */
function isCodeOf(one: Subject, text: Subject, sample: Sample): boolean {
  const { contents: c } = one
  const isShort = one !== text && c.length <= 8 && c.distinct >= 3 && c.uniqueness < 0.5
  return isShort && gives(one, text, sample) && gives(text, one, sample)
}

/** Reports whether equal values of one column have equal values of the other in nearly all rows. */
export function gives(one: Subject, other: Subject, sample: Sample): boolean {
  const seen = new Map<string, string>()
  let [rows, equal] = [0, 0]
  for (const row of sample.kept) {
    const [from, to] = [one, other].map(({ index }) => (row[index] ?? '').trim())
    if (from === undefined || to === undefined || from === '') continue
    rows += 1
    if (!seen.has(from)) seen.set(from, to)
    if (seen.get(from) === to) equal += 1
  }
  return rows >= ROWS_MIN && equal >= rows * GIVEN
}
