/** Makes the loose key, equal for addresses whose difference may be forgiven (rule 9). */
import { DIRECTIONS } from './parse/directionals.ts'
import { joinName } from './parse/number-words.ts'
import { PRIMARIES } from './parse/suffixes.ts'

/**
 * Joins number and name without blanks, leading directions and trailing suffix words. So `N SHORE
 * DR` and `NORTHSHORE DR` are equal, and `MILL CREEK` and `MILL CREEK RD`. It only selects
 * candidates: `forgive` decides.
 */
export function looseKeyOf(number: string, name: string): string {
  const lettered = /^(\d+)([A-Z])$/.exec(number)
  const head = lettered?.[1] ?? number
  return `${head}|${stemOf((lettered?.[2] ?? '') + name)}`
}

function stemOf(name: string): string {
  let stem = joinName(name)
  for (let length = -1; length !== stem.length; ) {
    length = stem.length
    // All directions go before the first ending: `NORTHNORTHRIDGE` is `N NORTHRIDGE`.
    for (let at = directionLength(stem); at > 0; at = directionLength(stem)) stem = stem.slice(at)
    stem = stem.slice(0, stem.length - endingLength(stem))
  }
  return ORDINAL_END.test(stem) ? stem.slice(0, -2) : stem
}

/** The caller repeats this, so that `LAKE WAY VIEW` and `LAKEWAYVIEW` are reduced to one stem. */
function endingLength(stem: string): number {
  const room = stem.length - STEM_MIN
  for (const ending of ENDINGS.get(stem.slice(-2)) ?? [])
    if (ending.length <= room && stem.endsWith(ending)) return ending.length
  return 0
}

function directionLength(stem: string): number {
  const first = stem[0]
  if (first !== 'N' && first !== 'S' && first !== 'E' && first !== 'W') return 0
  const direction = LONGEST_FIRST.find(
    (word) => stem.startsWith(word) && stem.length - word.length >= STEM_MIN,
  )
  return direction?.length ?? 0
}

/** Letters of a name that always stay. */
const STEM_MIN = 1
const ORDINAL_END = /^\d+(?:ST|ND|RD|TH)$/
const LONGEST_FIRST = [...DIRECTIONS.values()].sort((a, b) => b.length - a.length)
const WORDS = [...new Set(PRIMARIES.values())].sort((a, b) => b.length - a.length)
/** Primary suffix words by their last two letters, longest first. */
const ENDINGS = Map.groupBy(WORDS, (word) => word.slice(-2))
