/**
 * Measures how cost depends on the number of parcels. For data folders of several sizes: p50 and
 * p99 of each endpoint at a fixed moderate rate; the first page and a distant one; a common surname
 * and a rare one, for the same number of records; memory, and time to start.
 *
 *   node bench/flat.ts --folders DIR [--sizes 100000,1000000,10000000] [--rate 200] [--seconds
 *     10] [--only parcelId] [--out FILE]
 *
 * DIR holds a folder per size. A missing one is made by `platbook sample`, which takes as long as
 * an import. Prints JSON. `cachedPercent` is the share of the database that was in memory before
 * the run (by fincore).
 */
import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '../src/settings/read-config.ts'
import { openStore } from '../src/store/open.ts'
import { openDatabase } from '../src/store/sqlite/connection.ts'
import { runLoad } from './kit/load.ts'
import { describeMachine } from './kit/machine.ts'
import { round } from './kit/numbers.ts'
import { cpuSeconds, cpuSecondsOfTree, memoryOf } from './kit/process.ts'
import { cursorAfter, keepAnswered, makeQueries } from './kit/queries.ts'
import { tellResult } from './kit/result.ts'
import { prepareData, startRunning, workerOf } from './kit/service.ts'

const { values } = parseArgs({
  options: {
    folders: { type: 'string' },
    sizes: { type: 'string', default: '100000,1000000,10000000' },
    rate: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '10' },
    only: { type: 'string' },
    out: { type: 'string' },
  },
})
if (values.folders === undefined) throw new Error('--folders DIR is needed')
const FOLDERS = values.folders
const SIZES = values.sizes.split(',').map(Number)
/** Records of a page and of an owner search in every list, so that lists can be compared. */
const RECORDS = 10

const sizes: Awaited<ReturnType<typeof measure>>[] = []
for (const parcels of SIZES) sizes.push(await measure(parcels))
const result = {
  question: 'is it flat',
  machine: describeMachine(),
  rate: Number(values.rate),
  sizes,
  ratios: ratios(),
}
tellResult(result, values.out)

type Figures = {
  p50Ms: number
  p99Ms: number
  cpuMicros: number
  asked: number
  sent: number
  notOk: number
  unsent: number
  late: number
}

async function measure(parcels: number) {
  const data = join(FOLDERS, `parcels-${parcels}`)
  const { key } = prepareData(data, parcels)
  const file = join(data, 'parcels.db')
  const cachedPercent = cachedShare(file)
  const lists = await makeLists(data)
  const started = performance.now()
  const service = await startRunning({ data, workers: 1 })
  const startMs = Math.round(performance.now() - started)
  const startCpuMs = Math.round(cpuSecondsOfTree(service.pid) * 1000)
  try {
    const worker = workerOf(service)
    const { address } = service
    const kept = await keepAnswered(
      { parcelId: lists.parcelId, address: lists.address, page25: [], owner: [] },
      address,
      key,
    )
    const kinds: Record<string, string[]> = {
      ...lists.plain,
      parcelId: kept.parcelId.map(({ path }) => path),
      address: kept.address.map(({ path }) => path),
    }
    const results: Record<string, Figures> = {}
    for (const [kind, paths] of Object.entries(kinds)) {
      if (values.only !== undefined && values.only !== kind) continue
      const plan = {
        address,
        key,
        paths,
        connections: 16,
        rate: Number(values.rate),
        timeoutMs: 5000,
      }
      await runLoad({ ...plan, seconds: 2 })
      const used = cpuSeconds(worker)
      const { statuses, sent, unsent, late } = await runLoad({
        ...plan,
        seconds: Number(values.seconds),
      })
      const { p50Ms, p99Ms, count } = statuses['200'] ?? {
        p50Ms: Number.NaN,
        p99Ms: Number.NaN,
        count: 0,
      }
      const cpuMicros = round(((cpuSeconds(worker) - used) * 1e6) / sent, 0)
      results[kind] = {
        p50Ms,
        p99Ms,
        cpuMicros,
        asked: paths.length,
        sent,
        notOk: sent - count,
        unsent,
        late,
      }
    }
    return {
      parcels,
      databaseMb: Math.round(statSync(file).size / 2 ** 20),
      cachedPercent,
      startMs,
      // Processor time of all its processes, which is the same on a busy machine.
      startCpuMs,
      memory: memoryOf(worker),
      surnames: lists.surnames,
      kinds: results,
    }
  } finally {
    await service.stop()
  }
}

async function makeLists(data: string) {
  const { parcelId, address } = await makeQueries(data, 2000)
  const store = openStore({ ...readConfig({}), data })
  const counties = await store.parcels.coverage()
  await store.close()
  const [largest] = counties.toSorted((a, b) => b.parcels - a.parcels)
  const state = largest?.state ?? ''
  const ids = idsOf(data, state)
  const surnames = surnamesOf(data, state)
  const search = '/public/property/search/'
  const page = (limit: number, after: number) =>
    `${search}?${new URLSearchParams({ state, limit: String(limit), cursor: cursorAfter(after) })}`
  const owners = (names: string[]) =>
    names.map((lastName) => {
      const query = new URLSearchParams({ state, lastName, limit: String(RECORDS) })
      return `/public/premium/owner/?${query}`
    })
  // Many neighbouring pages, so that not only the bytes of one page are measured.
  const pagesFrom = (first: number) =>
    Array.from({ length: 200 }, (_, at) => page(25, first + at * 25))
  const plain = {
    page25: ids.spread.map((id) => page(25, id)),
    firstPages: pagesFrom(ids.first - 1),
    lastPages: pagesFrom(ids.last - 10_000),
    commonSurnames: owners(surnames.common.map(({ head }) => head)),
    rareSurnames: owners(surnames.rare.map(({ head }) => head)),
  }
  return {
    parcelId,
    address,
    plain,
    surnames: { common: surnames.common, rare: surnames.rare.slice(0, 5) },
  }
}

/** Ids of a state: the first, the last, and two thousand between them. */
function idsOf(data: string, state: string) {
  const db = openDatabase(join(data, 'parcels.db'), {
    kind: 'parcels',
    synchronous: 'NORMAL',
    readOnly: true,
  })
  const row = db
    .prepare('SELECT min(id) AS first, max(id) AS last FROM parcels WHERE state = ?')
    .get(state)
  db.close()
  const [first, last] = [Number(row?.first), Number(row?.last)]
  const spread = Array.from(
    { length: 2000 },
    (_, at) => first + Math.floor(((last - first) * at) / 2000),
  )
  return { first, last, spread }
}

/** The commonest surnames, and ones with just enough records for a full answer. */
function surnamesOf(data: string, state: string) {
  const db = openDatabase(join(data, 'parcels.db'), {
    kind: 'parcels',
    synchronous: 'NORMAL',
    readOnly: true,
  })
  const heads = db
    .prepare(
      'SELECT head, count(*) AS n FROM owner_heads WHERE state = ? GROUP BY head HAVING ' +
        'n >= ? ORDER BY n',
    )
    .all(state, RECORDS * 2) as { head: string; n: number }[]
  db.close()
  const people = heads.filter(({ head }) => /^[A-Z]{4,}$/.test(head))
  return { common: people.slice(-20), rare: people.slice(0, 200) }
}

/** How much of a file the system has in memory, percent; `null`: not known here. */
function cachedShare(file: string): number | null {
  try {
    const out = execFileSync('fincore', ['-bnr', '-o', 'RES,SIZE', file], { encoding: 'utf8' })
    const [cached = 0, size = 1] = out.trim().split(/\s+/).map(Number)
    return Math.round((cached / size) * 100)
  } catch {
    return null
  }
}

/** p50 over the largest folder to that over the smallest. */
function ratios(): Record<string, number> {
  const [first, last] = [sizes[0]?.kinds, sizes.at(-1)?.kinds]
  return Object.fromEntries(
    Object.keys(first ?? {}).map((kind) => [
      kind,
      round((last?.[kind]?.p50Ms ?? Number.NaN) / (first?.[kind]?.p50Ms ?? Number.NaN), 2),
    ]),
  )
}
