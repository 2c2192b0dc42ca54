/**
 * Who is worked on when, within a turn of the event loop: first all that was read in it, side by side; then those of them that have to be
 * searched for, one after the other.
 *
 * Searches, their pages, and addresses that many parcels share cost a worker up to a hundred times what a parcel lookup costs. In one
 * turn it works on them for `TURN_MS` and no longer; what is left waits for the next turn, and between the two all lookups that have arrived
 * are answered. docs/decisions/request-scheduling.md.
 */
import { performance } from 'node:perf_hooks'
import { refuse } from '../../errors.ts'
import { shareTurnEnd } from './loop-turn.ts'

/**
 * Requests that go on together go step by step: all their parameters, then all their records, then all their answers. One after the other, each
 * would find the processor's caches full of the steps behind it. When so many are read they are begun at once, so that reading the rest
 * keeps nobody waiting.
 */
const BATCH_MAX = 32
/** Milliseconds of a turn for searches; the one that passes it is finished, so a turn may take one search more. */
const TURN_MS = 5
/** How many searches may wait; one more is refused at once rather than kept waiting in vain. */
const WAITING_MAX = 512

type Turn = { number: number; enteredAt: number }

export class SearchQueue {
  readonly #now: () => number
  readonly #batch = shareTurnEnd(BATCH_MAX)
  readonly #waiting: ((turn: Turn) => void)[] = []
  #number = 0
  #open = false
  /** Whether somebody has the turn and has not yet left it, or will only in a later one. */
  #taken = false
  #spentMs = 0
  #admitting = false

  /** `now`: milliseconds, by a clock that nobody sets. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** What to wait for before a request is worked on. */
  gather(): Promise<void> {
    return this.#batch.wait()
  }

  /** Runs a search when its turn has come: in this one where there is time left. Throws *unavailable* when too many wait. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = await this.#enter()
    try {
      return await work()
    } finally {
      this.#leave(turn)
    }
  }

  #enter(): Promise<Turn> {
    this.#openTurn()
    if (this.#waiting.length >= WAITING_MAX) {
      throw refuse.unavailable('Too many searches at once; try again shortly')
    }
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      this.#admitSoon()
    })
  }

  /** Work that went on over several turns has given the loop back itself, and is not counted. */
  #leave({ number, enteredAt }: Turn): void {
    if (number !== this.#number) return
    this.#taken = false
    this.#spentMs += this.#now() - enteredAt
    this.#admit()
  }

  #begin(): Turn {
    this.#taken = true
    return { number: this.#number, enteredAt: this.#now() }
  }

  /** When no lookup that has been begun can go on: lookups wait for promises only, and ticks come when none is left to run. */
  #admitSoon(): void {
    if (this.#admitting) return
    this.#admitting = true
    queueMicrotask(() =>
      process.nextTick(() => {
        this.#admitting = false
        this.#admit()
      }),
    )
  }

  #admit(): void {
    if (this.#taken || this.#spentMs >= TURN_MS) return
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
      // What was read since is older than this immediate's place in the queue says.
      this.#batch.end()
      this.#admitSoon()
    })
  }
}
