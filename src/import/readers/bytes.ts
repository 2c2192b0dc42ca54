/** Reads chunks of a given length from a byte stream. */

/** Reads a byte stream in chunks of a given length. Buffers only the rest of the last piece. */
export class ByteReader {
  readonly #source: AsyncIterator<Buffer>
  #held: Buffer = Buffer.alloc(0)
  #at = 0

  constructor(bytes: AsyncIterable<Buffer>) {
    this.#source = bytes[Symbol.asyncIterator]()
  }

  /** The next bytes, or `undefined` at the end; no promise when they are buffered already. */
  takeNow(length: number): Buffer | undefined {
    if (this.#held.length - this.#at < length) return undefined
    const piece = this.#held.subarray(this.#at, this.#at + length)
    this.#at += length
    return piece
  }

  /** Returns the next `length` bytes, or `undefined` when the stream ends before them. */
  async take(length: number): Promise<Buffer | undefined> {
    const now = this.takeNow(length)
    if (now !== undefined) return now
    const pieces = [this.#held.subarray(this.#at)]
    let have = pieces[0]?.length ?? 0
    while (have < length) {
      const { value, done } = await this.#source.next()
      if (done === true) break
      pieces.push(value)
      have += value.length
    }
    this.#held = Buffer.concat(pieces)
    this.#at = 0
    return this.takeNow(length)
  }

  async close(): Promise<void> {
    await this.#source.return?.()
  }
}
