/**
 * Measures the cost of searches by place: generated parcels on generated lots, one worker, one kind
 * of request after the other, in turns.
 *
 *   node bench/places.ts [--data DIR] [--parcels 100000] [--seconds 4] [--turns 3] [--only
 *     page10,nearest10] [--out FILE]
 *
 * Prints JSON: processor time per request of all the worker's threads, in microseconds; that of a
 * bare `node:http` server that sends the same bytes, in the same turns; and the difference, the
 * time beyond HTTP, as a multiple of that of a parcel ID lookup. `page10`: ten records of a
 * property search, the least that the nearest ten can cost. `tile14` requests each tile once,
 * `tile14Kept` repeatedly. DIR keeps the parcels for the next run.
 */
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { tileAt } from '../src/geo/tile.ts'
import { decodeParcel } from '../src/record/stored.ts'
import { readConfig } from '../src/settings/read-config.ts'
import { openStore } from '../src/store/open.ts'
import { type BareServer, middleBody, startBare } from './kit/bare.ts'
import { runLoad } from './kit/load.ts'
import { writeLots } from './kit/lots.ts'
import { describeMachine } from './kit/machine.ts'
import { median, round } from './kit/numbers.ts'
import { cpuSeconds } from './kit/process.ts'
import { keepAnswered, makeQueries } from './kit/queries.ts'
import { tellResult } from './kit/result.ts'
import { platbook, prepareData, startRunning, withScratch, workerOf } from './kit/service.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    parcels: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '4' },
    turns: { type: 'string', default: '3' },
    only: { type: 'string' },
    out: { type: 'string' },
  },
})
const SECONDS = Number(values.seconds)
const CONNECTIONS = 2
/** Number of points around which is searched, spread over the counties. */
const PLACES = 4000
/** Number of tiles of `tile14Kept`: so few that the worker keeps them after building them once. */
const KEPT_TILES = 8

/** The request with which all others are compared. */
const LOOKUP = 'parcelId'
/** Kinds whose answers are text, which a bare server sends as well. */
const TEXTS = new Set([LOOKUP, 'page10', 'nearest10', 'nearest100', 'point', 'comparables'])

/** A process that answers. */
type Target = { address: string; pid: number }
type Place = { latitude: number; longitude: number }
type Kinds = Record<string, string[]>

tellResult(await withScratch(run), values.out)

async function run(scratch: string) {
  const data = values.data ?? join(scratch, 'data')
  if (!existsSync(join(data, 'parcels.db'))) await loadLots(data, scratch)
  const { key } = prepareData(data, 0)
  const places = await readPlaces(data)
  const service = await startRunning({ data, workers: 1 })
  const bares: BareServer[] = []
  try {
    const { address } = service
    const lists = await makeQueries(data, PLACES)
    const lookups = await keepAnswered(
      { ...lists, address: [], owner: [], page25: [] },
      address,
      key,
    )
    const kinds = makeKinds(
      places,
      lookups.parcelId.map(({ path }) => path),
      lists.page25.map(({ path }) => path.replace('limit=25', 'limit=10')),
    )
    const chosen = Object.entries(kinds).filter(
      ([name]) => (values.only ?? name).split(',').includes(name) || name === LOOKUP,
    )
    const own: Target = { address, pid: workerOf(service) }
    const contenders = new Map(chosen.map(([name]) => [name, own]))
    for (const [name, paths] of chosen) {
      if (!TEXTS.has(name)) continue
      const bare = await startBare(await middleBody(paths, address, key))
      bares.push(bare)
      contenders.set(`${name} bare`, bare)
    }
    const costs = new Map<string, number[]>()
    const lastStatuses: Record<string, unknown> = {}
    for (let turn = 0; turn < Number(values.turns); turn += 1) {
      for (const [name, target] of contenders) {
        const all = kinds[name.replace(' bare', '')] ?? []
        const cost = await measure(target, rotate(all, turn, Number(values.turns)), key)
        costs.set(name, [...(costs.get(name) ?? []), cost.micros])
        if (target === own) lastStatuses[name] = cost.statuses
      }
    }
    const { parcels } = values
    return { machine: describeMachine(), parcels, micros: sumUp(costs), lastTurn: lastStatuses }
  } finally {
    await service.stop()
    for (const bare of bares) await bare.stop()
  }
}

/** Sends requests for some seconds; returns the processor time of a request in microseconds. */
async function measure({ address, pid }: Target, paths: string[], key: string) {
  const used = cpuSeconds(pid)
  const load = { address, key, paths, connections: CONNECTIONS, seconds: SECONDS }
  const { statuses } = await runLoad({ ...load, timeoutMs: 10_000 })
  const answered = Object.values(statuses).reduce((sum, { count }) => sum + count, 0)
  return {
    micros: (1e6 * (cpuSeconds(pid) - used)) / answered,
    statuses: Object.fromEntries(
      Object.entries(statuses).map(([status, { count, p50Ms }]) => [status, { count, p50Ms }]),
    ),
  }
}

/** The minimum is more reliable than the median when other programs run. */
function sumUp(costs: ReadonlyMap<string, number[]>) {
  const least = (name: string) => Math.min(...(costs.get(name) ?? []))
  const beyond = (name: string) => least(name) - least(`${name} bare`)
  return Object.fromEntries(
    [...costs]
      .filter(([name]) => !name.endsWith(' bare'))
      .map(([name, each]) => [
        name,
        {
          least: round(least(name), 1),
          median: round(median(each), 1),
          ...(TEXTS.has(name) && {
            bareLeast: round(least(`${name} bare`), 1),
            beyondHttp: round(beyond(name), 1),
            lookups: round(beyond(name) / beyond(LOOKUP), 2),
          }),
        },
      ]),
  )
}

async function loadLots(data: string, scratch: string): Promise<void> {
  const file = join(scratch, 'lots.geojsonl')
  await writeLots(Number(values.parcels), file)
  platbook(['import', file, '--mapping', 'platbook', '--geometry', '--json'], data)
  rmSync(file)
}

/** Points of parcels, evenly through the record IDs. */
async function readPlaces(data: string): Promise<Place[]> {
  const store = openStore({ ...readConfig({}), data })
  const places: Place[] = []
  const counties = await store.parcels.coverage()
  for (const { state, fips, parcels } of counties) {
    const step = Math.max(1, Math.floor((parcels * counties.length) / PLACES))
    const filter = { state, fips, assignedOnly: false }
    for (let after = 0; ; ) {
      const page = await store.parcels.page(
        filter,
        { afterId: after, skip: step - 1, limit: 1 },
        Number.MAX_SAFE_INTEGER,
      )
      const [stored] = page.parcels
      if (stored === undefined) break
      after = stored.id
      const { latitude, longitude } = decodeParcel(stored.fieldValues)
      if (latitude !== null && longitude !== null) places.push({ latitude, longitude })
    }
  }
  await store.close()
  return places
}

function makeKinds(places: Place[], lookups: string[], pages: string[]): Kinds {
  const ask = (path: string, more: Record<string, string> = {}) =>
    places.map(({ latitude, longitude }) => {
      const query = { latitude: String(latitude), longitude: String(longitude), ...more }
      return `/public/${path}/?${new URLSearchParams(query)}`
    })
  const tiles = (zoom: number) => {
    const paths = places.map(({ latitude, longitude }) => {
      const { z, x, y } = tileAt([longitude, latitude], zoom)
      return `/public/tiles/${z}/${x}/${y}`
    })
    return [...new Set(paths)]
  }
  return {
    http: ['/healthz'],
    parcelId: lookups,
    page10: pages,
    nearest10: ask('property/location', { limit: '10' }),
    nearest100: ask('property/location', { limit: '100' }),
    point: ask('property/point'),
    tile16: tiles(16),
    tile14: tiles(14),
    tile14Kept: tiles(14).slice(0, KEPT_TILES),
    comparables: ask('premium/comparables', { timeFrame: '60' }),
  }
}

/** Uses another part of the list in each turn, so that requests are not repeated. */
function rotate(paths: string[], turn: number, turns: number): string[] {
  const from = Math.floor((paths.length * turn) / turns)
  return [...paths.slice(from), ...paths.slice(0, from)]
}
