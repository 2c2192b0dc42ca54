/**
 * Dear requests take turns: searches, their pages, and addresses that many parcels share, which cost a worker up to a hundred times
 * what a parcel lookup costs.
 *
 * In one turn of the event loop a worker works on them for `TURN_MS` and no longer; what is left waits for the next turn, and
 * between the two all lookups that have arrived are answered. Decision 086.
 */
import { performance } from 'node:perf_hooks'
import { refuse } from '../errors.ts'

/** Milliseconds of a turn; the request that passes it is finished, so a turn may take one request more. */
const TURN_MS = 5
/** How many may wait; one more is refused at once rather than kept waiting in vain. */
const WAITING_MAX = 512

type Turn = { number: number; enteredAt: number }

export class FairTurns {
  readonly #now: () => number
  readonly #waiting: ((turn: Turn) => void)[] = []
  #number = 0
  #open = false
  /** Whether somebody has the turn and has not yet left it, or will only in a later one. */
  #taken = false
  #spentMs = 0

  /** `now`: milliseconds, by a clock that nobody sets. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Runs the work when its turn has come: at once where there is time left in this one. Throws *unavailable* when too many wait. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = await this.#enter()
    try {
      return await work()
    } finally {
      this.#leave(turn)
    }
  }

  #enter(): Turn | Promise<Turn> {
    this.#openTurn()
    if (!this.#taken && this.#spentMs < TURN_MS) return this.#begin()
    if (this.#waiting.length >= WAITING_MAX) {
      throw refuse.unavailable('Too many searches at once; try again shortly')
    }
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** Work that went on over several turns has given the loop back itself, and is not counted. */
  #leave({ number, enteredAt }: Turn): void {
    if (number !== this.#number) return
    this.#taken = false
    this.#spentMs += this.#now() - enteredAt
    if (this.#spentMs < TURN_MS) this.#admit()
  }

  #begin(): Turn {
    this.#taken = true
    return { number: this.#number, enteredAt: this.#now() }
  }

  #admit(): void {
    const next = this.#waiting.shift()
    if (next !== undefined) next(this.#begin())
  }

  #openTurn(): void {
    if (this.#open) return
    this.#open = true
    this.#number += 1
    this.#spentMs = 0
    this.#taken = false
    setImmediate(() => {
      this.#open = false
      if (this.#waiting.length === 0) return
      this.#openTurn()
      this.#admit()
    })
  }
}
