/** Names and parts of names: the lists of `tables/names.txt`, which says what each is. */
import { LINES, openLists, PHRASES, readForms } from '../../base/tables.ts'

const listOf = openLists('names.txt')
const setOf = (title: string): ReadonlySet<string> => new Set(listOf(title))

export const GIVEN_MEN = listOf('given men')
export const GIVEN_WOMEN = listOf('given women')
export const SURNAMES = listOf('surnames')
export const SPANISH = setOf('spanish surnames')
export const WORLD_GIVEN = listOf('world given')
export const WORLD_SURNAMES = listOf('world surnames')
export const SURNAME_ENDS = listOf('surname ends')
export const GIVEN_ENDS = listOf('given ends')
export const GIVEN_SECONDS = setOf('given seconds')
export const ASIAN_GIVEN = setOf('asian given')
export const HEBREW_SURNAMES = setOf('hebrew surnames')
export const VIETNAMESE_SURNAMES = setOf('vietnamese surnames')
export const PARTICLES = setOf('particles')
export const START_PARTICLES = setOf('start particles')
export const IRISH = setOf('irish')
/** The first word of a surname of two words, by its second. */
export const TWO_WORDS = readForms(listOf('two words', LINES))
export const SEEN_AS = setOf('seen as')
export const SEEN = setOf('seen')
export const AFTER_D = setOf('after d')
export const LETTERS = readForms(listOf('letters', LINES))
export const DUTCH_PAIRS: ReadonlySet<string> = new Set(listOf('dutch pairs', PHRASES))
