/**
 * Reads a whole name, as people write it, as surname and given names. docs/matching.md, owner rule
 * 6.
 */
import { AFTER_D, IRISH, PARTICLES, START_PARTICLES } from './dictionaries/particles.ts'
import { SUFFIXES } from './dictionaries/roles.ts'
import { joinToken, readTokens, SEPARATORS, type Token } from './words.ts'

/** A person's name in two parts, each as a caller would write it. */
type NameParts = { lastName: string; firstName: string }

/** Words of a person's name; longer texts name no one person. */
const WORDS_MAX = 6

/**
 * Reads a text as a person's name in each order it may have.
 *
 * Before a comma stands the surname: `Smith, John` has one reading. Without a comma either end may
 * be the surname, particles with it: `JUAN DE LA CRUZ`. A lone D or O before the last word is read
 * as a particle first, and then as a middle initial. Each entry of the list is tried only when
 * those before it find nobody: whole given names first, then the first of them alone. `[]`: the
 * text is no person's name, such as one word, two persons or words with digits. Never throws.
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

/** Suffixes behind a comma of their own leave nothing, and are no given names. */
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

/** `SCOTT D MARLOWE`: D and O are initials too, but for `ANNA D ANGELO` and `ANNA O BRIEN`. */
function readMiddleInitial(words: readonly Token[]): Split[] {
  const last = words.at(-1) ?? ''
  const letter = words.length > 2 ? words.at(-2) : undefined
  const isInitial = (letter === 'D' && !AFTER_D.has(last)) || (letter === 'O' && !IRISH.has(last))
  return isInitial ? [{ surname: [last], given: words.slice(0, -1) }] : []
}

/** Whether a word alone tells a given name: no initial and no particle. */
function isGiven(word: Token): boolean {
  return word.length > 1 && !PARTICLES.has(word) && !START_PARTICLES.has(word)
}

function joinAll(words: readonly Token[]): string {
  return words.map(joinToken).join('')
}

function showParts({ surname, given }: Split): NameParts {
  return { lastName: surname.join(' '), firstName: given.join(' ') }
}
