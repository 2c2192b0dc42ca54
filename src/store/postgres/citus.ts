/**
 * Distributes the rolls over a Citus cluster by state. Accounts, keys and the ledger stay ordinary
 * tables of the coordinator (docs/decisions/citus.md).
 */
import type { Client } from 'pg'
import { CommandError } from '../../base/errors.ts'
import { createClusterStaging, nameOnCluster } from './cluster/staging-tables.ts'
import { clientConfig, describeServer, onServer, SCHEMA } from './pool/connection.ts'
import { LOCKS } from './schema.ts'
import { ON_CLUSTER } from './write/roll-staging.ts'

/** Tables that are distributed by state, in this order: a table comes after those it refers to. */
export const LAYOUT = [
  ...['parcels', 'records', 'geometries', 'alternate_ids', 'situs', 'loose_situs'],
  ...['owner_heads', 'owner_words', 'owner_deletions', 'scopes', 'import_images'],
  ...['shapes', 'point_counts', 'changes', 'change_heads'],
  ...['sale_tests', 'versions', 'past_keys', 'vintages', 'lineage'],
  ...['qualities', 'origins', 'origin_imports', 'kept_rows'],
  ...['owner_counts', 'facts', 'roll_tokens'],
  ...Object.keys(ON_CLUSTER.columns).map(nameOnCluster),
]

/**
 * Distributes the tables that are not yet, each in its own transaction, so that an interrupted run
 * continues. Returns their names. The tables must exist.
 */
export function layOutOverCitus(url: string): Promise<string[]> {
  const where = describeServer(url)
  return onServer({ ...clientConfig(url, 0, {}), isKept: true }, where, async (client) => {
    await needCitus(client, where)
    await client.query('SELECT pg_advisory_lock($1, $2)', [LOCKS.space, LOCKS.schema])
    await createClusterStaging(client, ON_CLUSTER)
    const placed = await readPlaced(client)
    const moving = LAYOUT.filter((table) => !placed.has(table))
    for (const table of moving) await distribute(client, table)
    for (const table of LAYOUT) await freeLocalRows(client, table)
    return moving
  })
}

/** Frees the rows that a table had before it was distributed: Citus keeps them out of sight. */
async function freeLocalRows(client: Client, table: string): Promise<void> {
  const name = `'${SCHEMA}.${table}'`
  await client.query(`SELECT truncate_local_data_after_distributing_table(${name})
    WHERE pg_relation_size(${name}) > 0`)
}

/** Reports whether the rolls are distributed over a cluster. */
export async function isSpread(client: Client): Promise<boolean> {
  const { rows } = await client.query(
    "SELECT to_regclass('pg_dist_partition') IS NOT NULL AS there",
  )
  return rows[0]?.there === true && (await readPlaced(client)).has('parcels')
}

async function distribute(client: Client, table: string): Promise<void> {
  const near = table === 'parcels' ? 'none' : `${SCHEMA}.parcels`
  await client.query(
    `SELECT create_distributed_table('${SCHEMA}.${table}', 'state', colocate_with => '${near}')`,
  )
}

async function needCitus(client: Client, where: string): Promise<void> {
  const { rows } = await client.query(
    "SELECT EXISTS (SELECT FROM pg_proc WHERE proname = 'create_distributed_table') AS there",
  )
  if (rows[0]?.there === true) return
  throw new CommandError(`${where} has no Citus: CREATE EXTENSION citus, and add its nodes, first`)
}

export async function readPlaced(client: Client): Promise<Set<string>> {
  const { rows } = await client.query(
    `SELECT c.relname AS name FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid
      WHERE c.relnamespace = to_regnamespace('${SCHEMA}')`,
  )
  return new Set(rows.map(({ name }) => String(name)))
}
