/** The loose key: what all addresses that rule 9 may forgive have in common. */
import { primaryWords } from './parse/suffixes.ts'

/**
 * Number and name joined, without blanks, without directions it begins with and suffix words it
 * ends in, so that `N SHORE DR` meets `NORTHSHORE DR` and `MILL CREEK` meets `MILL CREEK RD`. Only
 * a probe: `forgive` decides.
 */
export function looseKeyOf(number: string, name: string): string {
  const lettered = /^(\d+)([A-Z])$/.exec(number)
  const head = lettered?.[1] ?? number
  return `${head}|${stemOf((lettered?.[2] ?? '') + name)}`
}

function stemOf(name: string): string {
  const joined = name.includes(' ') ? name.replaceAll(' ', '') : name
  let stem = joined
  for (let length = -1; length !== stem.length; ) {
    length = stem.length
    stem = stem.slice(directionLength(stem))
    stem = stem.slice(0, stem.length - endingLength(stem))
  }
  return ORDINAL_END.test(stem) ? stem.slice(0, -2) : stem
}

/** Repeated by the caller: `LAKE WAY VIEW` and `LAKEWAYVIEW` must come down to one stem. */
function endingLength(stem: string): number {
  const room = stem.length - STEM_MIN
  for (const ending of ENDINGS.get(stem.slice(-2)) ?? [])
    if (ending.length <= room && stem.endsWith(ending)) return ending.length
  return 0
}

function directionLength(stem: string): number {
  const first = stem[0]
  if (first !== 'N' && first !== 'S' && first !== 'E' && first !== 'W') return 0
  const direction = DIRECTIONS.find(
    (word) => stem.startsWith(word) && stem.length - word.length >= STEM_MIN,
  )
  return direction?.length ?? 0
}

/** At least this much of a name stays. */
const STEM_MIN = 1
const ORDINAL_END = /^\d+(?:ST|ND|RD|TH)$/
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
/** Primary suffix words by their last two letters, longest first. */
const ENDINGS = Map.groupBy(primaryWords(), (word) => word.slice(-2))
