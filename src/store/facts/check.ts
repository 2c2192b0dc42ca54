/** Checks stored blocks of facts against the parcels that they are of, which it encodes again. */
import type { FactRecord } from '../../record/facts.ts'
import { FactLoader, type StateBlock } from './block.ts'

/** Returns the stored chunks of a block in the order of their numbers. */
type ReadChunks = (state: string, block: number) => Promise<Uint8Array[]> | Uint8Array[]

export class FactCheck {
  readonly #loader = new FactLoader()
  readonly #read: ReadChunks
  readonly #wrong: string[] = []
  #blocks = 0

  constructor(read: ReadChunks) {
    this.#read = read
  }

  /** Takes a parcel, by ascending id. Returns the blocks that are now complete, for `compare`. */
  add(id: number, record: FactRecord): StateBlock[] {
    this.#loader.add(id, record)
    return this.#loader.take()
  }

  async compare(blocks: readonly StateBlock[]): Promise<void> {
    for (const one of blocks) this.#note(one, await this.#read(one.state, one.block))
  }

  /** Compares the last blocks. `stored`: number of stored blocks. Returns sentences. */
  async finish(stored: number): Promise<string[]> {
    await this.compare(this.#loader.finish().blocks)
    const [first] = this.#wrong
    const found = []
    if (first !== undefined) {
      const count = this.#wrong.length
      found.push(
        `${count} blocks of facts are not those of their parcels (${first}); load the rolls again`,
      )
    }
    if (stored > this.#blocks) {
      found.push(`${stored - this.#blocks} blocks of facts belong to no parcel`)
    }
    return found
  }

  #note({ state, block, chunks }: StateBlock, stored: readonly Uint8Array[]): void {
    if (stored.length > 0) this.#blocks += 1
    const isSame =
      stored.length === chunks.length &&
      chunks.every((chunk, at) => Buffer.compare(chunk, stored[at] as Uint8Array) === 0)
    if (!isSame) this.#wrong.push(`${state}, block ${block}`)
  }
}
