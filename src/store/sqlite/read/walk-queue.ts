/**
 * Queues long walks: one at a time per process, yielding to the event loop between slices, so that
 * quick lookups do not wait for them.
 */
import { nextTurn } from '../../../base/event-loop.ts'
import { Line } from '../../walk/line.ts'

/**
 * Does the next slice of work, at most a few milliseconds. Returns the result after the last slice,
 * else `undefined`.
 */
type Slice<Result> = () => Result | undefined | Promise<Result | undefined>

/** Runs long walks slice by slice, one at a time, and yields to the event loop between slices. */
export class WalkQueue {
  readonly #line = new Line(1)

  /**
   * Runs slices until one returns a result, or returns `expired` after the deadline (of
   * `performance.now()`).
   *
   * The first slice runs at once, without queueing; most walks end with it. A walk still queued at
   * its deadline has expired too. Throws *unavailable* when too many wait.
   */
  async walk<Result>(
    slice: Slice<Result>,
    deadline: number,
    expired: () => Result,
  ): Promise<Result> {
    const first = await slice()
    if (first !== undefined) return first
    if (!(await this.#line.enter(deadline))) return expired()
    try {
      for (;;) {
        if (performance.now() >= deadline) return expired()
        const result = await slice()
        if (result !== undefined) return result
        await nextTurn()
      }
    } finally {
      this.#line.leave()
    }
  }
}
