/**
 * Unchanged parcels, whose rows are as in the last import of their scope: they are listed in `seen`
 * and not staged again. A cluster cannot join such temporary tables.
 */
import type { Client } from 'pg'
import { CommandError } from '../../../base/errors.ts'
import { readTokens } from '../../rolls/import-rows.ts'
import { countSeen, takeMet } from '../../rolls/staged-rolls.ts'
import type { RowMarks, ScopeToken } from '../../store.ts'
import { openRollSql } from '../roll-sql.ts'
import { copyIn } from './copy-in.ts'
import type { Staging } from './roll-staging.ts'

const BATCH = 20_000

/** Record IDs are unique in the whole database, so these tables need no state column. */
const TABLES = `
  CREATE TEMP TABLE seen (id bigint, row bigint);
  CREATE TEMP TABLE seen_scopes (state text COLLATE "C", fips integer,
    municipality text COLLATE "C", parcels bigint, owners bigint, addresses bigint)`

/** The unchanged parcels of one import. `open` locks a state and creates its staging tables. */
export class StandingParcels {
  readonly #client: Client
  readonly #where: string
  readonly #open: (state: string) => Promise<Staging>
  readonly #states: ReadonlyMap<string, Staging>
  /** Whether the list exists; statements only use it then. */
  isListed = false

  constructor(
    client: Client,
    where: string,
    open: (state: string) => Promise<Staging>,
    states: ReadonlyMap<string, Staging>,
  ) {
    this.#client = client
    this.#where = where
    this.#open = open
    this.#states = states
  }

  marks(): RowMarks {
    return {
      tokens: () => readTokens(openRollSql(this.#client)),
      claim: (scopes) => this.#claim(scopes),
      see: (parcels) => addSeen(this.#client, parcels),
      unsee: () => this.#unsee(),
    }
  }

  /** Counts the unchanged parcels by scope, before the roll is compared. */
  async count(): Promise<void> {
    if (!this.isListed) return
    await indexSeen(this.#client)
    for (const state of this.#states.keys()) await countSeen(openRollSql(this.#client), state, '')
  }

  async sum(): Promise<number> {
    if (!this.isListed) return 0
    const { rows } = await this.#client.query('SELECT count(*) AS n FROM seen')
    return Number(rows[0]?.n)
  }

  async #claim(scopes: ScopeToken[]): Promise<void> {
    if (!this.isListed) await this.#client.query(TABLES)
    this.isListed = true
    for (const { state } of scopes) await this.#open(state)
    for (const staging of this.#states.values()) staging.hasSeen = true
    await checkTokens(this.#client, scopes, this.#where)
  }

  async #unsee(): Promise<number[]> {
    if (!this.isListed) return []
    await indexSeen(this.#client)
    const met = new Set<number>()
    for (const staging of this.#states.values()) {
      await this.#client.query(`ANALYZE ${staging.staged}`)
      for (const row of await takeMet(openRollSql(this.#client), staging, '')) met.add(row)
    }
    return [...met]
  }
}

/** Throws `CommandError` when a locked state's scope changed after its token was read. */
async function checkTokens(
  client: Client,
  claimed: readonly ScopeToken[],
  where: string,
): Promise<void> {
  const tokens = new Set((await readTokens(openRollSql(client))).map(nameToken))
  if (claimed.every((one) => tokens.has(nameToken(one)))) return
  throw new CommandError(
    `another import has changed ${where} while this one began; nothing was loaded: import it again`,
  )
}

const nameToken = ({ state, fips, municipality, token }: ScopeToken) =>
  JSON.stringify([state, fips, municipality, token])

async function addSeen(
  client: Client,
  parcels: readonly { row: number; id: number }[],
): Promise<void> {
  await copyIn(
    client,
    'seen',
    parcels.map(({ row, id }) => [id, row]),
  )
}

/** Builds the index before the first statement that looks up single ids. */
async function indexSeen(client: Client): Promise<void> {
  await client.query('CREATE INDEX IF NOT EXISTS seen_id ON seen (id); ANALYZE seen')
}

/** Yields staged rows with their parcels' ids in order. `isShared`: other imports stage too. */
export async function* readIds(
  client: Client,
  { state, staged, change }: Staging,
  isShared: boolean,
): AsyncGenerator<{ row: number; id: number }> {
  if (!isShared) await client.query(`CREATE INDEX IF NOT EXISTS ${change}_seq ON ${change} (seq)`)
  for (let after = 0; ; ) {
    const { rows } = await client.query<{ row: number; id: number; seq: number }>(
      `SELECT s.row, c.id, s.seq FROM (SELECT row, seq FROM ${staged}
        WHERE state = $1 AND seq > $2 ORDER BY seq LIMIT ${BATCH}) s
      JOIN ${change} c ON c.state = $1 AND c.seq = s.seq ORDER BY s.seq`,
      [state, after],
    )
    yield* rows
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.seq
  }
}
