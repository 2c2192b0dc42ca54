/** A queue of long searches: a few run at a time, the others wait until their deadline. */
import { refuse } from '../../base/errors.ts'

/** Only bounds memory: a worker never has this many requests under way. */
const WAITING_MAX = 1024

/** Longest delay of a Node timer. */
const TIMER_MAX_MS = 2 ** 31 - 1

type Waiting = { start(entered: boolean): void }

export class WalkLine {
  readonly #width: number
  readonly #waiting = new Set<Waiting>()
  #active = 0

  /** `width`: number of searches that run at a time. */
  constructor(width: number) {
    this.#width = width
  }

  /**
   * Waits in first-come order. Returns `false` when the deadline (of `performance.now()`) passes
   * first.
   *
   * Callers that got a turn must call `leave`. Throws *unavailable* when 1,024 are waiting.
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

  /** Passes the turn to the caller that has waited longest. */
  leave(): void {
    const [next] = this.#waiting
    if (next === undefined) this.#active -= 1
    else next.start(true)
  }
}
