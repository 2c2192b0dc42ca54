/**
 * Measures how much expensive requests delay cheap ones. The most expensive request of each
 * operation is sent over 64 connections, each of which sends the next when it is answered. Others
 * send parcel lookups at a moderate rate, whether or not those before are answered.
 *
 *   node bench/hostile.ts [--data DIR] [--parcels 100000] [--seconds 5] [--only deepOffset]
 *     [--connections 64] [--out FILE]
 *   node bench/hostile.ts --only unread   unread, pipelines, slowloris, bodies, arrays, idle:
 *     connections that mean harm
 *   node bench/hostile.ts --postgres                   over the server that the tests use
 *
 * One worker. Prints JSON: the times of the lookups during each flood (goal: p99 below 50 ms), and
 * the answers to the expensive requests. `ranges`, `sorts`, `summaries` and `suggests` ask about
 * facts. `tiles` are of zoom 16, `tilesWide` of zoom 14. Times count from when a lookup was due;
 * `lag` is how late it was sent, which the service cannot help.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { decodeParcel } from '../src/record/stored.ts'
import { countyByFips } from '../src/regions/counties.ts'
import { readConfig } from '../src/settings/read-config.ts'
import { openStore } from '../src/store/open.ts'
import { openDatabase } from '../src/store/sqlite/connection.ts'
import type { ParcelReader } from '../src/store/store.ts'
import { startServer } from '../test/postgres-server.ts'
import { ATTACKS, type Attack } from './kit/attacks.ts'
import { type LoadResult, runLoad, startLoad } from './kit/load.ts'
import { describeMachine } from './kit/machine.ts'
import { round } from './kit/numbers.ts'
import { cpuSeconds, memoryOf } from './kit/process.ts'
import { keepAnswered, makeQueries } from './kit/queries.ts'
import { makeQuestionFloods } from './kit/question-floods.ts'
import { tellResult } from './kit/result.ts'
import {
  prepareData,
  type RunningService,
  startRunning,
  withScratch,
  workerOf,
} from './kit/service.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    parcels: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '64' },
    postgres: { type: 'boolean', default: false },
    only: { type: 'string' },
    out: { type: 'string' },
  },
})
const SECONDS = Number(values.seconds)
/** Lookups a second during the flood, and connections enough for all while some are delayed. */
const RATE = 40
const LOOKUP_CONNECTIONS = 16

/** Addresses and parcel IDs that do not exist. */
const ABSENT = 20_000

/** Longer than a connection may make no progress. */
const ATTACK_SECONDS = 15

/** Number of parcels of each county around which searches by place are made. */
const POINTS = 40
/** Half the side of a box of some 300 square miles, in degrees. */
const BOX_DEGREES = 0.12

const COMMON = ['SMITH', 'JOHNSON', 'GARCIA', 'WILLIAMS']

const server = values.postgres ? await startServer(['shared_buffers=512MB']) : undefined
const databaseUrl = (await server?.createDatabase('hostile')) ?? null
if (databaseUrl !== null) process.env.PLATBOOK_DATABASE_URL = databaseUrl
try {
  tellResult(await withScratch(run), values.out)
} finally {
  await server?.stop()
}

async function run(scratch: string) {
  const data = values.data ?? join(scratch, 'data')
  const { key } = prepareData(data, Number(values.parcels))
  const floods = await makeFloods(data)
  const lists = await makeQueries(data, 300, { databaseUrl })
  const service = await startRunning({ data, workers: 1 })
  const { address } = service
  try {
    const worker = workerOf(service)
    const lookups = await keepAnswered(
      { ...lists, address: [], owner: [], page25: [] },
      address,
      key,
    )
    const paths = lookups.parcelId.map(({ path }) => path)
    const probe = {
      address,
      key,
      paths,
      connections: LOOKUP_CONNECTIONS,
      rate: RATE,
      seconds: SECONDS,
      timeoutMs: 5000,
    }
    const results: Record<string, unknown> = { none: showProbe(await runLoad(probe)) }
    for (const [name, dear] of Object.entries(floods)) {
      if (values.only !== undefined && values.only !== name) continue
      const connections = Number(values.connections)
      const flood = {
        address,
        key,
        paths: dear,
        connections,
        seconds: SECONDS + 1,
        timeoutMs: 10_000,
      }
      const flooding = startLoad(flood)
      await new Promise((resolve) => setTimeout(resolve, 500))
      const used = cpuSeconds(worker)
      const beside = await runLoad(probe)
      const busy = round((cpuSeconds(worker) - used) / SECONDS, 2)
      results[name] = {
        example: dear[0],
        lookups: showProbe(beside),
        busy,
        dear: showDear(await flooding.result),
        rssMb: memoryOf(worker).rssMb,
      }
    }
    for (const [name, begin] of Object.entries(ATTACKS)) {
      if (values.only !== undefined && values.only !== name) continue
      results[name] = await showAttack(begin, service, probe)
    }
    return { machine: describeMachine(), results }
  } finally {
    await service.stop()
  }
}

/**
 * Measures lookups during an attack by connections, the worker's maximum memory, and how often it
 * died.
 */
async function showAttack(
  begin: (address: string) => Promise<Attack>,
  service: RunningService,
  probe: Parameters<typeof runLoad>[0],
) {
  const before = workerOf(service)
  const saidBefore = service.log().length
  const rssBeforeMb = memoryOf(before).rssMb
  let rssMb = 0
  const watching = setInterval(() => {
    const [pid] = service.pids('worker')
    if (pid !== undefined) rssMb = Math.max(rssMb, memoryOf(pid).rssMb)
  }, 100)
  const attack = await begin(service.address)
  const lookups = showProbe(await runLoad({ ...probe, seconds: ATTACK_SECONDS }))
  clearInterval(watching)
  const closed = attack.closed()
  attack.stop()
  await new Promise((resolve) => setTimeout(resolve, 500))
  return {
    lookups,
    closed,
    rssBeforeMb,
    rssMb,
    restarted: workerOf(service) !== before,
    log: service.log().slice(saidBefore),
  }
}

function showProbe({ statuses, sent, unsent, late, broken, lag }: LoadResult) {
  return { statuses, sent, unsent, late, broken, lag }
}

function showDear({ statuses, withoutRetryAfter, shortPages, late, broken }: LoadResult) {
  return { statuses, withoutRetryAfter, shortPages, late, broken }
}

/** The most expensive requests for this data; those of a list are sent in turn. */
async function makeFloods(data: string): Promise<Record<string, string[]>> {
  const store = openStore({ ...readConfig({}), data, databaseUrl })
  const counties = await store.parcels.coverage()
  const addresses = await crowdedAddresses(data, store.parcels)
  const places = await makePlaceFloods(store.parcels, counties)
  await store.close()
  const states = [...new Set(counties.map(({ state }) => state))]
  const largest = Math.max(...counties.map(({ parcels }) => parcels))
  const each = (path: string, query: Record<string, string>) =>
    states.map((state) => `${path}?${new URLSearchParams({ state, ...query })}`)
  const search = '/public/property/search/'
  const premium = '/public/premium/owner/'
  return {
    deepOffset: each(search, { limit: '100', offset: String(Math.floor(largest * 0.9)) }),
    rareFilter: each(search, { limit: '100', unit: '999999', includeUnassignedAddress: 'true' }),
    rareFilterByCursor: each(search, { limit: '100', unit: '999999', cursor: '' }),
    page100: each(search, { limit: '100', cursor: '' }),
    commonSurname: COMMON.flatMap((lastName) => each(premium, { lastName, limit: '25' })),
    plainOwner100: COMMON.flatMap((lastName) =>
      each('/public/property/owner/', { lastName, limit: '100' }),
    ),
    commonWords: each(premium, { nameContains: 'LLC', limit: '25', offset: '175' }),
    fuzzyShort: ['LEE', 'ROS', 'HAL', 'MOR'].flatMap((lastName) =>
      each(premium, { lastName, fuzzy: 'true', limit: '25' }),
    ),
    fuzzyWords: each(premium, { nameContains: 'MARIE LEE', fuzzy: 'true', limit: '25' }),
    crowdedAddresses: addresses,
    // Each leads to all alternatives; no two are the same.
    absentAddresses: Array.from({ length: ABSENT }, (_, at) => {
      const address = `${at + 1} N Nowhere Hill Oak Park ${at % 977} IL 60601`
      const state = states[at % states.length] ?? ''
      return `/public/property/address/?${new URLSearchParams({ state, address })}`
    }),
    ...places,
    ...makeQuestionFloods(states),
    absentIds: counties.flatMap(({ state, fips }) => {
      const county = countyByFips(fips)?.name ?? ''
      return Array.from({ length: ABSENT / counties.length }, (_, at) => {
        const query = { state, county, parcelId: `NONE-${at}` }
        return `/public/property/parcelId/?${new URLSearchParams(query)}`
      })
    }),
  }
}

/** The most expensive searches by place, around 40 parcels of each county. */
async function makePlaceFloods(
  parcels: ParcelReader,
  counties: readonly { state: string; fips: number }[],
): Promise<Record<string, string[]>> {
  const floods: Record<string, string[]> = { tiles: [], tilesWide: [], shape: [], comparables: [] }
  for (const { state, fips } of counties) {
    const filter = { state, fips, assignedOnly: true }
    const page = await parcels.page(
      filter,
      { afterId: 0, skip: 0, limit: 100 },
      Number.MAX_SAFE_INTEGER,
    )
    for (const { fieldValues } of page.parcels.slice(0, POINTS)) {
      const { latitude, longitude } = decodeParcel(fieldValues)
      if (latitude === null || longitude === null) continue
      const add = (name: string, path: string, query: Record<string, string> = {}) =>
        floods[name]?.push(`${path}?${new URLSearchParams(query)}`)
      add('tiles', tilePath(latitude, longitude, 16))
      add('tilesWide', tilePath(latitude, longitude, 14))
      const [south, north] = [latitude - BOX_DEGREES, latitude + BOX_DEGREES]
      const [west, east] = [longitude - BOX_DEGREES, longitude + BOX_DEGREES]
      add('shape', '/public/property/shape/', {
        bbox: `${west},${south},${east},${north}`,
        limit: '100',
      })
      const point = { latitude: String(latitude), longitude: String(longitude) }
      const widest = { radius: '10', timeFrame: '60', limit: '50', explain: 'true' }
      add('comparables', '/public/premium/comparables/', { ...point, ...widest })
    }
  }
  return floods
}

/** Path of the tile of a zoom that holds a point. */
function tilePath(latitude: number, longitude: number, zoom: number): string {
  const across = 2 ** zoom
  const x = Math.floor(((longitude + 180) / 360) * across)
  const sine = Math.sin((latitude * Math.PI) / 180)
  const y = Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * across)
  return `/public/tiles/${zoom}/${x}/${y}/`
}

/** The addresses that most parcels share, as a caller types them who does not know which unit. */
async function crowdedAddresses(data: string, parcels: ParcelReader): Promise<string[]> {
  const rows = await readCrowded(data)
  const paths: string[] = []
  for (const { state, id } of rows) {
    const [stored] = await parcels.byIds(state, [id])
    const address = stored && decodeParcel(stored.fieldValues).address
    if (address) paths.push(`/public/property/address/?${new URLSearchParams({ state, address })}`)
  }
  return paths
}

async function readCrowded(data: string): Promise<{ state: string; id: number }[]> {
  const text =
    'SELECT state, min(id) AS id FROM situs GROUP BY state, key ORDER BY count(*) DESC LIMIT 20'
  if (databaseUrl !== null) {
    const client = new Client(databaseUrl)
    await client.connect()
    const { rows } = await client.query(text.replace('situs', 'platbook.situs'))
    await client.end()
    return rows.map(({ state, id }) => ({ state, id: Number(id) }))
  }
  const file = join(data, 'parcels.db')
  const db = openDatabase(file, { kind: 'parcels', synchronous: 'NORMAL', readOnly: true })
  const rows = db.prepare(text).all() as { state: string; id: number }[]
  db.close()
  return rows
}
