/** A short keyed hash. Source: Aumasson and Bernstein, SipHash. */

/**
 * HalfSipHash-2-4 of a text's UTF-16 units, two to a word: an unsigned integer of 32 bits. The key
 * is two such integers.
 */
export function halfSip(key0: number, key1: number, text: string): number {
  let v0 = key0
  let v1 = key1
  let v2 = 0x6c796765 ^ key0
  let v3 = 0x74656462 ^ key1
  const round = () => {
    v0 = (v0 + v1) | 0
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0
    v0 = (v0 << 16) | (v0 >>> 16)
    v2 = (v2 + v3) | 0
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2
    v0 = (v0 + v3) | 0
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0
    v2 = (v2 + v1) | 0
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2
    v2 = (v2 << 16) | (v2 >>> 16)
  }
  const { length } = text
  for (let at = 0; at <= length; at += 2) {
    const low = at < length ? text.charCodeAt(at) : 0xffff
    const high = at + 1 < length ? text.charCodeAt(at + 1) : length & 0xffff
    const word = low | (high << 16)
    v3 ^= word
    round()
    round()
    v0 ^= word
  }
  v2 ^= 0xff
  for (let count = 0; count < 4; count += 1) round()
  return (v1 ^ v3) >>> 0
}
