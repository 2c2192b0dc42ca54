/** Directionals: USPS Publication 28, section 233, edition of October 2023. */

const FORMS = `N NORTH|S SOUTH|E EAST|W WEST
NE NORTHEAST NOEAST|NW NORTHWEST NOWEST|SE SOUTHEAST SOEAST|SW SOUTHWEST SOWEST`
  .split(/[|\n]/)
  .map((line) => line.split(' ') as [short: string, word: string, ...others: string[]])

const ABBREVIATIONS: ReadonlyMap<string, string> = new Map(
  FORMS.flatMap((forms) => forms.map((word) => [word, forms[0]] as const)),
)

/** The points of the compass in full, by their abbreviation. */
export const DIRECTIONS: ReadonlyMap<string, string> = new Map(
  FORMS.map(([short, word]) => [short, word]),
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

/** `NW` → `NORTHWEST`; other words stay. */
export function spellDirectional(word: string): string {
  return DIRECTIONS.get(word) ?? word
}
