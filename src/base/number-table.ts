/** Numbers by the million: a `Map` of so many pauses for tenths of a second when it grows. */

const PARTS = 256
const PART_MIN = 16

/** `values` is empty in a set. */
type Part = { keys: Float64Array; values: Float64Array; size: number }

const openPart = (slots: number, hasValues: boolean): Part => ({
  keys: new Float64Array(slots).fill(Number.NaN),
  values: new Float64Array(hasValues ? slots : 0),
  size: 0,
})

/** Parts that nothing was put into yet; they grow first. */
const NO_VALUES = openPart(1, true)
const NO_KEYS = openPart(1, false)

/** Numbers by numbers; NaN is no key. Each of its many parts grows in a moment. */
export class NumberTable {
  readonly #parts = new Array<Part>(PARTS).fill(NO_VALUES)

  get(key: number): number | undefined {
    const hash = hashOf(key)
    const part = this.#parts[hash >>> 24] as Part
    const slot = slotOf(part, hash, key)
    return part.keys[slot] === key ? (part.values[slot] as number) : undefined
  }

  set(key: number, value: number): void {
    const hash = hashOf(key)
    const part = roomyPart(this.#parts, hash)
    part.values[put(part, hash, key)] = value
  }
}

/** Numbers in half the memory of a table; NaN is none. */
export class NumberSet {
  readonly #parts = new Array<Part>(PARTS).fill(NO_KEYS)

  /** Adds a number, and reports whether it was there before. */
  hasOrAdd(key: number): boolean {
    const hash = hashOf(key)
    const part = roomyPart(this.#parts, hash)
    const { size } = part
    put(part, hash, key)
    return part.size === size
  }
}

/** The part of a key, which grows before it is more than half full. */
function roomyPart(parts: Part[], hash: number): Part {
  const part = parts[hash >>> 24] as Part
  if (part.size * 2 + 1 < part.keys.length) return part
  const grown = grow(part)
  parts[hash >>> 24] = grown
  return grown
}

/** Returns the slot in which the key is afterwards. */
function put(part: Part, hash: number, key: number): number {
  const slot = slotOf(part, hash, key)
  if (part.keys[slot] !== key) part.size += 1
  part.keys[slot] = key
  return slot
}

function grow({ keys, values }: Part): Part {
  const part = openPart(Math.max(PART_MIN, keys.length * 2), values.length > 0)
  for (let slot = 0; slot < keys.length; slot += 1) {
    const key = keys[slot] as number
    if (Number.isNaN(key)) continue
    const to = put(part, hashOf(key), key)
    if (values.length > 0) part.values[to] = values[slot] as number
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
