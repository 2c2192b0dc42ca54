/** The programs of a layout, by the shape of a record. */
import { WORD, words } from './memory.ts'
import { generation, Programs } from './program.ts'
import type { StoredRecord } from './record.ts'

/**
 * A power of two. Of a million invented parcels, which have 1,271 shapes, one in a hundred meets
 * another shape in its place; with 1,024 places five.
 */
const RECENT_MAX = 8192
/** Odd 32-bit factor that mixes a word into all bits. */
const FACTOR = 0x9e3779b1

type Recent<Made> = { made: Made; shape: Int32Array; generation: number }

/**
 * What was made for each shape. Recent shapes are found by their words in the memory, because a map
 * needs a text of each record's shape, which took a tenth of rendering.
 */
export class ShapePrograms<Made> {
  readonly #all = new Programs<string, Made>()
  readonly #recent = new Array<Recent<Made> | undefined>(RECENT_MAX).fill(undefined)

  /** Returns what was made for the record's shape; `make` makes it the first time. */
  get(record: StoredRecord, make: (record: StoredRecord) => Made): Made {
    // A record begins with its shape, at a multiple of a word.
    const first = record.parts.from(0) / WORD
    const length = record.parts.to(0) - record.parts.from(0)
    const count = Math.floor(length / WORD)
    // The bytes of the last word that belong to the shape, and its length.
    const rest = (words[first + count] as number) & ((1 << (8 * (length % WORD))) - 1)
    let mixed = Math.imul(rest ^ length, FACTOR)
    for (let at = 0; at < count; at += 1) {
      mixed = Math.imul(mixed ^ (mixed >>> 15) ^ (words[first + at] as number), FACTOR)
    }
    const place = (mixed ^ (mixed >>> 15)) & (RECENT_MAX - 1)
    const known = this.#recent[place]
    if (
      known !== undefined &&
      known.generation === generation &&
      isShape(known.shape, first, count, rest)
    ) {
      return known.made
    }
    const shape = record.shape()
    const made = this.#all.get(shape) ?? this.#all.set(shape, make(record))
    const copy = words.slice(first, first + count + 1)
    copy[count] = rest
    this.#recent[place] = { made, shape: copy, generation }
    return made
  }
}

function isShape(shape: Int32Array, first: number, count: number, rest: number): boolean {
  if (shape.length !== count + 1 || shape[count] !== rest) return false
  for (let at = 0; at < count; at += 1) {
    if (shape[at] !== words[first + at]) return false
  }
  return true
}
