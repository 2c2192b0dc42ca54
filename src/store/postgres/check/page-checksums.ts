/**
 * Finds servers without page checksums, and servers that met a damaged page. PostgreSQL checks
 * every page from the disk; without checksums damaged data is returned without an error.
 */
import type { Client } from 'pg'
import type { ClusterNode } from './cluster.ts'

/** Returns the names of those whose `data_checksums` is off. `where`: the client's server. */
export async function listUnsummed(
  client: Client,
  where: string,
  nodes: ClusterNode[] = [],
): Promise<string[]> {
  const answers = await askNodes(client, "current_setting('data_checksums')", where, nodes)
  return answers.filter(({ result }) => result !== 'on').map((one) => one.where)
}

/**
 * Returns a sentence for each server that counted damaged pages since its statistics were reset. A
 * page read twice counts twice, also when it was repaired since.
 */
export async function listPageFailures(
  client: Client,
  where: string,
  nodes: ClusterNode[] = [],
): Promise<string[]> {
  const count = `(SELECT coalesce(checksum_failures, 0) FROM pg_stat_database
    WHERE datname = current_database())`
  const answers = await askNodes(client, count, where, nodes)
  return answers
    .filter(({ result }) => Number(result) > 0)
    .map(
      (one) =>
        `${one.where} read damaged pages, ${one.result} times (pg_stat_database.checksum_failures)`,
    )
}

type NodeAnswer = { where: string; result: string }

/** Evaluates an expression on the client's server and on each reached node of its cluster. */
async function askNodes(
  client: Client,
  expression: string,
  where: string,
  nodes: ClusterNode[],
): Promise<NodeAnswer[]> {
  const { rows: own } = await client.query(`SELECT ${expression} AS result`)
  const answers = [{ where, result: String(own[0]?.result) }]
  const reached = nodes.filter(({ isReached }) => isReached)
  if (reached.length === 0) return answers
  const { rows } = await client.query(
    `SELECT node_name AS host, node_port AS port, result
      FROM master_run_on_worker($1, $2::integer[], $3, false)`,
    [
      reached.map(({ host }) => host),
      reached.map(({ port }) => port),
      reached.map(() => `SELECT ${expression}`),
    ],
  )
  const others = rows.map(({ host, port, result }) => ({ where: `${host}:${port}`, result }))
  return [...answers, ...others]
}
