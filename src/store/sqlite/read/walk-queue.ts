/**
 * Long walks take turns: one at a time per process, giving the event loop back between slices, so
 * that quick lookups never wait for them.
 */
import { WalkLine } from '../../walk/walk-line.ts'

/**
 * Takes the next slice of work, at most a few milliseconds of it; the result when it was the last,
 * else `undefined`.
 */
type Slice<Result> = () => Result | undefined

/** Runs long walks slice by slice, one at a time, and gives the event loop back between slices. */
export class WalkQueue {
  readonly #line = new WalkLine(1)

  /**
   * Runs slices until one gives a result, or `expired` once the deadline (of `performance.now()`)
   * has passed.
   *
   * The first slice runs at once: most work is done with it and never waits. A walk that waits
   * until its deadline has expired too. Throws *unavailable* when too many wait.
   */
  async walk<Result>(
    slice: Slice<Result>,
    deadline: number,
    expired: () => Result,
  ): Promise<Result> {
    const first = slice()
    if (first !== undefined) return first
    if (!(await this.#line.enter(deadline))) return expired()
    try {
      for (;;) {
        if (performance.now() >= deadline) return expired()
        const result = slice()
        if (result !== undefined) return result
        await new Promise(setImmediate)
      }
    } finally {
      this.#line.leave()
    }
  }
}
