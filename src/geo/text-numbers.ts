/** Numbers of texts, without a hash of each whole text. */

/** Characters of a text in its hash, and an odd 32-bit factor that mixes them. */
const SAMPLED = 24
const FACTOR = 0x9e3779b1

/**
 * Keeps a number for each text. A `Map` enters every text into V8's table of strings, a tenth of a
 * tile's time; here they are compared only when a hash of some characters is equal.
 */
export class TextNumbers {
  readonly #byHash = new Map<number, { text: string; number: number }[]>()

  get(text: string): number | undefined {
    return this.#byHash.get(hashOf(text))?.find((entry) => entry.text === text)?.number
  }

  add(text: string, number: number): void {
    const hash = hashOf(text)
    this.#byHash.getOrInsertComputed(hash, () => []).push({ text, number })
  }
}

/** A hash of evenly spread characters, or of all in a short text. */
function hashOf(text: string): number {
  const { length } = text
  const step = Math.max(1, Math.floor(length / SAMPLED))
  let hash = length
  for (let at = 0; at < length; at += step) hash = Math.imul(hash ^ text.charCodeAt(at), FACTOR)
  return hash ^ (hash >>> 15)
}
