/** Writes the parts of Protocol Buffers that a vector tile has into a buffer that grows. */

/** A field that holds a whole number, and one that holds bytes. */
const [WHOLE, BYTES] = [0, 2]
/** Bytes of the longest varint of 53 bits. */
const VARINT_MAX = 8
/** Up to this length bytes are copied one by one. */
const SHORT = 96
const ASCII_MAX = 0x7f

export class ProtobufWriter {
  #bytes: Buffer
  length = 0

  constructor(size = 4096) {
    this.#bytes = Buffer.allocUnsafe(size)
  }

  /** The bytes written so far; valid until the next write. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.length)
  }

  /** A whole number from 0 on, below 2^53. */
  varint(value: number): void {
    this.#reserve(VARINT_MAX)
    let rest = value
    while (rest > 0x7fffffff) {
      this.#bytes[this.length++] = (rest % 128) | 0x80
      rest = Math.floor(rest / 128)
    }
    while (rest > 0x7f) {
      this.#bytes[this.length++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    this.#bytes[this.length++] = rest
  }

  /** A whole number of 31 bits with its sign, as zigzag. */
  zigzag(value: number): void {
    this.varint(((value << 1) ^ (value >> 31)) >>> 0)
  }

  wholeField(field: number, value: number): void {
    this.varint(field * 8 + WHOLE)
    this.varint(value)
  }

  textField(field: number, text: string): void {
    const before = this.length
    this.varint(field * 8 + BYTES)
    this.varint(text.length)
    if (this.#ascii(text)) return
    this.length = before
    const length = Buffer.byteLength(text)
    this.varint(field * 8 + BYTES)
    this.varint(length)
    this.#reserve(length)
    this.length += this.#bytes.write(text, this.length)
  }

  bytesField(field: number, bytes: Uint8Array): void {
    this.varint(field * 8 + BYTES)
    this.varint(bytes.length)
    this.append(bytes)
  }

  /** What another writer has written. A short copy costs less here than a view of its bytes. */
  writerField(field: number, other: ProtobufWriter): void {
    const { length } = other
    this.varint(field * 8 + BYTES)
    this.varint(length)
    if (length > SHORT) {
      this.append(other.bytes)
      return
    }
    this.#reserve(length)
    const [from, to, start] = [other.#bytes, this.#bytes, this.length]
    for (let at = 0; at < length; at += 1) to[start + at] = from[at] as number
    this.length += length
  }

  /** A message whose only field is a text, or a whole number from 0 on. */
  messageField(field: number, inner: number, value: string | number): void {
    const before = this.length
    this.varint(field * 8 + BYTES)
    if (typeof value === 'number') {
      this.varint(1 + sizeOf(value))
      this.wholeField(inner, value)
      return
    }
    this.varint(1 + sizeOf(value.length) + value.length)
    this.varint(inner * 8 + BYTES)
    this.varint(value.length)
    if (this.#ascii(value)) return
    this.length = before
    const length = Buffer.byteLength(value)
    this.varint(field * 8 + BYTES)
    this.varint(1 + sizeOf(length) + length)
    this.textField(inner, value)
  }

  /** Bytes that were made elsewhere. */
  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.length)
    this.length += bytes.length
  }

  /**
   * Writes a text of ASCII; false, with nothing written, for another one. For a short text a loop
   * takes less time than asking Node for its length and its bytes.
   */
  #ascii(text: string): boolean {
    const { length } = text
    if (length > SHORT) return false
    this.#reserve(length)
    const [bytes, start] = [this.#bytes, this.length]
    for (let at = 0; at < length; at += 1) {
      const code = text.charCodeAt(at)
      if (code > ASCII_MAX) return false
      bytes[start + at] = code
    }
    this.length += length
    return true
  }

  #reserve(more: number): void {
    if (this.length + more <= this.#bytes.length) return
    const wider = Buffer.allocUnsafe(2 * (this.length + more))
    wider.set(this.bytes)
    this.#bytes = wider
  }
}

/** Bytes of a varint. */
function sizeOf(value: number): number {
  let size = 1
  for (let rest = value; rest > 0x7f; rest = Math.floor(rest / 128)) size += 1
  return size
}
