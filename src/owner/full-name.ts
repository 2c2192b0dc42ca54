/**
 * Splits a whole name, as people write it, into surname and given names. docs/matching.md, owner
 * rule 6.
 */
import { AFTER_D, IRISH, PARTICLES, START_PARTICLES } from './dictionaries/particles.ts'
import { SUFFIXES } from './dictionaries/roles.ts'
import { joinToken, readTokens, SEPARATORS, type Token } from './words.ts'

/** A person's name in two parts, each as a caller would write it. */
type NameParts = { lastName: string; firstName: string }

/** Maximum number of words in one person's name. */
const WORDS_MAX = 6

/**
 * Reads a text as one person's name, in each order that it may have.
 *
 * The surname precedes a comma: `Smith, John` has one reading. Without a comma the surname may be
 * at either end, with its particles: `JUAN DE LA CRUZ`. A lone D or O before the last word is read
 * first as a particle, then as a middle initial.
 *
 * Returns lists of readings. Each list is to be tried only if the previous ones find nobody: first
 * those with all given names, then those with the first given name. Returns `[]` for text that is
 * not one person's name: one word, two persons, or words with digits. Never throws.
 *
 * @example readFullName('Smith, John') // [[{ lastName: 'SMITH', firstName: 'JOHN' }]]
 */
export function readFullName(text: string): NameParts[][] {
  const tokens = readTokens(text)
  const [before, after, ...more] = splitAtCommas(tokens).map(dropSuffixes)
  if (before === undefined || more.length > 0 || !isName([...before, ...(after ?? [])])) return []
  const readings =
    after === undefined
      ? [readEitherOrder(before), readMiddleInitial(before)]
      : [[{ surname: before, given: after }]]
  const usable = readings.map((list) =>
    list.filter(({ surname, given }) => given.length > 0 && joinAll(surname).length > 1),
  )
  const whole = usable.map((list) => list.map(showParts))
  const first = usable.map((list) =>
    list
      .filter(({ given: [word = '', ...more] }) => more.length > 0 && isGiven(word))
      .map(({ surname, given }) => showParts({ surname, given: given.slice(0, 1) })),
  )
  return [...whole, ...first].filter((list) => list.length > 0)
}

type Split = { surname: Token[]; given: Token[] }

/** Splits at commas and drops parts that hold only suffixes, as in `SMITH, JOHN, JR`. */
function splitAtCommas(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]]
  for (const token of tokens) {
    if (token === ',') parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts.filter((part, at) => at === 0 || part.some((word) => !isSuffix(word)))
}

function dropSuffixes(words: readonly Token[]): Token[] {
  return words.filter((word, at) => at === 0 || !isSuffix(word))
}

function isSuffix(word: Token): boolean {
  return SUFFIXES.has(joinToken(word))
}

function isName(words: readonly Token[]): boolean {
  const isLong = words.length < 2 || words.length > WORDS_MAX
  return !isLong && words.every((word) => !SEPARATORS.has(word) && !/\d/.test(word))
}

function readEitherOrder(words: readonly Token[]): Split[] {
  const isParticle = (word: Token = '') => PARTICLES.has(word) || START_PARTICLES.has(word)
  let first = 1
  while (first < words.length - 1 && isParticle(words[first - 1])) first += 1
  let last = words.length - 1
  while (last > 1 && isParticle(words[last - 1])) last -= 1
  return [
    { surname: words.slice(0, first), given: words.slice(first) },
    { surname: words.slice(last), given: words.slice(0, last) },
  ]
}

/**
 * Reads a lone D or O as a middle initial (`SCOTT D MARLOWE`), except before known surnames such as
 * `D ANGELO` and `O BRIEN`.
 */
function readMiddleInitial(words: readonly Token[]): Split[] {
  const last = words.at(-1) ?? ''
  const letter = words.length > 2 ? words.at(-2) : undefined
  const isInitial = (letter === 'D' && !AFTER_D.has(last)) || (letter === 'O' && !IRISH.has(last))
  return isInitial ? [{ surname: [last], given: words.slice(0, -1) }] : []
}

/** Reports whether a word alone is a given name: neither an initial nor a particle. */
function isGiven(word: Token): boolean {
  return word.length > 1 && !PARTICLES.has(word) && !START_PARTICLES.has(word)
}

function joinAll(words: readonly Token[]): string {
  return words.map(joinToken).join('')
}

function showParts({ surname, given }: Split): NameParts {
  return { lastName: surname.join(' '), firstName: given.join(' ') }
}
