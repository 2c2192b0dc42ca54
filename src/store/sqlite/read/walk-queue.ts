/**
 * Long walks take turns: one at a time per process, behind a short queue, giving the event loop back between slices, so
 * that quick lookups never wait for them.
 */
import { refuse } from '../../../errors.ts'

/** How many walks may wait; one more is refused at once rather than kept waiting in vain. */
const QUEUE_MAX = 16

/**
 * Takes the next slice of work, at most a few milliseconds of it; the result when it was the last, else `undefined`.
 */
export type Slice<Result> = () => Result | undefined

export class WalkQueue {
  #waiting: (() => void)[] = []
  #busy = false

  /**
   * Runs slices until one gives a result, or `expired` once the deadline (of `performance.now()`) has passed.
   *
   * The first slice runs at once: most work is done with it and never sees the queue. Throws *unavailable* when the
   * queue is full.
   */
  async walk<Result>(
    slice: Slice<Result>,
    deadline: number,
    expired: () => Result,
  ): Promise<Result> {
    const first = slice()
    if (first !== undefined) return first
    await this.#enter()
    try {
      for (;;) {
        if (performance.now() >= deadline) return expired()
        const result = slice()
        if (result !== undefined) return result
        await new Promise(setImmediate)
      }
    } finally {
      this.#leave()
    }
  }

  async #enter(): Promise<void> {
    if (!this.#busy) {
      this.#busy = true
      return
    }
    if (this.#waiting.length >= QUEUE_MAX) {
      throw refuse.unavailable('Too many long searches at once; try again shortly')
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  #leave(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#busy = false
    else next()
  }
}
