/** The lists of `tables/address-words.txt`, which says what each is, and street suffixes. */
import { LINES, openLists, PHRASES, readForms, readTable } from '../base/tables.ts'

export const listOf = openLists('address-words.txt')

/** USPS Publication 28, appendix C1, and the suffixes of rolls. A line each. */
export const PUB28_C1 = readTable('street-suffixes.txt')
export const ROLL_SUFFIXES = readTable('roll-suffixes.txt')
/** Appendices C2 and F, a line each. */
export const PUB28_C2 = listOf('units', LINES)
export const PUB28_F = listOf('routes', LINES)

const NO_ADDRESS: ReadonlySet<string> = new Set(listOf('no address', PHRASES))
const [DENIALS, DENIED] = [new Set(listOf('denials')), new Set(listOf('denied'))]
const OF_DENIALS = new Set([...DENIALS, ...DENIED, ...listOf('of denials')])
/** Words that may begin a line that names no place. */
export const NO_ADDRESS_FIRST = new Set(
  [...NO_ADDRESS, ...OF_DENIALS].map((text) => text.split(' ')[0] ?? ''),
)

/** Reports whether words say that there is no address: `NO SITUS`, `LOCATION NOT AVAILABLE`. */
export function denyAddress(words: string[]): boolean {
  if (NO_ADDRESS.has(words.join(' '))) return true
  const isDenied = words.some((word) => DENIALS.has(word)) && words.some((word) => DENIED.has(word))
  return isDenied && words.length < 7 && words.every((word) => OF_DENIALS.has(word))
}
export const BUILDINGS: ReadonlySet<string> = new Set(listOf('buildings'))
export const ROAD_WORDS = readForms(listOf('road words', LINES))
export const ROUTE_KINDS: ReadonlyMap<string, string> = new Map(
  listOf('rural routes', LINES).flatMap((line) => {
    const [kind = '', ...words] = line.split(PHRASES)
    return words.map((one): [string, string] => [one, kind])
  }),
)
export const ROUTE_QUALIFIERS = readForms(listOf('route qualifiers', LINES))

export const HYPHENATING_COUNTIES: ReadonlySet<number> = new Set(
  listOf('hyphenating counties', LINES).map((line) => Number(line.slice(0, 5))),
)
/** States with such a county. When the county is unknown, both readings are looked up there. */
export const HYPHENATING_STATES: ReadonlySet<string> = new Set(['NY', 'HI', 'CA'])
