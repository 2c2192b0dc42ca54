/** Vacuums and analyzes the shards of one state: a distributed statement visits all shards. */
import type { Client } from 'pg'
import { SCHEMA } from '../pool/connection.ts'

/** Node and name of the shard that holds a state. */
const SHARD = `SELECT n.nodename AS host, n.nodeport AS port,
    '${SCHEMA}.' || c.relname || '_' || s.shardid AS shard
  FROM unnest($1::text[]) t (name)
  JOIN pg_class c ON c.oid = ('${SCHEMA}.' || t.name)::regclass
  JOIN pg_dist_shard s ON s.logicalrelid = c.oid
    AND s.shardid = get_shard_id_for_distribution_column(c.oid, $2::text)
  JOIN pg_dist_placement p USING (shardid)
  JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'`

/** Runs a statement on a state's shards. Ignores failures: autovacuum does the same later. */
export async function tidyShards(
  client: Client,
  statement: 'ANALYZE' | 'VACUUM (ANALYZE, SKIP_LOCKED)',
  tables: string[],
  state: string,
): Promise<void> {
  const { rows } = await client.query(SHARD, [tables, state])
  await client.query('SELECT success FROM master_run_on_worker($1, $2::integer[], $3, false)', [
    rows.map(({ host }) => host),
    rows.map(({ port }) => port),
    rows.map(({ shard }) => `${statement} ${shard}`),
  ])
}
