/**
 * What happens at several times what a worker can do? Parcel lookups, or pages, from callers that do not heed the answers.
 *
 *   node bench/overload.ts [--data DIR] [--parcels 20000] [--seconds 5] [--times 5] [--kind parcelId] [--connections 2000]
 *     [--out FILE]
 *
 * First the peak (wrk, 64 connections), then half of it by this load's own means, then several times the peak, then half of it again
 * at once. Prints JSON: answers a second and their share of the peak, what the refused ones got and when,
 * memory of the worker, and how long it took to be itself again.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type LoadPlan, runLoad } from './kit/load.ts'
import { describeMachine } from './kit/machine.ts'
import { median, round } from './kit/numbers.ts'
import { cpuSeconds, memoryOf } from './kit/process.ts'
import { ask, type Kind, keepAnswered, makeQueries } from './kit/queries.ts'
import { tellResult } from './kit/result.ts'
import { prepareData, startRunning, withScratch, workerOf } from './kit/service.ts'
import { runWrk } from './kit/wrk.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    parcels: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '5' },
    times: { type: 'string', default: '5' },
    kind: { type: 'string', default: 'parcelId' },
    connections: { type: 'string', default: '2000' },
    out: { type: 'string' },
  },
})
const SECONDS = Number(values.seconds)
const TIMEOUT_MS = 2000

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
    const wrk = { address, paths, key, connections: 64 }
    await runWrk({ ...wrk, seconds: 2 })
    const peaks: { perSecond: number; perCpuSecond: number }[] = []
    for (let turn = 0; turn < 3; turn += 1) {
      const used = cpuSeconds(worker)
      const { requests, perSecond } = await runWrk({ ...wrk, seconds: SECONDS })
      peaks.push({ perSecond, perCpuSecond: Math.round(requests / (cpuSeconds(worker) - used)) })
    }
    const peak = median(peaks.map((turn) => turn.perSecond))
    const peakPerCpu = median(peaks.map((turn) => turn.perCpuSecond))
    const plan = { address, key, paths, timeoutMs: TIMEOUT_MS, seconds: SECONDS }
    const connections = Number(values.connections)
    const calm = { ...plan, connections, rate: peak * 0.5 }
    const memory = [memoryOf(worker)]
    const before = await measure(calm, worker)
    memory.push(memoryOf(worker))
    const watching = watchMemory(worker)
    const health = watchHealth(address, key)
    const over = await measure({ ...plan, connections, rate: peak * Number(values.times) }, worker)
    const peakMemory = watching()
    const healthz = health()
    const after = await measure(calm, worker)
    memory.push(memoryOf(worker))
    return {
      question: `${values.times} times the peak of ${values.kind}`,
      machine: describeMachine(),
      peaks,
      before,
      over: {
        ...over,
        shareOfPeak: round(over.okPerSecond / peak, 3),
        // The load takes its share of the cores: this says the same on a machine with too few of them.
        shareOfPeakByCpu: round(over.okPerCpuSecond / peakPerCpu, 3),
      },
      healthz,
      after,
      recoveredMs: recoveryOf(after.series, peak * 0.5),
      memory: { before: memory[1], most: peakMemory, after: memory[2] },
    }
  } finally {
    await service.stop()
  }
}

async function measure(plan: LoadPlan, worker: number) {
  const used = cpuSeconds(worker)
  const started = performance.now()
  const result = await runLoad(plan)
  const cpu = cpuSeconds(worker) - used
  const busy = cpu / ((performance.now() - started) / 1000)
  const ok = result.statuses['200']?.count ?? 0
  return {
    asked: Math.round(plan.rate ?? 0),
    okPerSecond: Math.round(ok / plan.seconds),
    okPerCpuSecond: Math.round(ok / cpu),
    busy: round(busy, 2),
    ...result,
    series: result.series.map(({ ok, refused }) => `${ok}/${refused}`),
  }
}

/** Milliseconds until nothing is refused any more and most of what is asked is answered. */
function recoveryOf(series: string[], perSecond: number): number {
  const well = (slot: string) => {
    const [ok = 0, refused = 0] = slot.split('/').map(Number)
    return refused === 0 && ok >= (perSecond / 10) * 0.6
  }
  let last = series.length - 2
  while (last >= 0 && well(series[last] ?? '')) last -= 1
  return (last + 1) * 100
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
