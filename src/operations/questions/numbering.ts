/**
 * Tables of very many numbers. A `Map` of a million grows by tenths of a second without a pause,
 * and its numbers are objects that the garbage collector has to look at.
 */

const PARTS = 256
const PART_MIN = 16

type Part = { keys: Float64Array; values: Float64Array; size: number }

const openPart = (slots: number): Part => ({
  keys: new Float64Array(slots).fill(Number.NaN),
  values: new Float64Array(slots),
  size: 0,
})

/** Numbers by numbers; NaN is no key. Each of its many parts grows in a moment. */
export class NumberTable {
  readonly #parts = Array.from({ length: PARTS }, () => openPart(PART_MIN))

  get(key: number): number | undefined {
    const hash = hashOf(key)
    const part = this.#parts[hash >>> 24] as Part
    const slot = slotOf(part, hash, key)
    return part.keys[slot] === key ? (part.values[slot] as number) : undefined
  }

  set(key: number, value: number): void {
    const hash = hashOf(key)
    let part = this.#parts[hash >>> 24] as Part
    if (part.size * 2 >= part.keys.length) {
      part = grow(part)
      this.#parts[hash >>> 24] = part
    }
    put(part, hash, key, value)
  }
}

function put(part: Part, hash: number, key: number, value: number): void {
  const slot = slotOf(part, hash, key)
  if (part.keys[slot] !== key) part.size += 1
  part.keys[slot] = key
  part.values[slot] = value
}

function grow({ keys, values }: Part): Part {
  const part = openPart(keys.length * 2)
  for (let slot = 0; slot < keys.length; slot += 1) {
    const key = keys[slot] as number
    if (!Number.isNaN(key)) put(part, hashOf(key), key, values[slot] as number)
  }
  return part
}

/** The slot of a key, or the empty one where it belongs. */
function slotOf({ keys }: Part, hash: number, key: number): number {
  const mask = keys.length - 1
  let slot = hash & mask
  for (;;) {
    const one = keys[slot] as number
    if (one === key || Number.isNaN(one)) return slot
    slot = (slot + 1) & mask
  }
}

function hashOf(key: number): number {
  const mixed = Math.imul((key % 2 ** 32) ^ (key / 2 ** 32), 0x9e3779b1)
  return Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b) >>> 0
}

/** Gives each key the next number, from 0. */
export class Numbering {
  readonly #numbers = new NumberTable()
  readonly #words = new Map<string | null, number>()
  size = 0

  of(key: number | string | null): number {
    const isNumber = typeof key === 'number'
    const known = isNumber ? this.#numbers.get(key) : this.#words.get(key)
    if (known !== undefined) return known
    const number = this.size
    this.size += 1
    if (isNumber) this.#numbers.set(key, number)
    else this.#words.set(key, number)
    return number
  }
}
