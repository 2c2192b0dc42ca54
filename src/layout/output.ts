/**
 * JSON under construction, as UTF-8 bytes that go to the socket as they are.
 *
 * Texts of a record are a few dozen bytes each. Joining them as strings costs a string object a piece and flattening all of them later;
 * here a piece is copied eight bytes at a time to where it will be sent from. Decision 011 has the figures.
 */

import { isAscii } from 'node:buffer'

/** Bytes that may be read past the end of what is copied: copying goes by whole words. */
export const SLACK = 8

/** Bytes that pieces are copied from; at least `SLACK` more of them than any piece ends at. */
export type Source = { bytes: Buffer; view: DataView }

/** A text of the layouts' own, ready to be copied. */
export type Piece = Source & { length: number }

const START = 65_536
/** A text up to this goes with its head in one write, as a string; a longer one goes as the bytes that it was written into. */
const TEXT_MAX = 16_384
/** Buffers kept for the next answers, and the longest that is kept. */
const SPARE_MAX = 32
const SPARE_LENGTH_MAX = 1_048_576

const QUOTE = 0x22
const ZERO = 0x30
/** `a` is 10. */
const LETTERS = 0x57

/** Fixed texts and a record's parts in turn: what stands in a layout between things derived. */
export type Weave = {
  /** All fixed texts in a row. */
  texts: Piece
  /** Where among them each gap is; last, where they end. */
  bounds: Int32Array
  /** The part in each gap; below zero: something else fills it. */
  parts: Int32Array
}

/** A record's bytes, and where each of its parts ends. */
export type Parted = Source & { ends: Int32Array; length: number }

/** An answer's JSON: a text, mostly short and ASCII, or UTF-8 bytes, to be given back. */
export type Rendered = string | Buffer<ArrayBuffer>

export class Output {
  /** How much is written. */
  length = 0
  #bytes: Buffer<ArrayBuffer>
  #view: DataView
  #capacity: number

  constructor() {
    this.#bytes = Buffer.allocUnsafeSlow(START)
    this.#view = viewOf(this.#bytes)
    this.#capacity = START
  }

  /** Writes the bytes of a source from one place up to another. */
  copy(source: Source, from: number, to: number): void {
    if (to <= from) return
    const end = this.length + to - from
    this.#room(to - from)
    const read = source.view
    const written = this.#view
    let at = this.length
    for (let next = from; next < to; next += 8) {
      written.setBigUint64(at, read.getBigUint64(next))
      at += 8
    }
    this.length = end
  }

  /**
   * Writes texts and parts in turn from a gap on, up to the next gap that something else fills: its place, or -1 at the end.
   *
   * Nearly all of a record goes through this one loop, so it asks for room once: for all texts and all parts.
   */
  weave({ texts, bounds, parts }: Weave, record: Parted, start: number): number {
    this.#room(texts.length + record.length)
    const written = this.#view
    const fixed = texts.view
    const leaves = record.view
    const { ends } = record
    let end = this.length
    let text = start === 0 ? 0 : (bounds[start - 1] as number)
    for (let gap = start; gap < bounds.length; gap += 1) {
      const bound = bounds[gap] as number
      for (let from = text, at = end; from < bound; from += 8, at += 8) {
        written.setBigUint64(at, fixed.getBigUint64(from))
      }
      end += bound - text
      text = bound
      if (gap === parts.length) break
      const part = parts[gap] as number
      if (part < 0) {
        this.length = end
        return gap
      }
      const first = (ends[part - 1] as number) + 1
      const last = ends[part] as number
      for (let from = first, at = end; from < last; from += 8, at += 8) {
        written.setBigUint64(at, leaves.getBigUint64(from))
      }
      end += last - first
    }
    this.length = end
    return -1
  }

  piece(piece: Piece): void {
    this.copy(piece, 0, piece.length)
  }

  byte(code: number): void {
    this.#room(1)
    this.#bytes[this.length] = code
    this.length += 1
  }

  quote(): void {
    this.byte(QUOTE)
  }

  text(text: string): void {
    this.#room(text.length * 3)
    this.length += this.#bytes.write(text, this.length)
  }

  /** Writes a number's hex digits over what stands before a place. */
  hexBefore(end: number, number: number): void {
    let rest = number
    for (let at = end - 1; rest > 0; at -= 1) {
      const digit = rest % 16
      this.#bytes[at] = digit + (digit < 10 ? ZERO : LETTERS)
      rest = (rest - digit) / 16
    }
  }

  /**
   * What is written; begins anew. A buffer is the caller's until `giveBack`: a fresh one of its size for each answer would cost more
   * than all the copying.
   */
  take(): Rendered {
    const { length } = this
    this.length = 0
    const taken = this.#bytes.subarray(0, length)
    if (length <= TEXT_MAX && isAscii(taken)) return this.#bytes.toString('latin1', 0, length)
    this.#use(spare.pop() ?? Buffer.allocUnsafeSlow(START))
    return taken
  }

  #room(more: number): void {
    const least = this.length + more + SLACK
    if (least > this.#capacity) this.#grow(least)
  }

  #grow(least: number): void {
    const bytes = Buffer.allocUnsafeSlow(Math.max(least, this.#capacity * 2))
    this.#bytes.copy(bytes, 0, 0, this.length)
    this.#use(bytes)
  }

  #use(bytes: Buffer<ArrayBuffer>): void {
    this.#bytes = bytes
    this.#view = viewOf(bytes)
    this.#capacity = bytes.length
  }
}

const spare: Buffer<ArrayBuffer>[] = []

/** Takes back the bytes of an answer that has been sent. */
export function giveBack({ buffer }: Buffer<ArrayBuffer>): void {
  if (buffer.byteLength > SPARE_LENGTH_MAX || spare.length >= SPARE_MAX) return
  spare.push(Buffer.from(buffer))
}

/** Makes a text ready to be copied. */
export function pieceOf(text: string): Piece {
  const length = Buffer.byteLength(text)
  const bytes = Buffer.alloc(length + SLACK)
  bytes.write(text)
  return { bytes, view: viewOf(bytes), length }
}

export function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
}
