/**
 * Measures whether memory or response times grow over half an hour. Imports one roll after another,
 * each of which changes a tenth of the parcels. Meanwhile it sends lookups, pages and owner
 * searches, syncs, webhooks and requests of a person at the console (`kit/soak-company.ts`), and
 * one hostile flood after another (`kit/floods.ts`).
 *
 *   node bench/soak.ts [--minutes 30] [--parcels 100000] [--rate 200] [--no-floods] [--out FILE]
 *
 * Prints JSON: memory of the worker and p99 of lookups for each part of a minute; drift is the
 * ratio of the last third's median to the first third's. A slope is that of parallel lines, one
 * fitted to the points during each flood, because each flood has its own level of descriptors and
 * times. The first round of floods does not count.
 */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { FLOOD_NAMES, startFlood } from './kit/floods.ts'
import { runLoad } from './kit/load.ts'
import { describeMachine } from './kit/machine.ts'
import { median, round } from './kit/numbers.ts'
import { descriptorsOf, type Memory, memoryOf, sizeOfTree } from './kit/process.ts'
import { keepAnswered, makeQueries } from './kit/queries.ts'
import { tellResult } from './kit/result.ts'
import { platbook, prepareData, startRunning, withScratch, workerOf } from './kit/service.ts'
import { startCompany } from './kit/soak-company.ts'

const { values } = parseArgs({
  allowNegative: true,
  options: {
    minutes: { type: 'string', default: '30' },
    parcels: { type: 'string', default: '100000' },
    rate: { type: 'string', default: '200' },
    floods: { type: 'boolean', default: true },
    out: { type: 'string' },
  },
})
const MINUTES = Number(values.minutes)
/** A point of the series each. */
const SECONDS = Math.min(60, (MINUTES * 60) / 12)
const PLATBOOK = new URL('../src/cli/main.ts', import.meta.url).pathname

tellResult(await withScratch(run), values.out)

type Point = {
  minute: number
  p50Ms: number
  p99Ms: number
  searchesP99Ms: number
  statuses: Record<string, number>
  searchStatuses: Record<string, number>
  memory: Memory
  descriptors: number
  /** Of all processes of the service together. */
  whole: { ownMb: number; descriptors: number }
  /** The flood that runs at the same time. */
  flood: string
}

async function run(scratch: string) {
  const data = join(scratch, 'data')
  const { key } = prepareData(data, Number(values.parcels))
  const rolls = writeRolls(scratch)
  const queries = await makeQueries(data, 500)
  const company = await startCompany(data)
  const service = await startRunning({ data, workers: 1, env: company.env })
  const worker = workerOf(service)
  const { address } = service
  let going = true
  let imports = 0
  const importing = (async () => {
    while (going) {
      const roll = rolls[(imports + 1) % rolls.length] as string
      const words = [PLATBOOK, 'import', roll, '--mapping', 'platbook', '--data', data]
      await promisify(execFile)(process.execPath, words)
      imports += 1
      await company.sync()
    }
  })()
  try {
    await company.begin(service.address)
    const kept = await keepAnswered(queries, address, key)
    const lookups = [...kept.parcelId, ...kept.address].map(({ path }) => path)
    const searches = [...kept.page25, ...kept.owner].map(({ path }) => path)
    const plan = { address, key, connections: 16, seconds: SECONDS, timeoutMs: 10_000 }
    const rate = Number(values.rate)
    const series: Point[] = []
    for (const endsAt = performance.now() + MINUTES * 60_000; performance.now() < endsAt; ) {
      const flood = values.floods
        ? startFlood(FLOOD_NAMES[series.length % FLOOD_NAMES.length] ?? 'idle', address)
        : undefined
      const [cheap, dear] = await Promise.all([
        runLoad({ ...plan, paths: lookups, rate }),
        runLoad({ ...plan, paths: searches, rate: rate / 10 }),
      ]).finally(() => flood?.stop())
      series.push({
        minute: round(MINUTES - (endsAt - performance.now()) / 60_000, 2),
        p50Ms: cheap.statuses['200']?.p50Ms ?? Number.NaN,
        p99Ms: cheap.statuses['200']?.p99Ms ?? Number.NaN,
        searchesP99Ms: dear.statuses['200']?.p99Ms ?? Number.NaN,
        // An address may be another one's after an import; nothing else is.
        statuses: countsOf(cheap.statuses),
        searchStatuses: countsOf(dear.statuses),
        memory: memoryOf(worker),
        descriptors: descriptorsOf(worker),
        whole: sizeOfTree(service.pid),
        flood: flood?.name ?? 'none',
      })
    }
    going = false
    await importing
    const drift = (of: (point: Point) => number) => driftOf(series.map(of))
    return {
      question: 'imports, syncs, webhooks, console, floods and lookups together',
      machine: describeMachine(),
      minutes: MINUTES,
      parcels: Number(values.parcels),
      imports,
      beside: company.counts,
      drift: {
        p99: drift(({ p99Ms }) => p99Ms),
        rssMb: drift(({ memory }) => memory.rssMb),
        ownMb: drift(({ memory }) => memory.ownMb),
      },
      slopesPerHour: {
        p99Ms: slopeOf(series, ({ p99Ms }) => p99Ms),
        rssMb: slopeOf(series, ({ memory }) => memory.rssMb),
        ownMb: slopeOf(series, ({ memory }) => memory.ownMb),
        descriptors: slopeOf(series, ({ descriptors }) => descriptors),
        wholeOwnMb: slopeOf(series, ({ whole }) => whole.ownMb),
        wholeDescriptors: slopeOf(series, ({ whole }) => whole.descriptors),
      },
      workerRestarted: workerOf(service) !== worker,
      log: service.log().split('\n').slice(0, 10),
      series,
    }
  } finally {
    going = false
    await company.end()
    await service.stop()
  }
}

/** The generated roll, and the same with another legal description of every tenth parcel. */
function writeRolls(scratch: string): string[] {
  const [first, second] = [join(scratch, 'first.csv'), join(scratch, 'second.csv')] as const
  platbook(['sample', '--parcels', values.parcels, '--out', first], scratch)
  const [head = '', ...lines] = readFileSync(first, 'utf8').trimEnd().split('\n')
  const changed = lines.map((line, at) =>
    at % 10 === 0 ? line.replace(', LOT ', ', LOTS ') : line,
  )
  writeFileSync(second, `${[head, ...changed].join('\n')}\n`)
  return [first, second]
}

function countsOf(statuses: Record<string, { count: number }>): Record<string, number> {
  return Object.fromEntries(Object.entries(statuses).map(([status, { count }]) => [status, count]))
}

function driftOf(numbers: number[]): number {
  const third = Math.max(1, Math.floor(numbers.length / 3))
  return round(median(numbers.slice(-third)) / median(numbers.slice(0, third)), 3)
}

/**
 * The slope by least squares, per hour, with an intercept of its own for the points of each flood.
 */
function slopeOf(series: Point[], of: (point: Point) => number): number {
  const skipped = values.floods ? FLOOD_NAMES.length : 0
  let [up, down] = [0, 0]
  for (const points of Object.values(
    Object.groupBy(series.slice(skipped), ({ flood }) => flood),
  ) as Point[][]) {
    const hours = points.map(({ minute }) => minute / 60)
    const numbers = points.map(of)
    const [hour, number] = [meanOf(hours), meanOf(numbers)]
    for (const [at, one] of hours.entries()) {
      up += (one - hour) * ((numbers[at] as number) - number)
      down += (one - hour) ** 2
    }
  }
  return round(up / down, 2)
}

function meanOf(numbers: number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length
}
