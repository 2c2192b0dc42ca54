/**
 * Long walks: slices of a few milliseconds each on connections of their own, so that quick lookups
 * never wait for them, and few at a time, so that one process cannot keep the server busy with them
 * alone.
 */
import type { ClientConfig, Pool } from 'pg'
import { WalkLine } from '../../walk/walk-line.ts'
import { makePool, withClient } from './connection.ts'
import { asDriverError, asRefusal } from './errors.ts'
import { type Ask, named } from './lookup-queue.ts'

/**
 * Takes the next slice of work, one or two statements; the result when it was the last, else
 * `undefined`.
 */
type Slice<Result> = (ask: Ask) => Promise<Result | undefined>

/** Runs long walks slice by slice over a pool of connections, `width` at a time. */
export class WalkQueue {
  readonly #pool: Pool
  readonly #names = new Map<string, string>()
  readonly #line: WalkLine
  /** Of first slices, so that they wait as long as their walk may take, and not for the pool. */
  readonly #firstLine: WalkLine

  /** `width`: connections, and walks under way at a time beyond their first slice. */
  constructor(config: ClientConfig, width: number) {
    this.#pool = makePool(config, width)
    this.#line = new WalkLine(width)
    this.#firstLine = new WalkLine(width)
  }

  /**
   * Runs slices until one gives a result, or `expired` once the deadline (of `performance.now()`)
   * has passed.
   *
   * First slices have a line of their own, since most work is done with one. A walk that waits for
   * its turn until its deadline has expired too. Throws *unavailable* when too many wait, or no
   * connection comes free in time.
   */
  async walk<Result>(
    slice: Slice<Result>,
    deadline: number,
    expired: () => Result,
  ): Promise<Result> {
    if (!(await this.#firstLine.enter(deadline))) return expired()
    const first = await this.#run(slice).finally(() => this.#firstLine.leave())
    if (first !== undefined) return first
    if (!(await this.#line.enter(deadline))) return expired()
    try {
      for (;;) {
        if (performance.now() >= deadline) return expired()
        const result = await this.#run(slice)
        if (result !== undefined) return result
      }
    } finally {
      this.#line.leave()
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
}
