/**
 * Measures first loads over PostgreSQL and over SQLite in turns: rows a second, and processor time
 * a row of the command and of the server. Prints JSON. For docs/postgres.md.
 *
 *   node bench/postgres-load.ts --parcels 50000 --turns 3
 *   node bench/postgres-load.ts --file roll.csv --mapping ne-lancaster --geometry
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { writeSampleFile } from '../src/sample/file.ts'
import { startServer } from '../test/postgres-server.ts'
import type { ImportCost, ImportTask } from './kit/import-run.ts'
import { describeMachine } from './kit/machine.ts'
import { median, round } from './kit/numbers.ts'
import { cpuSecondsOfServer } from './kit/process.ts'

const { values } = parseArgs({
  options: {
    parcels: { type: 'string', default: '50000' },
    file: { type: 'string' },
    mapping: { type: 'string', default: 'platbook' },
    geometry: { type: 'boolean', default: false },
    turns: { type: 'string', default: '3' },
    /** PostgreSQL only. */
    alone: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
  },
})
const RUN = new URL('./kit/import-run.ts', import.meta.url).pathname
const COMPILED = new URL('../node_modules/.cache/platbook', import.meta.url).pathname

const folder = mkdtempSync(join(tmpdir(), 'platbook-load-'))
const server = await startServer(['shared_buffers=512MB', 'max_wal_size=8GB'])
try {
  console.log(JSON.stringify({ ...describeMachine(), ...(await measure()) }, null, 2))
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function measure() {
  const { file = join(folder, 'roll.csv'), parcels, turns, alone } = values
  if (values.file === undefined) {
    await writeSampleFile({ parcels: Number(parcels), seed: 1 }, file)
  }
  const sqlite: Measured[] = []
  const postgres: Measured[] = []
  for (let turn = 0; turn < Number(turns); turn += 1) {
    if (!alone) sqlite.push(await load(file))
    postgres.push(await load(file, await server.createDatabase(`turn_${turn}`)))
  }
  const told = { postgres: summarize(postgres) }
  if (alone) return { ...told, turns: { postgres } }
  const both = { sqlite: summarize(sqlite), ...told }
  const ratio = round(both.postgres.rowsPerSecond / both.sqlite.rowsPerSecond, 2)
  return { ...both, ratio, turns: { sqlite, postgres } }
}

type Measured = ImportCost & { serverSeconds: number; load: string }

/** Imports in a process of its own, into a new data folder or an empty database. */
async function load(file: string, databaseUrl?: string): Promise<Measured> {
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir)
  const before = cpuSecondsOfServer(postmaster())
  const child = fork(RUN, { env: { ...process.env, NODE_COMPILE_CACHE: COMPILED } })
  const { mapping, geometry, profile } = values
  const target = databaseUrl === undefined ? {} : { databaseUrl }
  child.send({ file, mapping, dataDir, geometry, profile, ...target } satisfies ImportTask)
  const gone = once(child, 'exit').then(() => {
    throw new Error('the import failed')
  })
  const [cost] = (await Promise.race([once(child, 'message'), gone])) as [ImportCost]
  gone.catch(() => undefined)
  child.kill()
  rmSync(dataDir, { recursive: true })
  const [average = ''] = readFileSync('/proc/loadavg', 'utf8').split(' ')
  const serverSeconds = round(cpuSecondsOfServer(postmaster()) - before, 2)
  return { ...cost, serverSeconds, load: average }
}

function summarize(costs: Measured[]) {
  const of = (read: (cost: Measured) => number) => round(median(costs.map(read)), 1)
  return {
    rowsPerSecond: Math.round(of(({ rowsPerSecond }) => rowsPerSecond)),
    seconds: of(({ seconds }) => seconds),
    commandMicros: of(({ cpuSeconds, rows }) => (cpuSeconds / rows) * 1e6),
    serverMicros: of(({ serverSeconds, rows }) => (serverSeconds / rows) * 1e6),
    peakMb: of(({ peakMb }) => peakMb),
  }
}

function postmaster(): number {
  return Number(readFileSync(join(server.folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0])
}
