/**
 * Finds servers without page checksums. PostgreSQL compares the checksum of every page that it
 * reads from the disk, and a damaged one is an error; without them a flipped byte is answered.
 */
import type { Client } from 'pg'
import type { ClusterNode } from './cluster.ts'

/** Returns the names of those whose `data_checksums` is off. `where`: the client's server. */
export async function listUnsummed(
  client: Client,
  where: string,
  nodes: ClusterNode[] = [],
): Promise<string[]> {
  const setting = "SELECT current_setting('data_checksums') AS setting"
  const { rows: own } = await client.query(setting)
  const found = own[0]?.setting === 'on' ? [] : [where]
  const reached = nodes.filter(({ isReached }) => isReached)
  if (reached.length === 0) return found
  const { rows } = await client.query(
    `SELECT node_name AS host, node_port AS port
      FROM master_run_on_worker($1, $2::integer[], $3, false) WHERE result <> 'on'`,
    [
      reached.map(({ host }) => host),
      reached.map(({ port }) => port),
      reached.map(() => "SELECT current_setting('data_checksums')"),
    ],
  )
  return [...found, ...rows.map(({ host, port }) => `${host}:${port}`)]
}
