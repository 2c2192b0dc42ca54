/**
 * Parcel lookups a second through the whole service over PostgreSQL, beside what `pgbench -M prepared` gets for the very same select
 * with as many clients, in turns in one run. Prints JSON: medians over the turns, their ratio, and where the processor time of a lookup goes.
 *
 *   node bench/postgres-lookups.ts --parcels 20000 --turns 3 --seconds 4
 *
 * Needs wrk and pgbench on the PATH. The server is the one that the tests use; it, the service and the load share the machine's cores.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { sampleCsv } from '../src/sample/generate.ts'
import { SQL } from '../src/store/postgres/statements.ts'
import { startServer } from '../test/postgres-server.ts'
import { cpuSecondsOfTree } from './kit/process.ts'

const { values } = parseArgs({
  options: {
    parcels: { type: 'string', default: '20000' },
    turns: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    clients: { type: 'string', default: '32' },
    workers: { type: 'string', default: '2' },
  },
})

const PLATBOOK = new URL('../src/cli/main.ts', import.meta.url).pathname
const FIRST = 1_000_000
const PARCELS = Number(values.parcels)

const scratch = mkdtempSync(join(tmpdir(), 'platbook-bench-'))
const server = await startServer()
process.env.PLATBOOK_DATABASE_URL = await server.createDatabase('bench')
try {
  console.log(JSON.stringify(await run(), null, 2))
} finally {
  await server.stop()
  rmSync(scratch, { recursive: true, force: true })
}

async function run() {
  await writeRoll(join(scratch, 'roll.csv'))
  const loaded = JSON.parse(
    platbook('import', join(scratch, 'roll.csv'), '--mapping', 'platbook', '--json'),
  )
  const account = JSON.parse(platbook('account', 'create', 'Bench', '--json')).id as string
  const { key } = JSON.parse(platbook('key', 'create', account, '--json')) as { key: string }
  writeScripts(key)
  const service = spawn(
    process.execPath,
    [PLATBOOK, 'serve', '--port', '0', '--workers', values.workers, '--data', scratch],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const lines = createInterface({ input: service.stdout })
  const [first] = (await once(lines, 'line')) as [string]
  const address = /http:\S+/.exec(first)?.[0] ?? ''
  await runService(address, 1)
  const turns: { service: number; pgbench: number; serviceMicros: number; serverMicros: number }[] =
    []
  for (let turn = 0; turn < Number(values.turns); turn += 1) {
    const pgbench = await runPgbench()
    const before = cpuNow(service.pid)
    const rate = await runService(address, Number(values.seconds))
    const after = cpuNow(service.pid)
    const lookups = rate * Number(values.seconds)
    const micros = (name: 'service' | 'server') =>
      Math.round(((after[name] - before[name]) / lookups) * 1e6)
    turns.push({
      pgbench,
      service: rate,
      serviceMicros: micros('service'),
      serverMicros: micros('server'),
    })
  }
  service.kill('SIGTERM')
  await once(service, 'exit')
  const [asked, plain] = [
    median(turns.map((turn) => turn.service)),
    median(turns.map((turn) => turn.pgbench)),
  ]
  return {
    machine: `${cpus().length} × ${cpus()[0]?.model ?? ''}`,
    parcels: loaded.loaded,
    importRowsPerSecond: Math.round(loaded.rows / loaded.seconds),
    clients: Number(values.clients),
    servicePerSecond: asked,
    pgbenchPerSecond: plain,
    ratio: Number((asked / plain).toFixed(2)),
    serviceMicros: median(turns.map((turn) => turn.serviceMicros)),
    serverMicros: median(turns.map((turn) => turn.serverMicros)),
    turns,
  }
}

/** Processor time of all processes of the service, and of those of the server that are there now. */
function cpuNow(pid: number | undefined) {
  const file = join(server.folder, 'data', 'postmaster.pid')
  const [postmaster] = readFileSync(file, 'utf8').split('\n')
  return { service: cpuSecondsOfTree(pid ?? 0), server: cpuSecondsOfTree(Number(postmaster)) }
}

/** Parcel IDs are numbers in a row, since pgbench draws numbers only. */
async function writeRoll(path: string): Promise<void> {
  let text = ''
  for await (const part of sampleCsv({ parcels: PARCELS, seed: 1 })) text += part
  const [head = '', ...rows] = text.trimEnd().split('\n')
  const columns = head.split(',')
  const place = ['state', 'county', 'parcelId'].map((name) => columns.indexOf(name))
  const numbered = rows.map((row, at) => {
    const cells =
      row.match(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)?.map((cell) => cell.replace(/,$/, '')) ?? []
    for (const [which, value] of ['WI', 'Dane', String(FIRST + at)].entries())
      cells[place[which] ?? 0] = value
    return cells.slice(0, columns.length).join(',')
  })
  writeFileSync(path, `${[head, ...numbered].join('\n')}\n`)
}

function writeScripts(key: string): void {
  const select = SQL.byParcelId
    .replaceAll('$1', "'WI'")
    .replaceAll('$2', '55025')
    .replaceAll('$3', ':key')
  const drawn = `\\set key random(${FIRST}, ${FIRST + PARCELS - 1})\n`
  writeFileSync(join(scratch, 'lookup.sql'), `${drawn}${select.replace(/\s+/g, ' ')};\n`)
  writeFileSync(
    join(scratch, 'lookup.lua'),
    `request = function()
      local path = "/public/property/parcelId/?state=WI&county=Dane&parcelId=" .. math.random(${FIRST}, ${FIRST + PARCELS - 1})
      return wrk.format("GET", path, { ["Authorization"] = "${key}" })
    end
    done = function(summary)
      local failed = summary.errors.status + summary.errors.timeout + summary.errors.read
      print(string.format("RESULT %d %d %d", summary.requests, summary.duration, failed))
    end`,
  )
}

async function runPgbench(): Promise<number> {
  const words = ['-h', server.folder, '-U', 'postgres', '-n', '-M', 'prepared', '-j', '1']
  const load = [
    '-c',
    values.clients,
    '-T',
    values.seconds,
    '-f',
    join(scratch, 'lookup.sql'),
    'bench',
  ]
  const out = execFileSync('pgbench', [...words, ...load], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, PGOPTIONS: '-c search_path=platbook' },
  })
  return Math.round(Number(/^tps = ([\d.]+)/m.exec(out)?.[1]))
}

async function runService(address: string, seconds: number): Promise<number> {
  const words = [
    '-t1',
    `-c${values.clients}`,
    `-d${seconds}s`,
    '-s',
    join(scratch, 'lookup.lua'),
    address,
  ]
  const out = execFileSync('wrk', words, { encoding: 'utf8' })
  const [, requests, micros, failed] = /^RESULT (\d+) (\d+) (\d+)$/m.exec(out)?.map(Number) ?? []
  if (failed !== 0) throw new Error(`${failed} requests failed`)
  return Math.round(((requests ?? 0) / (micros ?? 1)) * 1e6)
}

function platbook(...words: string[]): string {
  return execFileSync(process.execPath, [PLATBOOK, ...words, '--data', scratch], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

function median(numbers: number[]): number {
  return numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}
