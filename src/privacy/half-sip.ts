/** A short keyed hash. Source: Aumasson and Bernstein, SipHash. */

/** Rounds of a word, and of the end. */
const [ROUNDS, LAST_ROUNDS] = [2, 4]

/**
 * HalfSipHash-2-4 of the UTF-16 units of two texts side by side, two units to a word: an unsigned
 * integer of 32 bits. The key is two such integers. Takes some 90 ns for a person's name.
 */
export function halfSip(key0: number, key1: number, text: string, more = ''): number {
  let v0 = key0
  let v1 = key1
  let v2 = 0x6c796765 ^ key0
  let v3 = 0x74656462 ^ key1
  const first = text.length
  const length = first + more.length
  // Inlined: calling a function per unit or round would double the time.
  for (let at = 0; at <= length + 2; at += 2) {
    const isEnd = at > length
    let word = 0
    if (isEnd) v2 ^= 0xff
    else {
      const next = at + 1
      const low =
        at < first ? text.charCodeAt(at) : at < length ? more.charCodeAt(at - first) : 0xffff
      const high =
        next < first
          ? text.charCodeAt(next)
          : next < length
            ? more.charCodeAt(next - first)
            : length & 0xffff
      word = low | (high << 16)
    }
    v3 ^= word
    for (let left = isEnd ? LAST_ROUNDS : ROUNDS; left > 0; left -= 1) {
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
    v0 ^= word
  }
  return (v1 ^ v3) >>> 0
}
