/** Reads the layout of a Citus cluster: its nodes, and the shards with their states. */
import type { Client } from 'pg'
import { STATE_CODES } from '../../../base/model/state-codes.ts'
import { LAYOUT, readPlaced } from '../citus.ts'
import { SCHEMA } from '../pool/connection.ts'

/** A node that may hold shards, with Citus's `host` and `port`. */
export type ClusterNode = { host: string; port: number; isReached: boolean }

/** The shards of all roll tables that are colocated; `id` is that of `parcels`. */
export type ShardGroup = {
  id: number
  host: string
  port: number
  /** Total bytes; `null` when the node is unreachable. */
  bytes: number | null
  /** The states with rolls in it, with their numbers of parcels. */
  states: { state: string; parcels: number }[]
}

export type Cluster = { nodes: ClusterNode[]; groups: ShardGroup[] }

/** Bytes of all tables colocated with `parcels`, by the shard of `parcels`. */
const SIZES = `SELECT p.shardid AS id, sum(c.shard_size)::bigint AS bytes FROM citus_shards c
  JOIN pg_dist_shard s ON s.shardid = c.shardid
  JOIN pg_dist_shard p ON p.logicalrelid = '${SCHEMA}.parcels'::regclass
    AND p.shardminvalue = s.shardminvalue
  JOIN pg_dist_partition d ON d.logicalrelid = p.logicalrelid AND d.colocationid = c.colocation_id
  GROUP BY p.shardid`

/** Reads the layout. For an unreachable node only the sizes of its shards are missing. */
export async function readCluster(client: Client): Promise<Cluster> {
  const ask = async (text: string, ...values: unknown[]) => (await client.query(text, values)).rows
  const nodes: ClusterNode[] = await ask(`SELECT nodename AS host, nodeport AS port,
      citus_check_connection_to_node(nodename, nodeport) AS "isReached" FROM pg_dist_node
    WHERE noderole = 'primary' AND isactive AND shouldhaveshards ORDER BY nodename, nodeport`)
  const shards = await ask(`SELECT s.shardid AS id, n.nodename AS host, n.nodeport AS port
    FROM pg_dist_shard s JOIN pg_dist_placement p USING (shardid)
    JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'
    WHERE s.logicalrelid = '${SCHEMA}.parcels'::regclass ORDER BY s.shardid`)
  const isWhole = nodes.every(({ isReached }) => isReached)
  const sizes = new Map(
    isWhole ? (await ask(SIZES)).map(({ id, bytes }) => [Number(id), Number(bytes)]) : [],
  )
  const groups = new Map<number, ShardGroup>(
    shards.map(({ id, host, port }) => {
      const bytes = sizes.get(Number(id)) ?? null
      return [Number(id), { id: Number(id), host, port, bytes, states: [] }]
    }),
  )
  for (const code of STATE_CODES) {
    const [row] = await ask(
      `SELECT get_shard_id_for_distribution_column('${SCHEMA}.parcels', $1::text) AS id`,
      code,
    )
    const group = groups.get(Number(row?.id))
    if (group === undefined || !isOnReached(group, nodes)) continue
    group.states.push(...(await readStates(client, [code])))
  }
  return { nodes, groups: [...groups.values()] }
}

/** Returns those states that have rolls, with their numbers of parcels from `coverage`. */
export async function readStates(
  client: Client,
  states: readonly string[],
): Promise<{ state: string; parcels: number }[]> {
  const found: { state: string; parcels: number }[] = []
  for (const state of states) {
    const { rows: counted } = await client.query(
      'SELECT sum(parcels) AS parcels FROM scopes WHERE state = $1',
      [state],
    )
    const { rows } = await client.query('SELECT 1 FROM parcels WHERE state = $1 LIMIT 1', [state])
    const parcels = Number(counted[0]?.parcels ?? 0)
    if (parcels > 0 || rows.length > 0) found.push({ state, parcels })
  }
  return found
}

export function isOnReached({ host, port }: ShardGroup, nodes: ClusterNode[]): boolean {
  return nodes.some((node) => node.host === host && node.port === port && node.isReached)
}

/** Returns the problems of a cluster, one sentence each. */
export async function checkCluster(client: Client, { nodes, groups }: Cluster): Promise<string[]> {
  const placed = await readPlaced(client)
  const missing = LAYOUT.filter((table) => !placed.has(table))
  const wrong = [...placed].filter((table) => !LAYOUT.includes(table))
  const { rows } = await client.query(`SELECT count(DISTINCT colocationid) AS places
    FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid
    WHERE c.relnamespace = '${SCHEMA}'::regnamespace AND p.partmethod = 'h'`)
  const apart = Number(rows[0]?.places) > 1
  const { rows: inactive } = await client.query(
    'SELECT count(*) AS n FROM pg_dist_placement WHERE shardstate <> 1',
  )
  const homeless = groups.filter(
    (group) => !nodes.some(({ host, port }) => host === group.host && port === group.port),
  )
  return [
    ...nodes
      .filter(({ isReached }) => !isReached)
      .map(
        ({ host, port }) =>
          `the node ${host}:${port} cannot be reached: its states were not checked`,
      ),
    ...says(missing, 'are not distributed; platbook shards --distribute does that'),
    ...says(wrong, 'are distributed and should not be'),
    ...(apart ? ['the tables of the rolls are not co-located'] : []),
    ...(Number(inactive[0]?.n) > 0
      ? [`${inactive[0]?.n} placements of shards are not active`]
      : []),
    ...(homeless.length > 0
      ? [`${homeless.length} shards lie on nodes that are not active, or are to hold none`]
      : []),
  ]
}

function says(tables: string[], what: string): string[] {
  return tables.length === 0 ? [] : [`${tables.join(', ')} ${what}`]
}
