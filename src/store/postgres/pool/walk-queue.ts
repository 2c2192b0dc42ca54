/** Runs long walks in slices on connections of their own, a few at a time: lookups do not wait. */
import type { Client, Pool } from 'pg'
import { Line } from '../../walk/line.ts'
import { type ConnectionConfig, makePool, withClient } from './connection.ts'
import { asDriverError, asRefusal } from './errors.ts'
import { destroy } from './line.ts'
import { type Ask, named } from './lookup-queue.ts'

/** Does the next slice of work, one or two statements; returns the result after the last one. */
type Slice<Result> = (ask: Ask) => Promise<Result | undefined>

/** Most brief first slices under way: some 4 ms of work on connections of lookups. */
const BRIEF_MAX = 16

/**
 * A first slice that takes longer gives its turn to the next walk, in milliseconds. It waits for a
 * silent node of a cluster, and would hold up the walks for other nodes until that is noticed.
 */
const STUCK_MS = 400
/** Connections for a walk that may be under way: one may be stuck. */
const CONNECTIONS = 2

/** Runs long walks slice by slice over a pool of connections, `width` at a time. */
export class WalkQueue {
  readonly #pool: Pool
  readonly #names = new Map<string, string>()
  /** Connections on which a slice runs. */
  readonly #busy = new Set<Client>()
  readonly #line: Line
  /** Queue of first slices: they wait until their walk's deadline, not until the pool's timeout. */
  readonly #firstLine: Line
  readonly #briefLine = new Line(BRIEF_MAX)

  /** `width`: number of first slices under way that are not stuck, and of walks after theirs. */
  constructor(config: ConnectionConfig, width: number) {
    this.#pool = makePool(config, CONNECTIONS * width)
    this.#line = new Line(width)
    this.#firstLine = new Line(width)
  }

  /**
   * Runs slices until one returns a result; returns `expired` after the deadline (of
   * `performance.now()`), queued or not. First slices have a queue of their own, since most walks
   * end with one. Throws *unavailable* when too many wait, or no connection is free in time.
   *
   * `brief`: sends a first slice that reads as little as a lookup over the connections of lookups,
   * which takes a seventh less processor time.
   */
  async walk<Result>(
    slice: Slice<Result>,
    deadline: number,
    expired: () => Result,
    brief?: Ask,
  ): Promise<Result> {
    const line = brief === undefined ? this.#firstLine : this.#briefLine
    if (!(await line.enter(deadline))) return expired()
    const first = await inTurn(line, brief === undefined ? this.#run(slice) : slice(brief))
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

  /** Gives up the connections on which slices run; their walks throw *unavailable*. */
  abandon(): void {
    for (const client of this.#busy) destroy(client)
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }

  async #run<Result>(slice: Slice<Result>): Promise<Result | undefined> {
    try {
      return await withClient(this.#pool, async (client) => {
        this.#busy.add(client)
        try {
          return await slice((text, values) => this.#ask(client, text, values))
        } finally {
          this.#busy.delete(client)
        }
      })
    } catch (error) {
      throw asRefusal(error)
    }
  }

  async #ask<Row>(client: Client, text: string, values: unknown[]): Promise<Row[]> {
    try {
      const result = await client.query({ ...named(this.#names, text), values })
      return result.rows as Row[]
    } catch (error) {
      throw asDriverError(error)
    }
  }
}

/** Leaves the queue when the slice has ended, or earlier when it is stuck. */
async function inTurn<Result>(line: Line, running: Promise<Result>): Promise<Result> {
  let isIn = true
  const leave = () => {
    if (isIn) line.leave()
    isIn = false
  }
  const stuck = setTimeout(leave, STUCK_MS)
  try {
    return await running
  } finally {
    clearTimeout(stuck)
    leave()
  }
}
