/**
 * Staging tables on a cluster: the same for all imports, distributed by state next to the parcels.
 * So a statement about one state runs on one node. They are permanent, and each import deletes its
 * rows at the end. They are ordinary tables, not unlogged ones, because Citus moves only ordinary
 * tables during writes.
 */
import type { Client } from 'pg'
import { SCHEMA } from '../pool/connection.ts'

/** Lists the states with staged rows, on the coordinator. */
const STAGED_STATES = 'loading_states'

/** Columns and indexes by short name. */
type StagingTables = {
  columns: Record<string, string>
  indexes: Partial<Record<string, string[]>>
}

export function nameOnCluster(table: string): string {
  return `loading_${table}`
}

/** Creates them, to be distributed. */
export async function createClusterStaging(
  client: Client,
  { columns, indexes }: StagingTables,
): Promise<void> {
  await client.query(
    `CREATE TABLE IF NOT EXISTS ${SCHEMA}.${STAGED_STATES} (state text COLLATE "C" PRIMARY KEY)`,
  )
  for (const [table, own] of Object.entries(columns)) {
    const name = `${SCHEMA}.${nameOnCluster(table)}`
    const { rows } = await client.query('SELECT to_regclass($1) IS NOT NULL AS there', [name])
    if (rows[0]?.there === true) continue
    await client.query(`CREATE TABLE ${name} (${own})`)
    for (const index of indexes[table] ?? [])
      await client.query(`CREATE INDEX ON ${name} (${index})`)
    // Without a primary key, Citus identifies moved rows by all columns.
    await client.query(`ALTER TABLE ${name} REPLICA IDENTITY FULL`)
  }
}

/** Records that rows of a state are being staged. */
export async function noteStaged(client: Client, state: string): Promise<void> {
  await client.query(`INSERT INTO ${STAGED_STATES} VALUES ($1) ON CONFLICT DO NOTHING`, [state])
}

/** Deletes the rows of a state from the tables and returns their number. */
export async function clearState(client: Client, names: string[], state: string): Promise<number> {
  let cleared = 0
  for (const name of names) {
    const { rowCount } = await client.query(`DELETE FROM ${name} WHERE state = $1`, [state])
    cleared += rowCount ?? 0
  }
  await client.query(`DELETE FROM ${STAGED_STATES} WHERE state = $1`, [state])
  return cleared
}

/** Lists states with staged rows, of running or killed imports. */
export async function listStagedStates(client: Client): Promise<string[]> {
  const { rows } = await client.query(`SELECT state FROM ${STAGED_STATES} ORDER BY state`)
  return rows.map(({ state }) => String(state))
}
