/**
 * Requests a second of each endpoint on one worker, beside a bare `node:http` server that sends the same bytes, in turns
 * in one run. Prints JSON: medians over the turns, and their ratio.
 *
 *   npm run bench:quick                        20,000 generated parcels, 3 turns of 3 seconds
 *   node bench/requests.ts --data DIR --turns 5 --seconds 5
 *
 * Needs wrk (Debian's package) on the PATH. A turn counts only while the serving process is at least 95 % busy; `busy` tells how
 * much it was.
 */
import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { readConfig } from '../src/config.ts'
import { decodeLeaves } from '../src/layout/leaves.ts'
import { readOwners } from '../src/owner/canonical.ts'
import { countyByFips } from '../src/place/counties.ts'
import { openStore } from '../src/store/open.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    parcels: { type: 'string', default: '20000' },
    turns: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '32' },
    only: { type: 'string' },
  },
})

const PLATBOOK = new URL('../src/cli/main.ts', import.meta.url).pathname
const BARE = new URL('./bare-server.ts', import.meta.url).pathname
const QUERIES = 2000

const scratch = mkdtempSync(join(tmpdir(), 'platbook-bench-'))
const data = values.data ?? join(scratch, 'data')
try {
  console.log(JSON.stringify(await run(), null, 2))
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

async function run() {
  if (!existsSync(join(data, 'parcels.db'))) {
    platbook('sample', '--parcels', values.parcels, '--json')
  }
  const account = JSON.parse(platbook('account', 'create', 'Bench', '--json')).id as string
  const { key } = JSON.parse(platbook('key', 'create', account, '--json')) as { key: string }
  const kinds = await makeQueries()
  const service = await startService()
  const results: Record<string, unknown> = {}
  try {
    for (const [name, paths] of Object.entries(kinds)) {
      if (values.only !== undefined && values.only !== name) continue
      results[name] = await compare(name, paths, service, key)
    }
  } finally {
    service.process.kill('SIGTERM')
    await once(service.process, 'exit')
  }
  return {
    machine: { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version },
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    load: readFileSync('/proc/loadavg', 'utf8').trim(),
    results,
  }
}

type Service = { process: ChildProcess; address: string; worker: number }

async function compare(name: string, paths: string[], service: Service, key: string) {
  const sizes = await Promise.all(
    paths.slice(0, 50).map(async (path) => {
      const response = await fetch(service.address + path, { headers: { authorization: key } })
      const text = await response.text()
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`)
      return text
    }),
  )
  const body = sizes.sort((a, b) => a.length - b.length)[sizes.length >> 1] ?? ''
  const bare = fork(BARE, { execArgv: [] })
  bare.send(body)
  const [port] = (await once(bare, 'message')) as [number]
  const script = writeScript(name, paths, key)
  const ours: Turn[] = []
  const limit: Turn[] = []
  for (let turn = 0; turn < Number(values.turns); turn += 1) {
    ours.push(await drive(service.address, script, service.worker))
    limit.push(await drive(`http://127.0.0.1:${port}`, script, bare.pid ?? 0))
  }
  bare.disconnect()
  const perSecond = median(ours.map((turn) => turn.perSecond))
  const barePerSecond = median(limit.map((turn) => turn.perSecond))
  const cpuMicros = median(ours.map((turn) => turn.cpuMicros))
  const bareCpuMicros = median(limit.map((turn) => turn.cpuMicros))
  return {
    bytes: body.length,
    perSecond,
    barePerSecond,
    ratio: Number((perSecond / barePerSecond).toFixed(3)),
    cpuMicros,
    bareCpuMicros,
    cpuRatio: Number((bareCpuMicros / cpuMicros).toFixed(3)),
    p99Ms: median(ours.map((turn) => turn.p99Ms)),
    busy: ours.map((turn) => turn.busy),
    notOk: ours.reduce((sum, turn) => sum + turn.notOk, 0),
  }
}

/** Asks for every parcel anew in an order that no cache can guess. */
function writeScript(name: string, paths: string[], key: string): string {
  const file = join(scratch, `${name}.lua`)
  const list = paths.map((path) => JSON.stringify(path)).join(',\n')
  writeFileSync(
    file,
    `local paths = {\n${list}\n}
local n = 0
wrk.headers["Authorization"] = "${key}"
function request()
  n = n % #paths + 1
  return wrk.format("GET", paths[n])
end
function done(summary, latency, requests)
  io.write(string.format("RESULT %d %d %f %d\\n", summary.requests, summary.duration, latency:percentile(99), summary.errors.status))
end
`,
  )
  return file
}

type Turn = {
  perSecond: number
  /** Microseconds of the serving process's CPU per request: says the same on a machine that others use too. */
  cpuMicros: number
  p99Ms: number
  busy: number
  notOk: number
}

async function drive(address: string, script: string, pid: number): Promise<Turn> {
  const before = cpuSeconds(pid)
  const started = performance.now()
  const wrk = spawn('wrk', [
    '-t1',
    `-c${values.connections}`,
    `-d${values.seconds}s`,
    '-s',
    script,
    address,
  ])
  const lines = createInterface({ input: wrk.stdout })
  let result: Turn | undefined
  for await (const line of lines) {
    const match = /^RESULT (\d+) (\d+) ([\d.]+) (\d+)$/.exec(line)
    if (match === null) continue
    const [, requests, micros, p99, errors] = match.map(Number)
    result = {
      perSecond: Math.round(((requests ?? 0) / (micros ?? 1)) * 1e6),
      p99Ms: Number(((p99 ?? 0) / 1000).toFixed(2)),
      cpuMicros: requests ?? 1,
      busy: 0,
      notOk: errors ?? 0,
    }
  }
  if (result === undefined) throw new Error('wrk gave no result; is it installed?')
  const elapsed = (performance.now() - started) / 1000
  const used = cpuSeconds(pid) - before
  result.busy = Number((used / elapsed).toFixed(2))
  result.cpuMicros = Number(((used * 1e6) / result.cpuMicros).toFixed(1))
  return result
}

/** User and system time of a process, seconds. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Queries over parcels spread through the data, a list per endpoint. */
async function makeQueries(): Promise<Record<string, string[]>> {
  const store = openStore({ ...readConfig({}), data })
  const lists: Record<string, string[]> = { parcelId: [], address: [], page25: [], owner: [] }
  const counties = await store.parcels.coverage()
  for (const { state, fips, parcels } of counties) {
    const county = countyByFips(fips)?.name ?? ''
    const step = Math.max(1, Math.floor((parcels * counties.length) / QUERIES))
    const filter = { state, fips, assignedOnly: true }
    let after = 0
    for (let count = 0; count < QUERIES / counties.length; count += 1) {
      const page = await store.parcels.page(filter, after, step - 1, 1, Number.MAX_SAFE_INTEGER)
      const [stored] = page.parcels
      if (stored === undefined) break
      const cursor = Buffer.from(`{"lastId":"${after.toString(16).padStart(24, '0')}"}`).toString(
        'base64url',
      )
      after = stored.id
      const parcel = decodeLeaves(stored.leaves)
      const query = (more: Record<string, string>) => new URLSearchParams({ state, ...more })
      lists.parcelId?.push(
        `/public/property/parcelId/?${query({ county, parcelId: parcel.parcelId })}`,
      )
      lists.page25?.push(`/public/property/search/?${query({ limit: '25', cursor })}`)
      const unit = parcel.unitNumberStripped
      lists.address?.push(
        `/public/property/address/?${query({ county, address: parcel.address ?? '', ...(unit && { unit }) })}`,
      )
      const order = 'mixed'
      const { slots } = readOwners([parcel.ownerName, parcel.ownerName2], order)
      const surname = slots[0]?.persons[0]?.surname
      if (surname !== undefined) {
        lists.owner?.push(`/public/premium/owner/?${query({ lastName: surname })}`)
      }
    }
  }
  await store.close()
  return await keepAnswered(lists)
}

/** Leaves out what would answer 404: an ambiguous address, a name read otherwise. */
async function keepAnswered(lists: Record<string, string[]>): Promise<Record<string, string[]>> {
  const service = await startService()
  const account = JSON.parse(platbook('account', 'create', 'Check', '--json')).id as string
  const { key } = JSON.parse(platbook('key', 'create', account, '--json')) as { key: string }
  const kept: Record<string, string[]> = {}
  for (const [name, paths] of Object.entries(lists)) {
    kept[name] = []
    for (const path of paths) {
      const response = await fetch(service.address + path, { headers: { authorization: key } })
      await response.arrayBuffer()
      if (response.status === 200) kept[name].push(path)
    }
  }
  service.process.kill('SIGTERM')
  await once(service.process, 'exit')
  return kept
}

async function startService(): Promise<Service> {
  const child = spawn(
    process.execPath,
    [PLATBOOK, 'serve', '--data', data, '--port', '0', '--workers', '1'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  for await (const line of createInterface({ input: child.stdout })) {
    const address = /http:\S+/.exec(line)?.[0]
    if (address === undefined) continue
    return { process: child, address, worker: findWorker(child.pid ?? 0) }
  }
  throw new Error('the service did not start')
}

/** The child of the primary that runs `worker.ts`. */
function findWorker(primary: number): number {
  const children = readFileSync(`/proc/${primary}/task/${primary}/children`, 'utf8').trim()
  const worker = children
    .split(' ')
    .find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('worker.ts'))
  return Number(worker)
}

function platbook(...words: (string | undefined)[]): string {
  const args = [PLATBOOK, ...words.map(String), '--data', data]
  return execFileSync(process.execPath, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

function median(numbers: number[]): number {
  return numbers.sort((a, b) => a - b)[numbers.length >> 1] ?? 0
}
