/**
 * Measures a worker under several times the load that it can answer: parcel lookups, or pages, from
 * callers that ignore `Retry-After`.
 *
 *   node bench/overload.ts [--data DIR] [--parcels 20000] [--seconds 4] [--times 5] [--kind
 *     parcelId] [--crowds 320,2000,7500] [--out FILE]
 *
 * Turns alternate between the peak (wrk with 64 connections, which keep a worker busy) and crowds
 * of connections, which send the next request as soon as they are answered or refused: `times` as
 * many as keep it busy, 2,000, and `times` as many as it can answer within its patience of 100 ms.
 * Before, during and after each crowd a few other callers send 100 requests a second in all; their
 * answers and times are recorded. Prints JSON: answers a second and their share of the peak, memory
 * of the worker, and the time to recover.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { runLoad } from './kit/load.ts'
import { describeMachine } from './kit/machine.ts'
import { median, round } from './kit/numbers.ts'
import { cpuSeconds, memoryOf } from './kit/process.ts'
import { ask, type Kind, keepAnswered, makeQueries } from './kit/queries.ts'
import { tellResult } from './kit/result.ts'
import { prepareData, startRunning, withScratch, workerOf } from './kit/service.ts'
import { runWrk, type WrkOptions } from './kit/wrk.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    parcels: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '4' },
    times: { type: 'string', default: '5' },
    kind: { type: 'string', default: 'parcelId' },
    crowds: { type: 'string' },
    out: { type: 'string' },
  },
})
const SECONDS = Number(values.seconds)
const TURNS = 3
/** Connections that keep a worker busy. */
const FILLED = 64
const PATIENCE_S = 0.1
/** A worker accepts 10,000 connections and closes further ones. */
const CONNECTIONS_MAX = 9500
/** A few other callers. */
const FEW = { rate: 100, connections: 20, timeoutMs: 2000 }
const CALM_SECONDS = 3

tellResult(await withScratch(run), values.out)

async function run(scratch: string) {
  const data = values.data ?? join(scratch, 'data')
  const { key } = prepareData(data, Number(values.parcels))
  const lists = await makeQueries(data, 500)
  const service = await startRunning({ data, workers: 1 })
  const { address } = service
  try {
    const worker = workerOf(service)
    const kept = await keepAnswered(lists, address, key)
    const paths = kept[values.kind as Kind].map(({ path }) => path)
    const load = { address, paths, key, seconds: SECONDS }
    await runWrk({ ...load, connections: FILLED, seconds: 10 })
    const first = await measure({ ...load, connections: FILLED }, worker)
    const sizes = values.crowds?.split(',').map(Number) ?? crowdsFor(first.okPerSecond)
    const before = memoryOf(worker)
    const watching = watchMemory(worker)
    const health = watchHealth(address, key)
    const seconds = TURNS * (sizes.length + 1) * (SECONDS + 1) + 2 * CALM_SECONDS
    const few = runLoad({ ...FEW, address, key, paths, seconds })
    const startedAt = performance.now()
    await sleep(CALM_SECONDS * 1000)
    const peaks: Turn[] = []
    const crowds = sizes.map((connections) => ({ connections, turns: [] as Turn[] }))
    for (let turn = 0; turn < TURNS; turn += 1) {
      peaks.push(await measure({ ...load, connections: FILLED }, worker))
      for (const { connections, turns } of crowds) {
        turns.push(await measure({ ...load, connections, tally: true }, worker))
      }
    }
    const leftAt = (performance.now() - startedAt) / 1000
    const most = watching()
    const healthz = health()
    const { series, ...toFew } = await few
    const share = (turns: Turn[], name: 'okPerSecond' | 'okPerCpuSecond') =>
      round(median(turns.map((turn) => turn[name])) / median(peaks.map((turn) => turn[name])), 3)
    return {
      question: `more than a worker can do, of ${values.kind}`,
      machine: describeMachine(),
      peaks,
      crowds: crowds.map(({ connections, turns }) => ({
        connections,
        shareOfPeak: share(turns, 'okPerSecond'),
        // The load generator uses the cores too; this ratio is independent of their number.
        shareOfPeakByCpu: share(turns, 'okPerCpuSecond'),
        turns,
      })),
      few: toFew,
      series: series.map(({ ok, refused }) => `${ok}/${refused}`),
      healthz,
      recoveredMs: recoveryOf(series, leftAt),
      memory: { before, most, after: memoryOf(worker) },
    }
  } finally {
    await service.stop()
  }
}

function crowdsFor(peak: number): number[] {
  const times = Number(values.times)
  const late = Math.min(CONNECTIONS_MAX, Math.round(peak * PATIENCE_S * times))
  return [FILLED * times, 2000, late]
}

type Turn = Awaited<ReturnType<typeof measure>>

async function measure(options: WrkOptions, worker: number) {
  const used = cpuSeconds(worker)
  const started = performance.now()
  const { requests, perSecond, notOk, ...rest } = await runWrk(options)
  const cpu = cpuSeconds(worker) - used
  const ok = requests - notOk
  return {
    okPerSecond: Math.round((perSecond * ok) / requests),
    okPerCpuSecond: Math.round(ok / cpu),
    busy: round(cpu / ((performance.now() - started) / 1000), 2),
    notOk,
    ...rest,
  }
}

/**
 * Milliseconds after the crowd has left until nothing is refused any more; by the tenth of a
 * second.
 */
function recoveryOf(series: { refused: number }[], leftAfterSeconds: number): number {
  const left = Math.floor(leftAfterSeconds * 10)
  const last = series.findLastIndex(({ refused }) => refused > 0)
  return Math.max(0, (last + 1 - left) * 100)
}

function watchMemory(pid: number) {
  let most = memoryOf(pid)
  const timer = setInterval(() => {
    const now = memoryOf(pid)
    if (now.rssMb > most.rssMb) most = now
  }, 100)
  return () => {
    clearInterval(timer)
    return most
  }
}

/** A load balancer that asks every 200 ms. */
function watchHealth(address: string, key: string) {
  const times: number[] = []
  let failed = 0
  const timer = setInterval(async () => {
    const started = performance.now()
    const status = await ask(address, '/healthz', key).then(
      (answer) => answer.status,
      () => 0,
    )
    times.push(performance.now() - started)
    if (status !== 200) failed += 1
  }, 200)
  return () => {
    clearInterval(timer)
    return { asked: times.length, failed, p50Ms: round(median(times), 1) }
  }
}
