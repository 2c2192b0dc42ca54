/**
 * Measures the cost of a durable charge. The same owner search runs with a charge and without one
 * (in a copy of the program where it is free), in turns. 64 connections ask one worker. Prints
 * JSON: medians over the turns.
 *
 * node bench/charge.ts [--turns 9] [--seconds 1] [--workers 1]
 *
 * 20,000 generated parcels. Needs wrk (Debian's package) on the PATH. The goal: p50 grows by less
 * than 3 ms, and throughput stays at 0.7 or more.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { plantBug, QUERY } from '../test/ledger/promises.ts'
import { endAll, type ProcessKind, ROOT, startRunning } from '../test/ledger/running-service.ts'
import { makeCustomer, platbook } from './kit/service.ts'

const CONNECTIONS = 64
const { values } = parseArgs({
  options: {
    turns: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '1' },
    workers: { type: 'string', default: '1' },
  },
})

/** Processor time is per request, in microseconds. */
type Turn = {
  perSecond: number
  p50Ms: number
  p99Ms: number
  workerCpuUs: number
  ledgerCpuUs: number
}

const scratch = mkdtempSync(join(tmpdir(), 'platbook-charge-'))
try {
  console.log(JSON.stringify(await run(), null, 2))
} finally {
  await endAll()
  rmSync(scratch, { recursive: true, force: true })
}

async function run() {
  const file = 'src/http/answer.ts'
  const free = plantBug(join(scratch, 'free'), [
    { file, from: 'if (price > 0 && (await hasLeft(request))) return undefined', to: '' },
    { file, from: 'if (cost > 0 && ', to: 'if (cost < 0 && ' },
  ])
  const drives = { uncharged: await start(free), charged: await start(ROOT) }
  for (const drive of Object.values(drives)) drive('4')
  const turns: Record<keyof typeof drives, Turn[]> = { charged: [], uncharged: [] }
  for (let turn = 0; turn < Number(values.turns); turn += 1) {
    turns.uncharged.push(drives.uncharged(values.seconds))
    turns.charged.push(drives.charged(values.seconds))
  }
  const uncharged = medians(turns.uncharged)
  const charged = medians(turns.charged)
  return {
    connections: CONNECTIONS,
    workers: Number(values.workers),
    load: readFileSync('/proc/loadavg', 'utf8').trim(),
    uncharged,
    charged,
    addedP50Ms: Number((charged.p50Ms - uncharged.p50Ms).toFixed(2)),
    addedWorkerCpuUs: Number((charged.workerCpuUs - uncharged.workerCpuUs).toFixed(1)),
    throughput: Number((charged.perSecond / uncharged.perSecond).toFixed(3)),
  }
}

/**
 * Starts a program over a roll of its own; returns a function that drives it for some seconds. Both
 * programs run all the time, one of them idle.
 */
async function start(root: string): Promise<(seconds: string) => Turn> {
  const data = mkdtempSync(join(scratch, 'data-'))
  platbook(['sample', '--parcels', '20000'], data)
  const { key } = makeCustomer(data)
  const service = await startRunning({ root, data, workers: Number(values.workers) })
  const url = `${service.address}/public/premium/owner/?${QUERY}`
  const spent = (kind: ProcessKind) => sum(service.pids(kind).map(readCpuUs))
  return (seconds) => {
    const [worker, ledger] = [spent('worker'), spent('ledger')]
    const text = execFileSync(
      'wrk',
      [
        ...['-t', '1', '-c', String(CONNECTIONS), '-d', `${seconds}s`, '--latency'],
        ...['-H', `Authorization: ${key}`, url],
      ],
      { encoding: 'utf8' },
    )
    const requests = Number(/(\d+) requests in/.exec(text)?.[1])
    return {
      ...readFigures(text),
      workerCpuUs: (spent('worker') - worker) / requests,
      ledgerCpuUs: (spent('ledger') - ledger) / requests,
    }
  }
}

function readFigures(text: string) {
  if (text.includes('Non-2xx')) throw new Error(text)
  return {
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1]),
    p50Ms: readMs(/50%\s+(\S+)/.exec(text)?.[1] ?? ''),
    p99Ms: readMs(/99%\s+(\S+)/.exec(text)?.[1] ?? ''),
  }
}

/**
 * Processor time of all threads of a process, from `utime` and `stime` in ticks of a hundredth of a
 * second: proc(5).
 */
function readCpuUs(pid: number): number {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const fields = rest.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function readMs(text: string): number {
  const unit = text.replace(/[\d.]/g, '')
  return Number.parseFloat(text) * ({ us: 0.001, ms: 1, s: 1000 }[unit] ?? Number.NaN)
}

function medians(turns: Turn[]): Turn {
  const median = (of: (turn: Turn) => number) =>
    turns.map(of).sort((a, b) => a - b)[turns.length >> 1] ?? Number.NaN
  return {
    perSecond: median((turn) => turn.perSecond),
    p50Ms: median((turn) => turn.p50Ms),
    p99Ms: median((turn) => turn.p99Ms),
    workerCpuUs: Math.round(median((turn) => turn.workerCpuUs)),
    ledgerCpuUs: Math.round(median((turn) => turn.ledgerCpuUs)),
  }
}
