/** Builds JSON as UTF-8 bytes in the memory, until it is taken to be sent. */
import { bytes, copy, haltedAt, isAscii, larger, type Piece, render, reserve } from './memory.ts'
import { type Program, roomFrom } from './program.ts'

/** Bytes in the memory before they are moved to a separate buffer. */
const ROOM = 1_048_576
/** Up to this length a text is sent with its head in one write; a longer one as bytes. */
const TEXT_MAX = 16_384
/**
 * Buffers kept for later answers, by length: how many at most. A page of 25 flat records with
 * polygons takes some 135 KB, one of a hundred some 540. A fresh buffer costs far more than its
 * copy, because the system maps and clears each of its pages.
 */
const SPARES = [
  { length: 262_144, most: 32, kept: [] as Buffer<ArrayBuffer>[] },
  { length: ROOM, most: 4, kept: [] as Buffer<ArrayBuffer>[] },
] as const

/** Bytes of an answer, written in the memory that WebAssembly shares. */
export class Output {
  #start = reserve(ROOM)
  #room = ROOM
  #at = this.#start
  /** Output moved out of WebAssembly's memory; only for answers above a megabyte. */
  #flushed: Buffer<ArrayBuffer>[] = []

  clear(): void {
    this.#at = this.#start
    if (this.#flushed.length > 0) this.#flushed = []
  }

  /**
   * Writes a program's texts and parts from a hole on, up to its next callback, and returns the
   * callback's hole; `callbackAt` returns its number. `parts`: upper bound of the bytes of all its
   * parts.
   */
  render({ texts, uses }: Program, hole: number, parts: number): number {
    const most = texts + uses * parts
    const end = this.#ask(most > ROOM ? roomFrom(hole) : most)
    this.#at = render(hole, this.#at)
    if (this.#at > end) throw new Error('more was written than there was room for')
    return haltedAt()
  }

  piece({ from, to }: Piece): void {
    this.#ask(to - from)
    this.#at = copy(from, to, this.#at)
  }

  byte(code: number): void {
    this.#ask(1)
    bytes[this.#at] = code
    this.#at += 1
  }

  text(text: string): void {
    this.#ask(text.length * 3)
    this.#at += bytes.write(text, this.#at)
  }

  /**
   * Returns the output and starts again. Returned bytes belong to the caller until `releaseBuffer`,
   * because allocating a buffer per answer takes longer than filling it.
   */
  take(): string | Buffer<ArrayBuffer> {
    const from = this.#start
    const to = this.#at
    this.#at = from
    if (this.#flushed.length > 0) return this.#join(from, to)
    if (to - from <= TEXT_MAX && isAscii(from, to) === 1) return bytes.toString('latin1', from, to)
    const taken = spare(to - from)
    bytes.copy(taken, 0, from, to)
    return taken.subarray(0, to - from)
  }

  #join(from: number, to: number): Buffer<ArrayBuffer> {
    const parts = [...this.#flushed, bytes.subarray(from, to)]
    this.#flushed = []
    return Buffer.concat(parts)
  }

  /** Ensures space for `more` bytes and returns its end, in another buffer if need be. */
  #ask(more: number): number {
    if (this.#at + more > this.#start + this.#room) {
      this.#flushed.push(Buffer.from(bytes.subarray(this.#start, this.#at)))
      this.#at = this.#start
      if (more > this.#room) this.#move(larger(this.#room, more))
    }
    return this.#at + more
  }

  #move(room: number): void {
    this.#start = reserve(room)
    this.#at = this.#start
    this.#room = room
  }
}

/** Returns a buffer of at least a length. */
function spare(least: number): Buffer<ArrayBuffer> {
  const size = SPARES.find(({ length }) => least <= length)
  return size?.kept.pop() ?? Buffer.allocUnsafeSlow(size?.length ?? least)
}

/** Takes back the buffer of an answer that was sent. */
export function releaseBuffer({ buffer }: Buffer<ArrayBuffer>): void {
  const size = SPARES.find(({ length }) => length === buffer.byteLength)
  if (size !== undefined && size.kept.length < size.most) size.kept.push(Buffer.from(buffer))
}
