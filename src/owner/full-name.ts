/**
 * Splits a whole name, as people write it, into surname and given names. docs/matching.md, owner
 * rule 6.
 */
import { liftAsides, liftTitlePhrases } from './asides.ts'
import {
  AFTER_D,
  IRISH,
  PARTICLES,
  START_PARTICLES,
  VIETNAMESE_SURNAMES,
} from './dictionaries/names.ts'
import {
  COMMA_DEGREES,
  DOUBTFUL_DEGREES,
  OFFICES,
  SUFFIXES,
  SURNAME_TITLES,
  TITLES,
} from './dictionaries/roles.ts'
import { GAP, liftRoles } from './roles.ts'
import { isComma, joinWord, readWords, SEPARATORS, splitAt, type Word } from './words.ts'

type NameParts = { lastName: string; firstName: string }

const WORDS_MAX = 6

/**
 * Reads a text as one person's name, in each order that it may have.
 *
 * The surname precedes a comma: `Smith, John` has one reading. Without a comma the surname may be
 * at either end, with its particles: `JUAN DE LA CRUZ`. A lone D or O before the last word is read
 * first as a particle, then as a middle initial. Titles, degrees, nicknames in quotes or
 * parentheses, and roles such as `TRUSTEE` are no part of the name.
 *
 * Returns lists of readings. Each list is to be tried only if the previous ones find nobody. First
 * come those with all given names, then those with the first given name. Returns `[]` for text that
 * is not one person's name: one word, two persons, or words with digits. Never throws.
 *
 * @example readFullName('Smith, John') // [[{ lastName: 'SMITH', firstName: 'JOHN' }]]
 */
export function readFullName(text: string): NameParts[][] {
  const [before, after, ...more] = splitAtCommas(liftNoNames(readWords(text))).map(dropTitles)
  if (before === undefined || more.length > 0 || !isName([...before, ...(after ?? [])])) return []
  const readings =
    after === undefined
      ? [readEitherOrder(before), readMiddleInitial(before)]
      : [[{ surname: before, given: after }]]
  const usable = readings.map((list) =>
    list.filter(
      ({ surname, given }) => given.length > 0 && surname.map(joinWord).join('').length > 1,
    ),
  )
  const whole = usable.map((list) => list.map(showParts))
  const first = usable.map((list) =>
    list
      .filter(({ given: [word = '', ...more] }) => more.length > 0 && isGiven(word))
      .map(({ surname, given }) => showParts({ surname, given: given.slice(0, 1) })),
  )
  return [...whole, ...first].filter((list) => list.length > 0)
}

type Split = { surname: Word[]; given: Word[] }

/** Removes nicknames and roles: `JOHN "JACK" SMITH, TRUSTEE`, `ESTATE OF JOHN SMITH`. */
function liftNoNames(words: readonly Word[]): Word[] {
  const { words: kept } = liftRoles(liftTitlePhrases(liftAsides(words, [])), false)
  const names = kept[0] === GAP ? kept.slice(1) : kept
  while (names.at(-1) === GAP || names.at(-1) === ',') names.pop()
  return names
}

/** Splits at commas. Drops parts of suffixes or degrees: `SMITH, JOHN, JR`, `JOHN SMITH, MBA`. */
function splitAtCommas(words: readonly Word[]): Word[][] {
  const parts = splitAt(words, isComma)
  const isWhole = (parts[0]?.length ?? 0) > 1
  const isDegree = (word: Word) =>
    SUFFIXES.has(joinWord(word)) ||
    (isWhole && (TITLES.has(joinWord(word)) || COMMA_DEGREES.has(word)))
  return parts.filter((part, at) => at === 0 || part.some((word) => !isDegree(word)))
}

/**
 * Drops suffixes and titles from the words of a name or of a part of it. Titles that may be names
 * are dropped only before two other words.
 */
function dropTitles(words: readonly Word[]): Word[] {
  const kept = words.filter((word, at) => !isTitle(word, at, words.length))
  return kept.length > 0 ? kept : [...words]
}

function isTitle(recorded: Word, at: number, length: number): boolean {
  const word = joinWord(recorded)
  if (SUFFIXES.has(word)) return at > 0
  if (!TITLES.has(word) || DOUBTFUL_DEGREES.has(word)) return false
  if (SURNAME_TITLES.has(word) || OFFICES.has(word)) return at === 0 && length > 2
  return at === 0 || length > 2
}

function isName(words: readonly Word[]): boolean {
  const isLong = words.length < 2 || words.length > WORDS_MAX
  return !isLong && words.every((word) => !SEPARATORS.has(word) && !/\d/.test(word))
}

function readEitherOrder(words: readonly Word[]): Split[] {
  let first = 1
  while (first < words.length - 1 && isParticle(words[first - 1])) first += 1
  let last = words.length - 1
  // `TAM VAN NGUYEN`: before a Vietnamese surname `VAN` is a given name.
  const isVietnamese = VIETNAMESE_SURNAMES.has(words[last] ?? '')
  while (last > 1 && isParticle(words[last - 1]) && !isVietnamese) last -= 1
  return [
    { surname: words.slice(0, first), given: words.slice(first) },
    { surname: words.slice(last), given: words.slice(0, last) },
  ]
}

/** Reads a lone D or O as an initial (`SCOTT D MARLOWE`), except in `D ANGELO` and `O BRIEN`. */
function readMiddleInitial(words: readonly Word[]): Split[] {
  const last = words.at(-1) ?? ''
  const letter = words.length > 2 ? words.at(-2) : undefined
  const isInitial = (letter === 'D' && !AFTER_D.has(last)) || (letter === 'O' && !IRISH.has(last))
  return isInitial ? [{ surname: [last], given: words.slice(0, -1) }] : []
}

const isParticle = (word: Word = '') => PARTICLES.has(word) || START_PARTICLES.has(word)
/** Reports whether a word alone is a given name: neither an initial nor a particle. */
const isGiven = (word: Word) => word.length > 1 && !isParticle(word)

function showParts({ surname, given }: Split): NameParts {
  return { lastName: surname.join(' '), firstName: given.join(' ') }
}
