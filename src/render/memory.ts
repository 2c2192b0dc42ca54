/**
 * The memory in which records are rendered, and the loops over it (`render.wat`). Everything they
 * use has an address here: fixed texts, the record being shown, and the output.
 * docs/decisions/record-and-rendering.md.
 */
import { readFileSync } from 'node:fs'

/**
 * Bytes copied beyond a text, because the loops copy whole vectors. As many bytes after the output
 * may be overwritten, and after a source may be read.
 */
const SLACK = 64

/** A fixed text of the layouts: its start and end. */
export type Piece = { from: number; to: number }

type Loops = {
  /** Writes fixed texts and parts from a hole on. Returns the end; `haltedAt`: where it stopped. */
  render: (hole: number, at: number) => number
  /** Writes the spans between two addresses, returns the end; words 1 and 2 get what was found. */
  cut: (
    from: number,
    to: number,
    separator: number,
    until: number,
    spans: number,
    most: number,
  ) => number
  isAscii: (from: number, to: number) => number
  /** Copies bytes and returns the end of the copy; up to 31 bytes after it are overwritten. */
  copy: (from: number, to: number, at: number) => number
}

/** The part of the API used here; TypeScript declares it for browsers only. */
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
/** A gigabyte. A larger record fails its own request only. */
const PAGES_MAX = 16_384
/** Growth of a buffer: all memory taken stays below three times the largest one. */
const GROWTH = 1.5
/** Bytes per word. */
export const WORD = 4
/** Further results of the loops. */
const SCRATCH = 16

const memory = new WebAssembly.Memory({ initial: 1, maximum: PAGES_MAX })
/** The whole memory as bytes; replaced when it grows. */
export let bytes = Buffer.from(memory.buffer)
/** The memory as 32-bit integers; replaced when it grows. */
export let words = new Int32Array(memory.buffer)
let reserved = SCRATCH

const code = readFileSync(new URL('./render.wasm', import.meta.url))
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(code), { layout: { memory } })
const { cut } = exports as Loops
export const { render, isAscii, copy } = exports as Loops

/** Reserves memory for good and returns its address. Throws when there is none left. */
export function reserve(length: number): number {
  const at = reserved
  const end = Math.ceil((at + length + SLACK) / SLACK) * SLACK
  const pages = memory.buffer.byteLength / PAGE
  const missing = Math.ceil(end / PAGE) - pages
  if (missing > 0) {
    // Grows by at least an eighth, because recreating the views is expensive.
    memory.grow(Math.max(missing, Math.min(Math.ceil(pages / 8), PAGES_MAX - pages)))
    bytes = Buffer.from(memory.buffer)
    words = new Int32Array(memory.buffer)
  }
  reserved = end
  return at
}

/** Returns the size of a buffer that replaces one smaller than `least`. */
export function larger(room: number, least: number): number {
  return Math.max(least, Math.ceil(room * GROWTH))
}

/** Stores a text permanently. */
export function pieceOf(text: string): Piece {
  const length = Buffer.byteLength(text)
  const from = reserve(length)
  bytes.write(text, from)
  return { from, to: from + length }
}

/** Returns the hole at which `render` stopped. */
export function haltedAt(): number {
  return words[0] as number
}

/** A table of spans: the start and end of each part. */
export class Spans {
  /** Number of parts found by the last cut. */
  count = 0
  /** A bit for each non-empty part, for at most 32 parts. */
  present = 0
  /** How many parts it has room for. */
  readonly most: number
  readonly #first: number

  constructor(most: number) {
    this.most = most
    this.#first = reserve(most * 2 * WORD) / WORD
  }

  /** Returns the address of a part's span. */
  address(part: number): number {
    return (this.#first + 2 * part) * WORD
  }

  /** Splits the bytes between two addresses; a byte `until` also ends them. Returns the end. */
  cut(from: number, to: number, separator: number, until: number): number {
    const end = cut(from, to, separator, until, this.#first * WORD, this.most)
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
