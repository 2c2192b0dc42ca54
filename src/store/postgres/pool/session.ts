/** Connections for accounts and the ledger: queries, transactions and snapshots. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Client, Pool } from 'pg'
import { CHARGING, clientConfig, DURABLE, makePool, withClient } from './connection.ts'
import { asDriverError, asRefusal, ConnectionLost, explainOpening } from './errors.ts'
import type { Ask } from './lookup-queue.ts'

/**
 * Statements that are sent together and answered in order. One with a `name` stays prepared and
 * must name its columns, since `SELECT *` fails there once a column is added.
 */
export type Flight = { name?: string; text: string; values?: unknown[] }[]

const CONNECTIONS = 3

export class Session {
  readonly #pool: Pool
  /** Within `snapshot`, every query uses its connection. */
  readonly #snapshot = new AsyncLocalStorage<Client>()

  /** `statementMs`: longest statement; 0: no limit. `charges`: it prepares its statements. */
  constructor(
    url: string,
    statementMs: number,
    {
      charges = false,
      connections = CONNECTIONS,
    }: { charges?: boolean; connections?: number } = {},
  ) {
    const settings = charges ? CHARGING : DURABLE
    const config = { ...clientConfig(url, statementMs, settings), pipeline: true }
    this.#pool = makePool(config, connections)
  }

  /** Does the first work; where it fails, the session is closed, and the error as of `openOn`. */
  open(where: string, work: (client: Client, where: string) => Promise<void>): Promise<void> {
    return withClient(this.#pool, (client) => work(client, where)).catch(async (error) => {
      await this.close()
      throw explainOpening(error, where)
    })
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
   * Commits everything that `work` sends, or nothing; when this returns, it is on disk. After
   * *unavailable* it may be too, because a reply can be lost. `opening`: statements sent with
   * BEGIN.
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

  /** Runs `work` on a consistent snapshot; its queries on this session use the snapshot. */
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

/** Returns each statement's rows. Throws the first error, which ends use of the connection. */
export async function fly(client: Client, flight: Flight): Promise<unknown[][]> {
  try {
    const results = await Promise.all(flight.map((statement) => client.query(statement)))
    return results.map(({ rows }) => rows as unknown[])
  } catch (error) {
    throw asDriverError(error)
  }
}

/** PostgreSQL answers COMMIT of a failed transaction with ROLLBACK and no error. */
async function commit(client: Client, closing: Flight): Promise<void> {
  try {
    const flight = [...closing, { text: 'COMMIT' }]
    const results = await Promise.all(flight.map((statement) => client.query(statement)))
    if (results.at(-1)?.command !== 'COMMIT') throw new ConnectionLost('the commit was refused')
  } catch (error) {
    throw asDriverError(error)
  }
}
