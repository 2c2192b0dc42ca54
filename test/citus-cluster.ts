/**
 * Databases of their own on a real Citus cluster, for tests of a whole service:
 * `PLATBOOK_TEST_CITUS_URL` names its coordinator (CONTRIBUTING.md). Each database is created on
 * every node and dropped after the test.
 */
import { Client } from 'pg'
import { layOutOverCitus } from '../src/store/postgres/citus.ts'
import { ensureSchema } from '../src/store/postgres/schema.ts'

/** The coordinator's address, where tests run over a cluster. */
export const CLUSTER = process.env.PLATBOOK_TEST_CITUS_URL || undefined

/** Why a test that stops its server, or listens in between, does not run over a cluster. */
export const NOT_OURS =
  CLUSTER === undefined ? false : 'the cluster of PLATBOOK_TEST_CITUS_URL is not to be stopped'

export type ClusterDatabase = { url: string; drop(): Promise<void> }

type Node = { host: string; port: number; isCoordinator: boolean }

/** Why a test that reads or damages the files of the embedded store does not run over a cluster. */
export const NO_FILES = CLUSTER === undefined ? false : 'the data is in a cluster, not in files'

/** Few, so that a database is made in a second or two. */
const SHARDS = 8

/** Only one process may register a new node at a time. */
const MAKING = 'SELECT pg_advisory_lock(20261)'

let made = 0

const ofFolders = new Map<string, string>()

/** Records that the service of a data folder has its data in a database of the cluster. */
export function noteDatabase(folder: string, url: string): void {
  ofFolders.set(folder, url)
}

/** The database of the cluster that stands for a data folder, if there is one. */
export function databaseOf(folder: string): string | undefined {
  return ofFolders.get(folder)
}

/** Makes a database on every node of the cluster, with distributed tables of rolls and no data. */
export async function createOnCluster(cluster: string): Promise<ClusterDatabase> {
  const turn = new Client(cluster)
  await turn.connect()
  try {
    await turn.query(MAKING)
    return await create(cluster)
  } finally {
    await turn.end()
  }
}

async function create(cluster: string): Promise<ClusterDatabase> {
  made += 1
  const name = `platbook_test_${process.pid}_${made}`
  const nodes = await ask<Node>(
    cluster,
    `SELECT nodename AS host, nodeport AS port, groupid = 0 AS "isCoordinator" FROM pg_dist_node
      WHERE noderole = 'primary' ORDER BY groupid`,
  )
  const [coordinator, ...workers] = nodes
  if (coordinator?.isCoordinator !== true) throw new Error('the cluster has no coordinator')
  for (const node of nodes) {
    await ask(addressOf(cluster, node), `CREATE DATABASE ${name}`)
    await ask(addressOf(cluster, node, name), 'CREATE EXTENSION citus')
  }
  const url = addressOf(cluster, coordinator, name)
  await ask(url, `ALTER DATABASE ${name} SET citus.shard_count = ${SHARDS}`)
  await ask(url, `SELECT citus_set_coordinator_host('${coordinator.host}', ${coordinator.port})`)
  for (const { host, port } of workers) await ask(url, `SELECT citus_add_node('${host}', ${port})`)
  await ensureSchema(url)
  await layOutOverCitus(url)
  return {
    url,
    async drop() {
      for (const node of nodes) {
        await ask(addressOf(cluster, node), `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      }
    },
  }
}

/** The cluster's own database on a node, or another one. */
function addressOf(cluster: string, { host, port }: Node, database?: string): string {
  const address = new URL(cluster)
  address.hostname = host
  address.port = String(port)
  if (database !== undefined) address.pathname = `/${database}`
  return address.href
}

async function ask<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new Client(url)
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}
