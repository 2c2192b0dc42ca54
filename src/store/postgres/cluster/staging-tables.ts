/**
 * Staging tables on a cluster: four tables for all imports, distributed by state and colocated with
 * the parcels. So a statement about one state runs on one node. They are permanent, and each import
 * deletes its rows at the end; so an import creates no table, whatever the number of shards. They
 * are ordinary tables, not unlogged ones, because Citus moves only ordinary tables during writes.
 */
import { createHash } from 'node:crypto'
import type { Client } from 'pg'
import { distribute } from '../citus.ts'
import { SCHEMA } from '../pool/connection.ts'
import { LOCKS } from '../schema.ts'

/** Finds the names of all staging tables on a cluster. */
const OURS = `relnamespace = '${SCHEMA}'::regnamespace AND relkind IN ('r', 'p')
  AND (relname ~ '^loading_' OR relname ~ '^(staged|change|carried|deletions)_[a-z]{2}$')`

/** Lists the states with staged rows, on the coordinator. */
const STATES_TABLE = 'loading_states'

/** Definitions by short name: the columns, and further statements. */
type StagingTables = Record<string, { columns: string; indexes: string[] }>

/** Returns the name of a table on a cluster; another version of the program uses other tables. */
export function nameOnCluster(table: string, tables: StagingTables): string {
  const version = createHash('sha256').update(JSON.stringify(tables)).digest('hex').slice(0, 8)
  return `loading_${table}_${version}`
}

/** Creates missing tables, and drops those of other versions while no import runs. */
export async function ensureClusterStaging(
  client: Client,
  tables: StagingTables,
  stateLocks: number,
): Promise<void> {
  const names = Object.keys(tables).map((table) => nameOnCluster(table, tables))
  if (await areThere(client, names)) return
  await client.query('SELECT pg_advisory_lock($1, $2)', [LOCKS.space, LOCKS.schema])
  try {
    if (await areThere(client, names)) return
    await dropOthers(client, names, stateLocks)
    await client.query(
      `CREATE TABLE IF NOT EXISTS ${SCHEMA}.${STATES_TABLE} (state text COLLATE "C" PRIMARY KEY)`,
    )
    for (const [table, { columns, indexes }] of Object.entries(tables)) {
      const name = nameOnCluster(table, tables)
      await client.query(`DROP TABLE IF EXISTS ${SCHEMA}.${name}`)
      await client.query(`CREATE TABLE ${SCHEMA}.${name} (${columns})`)
      for (const index of indexes)
        await client.query(`CREATE INDEX ON ${SCHEMA}.${name} (${index})`)
      // Without a primary key, Citus identifies moved rows by all columns.
      await client.query(`ALTER TABLE ${SCHEMA}.${name} REPLICA IDENTITY FULL`)
      await distribute(client, name)
    }
  } finally {
    await client.query('SELECT pg_advisory_unlock($1, $2)', [LOCKS.space, LOCKS.schema])
  }
}

/** Records that rows of a state are being staged. */
export async function noteStaged(client: Client, state: string): Promise<void> {
  await client.query(`INSERT INTO ${STATES_TABLE} VALUES ($1) ON CONFLICT DO NOTHING`, [state])
}

/** Deletes the rows of a state from the tables and returns their number. */
export async function clearState(client: Client, names: string[], state: string): Promise<number> {
  let cleared = 0
  for (const name of names) {
    const { rowCount } = await client.query(`DELETE FROM ${name} WHERE state = $1`, [state])
    cleared += rowCount ?? 0
  }
  await client.query(`DELETE FROM ${STATES_TABLE} WHERE state = $1`, [state])
  return cleared
}

/** Lists states with staged rows, of running or killed imports. */
export async function listStagedStates(client: Client): Promise<string[]> {
  const { rows: there } = await client.query(
    `SELECT to_regclass('${SCHEMA}.${STATES_TABLE}') IS NOT NULL AS is`,
  )
  if (there[0]?.is !== true) return []
  const { rows } = await client.query(`SELECT state FROM ${STATES_TABLE} ORDER BY state`)
  return rows.map(({ state }) => String(state))
}

async function areThere(client: Client, names: string[]): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT count(*) AS n FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid
      WHERE c.relnamespace = '${SCHEMA}'::regnamespace AND c.relname = ANY($1)`,
    [names],
  )
  return Number(rows[0]?.n) === names.length
}

async function dropOthers(client: Client, names: string[], stateLocks: number): Promise<void> {
  const { rows: running } = await client.query(
    `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = $1
      AND pid <> pg_backend_pid() LIMIT 1`,
    [stateLocks],
  )
  if (running.length > 0) return
  const { rows } = await client.query(
    `SELECT relname AS name FROM pg_class WHERE ${OURS} AND relname <> ALL($1)`,
    [[...names, STATES_TABLE]],
  )
  for (const { name } of rows) await client.query(`DROP TABLE IF EXISTS ${SCHEMA}.${name}`)
}
