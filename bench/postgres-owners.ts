/**
 * Measures an owner search over each store and size, in turns in one run: processor time per search
 * of the worker and of the database server in microseconds, and bytes of the answer. Prints JSON.
 *
 *   node bench/postgres-owners.ts --sizes 100000,1000000 --turns 3 --seconds 4
 *
 * Goals: over PostgreSQL 600 µs together at a million parcels; over SQLite a million costs at most
 * 1.15 times what a hundred thousand cost.
 *
 * Parcels are generated; every search is for the surname of a parcel that was drawn evenly. Needs
 * wrk on the PATH, and 5 GB of disk for a million. Other programs on the machine lengthen response
 * times, which are not printed, and slightly the processor times.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeCustomer, platbook } from '../test/ledger/running-service.ts'
import { startServer } from '../test/postgres-server.ts'
import { describeMachine } from './kit/machine.ts'
import { median } from './kit/numbers.ts'
import { cpuSeconds, cpuSecondsOfServer } from './kit/process.ts'
import { ask, keepAnswered, makeQueries } from './kit/queries.ts'
import { type RunningService, startRunning, workerOf } from './kit/service.ts'
import { runWrk } from './kit/wrk.ts'

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '20000' },
    turns: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    queries: { type: 'string', default: '1000' },
    connections: { type: 'string', default: '8' },
    stores: { type: 'string', default: 'sqlite,postgres' },
    /** More parameters of each search, such as `&limit=1`. */
    more: { type: 'string', default: '' },
  },
})

const WARM_SECONDS = 2
const BYTES_OF = 100

type Store = {
  name: string
  service: RunningService
  key: string
  paths: string[]
  bytes: number
  turns: { worker: number; server: number }[]
}

const scratch = mkdtempSync(join(tmpdir(), 'platbook-bench-'))
const wanted = values.stores.split(',')
const server = wanted.includes('postgres') ? await startServer(['shared_buffers=512MB']) : undefined
const stores: Store[] = []
try {
  for (const size of values.sizes.split(',').map(Number)) {
    for (const store of wanted) stores.push(await prepare(store, size))
  }
  for (let turn = 0; turn < Number(values.turns); turn += 1) {
    for (const store of stores) store.turns.push(await measure(store))
  }
  const results = stores.map(({ name, paths, bytes, turns }) => ({
    name,
    questions: paths.length,
    bodyBytes: bytes,
    workerMicros: median(turns.map(({ worker }) => worker)),
    serverMicros: median(turns.map(({ server }) => server)),
    turns,
  }))
  console.log(JSON.stringify({ machine: describeMachine(), stores: results }, null, 2))
} finally {
  await Promise.all(stores.map(({ service }) => service.stop()))
  await server?.stop()
  rmSync(scratch, { recursive: true, force: true })
}

async function prepare(store: string, size: number): Promise<Store> {
  const name = `${store}_${size}`
  const data = join(scratch, name)
  mkdirSync(data)
  const databaseUrl = store === 'postgres' ? await server?.createDatabase(name) : undefined
  // The commands and the service read it from here.
  if (databaseUrl === undefined) delete process.env.PLATBOOK_DATABASE_URL
  else process.env.PLATBOOK_DATABASE_URL = databaseUrl
  platbook(['sample', '--parcels', String(size), '--json'], data)
  const { key } = makeCustomer(data)
  const service = await startRunning({ data, workers: 1 })
  const made = await makeQueries(data, Number(values.queries), { databaseUrl: databaseUrl ?? null })
  const none = { parcelId: [], address: [], page25: [] }
  const { owner } = await keepAnswered({ ...none, owner: made.owner }, service.address, key)
  const paths = owner.map(({ path }) => path + values.more)
  let bytes = 0
  for (const path of paths.slice(0, BYTES_OF)) {
    bytes += Buffer.byteLength((await ask(service.address, path, key)).text)
  }
  const prepared = { name, service, key, paths, turns: [] }
  await load(prepared, WARM_SECONDS)
  return { ...prepared, bytes: Math.round(bytes / Math.min(BYTES_OF, paths.length)) }
}

async function measure(store: Store) {
  const worker = workerOf(store.service)
  const before = { worker: cpuSeconds(worker), server: serverSeconds() }
  const { requests } = await load(store, Number(values.seconds))
  const micros = (seconds: number) => Math.round((seconds / requests) * 1e6)
  return {
    worker: micros(cpuSeconds(worker) - before.worker),
    server: micros(serverSeconds() - before.server),
  }
}

function load({ service, paths, key }: Pick<Store, 'service' | 'paths' | 'key'>, seconds: number) {
  const connections = Number(values.connections)
  return runWrk({ address: service.address, paths, key, connections, seconds })
}

/** Processor time of the database server. */
function serverSeconds(): number {
  if (server === undefined) return 0
  const file = join(server.folder, 'data', 'postmaster.pid')
  return cpuSecondsOfServer(Number(readFileSync(file, 'utf8').split('\n')[0]))
}
