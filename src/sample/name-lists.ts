/** The lists of words in `tables/sample-names.txt`: invented, or generally known. */
import { openLists } from '../base/tables.ts'

const wordsOf = openLists('sample-names.txt')

/** A list of `tables/sample-names.txt`; an underscore is a blank. Throws if it is absent. */
export function listOf(name: string): readonly string[] {
  return wordsOf(name).map((word) => word.replaceAll('_', ' '))
}

export const SURNAMES = listOf('surnames')
export const MEN = listOf('men')
export const WOMEN = listOf('women')
export const SURNAME_STARTS = listOf('surname starts')
export const SURNAME_MIDDLES = ['', 'A', 'E', 'EN', 'ER', 'I', 'IN', 'O', 'OR', 'EL', 'AN']
export const SURNAME_ENDS = listOf('surname ends')
/** Whole street names, the commoner first. */
export const STREET_NAMES = listOf('street names')
/** First and second halves of other street names: `BRIAR` + `HOLLOW`. */
export const STREET_STARTS = listOf('street starts')
export const STREET_ENDS = listOf('street ends')
export const COMPANY_NOUNS = listOf('company nouns')
export const CHURCHES = listOf('churches')
