/** The beginnings of strict address keys that a partial address line may mean. */
import { directionalOf, pointOf } from '../../address/parse/directionals.ts'
import { suffixOf } from '../../address/parse/suffixes.ts'

/** A house number, also with a hyphen or of a grid (`22W404`), and what follows it. */
const NUMBERED = /^\s*(\d+(?:[A-Z]|-\d+|[NSEW]\d+)?)(?:\s+(.*))?$/s

const DIRECTIONS = ['', 'N', 'S', 'E', 'W', 'NE', 'NW', 'SE', 'SW']
const SPELLED = ['NORTH', 'SOUTH', 'EAST', 'WEST']
const SPELLED_TWO = ['NORTHEAST', 'NORTHWEST', 'SOUTHEAST', 'SOUTHWEST']

/** The commonest types of streets, as keys write them and in full. */
const TYPES = [
  ...['ST', 'AVE', 'RD', 'DR', 'LN', 'CT', 'PL', 'BLVD', 'CIR', 'WAY', 'TER', 'TRL', 'PKWY'],
  ...['STREET', 'AVENUE', 'ROAD', 'DRIVE', 'LANE', 'COURT', 'PLACE', 'BOULEVARD', 'CIRCLE'],
  ...['TERRACE', 'TRAIL', 'PARKWAY'],
]

/**
 * Returns the prefixes of keys for a house number and the beginning of a street, the likeliest
 * first; none before both. A key is `number|direction|street|type|direction`, so each direction
 * needs its own.
 *
 * @example listPrefixes('1445 K')[0] // '1445||K'
 */
export function listPrefixes(text: string): string[] {
  const [numbers, rest] = splitNumber(text.replace(/,.*/s, ''))
  const line = rest.replace(/[^A-Z0-9 ]/g, '').trim()
  if (numbers.length === 0 || line === '') return []
  const words = line.split(/ +/)
  const streets = readStreets(words).flatMap((street) =>
    DIRECTIONS.map((direction) => `${direction}|${street}`),
  )
  const begun = [...new Set([...readDirected(words), ...streets])]
  return numbers.flatMap((number) => begun.map((one) => `${number}|${one}`))
}

/** Prefixes of keys that begin with a number: that number, then longer ones. */
export function listNumberPrefixes(text: string): string[] {
  const [numbers, rest] = splitNumber(text)
  return rest === '' ? numbers.flatMap((number) => [`${number}|`, number]) : []
}

/**
 * Returns the numbers that a line may begin with in keys, and what follows; no number: none.
 *
 * @example splitNumber('2469-2471 Mill') // [['2469-2471', '2469'], 'MILL']
 */
export function splitNumber(text: string): [numbers: string[], rest: string] {
  const [, number, rest = ''] = NUMBERED.exec(text.toUpperCase()) ?? []
  if (number === undefined) return [[], '']
  const [low = '', high = ''] = number.split('-')
  // `31-15 37TH ST` is one house; a range has its first number too.
  return [Number(high) > Number(low) ? [number, low] : [number], rest.trim()]
}

/** Reads the first words as a direction, or as the beginning of one. */
function readDirected(words: readonly string[]): string[] {
  const [first = '', second, ...others] = words
  if (second === undefined) return beginDirection(first)
  const direction = directionalOf(first)
  const point = pointOf(first, second)
  const after = (of: string, rest: readonly string[]) =>
    readStreets(rest).map((street) => `${of}|${street}`)
  return [
    ...(direction === undefined ? [] : after(direction, words.slice(1))),
    ...(point === undefined ? [] : after(point, others)),
    ...(direction?.length === 1 && second.length === 1 ? beginDirection(direction + second) : []),
  ]
}

/** `N` begins `N`, `NE` and `NW`; `NORTHW` begins `NW`. */
function beginDirection(word: string): string[] {
  const known = directionalOf(word)
  if (known !== undefined) return [known]
  if (word.length < 2) return []
  const spelled = [...SPELLED, ...SPELLED_TWO].filter((one) => one.startsWith(word))
  return spelled.flatMap((one) => directionalOf(one) ?? []).slice(0, 1)
}

/**
 * Returns what the words of a street begin: a name, or a name with its type and the direction after
 * it. `OAK S` is `OAK S…`, `OAK|S…` and `OAK||S`.
 */
function readStreets(words: readonly string[]): string[] {
  const streets = [words.join(' ')]
  const [last = '', type = ''] = [words.at(-1), words.at(-2)]
  const [before, name] = [words.slice(0, -1).join(' '), words.slice(0, -2).join(' ')]
  if (before === '') return streets
  const suffix = suffixOf(last)
  if (suffix !== undefined) streets.push(`${before}|${suffix}`)
  for (const one of TYPES) {
    if (one.startsWith(last)) streets.push(`${before}|${suffixOf(one) ?? one}`)
  }
  const direction = directionalOf(last)
  if (direction === undefined) return [...new Set(streets)]
  streets.push(`${before}||${direction}`)
  const typed = suffixOf(type)
  if (name !== '' && typed !== undefined) streets.push(`${name}|${typed}|${direction}`)
  return [...new Set(streets)]
}
