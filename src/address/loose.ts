/** The loose key: what all addresses that rule 9 may forgive have in common. */
import { primaryWords } from './suffixes.ts'

/**
 * Number and name joined, without blanks, without a direction it begins with and a suffix word it ends in, so that
 * `N SHORE DR` meets `NORTHSHORE DR` and `MILL CREEK` meets `MILL CREEK RD`. Only a probe: `forgive` decides.
 */
export function looseKeyOf(number: string, name: string): string {
  const lettered = /^(\d+)([A-Z])$/.exec(number)
  const head = lettered?.[1] ?? number
  return `${head}|${stemOf((lettered?.[2] ?? '') + name)}`
}

function stemOf(name: string): string {
  let stem = name.includes(' ') ? name.replaceAll(' ', '') : name
  stem = stem.replace(/(\d)(?:ST|ND|RD|TH)$/, '$1')
  for (const direction of DIRECTIONS)
    if (stem.startsWith(direction) && stem.length - direction.length >= STEM_MIN) {
      stem = stem.slice(direction.length)
      break
    }
  for (let length = Math.min(LONGEST, stem.length - STEM_MIN); length >= SHORTEST; length--)
    if (ENDINGS.has(stem.slice(-length))) return stem.slice(0, -length)
  return stem
}

const STEM_MIN = 3
const DIRECTIONS = [
  'NORTHEAST',
  'NORTHWEST',
  'SOUTHEAST',
  'SOUTHWEST',
  'NORTH',
  'SOUTH',
  'EAST',
  'WEST',
]
const ENDINGS = new Set(primaryWords())
const LONGEST = Math.max(...[...ENDINGS].map((word) => word.length))
const SHORTEST = Math.min(...[...ENDINGS].map((word) => word.length))
