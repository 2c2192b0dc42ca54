/**
 * Measures questions about the parcels of one state: pages of two drawn filters and an order,
 * counts, summaries, suggestions and networks. One worker; one request after the other.
 *
 *   node bench/questions.ts [--data DIR] [--parcels 100000] [--questions 200] [--out FILE]
 *
 * Prints JSON: milliseconds of processor time of all threads of the worker, with HTTP, as median,
 * 99th percentile and maximum; `first`: of the first one after the start, which decodes what it
 * needs. Bytes a parcel are those of the table of facts and all that is stored. DIR keeps the
 * parcels for the next run. Linux.
 */
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabase } from '../src/store/sqlite/connection.ts'
import { drawQuestion, type Flat, openDraw } from '../test/contract/questions/draw.ts'
import { describeMachine } from './kit/machine.ts'
import { quantile, round } from './kit/numbers.ts'
import { STATE, writeOneState } from './kit/one-state.ts'
import { memoryOf } from './kit/process.ts'
import { ask, cursorAfter } from './kit/queries.ts'
import { tellResult } from './kit/result.ts'
import { makeCustomer, platbook, startRunning, withScratch, workerOf } from './kit/service.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    parcels: { type: 'string', default: '100000' },
    questions: { type: 'string', default: '200' },
    out: { type: 'string' },
  },
})
const PARCELS = Number(values.parcels)
const QUESTIONS = Number(values.questions)
/** Places of the roll where 20 records are read, of which filters are drawn. */
const SPOTS = 100
/** Repetitions of a summary, and networks. */
const SUMMARIES = 20

const SEARCH = '/public/property/search/'
const SUMMARY = '/public/property/summary/'
type Kinds = Record<string, string[]>

tellResult(await withScratch(run), values.out)

async function run(scratch: string) {
  const data = values.data ?? join(scratch, 'data')
  const isLoaded = existsSync(join(data, 'parcels.db'))
  const load = isLoaded ? undefined : await loadRoll(data, scratch)
  const { key } = makeCustomer(data, ['responseShape=flat'])
  const size = readSize(data)
  const service = await startRunning({ data, workers: 1 })
  const target = { address: service.address, key, pid: workerOf(service) }
  try {
    const records = await readRecords(target)
    const beforeMb = memoryOf(target.pid)
    const results: Record<string, unknown> = {}
    for (const [name, paths] of Object.entries(makeKinds(records))) {
      results[name] = await measure(target, paths)
    }
    const memory = { beforeMb, afterMb: memoryOf(target.pid) }
    return { machine: describeMachine(), load, size, memory, milliseconds: results }
  } finally {
    await service.stop()
  }
}

async function loadRoll(data: string, scratch: string) {
  const file = join(scratch, 'roll.csv')
  await writeOneState(PARCELS, file)
  const started = performance.now()
  platbook(['import', file, '--mapping', 'platbook', '--force', '--json'], data)
  rmSync(file)
  return { seconds: round((performance.now() - started) / 1000, 1) }
}

/** Bytes a parcel of the facts and of all files. */
function readSize(data: string) {
  const file = join(data, 'parcels.db')
  const db = openDatabase(file, { kind: 'parcels', synchronous: 'NORMAL', readOnly: true })
  const { bytes } = db.prepare('SELECT sum(length(data)) AS bytes FROM facts').get() as Bytes
  const { parcels } = db.prepare('SELECT count(*) AS parcels FROM parcels').get() as Parcels
  db.close()
  const all = readdirSync(data)
    .filter((name) => name.startsWith('parcels.db'))
    .reduce((sum, name) => sum + statSync(join(data, name)).size, 0)
  return { parcels, factBytes: round(bytes / parcels, 1), allBytes: Math.round(all / parcels) }
}

type Bytes = { bytes: number }
type Parcels = { parcels: number }
type Target = { address: string; key: string; pid: number }

async function measure({ address, key, pid }: Target, paths: string[]) {
  const costs: number[] = []
  const statuses: Record<string, number> = {}
  for (const path of paths) {
    const before = cpuMs(pid)
    const { status, text } = await ask(address, path, key)
    costs.push(cpuMs(pid) - before)
    const what = text.includes('"complete":false') ? `${status} incomplete` : status
    statuses[what] = (statuses[what] ?? 0) + 1
  }
  const [first = Number.NaN, ...others] = costs
  return {
    first: round(first, 2),
    median: round(quantile(others, 0.5), 2),
    p99: round(quantile(others, 0.99), 2),
    max: round(Math.max(...others), 2),
    statuses,
  }
}

/** Processor time of all threads, in milliseconds: finer than the ticks of `cpuSeconds`. */
function cpuMs(pid: number): number {
  const folder = `/proc/${pid}/task`
  return readdirSync(folder).reduce((sum, task) => {
    const [nanoseconds] = readFileSync(`${folder}/${task}/schedstat`, 'utf8').split(' ')
    return sum + Number(nanoseconds) / 1e6
  }, 0)
}

/** Flat records, spread over the state. */
async function readRecords({ address, key }: Target): Promise<Flat[]> {
  const records: Flat[] = []
  for (let spot = 0; spot < SPOTS; spot += 1) {
    const cursor = cursorAfter(Math.floor((PARCELS * spot) / SPOTS))
    const query = { state: STATE, limit: '20', cursor }
    const { text } = await ask(address, `${SEARCH}?${new URLSearchParams(query)}`, key)
    records.push(...JSON.parse(text).properties)
  }
  return records
}

function makeKinds(records: readonly Flat[]): Kinds {
  const draw = openDraw(38)
  const drawn: Record<string, string>[] = []
  while (drawn.length <= QUESTIONS) {
    const { query } = drawQuestion(draw, records)
    // The order and two filters, of which a range may have two ends.
    const filters = Object.keys(query).map((name) => name.replace(/M(in|ax)$|From$|To$/, ''))
    if (new Set(filters).size === 3) drawn.push(query)
  }
  const search = (more: Record<string, string>) =>
    drawn.map((query) => pathOf(SEARCH, { ...query, ...more }))
  const summary = (query: Record<string, string>) =>
    Array.from({ length: SUMMARIES }, () => pathOf(SUMMARY, query))
  const medians = 'sumAcres,medianMarketValue'
  return {
    page25: search({}),
    count: search({ countOnly: 'true' }),
    pageWithTotal: search({ includeTotal: 'true' }),
    summaryByOwner220: summary({ groupBy: 'owner', county: 'DANE', measure: medians }),
    summaryByOwner300: summary({ groupBy: 'owner', county: 'MILWAUKEE', measure: medians }),
    summaryByOwnerOfState: summary({ groupBy: 'owner', measure: medians }),
    summaryByCity: summary({ groupBy: 'city', measure: medians }),
    ...makeSuggestions(records),
    network: records
      .slice(0, SUMMARIES)
      .map((one) => `/public/premium/network/?propertyId=${encodeURIComponent(one.propertyId)}`),
    lookup: records.slice(0, QUESTIONS).map(({ county, parcelId }) => {
      return pathOf('/public/property/parcelId/', { county, parcelId })
    }),
  }
}

/** Beginnings of streets, addresses, parcel IDs and cities, as somebody types them. */
function makeSuggestions(records: readonly Flat[]): Kinds {
  const some = records.filter((one) => one.addressAssigned && one.streetName).slice(0, 1500)
  const ask = (begin: (record: Flat) => string) => [
    ...new Set(some.map((one) => pathOf('/public/suggest/', { q: begin(one) }))),
  ]
  return {
    suggestStreet2: ask(({ streetName }) => streetName.slice(0, 2)).slice(0, QUESTIONS),
    suggestStreet4: ask(({ streetName }) => streetName.slice(0, 4)).slice(0, QUESTIONS),
    suggestNumber: ask(({ address }) => /^\d+/.exec(address)?.[0].padEnd(2, '0') ?? '12').slice(
      0,
      QUESTIONS,
    ),
    suggestLine: ask(({ address }) => /^\S+ \S{1,2}/.exec(address)?.[0] ?? 'ma').slice(
      0,
      QUESTIONS,
    ),
    suggestWrong: ask(({ streetName }) => `${streetName.slice(0, 2)}x${streetName.slice(3)}`).slice(
      0,
      QUESTIONS,
    ),
    suggestParcelId: ask(({ parcelId }) => parcelId.slice(0, 7)).slice(0, QUESTIONS),
  }
}

function pathOf(path: string, query: Record<string, string>): string {
  return `${path}?${new URLSearchParams({ state: STATE, ...query })}`
}
