/**
 * Random numbers that are the same on every machine: sfc32. All of `src/sample` uses `+ - * /` and
 * integers alone, as `Math.log` and others may differ in their last bit.
 */

/** Random numbers by sfc32: the same for the same seed on every machine. */
export class Random {
  #a: number
  #b: number
  #c: number
  #count = 1

  /** One stream of numbers per seed and name; streams of different names are independent. */
  constructor(seed: number, name: string) {
    this.#a = hash(name, 0x811c9dc5)
    this.#b = seed | 0
    this.#c = hash(name, Math.floor(seed / 0x1_0000_0000) | 0)
    for (let round = 0; round < 15; round++) this.next()
  }

  /** Returns 0 to 2^32 - 1. */
  next(): number {
    const sum = (this.#a + this.#b + this.#count) | 0
    this.#count = (this.#count + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum
    this.#c |= 0
    return sum >>> 0
  }

  /** From 0 up to, not including, 1. */
  unit(): number {
    return this.next() / 0x1_0000_0000
  }

  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number {
    return Math.floor(this.unit() * limit)
  }

  /** A whole number between both ends, which are included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1)
  }

  chance(share: number): boolean {
    return this.unit() < share
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }

  /** Returns a number between -1 and 1, more often near 0. */
  spread(): number {
    return (this.unit() + this.unit() + this.unit()) / 1.5 - 1
  }

  /** Returns a factor from a quarter to four; doubling is as likely as halving. */
  factor(): number {
    const away = this.spread() * 3
    return away < 0 ? 1 / (1 - away) : 1 + away
  }
}

/** Draws rank r of `size` in proportion to 1 / (r + flat): Zipf and Mandelbrot. */
export class Ranks {
  readonly #sums: Float64Array

  constructor(size: number, flat: number) {
    this.#sums = new Float64Array(size)
    let sum = 0
    for (let rank = 0; rank < size; rank++) {
      sum += 1 / (rank + flat)
      this.#sums[rank] = sum
    }
  }

  draw(random: Random): number {
    const sums = this.#sums
    const aim = random.unit() * (sums[sums.length - 1] ?? 0)
    let low = 0
    let high = sums.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] ?? 0) <= aim) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Draws from `[value, weight]` pairs. */
export function weighted<T>(pairs: readonly (readonly [value: T, weight: number])[]) {
  const total = pairs.reduce((sum, [, weight]) => sum + weight, 0)
  return (random: Random): T => {
    let aim = random.unit() * total
    for (const [value, weight] of pairs) {
      aim -= weight
      if (aim < 0) return value
    }
    return (pairs[pairs.length - 1] as (typeof pairs)[number])[0]
  }
}

/** FNV-1a. */
function hash(text: string, start: number): number {
  let value = start
  for (let at = 0; at < text.length; at++) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  }
  return value
}
