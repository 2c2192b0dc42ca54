/** Looks up suffixes: the standard of a written form, the primary word of a standard. */
import { listOf, PUB28_C1, ROLL_SUFFIXES } from '../tables.ts'

const STANDARDS = new Map<string, string>()
export const PRIMARIES = new Map<string, string>()
/** Abbreviated suffix words as they are spelled inside a name: `CTR` → `CENTER`. */
export const SPELLED = new Map<string, string>()

/** Standard abbreviation of a suffix word (`AVENUE`, `AV` → `AVE`); `undefined`: no suffix word. */
export function suffixOf(word: string): string | undefined {
  return STANDARDS.get(word)
}

/** Primary word of a standard abbreviation: `AVE` → `AVENUE`. */
export function primaryOf(standard: string): string {
  return PRIMARIES.get(standard) ?? standard
}

/**
 * Reports whether a suffix is so common that a letter, direction or number alone before it is a
 * name: `N ST`, `WEST AVE`, `58 ST`. Before other suffixes a direction stays a direction: `N PARK`
 * is north.
 */
export function isPlainSuffix(word: string): boolean {
  const standard = STANDARDS.get(word)
  return standard !== undefined && PLAIN.has(standard)
}

const PLAIN = new Set(listOf('plain suffixes'))

/** Abbreviations with another meaning in a name; `ST`, `MT`, `FT`, `DR` have their own rules. */
const NOT_SPELLED = new Set(listOf('unspelled suffixes'))

for (const [table, shortest] of [
  [PUB28_C1, 2],
  [ROLL_SUFFIXES, 3],
] as const) {
  for (const line of table) {
    const [abbreviations = '', words = ''] = line.split('|')
    const [standard = '', primary = '', ...forms] = abbreviations.trim().split(' ')
    PRIMARIES.set(standard, primary)
    for (const form of [standard, primary, ...forms]) {
      STANDARDS.set(form, standard)
      if (form !== primary && form.length >= shortest && !NOT_SPELLED.has(form))
        SPELLED.set(form, primary)
    }
    for (const form of words.trim().split(' ')) if (form !== '') STANDARDS.set(form, standard)
  }
}
