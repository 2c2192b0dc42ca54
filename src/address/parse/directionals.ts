/** Directionals: USPS Publication 28, section 233. */
import { LINES, readForms } from '../../base/tables.ts'
import { listOf } from '../tables.ts'

const FORMS = listOf('directions', LINES)
const ABBREVIATIONS = readForms(FORMS)

/** The points of the compass in full, by their abbreviation. */
export const DIRECTIONS: ReadonlyMap<string, string> = new Map(
  FORMS.map((line) => line.split(' ').slice(1, 3) as [string, string]),
)

/** `NORTH` → `N`, `SW` → `SW`; `undefined`: no directional. */
export function directionalOf(word: string | undefined): string | undefined {
  return word === undefined ? undefined : ABBREVIATIONS.get(word)
}

/** Joins two words to one compass point: `NORTH`, `W` → `NW`. */
export function pointOf(first: string | undefined, second: string | undefined): string | undefined {
  const a = directionalOf(first)
  const b = directionalOf(second)
  if (a === undefined || b === undefined || a.length > 1 || b.length > 1) return undefined
  return (a === 'N' || a === 'S') && (b === 'E' || b === 'W') ? a + b : undefined
}

/** Reports whether one of two directions is north or south, the other one east or west. */
export function areAcross(first: string | undefined, second: string | undefined): boolean {
  return pointOf(first, second) !== undefined || pointOf(second, first) !== undefined
}

/** `NW` → `NORTHWEST`; other words stay. */
export function spellDirectional(word: string): string {
  return DIRECTIONS.get(word) ?? word
}
