/**
 * Where rolls are staged on a cluster: four tables for all imports, distributed by state beside the
 * parcels, so that a statement of one state is of one node. They stay, and each import takes its
 * rows out again; an import makes no table, whatever the number of shards. They are ordinary
 * tables, not unlogged ones, because Citus moves only such while they are written to.
 */
import { createHash } from 'node:crypto'
import type { Client } from 'pg'
import { spreadBesideParcels } from '../citus.ts'
import { LOCKS } from '../migrate.ts'
import { SCHEMA } from '../pool/connection.ts'

/** Names of all tables that stage rolls on a cluster. */
const OURS = `relnamespace = '${SCHEMA}'::regnamespace AND relkind IN ('r', 'p')
  AND (relname ~ '^loading_' OR relname ~ '^(staged|change|carried|deletions)_[a-z]{2}$')`

/** Tells of each state whose rows are staged, on the coordinator. */
const STATES_TABLE = 'loading_states'

/** What the tables are made of: their columns, and statements behind that, by their short names. */
type StagingTables = Record<string, { columns: string; indexes: string[] }>

/** The name of a table on a cluster: another version of the program has tables of its own. */
export function nameOnCluster(table: string, tables: StagingTables): string {
  const version = createHash('sha256').update(JSON.stringify(tables)).digest('hex').slice(0, 8)
  return `loading_${table}_${version}`
}

/**
 * Makes the tables where they are not there yet, and drops those of other versions where no import
 * runs. `stateLocks`: the first number of the locks that imports hold.
 */
export async function ensureClusterStaging(
  client: Client,
  tables: StagingTables,
  stateLocks: number,
): Promise<void> {
  const names = Object.keys(tables).map((table) => nameOnCluster(table, tables))
  if (await areThere(client, names)) return
  await client.query('SELECT pg_advisory_lock($1, $2)', [LOCKS.space, LOCKS.migration])
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
      // A table without a primary key is moved by whole rows.
      await client.query(`ALTER TABLE ${SCHEMA}.${name} REPLICA IDENTITY FULL`)
      await spreadBesideParcels(client, name)
    }
  } finally {
    await client.query('SELECT pg_advisory_unlock($1, $2)', [LOCKS.space, LOCKS.migration])
  }
}

/** Notes that rows of a state are staged from now on. */
export async function noteStaged(client: Client, state: string): Promise<void> {
  await client.query(`INSERT INTO ${STATES_TABLE} VALUES ($1) ON CONFLICT DO NOTHING`, [state])
}

/** Takes the rows of a state out of the tables; gives how many there were. */
export async function clearState(client: Client, names: string[], state: string): Promise<number> {
  let cleared = 0
  for (const name of names) {
    const { rowCount } = await client.query(`DELETE FROM ${name} WHERE state = $1`, [state])
    cleared += rowCount ?? 0
  }
  await client.query(`DELETE FROM ${STATES_TABLE} WHERE state = $1`, [state])
  return cleared
}

/** States whose rows are staged: by an import that runs, or by one that was killed. */
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
