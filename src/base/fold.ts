/**
 * The forms in which short texts are compared: cities, use codes, parcel IDs. Imports and requests
 * fold alike, so that equal names match by equality on an index.
 */
import { readTable } from './tables.ts'

/** Upper case without accents, also of the wide forms of Asian keyboards: `Cañon` is `CANON`. */
export function foldLetters(text: string): string {
  if (PRINTABLE.test(text)) return text.toUpperCase()
  const narrow = text.replace(/[\uff01-\uff5e]+/g, (wide) => wide.normalize('NFKC'))
  return narrow.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase()
}

export const PRINTABLE = /^[\x20-\x7e]*$/

/** Short words of cities and their long forms; `^` before those that only begin a name. */
const CITY_WORDS = new Map(
  readTable('city-words.txt').map((line) => line.split(/ (.*)/) as [string, string]),
)

/** A city's name without case, signs, accents: `N St Hts` is `NORTH SAINT HEIGHTS`, `-` is `''`. */
export function foldCity(text: string): string {
  const words = foldLetters(text)
    .replace(/['’]/g, '')
    .split(/[^A-Z0-9]+/)
    .filter((word) => word !== '')
  const [first = ''] = words
  words[0] = CITY_WORDS.get(`^${first}`) ?? first
  return words.map((word) => CITY_WORDS.get(word) ?? word).join(' ')
}

/** Folds a use code: upper case, no outer blanks, no leading zeros. */
export function foldUseCode(text: string): string {
  return foldLetters(text)
    .trim()
    .replace(/^0+(?=\S)/, '')
}

/** Folds a parcel ID for an exact lookup: upper case, no outer blanks; inner punctuation stays. */
export function foldParcelId(text: string): string {
  return text.trim().toUpperCase()
}

/** A parcel ID without punctuation: A–Z and 0–9 only. */
export function stripParcelId(text: string): string {
  return foldLetters(text).replace(/[^A-Z0-9]/g, '')
}

/**
 * Returns the key of a former ID. It is stored among the alternate IDs, whose keys are in upper
 * case, so that none of them begins with a small letter.
 *
 * @example foldFormerId('1-00001-0101') // 'former:1000010101'
 */
export function foldFormerId(text: string): string {
  return `former:${stripParcelId(text)}`
}

/** Returns a number of 47 bits for a text. Among ten million texts less than one pair collides. */
export function numberText(text: string): number {
  let [high, low] = SEEDS
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    high = Math.imul(high ^ code, HIGH_FACTOR)
    low = Math.imul(low ^ code, LOW_FACTOR)
  }
  return joinLanes(high, low)
}

/** The same, compared without case and punctuation; NaN when no letter and no digit is left. */
export function numberLetters(text: string): number {
  let [high, low] = SEEDS
  let length = 0
  for (let at = 0; at < text.length; at += 1) {
    let code = text.charCodeAt(at)
    if (code >= 0x61 && code <= 0x7a) code -= 32
    if (code < 0x30 || (code > 0x39 && code < 0x41)) continue
    high = Math.imul(high ^ code, HIGH_FACTOR)
    low = Math.imul(low ^ code, LOW_FACTOR)
    length += 1
  }
  return length === 0 ? Number.NaN : joinLanes(high, low)
}

const SEEDS: readonly [number, number] = [0xdeadbeef, 0x41c6ce57]
const [HIGH_FACTOR, LOW_FACTOR] = [2654435761, 1597334677]

/** Mixes two lanes as MurmurHash3 ends. */
function joinLanes(one: number, other: number): number {
  const high =
    Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909)
  const low =
    Math.imul(other ^ (other >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return (high & 0x7fff) * 2 ** 32 + (low >>> 0)
}
