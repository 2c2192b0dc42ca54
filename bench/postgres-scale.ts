/**
 * What a parcel and a request cost over PostgreSQL, and how that changes with the number of
 * parcels: bytes on disk by table, rows imported a second, processor time per request of the worker
 * and of the server. Prints JSON, one object per size. For docs/scale.md.
 *
 *   node bench/postgres-scale.ts --sizes 20000,100000 --seconds 5
 *   node bench/postgres-scale.ts --sizes 1000000 --times 10 what was imported, and then ten times
 *     as much of it in the same server
 *
 * 3.5 GB of disk a million. `--times` writes what was imported again as the rolls of further states
 * (kit/multiply.ts), and measures twice more: the same questions as before, and questions about all
 * states.
 *
 * Parcels are generated. Needs wrk on the PATH; the server is the one that the tests use, and keeps
 * its data in the system's folder for temporary files (TMPDIR).
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { makeCustomer, platbook } from '../test/ledger/running-service.ts'
import { startServer } from '../test/postgres-server.ts'
import { describeMachine } from './kit/machine.ts'
import { multiplyRolls } from './kit/multiply.ts'
import { round } from './kit/numbers.ts'
import { cpuSeconds, cpuSecondsOfTree, diskBytesOfTree, memoryOf } from './kit/process.ts'
import {
  ask,
  type Kind,
  keepAnswered,
  makeQueries,
  type Queries,
  type Query,
} from './kit/queries.ts'
import { type RunningService, startRunning, withScratch, workerOf } from './kit/service.ts'
import { runWrk } from './kit/wrk.ts'

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '4' },
    queries: { type: 'string', default: '1000' },
    connections: { type: 'string', default: '32' },
    'shared-buffers': { type: 'string', default: '512MB' },
    times: { type: 'string', default: '1' },
  },
})

const WARM_SECONDS = 2
const BYTES_OF = 50

const server = await startServer([`shared_buffers=${values['shared-buffers']}`, 'max_wal_size=8GB'])
try {
  for (const size of values.sizes.split(',').map(Number)) {
    const result = await withScratch((data) => measure(data, size))
    console.log(JSON.stringify({ machine: describeMachine(), ...result }, null, 2))
  }
} finally {
  await server.stop()
}

async function measure(data: string, size: number) {
  const databaseUrl = await server.createDatabase(`scale_${size}`)
  process.env.PLATBOOK_DATABASE_URL = databaseUrl
  const before = serverSeconds()
  const loaded = JSON.parse(platbook(['sample', '--parcels', String(size), '--json'], data))
  const imported = {
    rowsPerSecond: Math.round(loaded.rows / loaded.seconds),
    serverSeconds: round(serverSeconds() - before, 1),
  }
  const parcels = Number(loaded.loaded)
  const disk = await readDisk(databaseUrl, parcels)
  const { key } = makeCustomer(data)
  const service = await startRunning({ data, workers: 1 })
  try {
    const all = await makeQueries(data, Number(values.queries), { databaseUrl })
    const queries = await keepAnswered(all, service.address, key)
    const asked = { parcels, imported, disk, requests: await measureKinds(service, key, queries) }
    const worker = memoryOf(workerOf(service))
    if (values.times === '1') return { ...asked, worker }
    console.log(JSON.stringify(asked, null, 2))
    return { ...(await measureMore(service, key, queries)), worker: memoryOf(workerOf(service)) }
  } finally {
    await service.stop()
  }

  async function measureMore(service: RunningService, key: string, queries: Queries) {
    const times = Number(values.times)
    const started = { time: performance.now(), server: serverSeconds() }
    await multiplyRolls(databaseUrl, times)
    const multiplied = {
      seconds: Math.round((performance.now() - started.time) / 1000),
      serverSeconds: round(serverSeconds() - started.server, 1),
    }
    const more = await readDisk(databaseUrl, parcels * times)
    const sameQuestions = await measureKinds(service, key, queries)
    const spread = await makeQueries(data, Number(values.queries), { databaseUrl })
    const kept = await keepAnswered(spread, service.address, key)
    const allStates = await measureKinds(service, key, kept)
    return { parcels: parcels * times, multiplied, disk: more, sameQuestions, allStates }
  }
}

async function measureKinds(service: RunningService, key: string, queries: Queries) {
  const requests: Record<string, unknown> = {}
  for (const [kind, list] of Object.entries(queries) as [Kind, Query[]][]) {
    requests[kind] = await measureKind(service, key, list)
  }
  return { load: readFileSync('/proc/loadavg', 'utf8').split(' ')[0], ...requests }
}

async function measureKind(service: RunningService, key: string, list: Query[]) {
  const paths = list.map(({ path }) => path)
  const load = (seconds: number) =>
    runWrk({
      address: service.address,
      paths,
      key,
      connections: Number(values.connections),
      seconds,
    })
  await load(WARM_SECONDS)
  const worker = workerOf(service)
  const before = {
    worker: cpuSeconds(worker),
    server: serverSeconds(),
    disk: diskBytesOfTree(postmaster()),
  }
  const { requests, perSecond, p50Ms, p99Ms, notOk } = await load(Number(values.seconds))
  const micros = (seconds: number) => Math.round((seconds / requests) * 1e6)
  let bytes = 0
  for (const path of paths.slice(0, BYTES_OF)) {
    bytes += Buffer.byteLength((await ask(service.address, path, key)).text)
  }
  return {
    perSecond,
    workerMicros: micros(cpuSeconds(worker) - before.worker),
    serverMicros: micros(serverSeconds() - before.server),
    diskBytes: Math.round((diskBytesOfTree(postmaster()) - before.disk) / requests),
    bodyBytes: Math.round(bytes / Math.min(BYTES_OF, paths.length)),
    questions: list.length,
    p50Ms,
    p99Ms,
    notOk,
  }
}

/** Bytes per parcel, in total and by table with its indexes, after VACUUM. */
async function readDisk(url: string, parcels: number) {
  const client = new Client(url)
  await client.connect()
  await client.query('VACUUM ANALYZE')
  const { rows } = await client.query(
    `SELECT c.relname AS name, pg_total_relation_size(c.oid)::float8 AS bytes FROM pg_class c
    WHERE c.relnamespace = 'platbook'::regnamespace AND c.relkind = 'r' ORDER BY 2 DESC`,
  )
  await client.end()
  const sum = rows.reduce((total, { bytes }) => total + bytes, 0)
  const tables = rows.map(({ name, bytes }) => [name, Math.round(bytes / parcels)])
  return {
    bytes: sum,
    bytesPerParcel: Math.round(sum / parcels),
    byTable: Object.fromEntries(tables.filter(([, each]) => Number(each) > 0)),
  }
}

function postmaster(): number {
  return Number(readFileSync(join(server.folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0])
}

function serverSeconds(): number {
  const pid = postmaster()
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  // Connections that have ended count for the process that started them.
  return cpuSecondsOfTree(pid) + (Number(fields[13]) + Number(fields[14])) / 100
}
