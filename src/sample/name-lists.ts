/** Names of `tables/sample-names.txt`. */
import { readLists } from '../base/tables.ts'

const NAMES = readLists('sample-names.txt')
const listOf = (name: string): readonly string[] =>
  (NAMES.get(name) ?? []).map((word) => word.replace('_', ' '))

export const SURNAMES = listOf('surnames')
export const MEN = listOf('men')
export const WOMEN = listOf('women')
export const SURNAME_STARTS = listOf('surname starts')
export const SURNAME_MIDDLES = ['', 'A', 'E', 'EN', 'ER', 'I', 'IN', 'O', 'OR', 'EL', 'AN']
export const SURNAME_ENDS = listOf('surname ends')
