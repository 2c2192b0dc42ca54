/** A queue of long work: a few run at a time, the others wait until their deadline. */
import { refuse } from '../../base/errors.ts'

/** Only bounds memory: a worker never has this many requests under way. */
const SEARCHES = { most: 1024, full: 'Too many long searches at once; try again shortly' }

/** Longest delay of a Node timer. */
const TIMER_MAX_MS = 2 ** 31 - 1

type Waiting = { start(entered: boolean): void }

export class Line {
  readonly #width: number
  readonly #bound: typeof SEARCHES
  readonly #waiting = new Set<Waiting>()
  #active = 0

  /** `width`: how many run at a time; `most`: how many may wait, and what the next one is told. */
  constructor(width: number, bound = SEARCHES) {
    this.#width = width
    this.#bound = bound
  }

  /**
   * Waits in first-come order; `false` when the deadline (of `performance.now()`) comes first.
   * Callers with a turn must call `leave`. Throws *unavailable* when too many wait.
   */
  async enter(deadline = Number.POSITIVE_INFINITY): Promise<boolean> {
    if (this.#active < this.#width) {
      this.#active += 1
      return true
    }
    if (this.#waiting.size >= this.#bound.most) throw refuse.unavailable(this.#bound.full)
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
