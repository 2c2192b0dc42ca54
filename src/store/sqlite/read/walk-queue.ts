/** Queues long walks: one at a time per process, so that quick lookups do not wait. */
import { nextTurn } from '../../../base/event-loop.ts'
import { Line } from '../../walk/line.ts'

/** Does the next slice of work, at most a few milliseconds; returns the result after the last. */
type Slice<Result> = () => Result | undefined | Promise<Result | undefined>

/** Runs long walks slice by slice, one at a time, and yields to the event loop between slices. */
export class WalkQueue {
  readonly #line = new Line(1)

  /**
   * Runs slices until one returns a result; returns `expired` after the deadline (of
   * `performance.now()`), queued or not. The first runs at once and ends most. Throws *unavailable*
   * when too many wait.
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
