/**
 * Does anything grow? Imports of one roll after another, each changing a tenth of the parcels, and lookups, pages and owner searches
 * beside them, for half an hour.
 *
 *   node bench/soak.ts [--minutes 30] [--parcels 100000] [--rate 200] [--out FILE]
 *
 * Prints JSON: memory of the worker and p99 of lookups for each part of a minute; drift is the last third's median to the first third's.
 */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { runLoad } from './kit/load.ts'
import { describeMachine } from './kit/machine.ts'
import { median, round } from './kit/numbers.ts'
import { type Memory, memoryOf } from './kit/process.ts'
import { keepAnswered, makeQueries } from './kit/queries.ts'
import { tellResult } from './kit/result.ts'
import { platbook, prepareData, startRunning, withScratch, workerOf } from './kit/service.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    parcels: { type: 'string', default: '100000' },
    rate: { type: 'string', default: '200' },
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
}

async function run(scratch: string) {
  const data = join(scratch, 'data')
  const { key } = prepareData(data, Number(values.parcels))
  const rolls = writeRolls(scratch)
  const queries = await makeQueries(data, 500)
  const service = await startRunning({ data, workers: 1 })
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
    }
  })()
  try {
    const kept = await keepAnswered(queries, address, key)
    const lookups = [...kept.parcelId, ...kept.address].map(({ path }) => path)
    const searches = [...kept.page25, ...kept.owner].map(({ path }) => path)
    const plan = { address, key, connections: 16, seconds: SECONDS, timeoutMs: 10_000 }
    const rate = Number(values.rate)
    const series: Point[] = []
    for (const endsAt = performance.now() + MINUTES * 60_000; performance.now() < endsAt; ) {
      const [cheap, dear] = await Promise.all([
        runLoad({ ...plan, paths: lookups, rate }),
        runLoad({ ...plan, paths: searches, rate: rate / 10 }),
      ])
      series.push({
        minute: round(MINUTES - (endsAt - performance.now()) / 60_000, 2),
        p50Ms: cheap.statuses['200']?.p50Ms ?? Number.NaN,
        p99Ms: cheap.statuses['200']?.p99Ms ?? Number.NaN,
        searchesP99Ms: dear.statuses['200']?.p99Ms ?? Number.NaN,
        // An address may be another one's after an import; nothing else is.
        statuses: countsOf(cheap.statuses),
        searchStatuses: countsOf(dear.statuses),
        memory: memoryOf(worker),
      })
    }
    going = false
    await importing
    const drift = (of: (point: Point) => number) => driftOf(series.map(of))
    return {
      question: 'imports and lookups together',
      machine: describeMachine(),
      minutes: MINUTES,
      parcels: Number(values.parcels),
      imports,
      drift: {
        p99: drift(({ p99Ms }) => p99Ms),
        rssMb: drift(({ memory }) => memory.rssMb),
        ownMb: drift(({ memory }) => memory.ownMb),
      },
      log: service.log().split('\n').slice(0, 10),
      series,
    }
  } finally {
    going = false
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
