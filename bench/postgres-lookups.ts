/**
 * Parcel lookups a second through the whole service over PostgreSQL. `pgbench -M prepared` runs the
 * same select with as many clients, in turns in one run. Prints JSON: medians over the turns, their
 * ratio, and where the processor time of a lookup goes.
 *
 *   node bench/postgres-lookups.ts --parcels 20000 --turns 3 --seconds 4
 *   node bench/postgres-lookups.ts --kind address
 *
 * Needs wrk and pgbench on the PATH. The server is the one that the tests use; it, the service and
 * the load share the machine's cores.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sampleCsv } from '../src/sample/generate.ts'
import { LOOKUPS } from '../src/store/postgres/read/statements.ts'
import { startServer } from '../test/postgres-server.ts'
import { describeMachine } from './kit/machine.ts'
import { median, round } from './kit/numbers.ts'
import { cpuSecondsOfServer, cpuSecondsOfTree } from './kit/process.ts'

const { values } = parseArgs({
  options: {
    kind: { type: 'string', default: 'parcelId' },
    parcels: { type: 'string', default: '20000' },
    turns: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    clients: { type: 'string', default: '32' },
    workers: { type: 'string', default: '2' },
  },
})

const PLATBOOK = new URL('../src/cli/main.ts', import.meta.url).pathname
/** Warm-up until the code is compiled. */
const WARM_SECONDS = 3
/** Where pgbench has not connected within this time, something else is wrong. */
const LONGEST_SECONDS = 60
const FIRST = 1_000_000
const PARCELS = Number(values.parcels)

/** The select of pgbench for a random number `:key`, and the request of a caller for the same. */
const KINDS: Record<string, { select: string; path: string; first: number }> = {
  parcelId: {
    select: LOOKUPS.byParcelId.one.replaceAll('$2', '55025').replaceAll('$3', ':key'),
    path: 'parcelId/?state=WI&county=Dane&parcelId=%d',
    first: FIRST,
  },
  address: {
    select: LOOKUPS.onlyAtSitusKey.one
      .replaceAll('$2', "(:key || '||MAIN|ST|')")
      .replaceAll('$3', "''"),
    path: 'address/?state=WI&county=Dane&address=%d%%20Main%%20St',
    first: 1,
  },
}
const KIND = KINDS[values.kind]
if (KIND === undefined) throw new Error(`--kind is one of ${Object.keys(KINDS).join(', ')}`)
const { select, path, first } = KIND

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
    [
      PLATBOOK,
      'serve',
      '--no-console',
      '--port',
      '0',
      '--workers',
      values.workers,
      '--data',
      scratch,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const lines = createInterface({ input: service.stdout })
  const [first] = (await once(lines, 'line')) as [string]
  const address = /http:\S+/.exec(first)?.[0] ?? ''
  runService(address, WARM_SECONDS)
  const turns: Record<'service' | 'pgbench', Measured>[] = []
  for (let turn = 0; turn < Number(values.turns); turn += 1) {
    const pgbench = await measure(service.pid, () => runPgbench())
    turns.push({
      pgbench,
      service: await measure(service.pid, () => runService(address, Number(values.seconds))),
    })
  }
  service.kill('SIGTERM')
  await once(service, 'exit')
  const middle = (which: 'service' | 'pgbench', what: keyof Measured) =>
    median(turns.map((turn) => turn[which][what]))
  const all = (which: 'service' | 'pgbench') =>
    middle(which, 'loadMicros') + middle(which, 'serverMicros') + middle(which, 'serviceMicros')
  return {
    machine: describeMachine(),
    parcels: loaded.loaded,
    importRowsPerSecond: Math.round(loaded.rows / loaded.seconds),
    clients: Number(values.clients),
    servicePerSecond: middle('service', 'perSecond'),
    pgbenchPerSecond: middle('pgbench', 'perSecond'),
    ratio: round(middle('service', 'perSecond') / middle('pgbench', 'perSecond'), 2),
    /** The same, computed for an otherwise idle machine under full load. */
    ratioByProcessorTime: round(all('pgbench') / all('service'), 2),
    turns,
  }
}

type Run = { count: number; perSecond: number; loadSeconds: number }
/**
 * Processor time a lookup, microseconds: of the service, of the database server, of the program
 * that asks.
 */
type Measured = Record<'perSecond' | 'serviceMicros' | 'serverMicros' | 'loadMicros', number>

async function measure(pid: number | undefined, run: () => Run): Promise<Measured> {
  const before = await cpuNow(pid)
  const { count, perSecond, loadSeconds } = run()
  const after = await cpuNow(pid)
  const micros = (seconds: number) => Math.round((seconds / count) * 1e6)
  return {
    perSecond,
    serviceMicros: micros(after.service - before.service),
    serverMicros: micros(after.server - before.server),
    loadMicros: micros(loadSeconds),
  }
}

/**
 * Processor time of all processes of the service, and of those of the server, also of those that
 * have ended.
 */
async function cpuNow(pid: number | undefined) {
  // Connections that were just closed are still ending.
  await setTimeout(300)
  const file = join(server.folder, 'data', 'postmaster.pid')
  const postmaster = Number(readFileSync(file, 'utf8').split('\n')[0])
  return { service: cpuSecondsOfTree(pid ?? 0), server: cpuSecondsOfServer(postmaster) }
}

/** Parcel IDs are numbers in a row, since pgbench draws numbers only. */
async function writeRoll(path: string): Promise<void> {
  let text = ''
  for await (const part of sampleCsv({ parcels: PARCELS, seed: 1 })) text += part
  const [head = '', ...rows] = text.trimEnd().split('\n')
  const columns = head.split(',')
  const names = ['state', 'county', 'parcelId', 'address', 'unitType', 'unitNumberStripped']
  const place = names.map((name) => columns.indexOf(name))
  const numbered = rows.map((row, at) => {
    const cells =
      row.match(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)?.map((cell) => cell.replace(/,$/, '')) ?? []
    const own = ['WI', 'Dane', String(FIRST + at), `${at + 1} Main St`, '', '']
    for (const [which, value] of own.entries()) cells[place[which] ?? 0] = value
    return cells.slice(0, columns.length).join(',')
  })
  writeFileSync(path, `${[head, ...numbered].join('\n')}\n`)
}

function writeScripts(key: string): void {
  const [least, most] = [first, first + PARCELS - 1]
  const drawn = `\\set key random(${least}, ${most})\n`
  const text = select.replaceAll('$1', "'WI'").replace(/\s+/g, ' ')
  writeFileSync(join(scratch, 'lookup.sql'), `${drawn}${text};\n`)
  writeFileSync(
    join(scratch, 'lookup.lua'),
    `request = function()
      local path = string.format("/public/property/${path}", math.random(${least}, ${most}))
      return wrk.format("GET", path, { ["Authorization"] = "${key}" })
    end
    done = function(summary)
      local failed = summary.errors.status + summary.errors.timeout + summary.errors.read
      print(string.format("RESULT %d %d %d", summary.requests, summary.duration, failed))
    end`,
  )
}

/**
 * Its clock runs while it connects. Where that takes longer than it was given, it ends without a
 * single select, and has no figure. Then it gets twice the time.
 */
function runPgbench(seconds = Number(values.seconds)): Run {
  const words = ['-h', server.folder, '-U', 'postgres', '-n', '-M', 'prepared', '-j', '1']
  const load = ['-c', values.clients, '-T', String(seconds), '-f', join(scratch, 'lookup.sql')]
  const { out, cpuSeconds } = runTimed(['pgbench', ...words, ...load, 'bench'])
  const count = Number(/actually processed: (\d+)/.exec(out)?.[1])
  const rate = /^tps = ([\d.]+)/m.exec(out)?.[1]
  if (count === 0 && seconds < LONGEST_SECONDS) return runPgbench(seconds * 2)
  if (rate === undefined) throw new Error(`pgbench gave no rate: ${out}`)
  return { count, perSecond: Math.round(Number(rate)), loadSeconds: cpuSeconds }
}

function runService(address: string, seconds: number): Run {
  const words = ['-t1', `-c${values.clients}`, `-d${seconds}s`, '-s', join(scratch, 'lookup.lua')]
  const { out, cpuSeconds } = runTimed(['wrk', ...words, address])
  const fields = /^RESULT (\d+) (\d+) (\d+)$/m.exec(out)
  if (fields === null) throw new Error(`wrk told no result: ${out}`)
  const [, count = 0, micros = 1, failed] = fields.map(Number)
  if (failed !== 0) throw new Error(`${failed} requests failed`)
  return { count, perSecond: Math.round((count / micros) * 1e6), loadSeconds: cpuSeconds }
}

/**
 * Returns a program's output and its processor time as reported by the shell: `0m1.20s 0m0.45s` for
 * its children. Throws its error output when it fails.
 */
function runTimed(words: string[]): { out: string; cpuSeconds: number } {
  const out = execFileSync('sh', ['-c', '"$@" && times', 'sh', ...words], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PGOPTIONS: '-c search_path=platbook' },
  })
  const times = [...out.matchAll(/(\d+)m([\d.]+)s/g)].slice(-2)
  const seconds = times.map(([, minutes, rest]) => Number(minutes) * 60 + Number(rest))
  return { out, cpuSeconds: seconds.reduce((sum, one) => sum + one, 0) }
}

function platbook(...words: string[]): string {
  return execFileSync(process.execPath, [PLATBOOK, ...words, '--data', scratch], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}
