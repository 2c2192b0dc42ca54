/** Given names and surnames of `tables/names.txt`. */
import { readLists } from '../../base/tables.ts'

const NAMES = readLists('names.txt')
const listOf = (name: string): readonly string[] => NAMES.get(name) ?? []

export const GIVEN_MEN = listOf('given men')
export const GIVEN_WOMEN = listOf('given women')
export const SURNAMES = listOf('surnames')
export const SPANISH_SURNAMES = listOf('spanish surnames')
export const WORLD_GIVEN = listOf('world given')
export const WORLD_SURNAMES = listOf('world surnames')
