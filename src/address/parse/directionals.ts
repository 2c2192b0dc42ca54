/** Directionals: USPS Publication 28, section 233, edition of October 2023. */

const ABBREVIATIONS: ReadonlyMap<string, string> = new Map(
  `N NORTH|S SOUTH|E EAST|W WEST
NE NORTHEAST NOEAST|NW NORTHWEST NOWEST|SE SOUTHEAST SOEAST|SW SOUTHWEST SOWEST`
    .split(/[|\n]/)
    .flatMap((line) => line.split(' ').map((word, _, all) => [word, all[0] ?? ''] as const)),
)

const WORDS: ReadonlyMap<string, string> = new Map([
  ['N', 'NORTH'],
  ['S', 'SOUTH'],
  ['E', 'EAST'],
  ['W', 'WEST'],
  ['NE', 'NORTHEAST'],
  ['NW', 'NORTHWEST'],
  ['SE', 'SOUTHEAST'],
  ['SW', 'SOUTHWEST'],
])

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
  return WORDS.get(word) ?? word
}
