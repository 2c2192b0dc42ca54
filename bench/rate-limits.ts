/**
 * What does a rate limit cost, and how exact is it over two processes on one ledger process?
 *
 *   node bench/rate-limits.ts [--seconds 70] [--rate 5000] [--limit 240000] [--out FILE]
 *
 * Two worker processes ask a real ledger process for `rate` requests a second in all; the limit is
 * below that. Prints JSON: requests admitted in each sixty seconds compared with the limit. It also
 * has nanoseconds of processor time per request for an account without a limit, below its limit and
 * above it.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { createRateLimits } from '../src/accounts/rate-limits.ts'
import { connectLedger } from '../src/ledger/client.ts'
import { createRateWindows } from '../src/ledger/rates/rate-windows.ts'
import { superviseLedger } from '../src/processes/supervise-ledger.ts'
import { readConfig } from '../src/settings/read-config.ts'
import { ledgerPlace } from '../src/store/data-folder.ts'
import { openAccounts, prepareData } from '../src/store/open.ts'
import { describeMachine } from './kit/machine.ts'
import { median, round } from './kit/numbers.ts'
import { tellResult } from './kit/result.ts'
import { withScratch } from './kit/service.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '70' },
    rate: { type: 'string', default: '5000' },
    limit: { type: 'string', default: '240000' },
    out: { type: 'string' },
    socket: { type: 'string' },
  },
})
const limit = Number(values.limit)
const TURN_MS = 5

type Told = { passed: number[]; refused: number; asks: number; lateMs: number }

if (values.socket !== undefined) await work(values.socket)
else tellResult(await withScratch(run), values.out)

async function run(scratch: string) {
  const config = { ...readConfig({}), data: join(scratch, 'data') }
  await prepareData(config)
  await (await openAccounts(config)).close()
  const ledger = superviseLedger(ledgerPlace(config), { report: console.error })
  await ledger.started
  const args = process.argv.slice(2)
  const workers = [1, 2].map(() =>
    fork(import.meta.filename, [...args, '--socket', ledger.socketPath], { execArgv: [] }),
  )
  const counts = await Promise.all(
    workers.map(async (worker) => (await once(worker, 'message'))[0] as Told),
  )
  await ledger.stop()
  const passed = counts.flatMap((one) => one.passed).sort((a, b) => a - b)
  const most = mostInMinute(passed)
  return {
    question: 'what a rate limit costs, and how exact it is over two workers',
    machine: describeMachine(),
    offeredPerSecond: Number(values.rate),
    limit,
    mostInMinute: most,
    ofLimit: round(most / limit, 4),
    leases: counts.map(({ asks }) => asks),
    slowestLeaseMs: round(Math.max(...counts.map(({ lateMs }) => lateMs)), 1),
    refused: counts.map(({ refused }) => refused),
    nsPerRequest: await measureCost(),
  }
}

/** A worker: sends its half, some each few milliseconds, as the event loop of a busy one would. */
async function work(socket: string): Promise<void> {
  const ledger = connectLedger(socket)
  await ledger.ready()
  const counts: Told = { passed: [], refused: 0, asks: 0, lateMs: 0 }
  const { lease, giveBack } = ledger.leases
  const counted: typeof ledger.leases = {
    giveBack,
    async lease(...asked) {
      counts.asks += 1
      const from = performance.now()
      const granted = await lease(...asked)
      counts.lateMs = Math.max(counts.lateMs, performance.now() - from)
      return granted
    },
  }
  const steadyMs = () => performance.now()
  const limits = createRateLimits({ leases: counted, workers: 2, steadyMs })
  // Times that both processes share.
  const clock = () => Number(process.hrtime.bigint() / 1000n) / 1000
  const started = clock()
  const perMs = Number(values.rate) / 2000
  let sent = 0
  const ask = async () => {
    try {
      await limits.admit('acc_1', limit)
      counts.passed.push(clock())
    } catch {
      counts.refused += 1
    }
  }
  while (clock() - started < Number(values.seconds) * 1000) {
    for (const due = (clock() - started) * perMs; sent < due; sent += 1) void ask()
    await new Promise((resolve) => setTimeout(resolve, TURN_MS))
  }
  process.send?.(counts, () => process.exit(0))
}

function mostInMinute(times: number[]): number {
  let first = 0
  let most = 0
  for (let last = 0; last < times.length; last += 1) {
    while ((times[last] as number) - (times[first] as number) >= 60_000) first += 1
    most = Math.max(most, last - first + 1)
  }
  return most
}

/** Nanoseconds of processor per request: the median of nine rounds in turns. */
async function measureCost() {
  const windows = createRateWindows()
  const steadyMs = () => performance.now()
  const leases = {
    lease: async (id: string, most: number, want: number) =>
      windows.lease(id, most, want, steadyMs()),
    giveBack: windows.giveBack,
  }
  const limits = createRateLimits({ leases, workers: 2, steadyMs })
  const rounds: { admitted: number[]; refused: number[] } = { admitted: [], refused: [] }
  for (let round = 0; round < 9; round += 1) {
    rounds.admitted.push(await timeCalls(() => limits.admit('acc_wide', 1e12), 100_000))
    rounds.refused.push(await timeCalls(() => limits.admit('acc_narrow', 1), 10_000))
  }
  limits.close()
  return {
    admitted: Math.round(median(rounds.admitted)),
    refused: Math.round(median(rounds.refused)),
  }
}

async function timeCalls(call: () => Promise<void> | undefined, times: number): Promise<number> {
  // The first requests a lease; those that follow in this turn use it.
  await Promise.resolve()
    .then(call)
    .catch(() => undefined)
  const before = process.cpuUsage()
  for (let count = 0; count < times; count += 1) {
    try {
      call()?.catch(() => undefined)
    } catch {
      // Refused.
    }
  }
  const { user, system } = process.cpuUsage(before)
  return ((user + system) * 1000) / times
}
