/** Reads a directional before the name of a street. */
import type { Parts } from '../parts.ts'
import { designatorOf } from './designators.ts'
import { directionalOf, pointOf, spellDirectional } from './directionals.ts'
import { isOverAt, type Line } from './line.ts'
import { isPlainSuffix, suffixOf } from './suffixes.ts'

/** Reads directions before a name, unless one is the name. Returns the index of the name. */
export function readPredirectional(line: Line, at: number, parts: Parts): number {
  const point = at + 1 < line.end ? joinedPoint(line, at) : undefined
  if (point !== undefined && line.whole !== at && nameFollows(line, at + 2)) {
    parts.predirectional = point
    return at + 2
  }
  const direction = line.whole === at ? undefined : directionalOf(line.texts[at])
  if (direction === undefined || !nameFollows(line, at + 1)) return at
  if (isBothWays(line, at)) {
    line.texts.splice(at, 2, ...line.texts.slice(at, at + 2).map(nameDirection))
    return at
  }
  parts.predirectional = direction
  return at + 1
}

/** Reports whether a road's name is two opposite directions: `EAST WEST HWY`, not `N SOUTH ST`. */
function isBothWays(line: Line, at: number): boolean {
  const second = directionalOf(line.texts[at + 1])
  if (second === undefined || at + 2 >= line.end) return false
  const first = directionalOf(line.texts[at])
  if (!OPPOSITES.has(`${first}${second}`) || !isOverAt(line, at + 3)) return false
  const suffix = suffixOf(line.texts[at + 2] as string)
  return suffix !== undefined && suffix !== 'ST' && suffix !== 'AVE'
}

const OPPOSITES = new Set(['EW', 'WE', 'NS', 'SN'])
const nameDirection = (word: string) => spellDirectional(directionalOf(word) ?? word)

/** Joins `N W` or `NORTH WEST` to a point. In `N WEST RIVER RD` the name is `WEST RIVER`. */
export function joinedPoint(line: Line, at: number): string | undefined {
  const first = line.texts[at]
  const second = line.texts[at + 1]
  if (first === undefined || second === undefined || line.whole === at || line.whole === at + 1)
    return undefined
  return (first.length === 1) === (second.length === 1) ? pointOf(first, second) : undefined
}

/** Reports whether a name begins at the word, and not only a plain suffix. */
export function nameFollows(line: Line, at: number): boolean {
  if (at >= line.end) return false
  if (at === line.whole) return true
  const word = line.texts[at] as string
  if (designatorOf(word)?.kind === '*' && suffixOf(word) === undefined && isOverAt(line, at))
    return false
  if (!isPlainSuffix(word)) return true
  // `SOUTH ST EXT` extends South Street.
  return !isOverAt(line, suffixOf(line.texts[at + 1] ?? '') === 'EXT' ? at + 2 : at + 1)
}

export const STREETS = new Set(['ST', 'AVE', 'RD'])

/** Reports whether the words are a name with a suffix or direction, or a numbered road. */
export function isWholeStreet(line: Line, at: number, end: number): boolean {
  if (line.whole === end - 1) return true
  const last = end - 1 > at ? (line.texts[end - 1] as string) : ''
  return suffixOf(last) !== undefined || directionalOf(last) !== undefined
}
