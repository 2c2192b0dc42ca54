/** Numbers for texts, by which equal texts are found without comparing them. */

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
