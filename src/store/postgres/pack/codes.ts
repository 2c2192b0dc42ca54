/**
 * The codes of packed texts, read from `dictionary-1.bin` of `scripts/write-pack-dictionary.ts`:
 * the length of each symbol's code in bits, a byte each, then the dictionary.
 *
 * A packed text is a byte for the version and a stream of symbols, lowest bits first. A symbol is a
 * byte of the text, or the length of a match in the dictionary or the text before it, whose place
 * follows. Its code depends on the byte before it, and on whether a match ended there.
 */
import { readFileSync } from 'node:fs'

/** First byte of a packed text. A text that is stored as it is begins with a hex digit. */
export const VERSION = 1

/** Symbols from 0 to 255 are bytes; `OTHER` comes before a byte that has no code, in 8 bits. */
export const END = 256
export const OTHER = 257
export const LENGTHS = 258

/** Shortest match, and the classes of lengths: the first length of each, and its further bits. */
export const MATCH_MIN = 4
export const LENGTH_FIRST = [...range(4, 19), 20, 28, 44, 76, 140]
export const LENGTH_BITS = [...LENGTH_FIRST.slice(0, 16).map(() => 0), 3, 4, 5, 6, 10]
export const MATCH_MAX = 140 + 1023
export const SYMBOLS = LENGTHS + LENGTH_FIRST.length

/**
 * Places: the block of the dictionary, with 7 further bits. Then comes the class of a distance back
 * in the text, with as many further bits as its number says.
 */
export const BLOCK_BITS = 7
export const DICTIONARY_MAX = 32_768
export const DISTANCES = DICTIONARY_MAX >> BLOCK_BITS
export const DISTANCE_CLASSES = 24
export const PLACES = DISTANCES + DISTANCE_CLASSES

/** Longest code, in bits. */
export const CODE_MAX = 11

/** Kinds of the byte before a symbol; the codes behind a match are those of the kind + `KINDS`. */
export const KINDS = 4
export const KIND_OF = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 48 && byte <= 57) return 0
  if ((byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122)) return 1
  return byte < 32 ? 2 : 3
})
export const CONTEXTS = 2 * KINDS

const FILE = readFileSync(new URL(`dictionary-${VERSION}.bin`, import.meta.url))
const SYMBOL_BITS = Array.from({ length: CONTEXTS }, (_, context) =>
  FILE.subarray(context * SYMBOLS, (context + 1) * SYMBOLS),
)
const PLACE_BITS = FILE.subarray(CONTEXTS * SYMBOLS, CONTEXTS * SYMBOLS + PLACES)

export const DICTIONARY = Uint8Array.from(FILE.subarray(CONTEXTS * SYMBOLS + PLACES))

/** Codes by symbol, all contexts after one another: the code times 16, plus its length in bits. */
export const SYMBOL_CODES = Int32Array.from(SYMBOL_BITS.flatMap(assignCodes))
export const PLACE_CODES = Int32Array.from(assignCodes(PLACE_BITS))

/** By the next `CODE_MAX` bits: the symbol times 16, plus the length of its code. */
export const SYMBOL_TABLE = Uint16Array.from(SYMBOL_BITS.flatMap(tabulate))
export const PLACE_TABLE = Uint16Array.from(tabulate(PLACE_BITS))

/** Canonical codes: shorter ones first, equally long ones in the order of their symbols. */
function assignCodes(lengths: Uint8Array): number[] {
  const codes = new Array<number>(lengths.length).fill(0)
  let next = 0
  for (let length = 1; length <= CODE_MAX; length += 1, next <<= 1) {
    for (let symbol = 0; symbol < lengths.length; symbol += 1) {
      if (lengths[symbol] !== length) continue
      codes[symbol] = reverse(next, length) * 16 + length
      next += 1
    }
  }
  return codes
}

function tabulate(lengths: Uint8Array): number[] {
  const table = new Array<number>(1 << CODE_MAX).fill(0)
  for (const [symbol, code] of assignCodes(lengths).entries()) {
    const length = code & 15
    if (length === 0) continue
    for (let bits = code >> 4; bits < table.length; bits += 1 << length) {
      table[bits] = symbol * 16 + length
    }
  }
  return table
}

function reverse(code: number, length: number): number {
  let reversed = 0
  for (let bit = 0; bit < length; bit += 1) reversed |= ((code >> bit) & 1) << (length - 1 - bit)
  return reversed
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}

export const SIZE = DICTIONARY.length
export const HASH_BITS = 15
export const HASH_FACTOR = 0x9e3779b1
/** Candidates of a match that are tried in the dictionary. */
const TRIES = 8

/** Places of the dictionary to try, the last ones first: those of a hash, and where they begin. */
export const [CANDIDATES, FIRST_CANDIDATE] = listCandidates()

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
  const bytes = new DataView(DICTIONARY.buffer)
  for (let at = SIZE - MATCH_MIN; at >= 0; at -= 1) {
    const four = bytes.getUint32(at, true)
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
