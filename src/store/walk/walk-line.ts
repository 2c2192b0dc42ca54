/**
 * The line of long searches: a few are under way at a time, the others wait for their turn until
 * their deadline.
 */
import { refuse } from '../../errors.ts'

/**
 * A bound of memory alone: a worker has no more requests under way, so this is not met in practice.
 */
const WAITING_MAX = 1024

/** The longest that a timer of Node runs. */
const TIMER_MAX_MS = 2 ** 31 - 1

type Waiting = { start(entered: boolean): void }

export class WalkLine {
  readonly #width: number
  readonly #waiting = new Set<Waiting>()
  #active = 0

  /** `width`: searches under way at a time. */
  constructor(width: number) {
    this.#width = width
  }

  /**
   * Waits for a turn, first come, first served; `false` when the deadline (of `performance.now()`)
   * passes before it.
   *
   * Who entered calls `leave`. Throws *unavailable* when 1,024 wait already.
   */
  async enter(deadline: number): Promise<boolean> {
    if (this.#active < this.#width) {
      this.#active += 1
      return true
    }
    if (this.#waiting.size >= WAITING_MAX) {
      throw refuse.unavailable('Too many long searches at once; try again shortly')
    }
    return new Promise<boolean>((resolve) => {
      const waiting: Waiting = {
        start: (entered) => {
          clearTimeout(giveUp)
          this.#waiting.delete(waiting)
          resolve(entered)
        },
      }
      const patience = Math.min(TIMER_MAX_MS, Math.max(0, deadline - performance.now()))
      const giveUp = setTimeout(() => waiting.start(false), patience)
      this.#waiting.add(waiting)
    })
  }

  /** Hands the turn to the one that waits longest. */
  leave(): void {
    const [next] = this.#waiting
    if (next === undefined) this.#active -= 1
    else next.start(true)
  }
}
