/**
 * Rows in the binary format of COPY, which costs the command and the server less than its text:
 * https://www.postgresql.org/docs/current/sql-copy.html
 */
import { cleanText } from '../copy-in.ts'

/** Signature, flags and the length of an extension that is not used. */
const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
/** Field lengths that end the rows, and that mean null. */
const END = -1
const NULL = -1

const FIRST_SIZE = 65_536
/** Most bytes of a character in UTF-8. */
const CHARACTER_MAX = 3
/** Shorter texts are written faster by a loop than by a call of the platform. */
const SHORT = 24
const INT32 = 2 ** 32

/** Collects rows of one table; each field is written in the order of its columns. */
export class BinaryRows {
  #bytes = Buffer.allocUnsafe(FIRST_SIZE)
  #size = 0

  /** Bytes of all rows; 0 without one. */
  get size(): number {
    return this.#size
  }

  /** Begins a row with this number of fields. */
  row(fields: number): void {
    if (this.#size === 0) this.#size = HEADER.copy(this.#bytes)
    this.#makeRoom(2)
    this.#size = this.#bytes.writeInt16BE(fields, this.#size)
  }

  none(): void {
    this.#makeRoom(4)
    this.#size = this.#bytes.writeInt32BE(NULL, this.#size)
  }

  text(text: string | null): void {
    if (text === null) {
      this.none()
      return
    }
    this.#makeRoom(4 + text.length * CHARACTER_MAX)
    const start = this.#size + 4
    const end = text.length < SHORT ? this.#writeShort(text, start) : this.#writeLong(text, start)
    this.#bytes.writeInt32BE(end - start, this.#size)
    this.#size = end
  }

  bytes(bytes: Buffer): void {
    this.#field(bytes.length)
    this.#size += bytes.copy(this.#bytes, this.#size)
  }

  flag(flag: boolean | null): void {
    if (flag === null) {
      this.none()
      return
    }
    this.#field(1)
    this.#size = this.#bytes.writeUInt8(flag ? 1 : 0, this.#size)
  }

  int2(value: number): void {
    this.#field(2)
    this.#size = this.#bytes.writeInt16BE(value, this.#size)
  }

  int4(value: number | null): void {
    if (value === null) {
      this.none()
      return
    }
    this.#field(4)
    this.#size = this.#bytes.writeInt32BE(value, this.#size)
  }

  /** From 0 to 2^53. */
  int8(value: number): void {
    this.#field(8)
    this.#size = this.#bytes.writeInt32BE(Math.floor(value / INT32), this.#size)
    this.#size = this.#bytes.writeUInt32BE(value % INT32, this.#size)
  }

  /** A box by its upper right and lower left corners. */
  box(east: number, north: number, west: number, south: number): void {
    this.#field(32)
    for (const one of [east, north, west, south]) {
      this.#size = this.#bytes.writeDoubleBE(one, this.#size)
    }
  }

  /** Returns the bytes of all rows, and begins again with none, in the memory of `spare`. */
  take(spare = Buffer.allocUnsafe(FIRST_SIZE)): Buffer<ArrayBuffer> {
    this.#makeRoom(2)
    const taken = this.#bytes.subarray(0, this.#bytes.writeInt16BE(END, this.#size))
    this.#bytes = spare
    this.#size = 0
    return taken
  }

  /** Begins a field of a fixed length. */
  #field(length: number): void {
    this.#makeRoom(4 + length)
    this.#size = this.#bytes.writeInt32BE(length, this.#size)
  }

  /** Returns the end of the text, which is nearly always ASCII. */
  #writeShort(text: string, start: number): number {
    const bytes = this.#bytes
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      if (code === 0 || code > 127) return this.#writeLong(text, start)
      bytes[start + at] = code
    }
    return start + text.length
  }

  #writeLong(text: string, start: number): number {
    // Lone surrogates become U+FFFD, as in `cleanText`.
    const clean = text.includes('\0') ? cleanText(text) : text
    return start + this.#bytes.write(clean, start, 'utf8')
  }

  #makeRoom(bytes: number): void {
    if (this.#size + bytes <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(2 * this.#bytes.length + bytes)
    this.#bytes.copy(larger, 0, 0, this.#size)
    this.#bytes = larger
  }
}
