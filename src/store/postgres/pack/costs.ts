/** What packing compares: the bits that symbols need, and places of the dictionary by hash. */
import {
  BLOCK_BITS,
  CONTEXTS,
  DICTIONARY,
  DISTANCES,
  LENGTH_BITS,
  LENGTH_FIRST,
  LENGTHS,
  MATCH_MAX,
  MATCH_MIN,
  PLACE_CODES,
  SYMBOL_CODES,
  SYMBOLS,
} from './codes.ts'

export const SIZE = DICTIONARY.length
export const HASH_BITS = 15
export const HASH_FACTOR = 0x9e3779b1
/** Candidates of a match that are tried in the dictionary. */
const TRIES = 8

/** Places of the dictionary to try, the last ones first: those of a hash, and where they begin. */
export const [CANDIDATES, FIRST_CANDIDATE] = listCandidates()

/** Class of each length. */
export const CLASS_OF = Uint8Array.from({ length: MATCH_MAX + 1 }, (_, length) =>
  Math.max(
    0,
    LENGTH_FIRST.findLastIndex((first) => first <= length),
  ),
)
/** Bits of a byte, and of a length, in each context; and of a place. */
export const BYTE_COST = Uint8Array.from(
  { length: CONTEXTS * 256 },
  (_, at) => codeLength(SYMBOL_CODES, (at >> 8) * SYMBOLS + (at & 255)) || 16,
)
export const LENGTH_COST = Uint8Array.from({ length: CONTEXTS * (MATCH_MAX + 1) }, (_, at) => {
  const own = CLASS_OF[at % (MATCH_MAX + 1)] as number
  const symbol = Math.floor(at / (MATCH_MAX + 1)) * SYMBOLS + LENGTHS + own
  return codeLength(SYMBOL_CODES, symbol) + (LENGTH_BITS[own] as number)
})
export const PLACE_COST = Uint8Array.from(
  { length: PLACE_CODES.length },
  (_, place) =>
    codeLength(PLACE_CODES, place) + (place < DISTANCES ? BLOCK_BITS : place - DISTANCES),
)

/** Returns the places of the dictionary by their hash, and the index of each hash's first one. */
function listCandidates(): [Uint16Array, Uint16Array] {
  const places = Array.from({ length: 1 << HASH_BITS }, (): number[] => [])
  for (let at = SIZE - MATCH_MIN; at >= 0; at -= 1) {
    const four = DICTIONARY.subarray(at, at + MATCH_MIN).reduceRight(
      (sum, byte) => sum * 256 + byte,
    )
    const own = places[Math.imul(four, HASH_FACTOR) >>> (32 - HASH_BITS)]
    if (own !== undefined && own.length < TRIES) own.push(at)
  }
  const first = new Uint16Array(places.length + 1)
  for (const [hash, own] of places.entries()) first[hash + 1] = (first[hash] as number) + own.length
  return [Uint16Array.from(places.flat()), first]
}

function codeLength(codes: Int32Array, at: number): number {
  return (codes[at] as number) & 15
}
