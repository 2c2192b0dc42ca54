/**
 * Measures what a second server between the service and its data costs: processor time of each kind
 * of request over one PostgreSQL server and over a cluster of Citus, in turns in one run. Prints
 * JSON: medians in microseconds a request.
 *
 *   node bench/postgres-hop.ts --turns 3 --seconds 4 \
 *     --server postgres://postgres@127.0.0.1:5432/one \
 *     --cluster postgres://postgres@127.0.0.1:5433/platbook
 *
 * Each database must be there and empty, with the extension and the nodes in that of the cluster;
 * a target without an address is left out. All servers are on this machine, since their processor
 * time is read from the system, and share it with nothing else that asks them. The user must be
 * allowed to read `postmaster.pid`. Needs wrk on the PATH.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { makeCustomer, platbook } from '../test/ledger/running-service.ts'
import { describeMachine } from './kit/machine.ts'
import { median } from './kit/numbers.ts'
import { cpuSeconds, cpuSecondsOfServer } from './kit/process.ts'
import { type Kind, keepAnswered, makeQueries, type Queries } from './kit/queries.ts'
import { tellResult } from './kit/result.ts'
import { type RunningService, startRunning, withScratch, workerOf } from './kit/service.ts'
import { runWrk } from './kit/wrk.ts'

const { values } = parseArgs({
  options: {
    server: { type: 'string' },
    cluster: { type: 'string' },
    parcels: { type: 'string', default: '4000' },
    queries: { type: 'string', default: '1000' },
    turns: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '8' },
    out: { type: 'string' },
  },
})

const WARM_SECONDS = 2
const KINDS: Kind[] = ['parcelId', 'address', 'page25', 'owner']

/** `nodes`: the workers of a cluster, which `server` passes questions on to. */
type Pids = { service: number[]; server: number[]; nodes: number[] }
type Cost = { service: number; server: number; nodes: number }
type Target = {
  name: string
  service: RunningService
  key: string
  pids: Pids
  turns: Record<Kind, Cost[]>
}

tellResult(await withScratch(run), values.out)

async function run(scratch: string) {
  const targets: Target[] = []
  try {
    const { server, cluster } = values
    if (server) targets.push(await prepare(scratch, 'server', server))
    if (cluster) targets.push(await prepare(scratch, 'cluster', cluster))
    const [first] = targets
    if (first === undefined) throw new Error('--server or --cluster is needed')
    // Every target has the same parcels, so the same questions.
    const queries = await askedOf(scratch, first)
    for (let turn = -1; turn < Number(values.turns); turn += 1) {
      for (const target of targets) {
        for (const kind of KINDS) {
          const cost = await measure(target, kind, queries, turn < 0)
          if (turn >= 0) target.turns[kind].push(cost)
        }
      }
    }
    return { machine: describeMachine(), targets: targets.map(summarize) }
  } finally {
    await Promise.all(targets.map(({ service }) => service.stop()))
  }
}

/** Fills the databases of a target and starts a service over them. */
async function prepare(scratch: string, name: string, url: string): Promise<Target> {
  const data = join(scratch, name)
  mkdirSync(data)
  // The commands and the service read them from here.
  process.env.PLATBOOK_DATABASE_URL = url
  if (name === 'cluster') platbook(['shards', '--distribute'], data)
  platbook(['sample', '--parcels', values.parcels, '--json'], data)
  const { key } = makeCustomer(data)
  const service = await startRunning({ data, workers: 1 })
  const pids = {
    service: [workerOf(service), ...service.pids('ledger')],
    server: [await readPostmaster(url)],
    nodes: name === 'cluster' ? await readNodes(url) : [],
  }
  const turns = { parcelId: [], address: [], page25: [], owner: [] }
  return { name, service, key, pids, turns }
}

async function askedOf(scratch: string, { name, service, key }: Target): Promise<Queries> {
  const settings = { databaseUrl: values.server ?? values.cluster ?? null }
  const made = await makeQueries(join(scratch, name), Number(values.queries), settings)
  return keepAnswered(made, service.address, key)
}

async function measure(target: Target, kind: Kind, queries: Queries, isWarmUp: boolean) {
  const { service, key, pids } = target
  const before = readSeconds(pids)
  const { requests, notOk } = await runWrk({
    address: service.address,
    paths: queries[kind].map(({ path }) => path),
    key,
    connections: Number(values.connections),
    seconds: isWarmUp ? WARM_SECONDS : Number(values.seconds),
  })
  if (notOk > 0) throw new Error(`${target.name}: ${notOk} requests of ${kind} were not answered`)
  const after = readSeconds(pids)
  const micros = (of: keyof Cost) => Math.round(((after[of] - before[of]) / requests) * 1e6)
  return { service: micros('service'), server: micros('server'), nodes: micros('nodes') }
}

function readSeconds({ service, server, nodes }: Pids): Cost {
  const sum = (pids: number[], seconds: (pid: number) => number) =>
    pids.reduce((all, pid) => all + seconds(pid), 0)
  return {
    service: sum(service, cpuSeconds),
    server: sum(server, cpuSecondsOfServer),
    nodes: sum(nodes, cpuSecondsOfServer),
  }
}

function summarize({ name, turns }: Target) {
  const of = (costs: Cost[], what: keyof Cost) => median(costs.map((cost) => cost[what]))
  const kinds = KINDS.map((kind) => {
    const costs = turns[kind]
    const [service, server] = [of(costs, 'service'), of(costs, 'server')]
    return [kind, { service, server, nodes: of(costs, 'nodes'), turns: costs }]
  })
  return { name, ...Object.fromEntries(kinds) }
}

async function readNodes(url: string): Promise<number[]> {
  const nodes = await ask<{ host: string; port: number }>(
    url,
    'SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE groupid <> 0',
  )
  return Promise.all(
    nodes.map(({ host, port }) => {
      const address = new URL(url)
      address.hostname = host
      address.port = String(port)
      return readPostmaster(address.href)
    }),
  )
}

async function readPostmaster(url: string): Promise<number> {
  const [row] = await ask<{ text: string }>(url, "SELECT pg_read_file('postmaster.pid') AS text")
  return Number(row?.text.split('\n')[0])
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
