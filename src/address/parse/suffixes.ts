/** Suffix words looked up: a written form to its standard, a standard to its primary word. */
import { PUB28_C1, ROLL_SUFFIXES } from '../data/suffixes.ts'

const STANDARDS = new Map<string, string>()
const PRIMARIES = new Map<string, string>()
const SPELLED = new Map<string, string>()

/** Standard abbreviation of a suffix word (`AVENUE`, `AV` → `AVE`); `undefined`: no suffix word. */
export function suffixOf(word: string): string | undefined {
  return STANDARDS.get(word)
}

/** Primary word of a standard abbreviation: `AVE` → `AVENUE`. */
export function primaryOf(standard: string): string {
  return PRIMARIES.get(standard) ?? standard
}

/** An abbreviated suffix word inside a name, spelled out (`CTR` → `CENTER`); other words stay. */
export function spellOut(word: string): string {
  return SPELLED.get(word) ?? word
}

/**
 * Whether a suffix is so common that a letter, direction or number before it alone is a name:
 * `N ST`, `WEST AVE`, `58 ST`. Before the others a direction is one: `N PARK` lies north.
 */
export function isPlainSuffix(word: string): boolean {
  const standard = STANDARDS.get(word)
  return standard !== undefined && PLAIN.has(standard)
}

/** All primary words, longest first. */
export function primaryWords(): string[] {
  return [...new Set(PRIMARIES.values())].sort((a, b) => b.length - a.length)
}

const PLAIN = new Set(
  'ST AVE RD DR LN CT BLVD PL CIR WAY TER HWY FWY EXPY PKWY ALY SQ TPKE'.split(' '),
)

/**
 * Abbreviations that mean something else inside a name; `ST`, `MT`, `FT` and `DR` have rules of
 * their own.
 */
const NOT_SPELLED = new Set(
  'VIA PR ML IS KY CP UN DM BG MT MNT FT FRT DR ST STA LA DL DV VL'.split(' '),
)

for (const [table, shortest] of [
  [PUB28_C1, 2],
  [ROLL_SUFFIXES, 3],
] as const) {
  for (const line of table.trim().split('\n')) {
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
