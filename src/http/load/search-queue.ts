/**
 * Schedules requests within a turn of the event loop. Lookups read in one turn run together;
 * searches run after them, one at a time.
 *
 * A search, or an address shared by many parcels, takes up to a hundred times as long as a parcel
 * lookup. Searches run for `TURN_MS` per turn. The rest wait for the next turn, after the lookups
 * that have arrived by then. docs/decisions/request-scheduling.md.
 */
import { performance } from 'node:perf_hooks'
import { refuse } from '../../base/errors.ts'
import { shareTurnEnd, watchTurns } from '../../base/event-loop.ts'
import type { Pause } from '../../operations/operation.ts'

/**
 * Most requests of a turn that begin together; when so many have been read, they begin without
 * waiting for the end of the turn. The requests of a batch advance step by step: all parameters,
 * then all records, then all answers. So the code and data of a step stay in the processor's
 * caches.
 */
const BATCH_MAX = 32
/** Milliseconds per turn for searches. A search that exceeds it is finished. */
const TURN_MS = 5
/** Most waiting searches; further ones are refused at once. */
const WAITING_MAX = 512

type Turn = { number: number; enteredAt: number }

/** Queues the searches of one worker, and batches its lookups. */
export class SearchQueue {
  readonly #now: () => number
  readonly #batch = shareTurnEnd(BATCH_MAX)
  readonly #waiting: ((turn: Turn) => void)[] = []
  readonly #isFirstOfTurn = watchTurns(() => this.#endTurn())
  #number = 0
  /** Whether a search is running; it may end in a later turn. */
  #taken = false
  #spentMs = 0
  #admitting = false

  /** `now`: a monotonic clock, milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Resolves when the requests of this turn begin. */
  gather(): Promise<void> {
    return this.#batch.wait()
  }

  /**
   * Runs a search when it is first in the queue and the event-loop turn has time left for searches.
   * A search of several milliseconds calls `pause` between its steps and joins the end of the
   * queue. So the steps of all searches share the `TURN_MS` of a turn. Throws *unavailable* when
   * too many wait.
   */
  async run<Result>(work: (pause: Pause) => Promise<Result>): Promise<Result> {
    if (this.#waiting.length >= WAITING_MAX) {
      throw refuse.unavailable('Too many searches at once; try again shortly')
    }
    let turn = await this.#enter()
    const pause = async () => {
      this.#leave(turn)
      turn = await this.#enter()
    }
    try {
      return await work(pause)
    } finally {
      this.#leave(turn)
    }
  }

  #enter(): Promise<Turn> {
    this.#openTurn()
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      this.#admitSoon()
    })
  }

  /** Work of several turns has yielded to the event loop, so its time is not counted. */
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

  /** Runs after microtasks drain: lookups of this turn have then come as far as they can. */
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
    if (!this.#isFirstOfTurn()) return
    this.#number += 1
    this.#spentMs = 0
    this.#taken = false
  }

  #endTurn(): void {
    if (this.#waiting.length === 0) return
    this.#openTurn()
    // Requests read meanwhile begin before the next search.
    this.#batch.end()
    this.#admitSoon()
  }
}
