/**
 * Connections for accounts and the ledger: what is asked, changed in a transaction, or looked at as
 * it stood at one moment.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Client, Pool } from 'pg'
import { clientConfig, DURABLE, makePool, withClient } from './connection.ts'
import { asDriverError, asRefusal, ConnectionLost } from './errors.ts'
import type { Ask } from './lookup-queue.ts'

/** One flight of statements: all are sent at once and answered in their order. */
export type Flight = { text: string; values?: unknown[] }[]

const CONNECTIONS = 3

export class Session {
  readonly #pool: Pool
  /** Within `snapshot` every question goes to its connection. */
  readonly #snapshot = new AsyncLocalStorage<Client>()

  /**
   * `statementMs`: the longest that one statement may take; 0: as long as it takes. `connections`:
   * at most so many at once.
   */
  constructor(url: string, statementMs: number, connections: number = CONNECTIONS) {
    const config = { ...clientConfig(url, statementMs, DURABLE), pipeline: true }
    this.#pool = makePool(config, connections)
  }

  ask: Ask = <Row>(text: string, values: unknown[]) =>
    this.#guard(async () => {
      const client = this.#snapshot.getStore()
      const [rows] = await (client === undefined
        ? withClient(this.#pool, (own) => fly(own, [{ text, values }]))
        : fly(client, [{ text, values }]))
      return (rows ?? []) as Row[]
    })

  /**
   * Everything that `work` sends happens, or nothing. When this returns, it is on the disk. When it
   * throws *unavailable* it may have happened all the same: the reply to a commit can be lost.
   *
   * `opening`: statements that are sent together with the beginning, one way to the server for all
   * of them.
   */
  transaction<Result>(
    opening: Flight,
    work: (rows: unknown[][], client: Client) => Promise<{ closing: Flight; result: Result }>,
  ): Promise<Result> {
    return this.#guard(() =>
      withClient(this.#pool, async (client) => {
        const [, ...rows] = await fly(client, [{ text: 'BEGIN' }, ...opening])
        try {
          const { closing, result } = await work(rows, client)
          await commit(client, closing)
          return result
        } catch (error) {
          await client.query('ROLLBACK').catch(() => undefined)
          throw error
        }
      }),
    )
  }

  /**
   * Runs `work` on one unchanging view of the data; what it asks of this session, it asks of that
   * view.
   */
  snapshot<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#guard(() =>
      withClient(this.#pool, async (client) => {
        await fly(client, [{ text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' }])
        try {
          return await this.#snapshot.run(client, work)
        } finally {
          await client.query('ROLLBACK').catch(() => undefined)
        }
      }),
    )
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }

  async #guard<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      throw asRefusal(error)
    }
  }
}

/**
 * The rows of each statement; throws the first error, and then the connection is not to be used
 * again.
 */
async function fly(client: Client, flight: Flight): Promise<unknown[][]> {
  try {
    const results = await Promise.all(flight.map((statement) => client.query(statement)))
    return results.map(({ rows }) => rows as unknown[])
  } catch (error) {
    throw asDriverError(error)
  }
}

/**
 * A transaction in which a statement failed is rolled back by COMMIT, which then says so and
 * nothing else.
 */
async function commit(client: Client, closing: Flight): Promise<void> {
  try {
    const flight = [...closing, { text: 'COMMIT' }]
    const results = await Promise.all(flight.map((statement) => client.query(statement)))
    if (results.at(-1)?.command !== 'COMMIT') throw new ConnectionLost('the commit was refused')
  } catch (error) {
    throw asDriverError(error)
  }
}
