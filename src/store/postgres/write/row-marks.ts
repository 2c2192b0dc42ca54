/**
 * Unchanged parcels, whose rows are as in the last import of their scope: they are listed in `seen`
 * and not staged again. A cluster cannot join such temporary tables.
 */
import type { Client } from 'pg'
import { CommandError } from '../../../base/errors.ts'
import { readTokens } from '../../rolls/import-rows.ts'
import type { RollSql } from '../../rolls/roll-sql.ts'
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

/**
 * Opens the list of the unchanged parcels of one import. `open` locks a state and creates its
 * staging tables, which are then in `states`.
 */
export function openStanding(
  client: Client,
  where: string,
  open: (state: string) => Promise<Staging>,
  states: ReadonlyMap<string, Staging>,
) {
  const sql = openRollSql(client)
  /** Whether the list exists; statements only use it then. */
  let isListed = false

  const marks: RowMarks = {
    tokens: () => readTokens(sql),
    async claim(scopes) {
      if (!isListed) await client.query(TABLES)
      isListed = true
      for (const { state } of scopes) await open(state)
      await checkTokens(sql, scopes, where)
    },
    see(parcels) {
      const rows = parcels.map(({ row, id }) => [id, row])
      return copyIn(client, 'seen', rows)
    },
    async unsee() {
      if (!isListed) return []
      await indexSeen(client)
      const met = new Set<number>()
      for (const staging of states.values()) {
        await client.query(`ANALYZE ${staging.staged}`)
        for (const row of await takeMet(sql, staging, '')) met.add(row)
      }
      return [...met]
    },
  }
  return {
    marks,
    /** Counts the unchanged parcels by scope, before the roll is compared. */
    async count() {
      if (!isListed) return
      await indexSeen(client)
      for (const staging of states.values()) {
        staging.hasSeen = true
        await countSeen(sql, staging.state, '')
      }
    },
    async sum() {
      if (!isListed) return 0
      const [row] = await sql.ask<{ n: number }>('SELECT count(*) AS n FROM seen')
      return Number(row?.n)
    },
  }
}

/** Throws `CommandError` when a locked state's scope changed after its token was read. */
async function checkTokens(
  sql: RollSql,
  claimed: readonly ScopeToken[],
  where: string,
): Promise<void> {
  const tokens = new Set((await readTokens(sql)).map(nameToken))
  if (claimed.every((one) => tokens.has(nameToken(one)))) return
  throw new CommandError(
    `another import has changed ${where} while this one began; nothing was loaded: import it again`,
  )
}

const nameToken = ({ state, fips, municipality, token }: ScopeToken) =>
  JSON.stringify([state, fips, municipality, token])

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
