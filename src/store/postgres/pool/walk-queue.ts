/**
 * Long walks: slices of a few milliseconds each on connections of their own, so that quick lookups never wait for them, and few at a
 * time, so that one process cannot keep the server busy with them alone.
 */
import type { ClientConfig, Pool } from 'pg'
import { refuse } from '../../../errors.ts'
import { makePool, withClient } from './connection.ts'
import { asDriverError, asRefusal } from './errors.ts'
import { type Ask, named } from './lookup-queue.ts'

/** How many walks may wait; one more is refused at once rather than kept waiting in vain. */
const QUEUE_MAX = 16

/** Takes the next slice of work, one or two statements; the result when it was the last, else `undefined`. */
export type Slice<Result> = (ask: Ask) => Promise<Result | undefined>

export class WalkQueue {
  readonly #pool: Pool
  readonly #names = new Map<string, string>()
  readonly #width: number
  #active = 0
  #waiting: (() => void)[] = []

  /** `width`: connections, and walks under way at a time beyond their first slice. */
  constructor(config: ClientConfig, width: number) {
    this.#pool = makePool(config, width)
    this.#width = width
  }

  /**
   * Runs slices until one gives a result, or `expired` once the deadline (of `performance.now()`) has passed.
   *
   * The first slice only waits for a connection: most work is done with it and never sees the queue. Throws *unavailable* when
   * the queue is full, or no connection comes free in time.
   */
  async walk<Result>(
    slice: Slice<Result>,
    deadline: number,
    expired: () => Result,
  ): Promise<Result> {
    const first = await this.#run(slice)
    if (first !== undefined) return first
    await this.#enter()
    try {
      for (;;) {
        if (performance.now() >= deadline) return expired()
        const result = await this.#run(slice)
        if (result !== undefined) return result
      }
    } finally {
      this.#leave()
    }
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }

  async #run<Result>(slice: Slice<Result>): Promise<Result | undefined> {
    try {
      return await withClient(this.#pool, (client) =>
        slice(async <Row>(text: string, values: unknown[]) => {
          try {
            const result = await client.query({ ...named(this.#names, text), values })
            return result.rows as Row[]
          } catch (error) {
            throw asDriverError(error)
          }
        }),
      )
    } catch (error) {
      throw asRefusal(error)
    }
  }

  async #enter(): Promise<void> {
    if (this.#active < this.#width) {
      this.#active += 1
      return
    }
    if (this.#waiting.length >= QUEUE_MAX) {
      throw refuse.unavailable('Too many long searches at once; try again shortly')
    }
    // Who leaves hands the place over.
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  #leave(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#active -= 1
    else next()
  }
}
