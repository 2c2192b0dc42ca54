/** Collects the facts of a first load, whose parcels come by ascending id. */
import type { FactRecord } from '../../record/facts.ts'
import { BlockBuilder, blockOf, type FactChange, type WrittenBlock } from './block.ts'

/** A block that is to be written. */
export type StateBlock = WrittenBlock & { state: string }

export class FactLoader {
  readonly #builders = new Map<string, BlockBuilder>()
  readonly #dropped: number[] = []
  #written: StateBlock[] = []

  add(id: number, record: FactRecord): void {
    const { state } = record
    let builder = this.#builders.get(state)
    if (builder === undefined) {
      builder = new BlockBuilder((one) => this.#written.push({ ...one, state }))
      this.#builders.set(state, builder)
    }
    builder.add(id, record)
  }

  /** Removes a parcel that was added before. */
  drop(id: number): void {
    this.#dropped.push(id)
  }

  /** Returns the blocks that were completed since the last call. */
  take(): StateBlock[] {
    const written = this.#written
    this.#written = []
    return written
  }

  /**
   * Returns the last blocks, which must be written before the dropped parcels are removed from
   * `states`.
   */
  finish(): { blocks: StateBlock[]; states: string[]; dropped: FactChange[] } {
    for (const builder of this.#builders.values()) builder.flush()
    const dropped = this.#dropped.sort((a, b) => a - b).map((id) => ({ id, record: undefined }))
    return { blocks: this.take(), states: [...this.#builders.keys()], dropped }
  }
}

/** Groups changes, which are by ascending id, by their blocks. */
export function groupByBlock(changes: readonly FactChange[]): Map<number, FactChange[]> {
  return Map.groupBy(changes, ({ id }) => blockOf(id))
}
