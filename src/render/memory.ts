/**
 * The memory that records are rendered in, and the loops over it (`render.wat`). Whatever they
 * touch has its place here, found by address: fixed texts, the record being shown, and what is
 * written. docs/decisions/record-and-rendering.md.
 */
import { readFileSync } from 'node:fs'

/**
 * Whole vectors are copied: so many bytes after what is written may be spoiled, and are read after
 * what is copied.
 */
const SLACK = 32

/** A text of the layouts' own: where it begins and ends. */
export type Piece = { from: number; to: number }

type Loops = {
  /**
   * Writes a program's fixed texts and parts from a hole on; tells where the writing ended, and by
   * `haltedAt` at which hole.
   */
  render: (hole: number, at: number) => number
  /**
   * Writes the spans of what stands between two places; tells where it ended; what was found stands
   * in words 1 and 2.
   */
  cut: (
    from: number,
    to: number,
    separator: number,
    until: number,
    spans: number,
    most: number,
  ) => number
  isAscii: (from: number, to: number) => number
}

/** What is used of it here; TypeScript declares it for browsers only. */
declare const WebAssembly: {
  Memory: new (size: {
    initial: number
    maximum: number
  }) => {
    buffer: ArrayBuffer
    grow: (pages: number) => number
  }
  Module: new (code: Uint8Array) => object
  Instance: new (module: object, imports: object) => { exports: unknown }
}

const PAGE = 65_536
/** A gigabyte: a record beyond that is an error of its request, and no more. */
const PAGES_MAX = 16_384
/**
 * Room once taken is never given back: growing so, all that was taken stays within three times the
 * largest.
 */
const GROWTH = 1.5
/** Bytes of a word. */
export const WORD = 4
/** What the loops tell beside their results. */
const SCRATCH = 16

const memory = new WebAssembly.Memory({ initial: 1, maximum: PAGES_MAX })
/** All of it, as bytes and as words; made anew when it grows. */
export let bytes = Buffer.from(memory.buffer)
/** The memory as 32-bit integers; another array after it has grown. */
export let words = new Int32Array(memory.buffer)
let reserved = SCRATCH

const code = readFileSync(new URL('./render.wasm', import.meta.url))
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(code), { layout: { memory } })
const { cut } = exports as Loops
export const { render, isAscii } = exports as Loops

/**
 * Takes room for good; tells where it begins. Throws where there is no more, and then nothing has
 * changed.
 */
export function reserve(length: number): number {
  const at = reserved
  const end = Math.ceil((at + length + SLACK) / SLACK) * SLACK
  const pages = memory.buffer.byteLength / PAGE
  const missing = Math.ceil(end / PAGE) - pages
  if (missing > 0) {
    // By an eighth at least: to make the views anew is dear.
    memory.grow(Math.max(missing, Math.min(Math.ceil(pages / 8), PAGES_MAX - pages)))
    bytes = Buffer.from(memory.buffer)
    words = new Int32Array(memory.buffer)
  }
  reserved = end
  return at
}

/** How much to reserve in place of a room that does not hold `least`. */
export function larger(room: number, least: number): number {
  return Math.max(least, Math.ceil(room * GROWTH))
}

/** Puts a text into the memory for good. */
export function pieceOf(text: string): Piece {
  const length = Buffer.byteLength(text)
  const from = reserve(length)
  bytes.write(text, from)
  return { from, to: from + length }
}

/** The hole at which `render` stopped. */
export function haltedAt(): number {
  return words[0] as number
}

/** A table of spans: where each of some parts begins and ends. */
export class Spans {
  /** How many parts the last cut found. */
  count = 0
  /** Which hold anything, a bit each, where there are no more than 32. */
  present = 0
  readonly #most: number
  readonly #first: number

  constructor(most: number) {
    this.#most = most
    this.#first = reserve(most * 2 * WORD) / WORD
  }

  /** The address of a part's span. */
  address(part: number): number {
    return (this.#first + 2 * part) * WORD
  }

  /** Cuts what stands between two places; a byte `until` also ends it. Tells where it ended. */
  cut(from: number, to: number, separator: number, until: number): number {
    const end = cut(from, to, separator, until, this.#first * WORD, this.#most)
    this.count = words[1] as number
    this.present = words[2] as number
    return end
  }

  from(part: number): number {
    return words[this.#first + 2 * part] as number
  }

  to(part: number): number {
    return words[this.#first + 2 * part + 1] as number
  }

  set(part: number, from: number, to: number): void {
    words[this.#first + 2 * part] = from
    words[this.#first + 2 * part + 1] = to
  }
}
