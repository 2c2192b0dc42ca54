/**
 * Words of assessors' rolls that denote a share, a tenure or an office, not an owner: the lists of
 * `tables/owner-roles.txt`, which says what each is.
 */
import { LINES, openLists, PHRASES, readForms } from '../../base/tables.ts'

const listOf = openLists('owner-roles.txt')
const setOf = (title: string, parting?: RegExp): ReadonlySet<string> =>
  new Set(listOf(title, parting))

export const ROLES = phrasesOf('roles')
export const SPOUSE_ROLES = setOf('spouse roles', PHRASES)
export const SOFT_ROLES = setOf('soft roles')
export const LATE_ROLES = setOf('late roles')
export const MIDDLE_ROLES = LATE_ROLES.union(setOf('middle roles'))
export const KIN = readForms(listOf('kin', LINES))
export const ALSO_KNOWN = phrasesOf('also known')
export const TRADES_AS = setOf('trades as', PHRASES)
export const TITLES = setOf('titles')
export const SURNAME_TITLES = setOf('surname titles')
export const OFFICES = setOf('offices')
export const SEATS = setOf('office seats')
export const NOUNS = setOf('office nouns')
export const OF_WHAT = setOf('office of')
export const TAILS = setOf('office tails')
export const DOUBTFUL_DEGREES = setOf('doubtful degrees')
export const COMMA_DEGREES = setOf('comma degrees')
export const TITLE_PHRASES = phrasesOf('title phrases')
export const SUFFIXES = readForms(listOf('suffixes', LINES))
export const LATE_SUFFIXES = readForms(listOf('late suffixes', LINES))

/** Phrases by first word and by second, which is empty for a lone word; the longest first. */
export type Phrases = ReadonlyMap<string, PhrasesAt>
export type PhrasesAt = ReadonlyMap<string, readonly (readonly string[])[]>

function phrasesOf(title: string): Phrases {
  const phrases = listOf(title, PHRASES).map((phrase) => phrase.split(/\s+/))
  phrases.sort((a, b) => b.length - a.length)
  const byFirst = Map.groupBy(phrases, ([first = '']) => first)
  const bySecond = (all: readonly string[][]) => Map.groupBy(all, ([, second = '']) => second)
  return new Map([...byFirst].map(([first, all]) => [first, bySecond(all)]))
}
