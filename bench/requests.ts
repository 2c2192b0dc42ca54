/**
 * Measures requests a second of each endpoint on one worker, compared with the limit of the runtime
 * (a bare `node:http` server that sends the same bytes) and with what a user would build instead,
 * in turns in one run. Prints JSON: medians over the turns, and ratios.
 *
 *   npm run bench -- requests [--data DIR] [--parcels 20000] [--turns 3] [--seconds 3] [--others]
 *     [--attempts 3] [--since FILE] [--against CHECKOUT]
 *     [--only owner] [--out FILE]
 *
 * `--against` also measures another checkout; both then import the same generated parcels, or have
 * copies of `--data`. Needs wrk (Debian's package); `--others` fetches the packages of
 * bench/packages. A turn counts only while the process that answers is at least 95 % busy, with
 * PostgreSQL together with the server's processes. Other turns are repeated, twice at most. `quiet`
 * is false when too few turns counted; medians are then over all turns, and rates are unreliable.
 */
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { middleBody, startBare } from './kit/bare.ts'
import { describeMachine } from './kit/machine.ts'
import { median, round } from './kit/numbers.ts'
import { versionsOf } from './kit/packages.ts'
import { cpuSeconds, cpuSecondsOfTree } from './kit/process.ts'
import { ask, type Kind, keepAnswered, makeQueries, type Queries } from './kit/queries.ts'
import { tellResult } from './kit/result.ts'
import {
  prepareAlike,
  prepareData,
  ROOT,
  type RunningService,
  startRunning,
  withScratch,
  workerOf,
} from './kit/service.ts'
import { runWrk } from './kit/wrk.ts'
import { type Contender, startExpressKnex, startFastifyPg } from './others/load.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    parcels: { type: 'string', default: '20000' },
    queries: { type: 'string', default: '1000' },
    turns: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '32' },
    /** How often a turn that was not busy enough is tried. */
    attempts: { type: 'string', default: '3' },
    only: { type: 'string' },
    others: { type: 'boolean', default: false },
    against: { type: 'string' },
    /** Writes the result there too. */
    out: { type: 'string' },
    /** Prints on standard error what changed since this result. */
    since: { type: 'string' },
  },
})

const TURNS = Number(values.turns)
const BUSY_MIN = 0.95
/**
 * V8 goes on compiling for many thousands of requests: an address lookup gets cheaper for some ten
 * seconds.
 */
const WARM_SECONDS = 12
/** The bare server is a dozen lines, asked some 200,000 times by then. */
const WARM_BARE_SECONDS = 4

type Turn = {
  perSecond: number
  /**
   * Processor time per request, µs: of the process that answers, and with all that help it. It says
   * the same on a busy machine.
   */
  cpuMicros: number
  allCpuMicros: number
  p50Ms: number
  p99Ms: number
  busy: number
  notOk: number
}

const result = await withScratch(run)
tellResult(result, values.out)
if (values.since !== undefined && existsSync(values.since)) tellChange(values.since)

async function run(scratch: string) {
  const against = values.against === undefined ? undefined : resolve(values.against)
  const [{ data, key }, before] = prepare(scratch, against)
  const service = await startRunning({ data, workers: 1 })
  const contenders: Record<string, Contender> = { platbook: contend(service) }
  try {
    if (before !== undefined) {
      contenders.before = {
        // The first versions have no option against the console, because they have none.
        ...contend(await startRunning({ ...before, workers: 1, console: true })),
        key: before.key,
      }
    }
    const drawn = await makeQueries(data, Number(values.queries))
    const queries = await keepAnswered(drawn, service.address, key)
    for (const list of Object.values(queries)) shuffle(list)
    if (values.others) {
      contenders.fastifyPg = await startFastifyPg(data, key)
      contenders.expressKnex = await startExpressKnex(data, key, scratch)
      const { before: _, ...alike } = contenders
      await checkAlike(queries, alike, key)
    }
    const results: Record<string, unknown> = {}
    for (const kind of Object.keys(queries) as Kind[]) {
      if (values.only !== undefined && values.only !== kind) continue
      results[kind] = await compare(
        queries[kind].map(({ path }) => path),
        contenders,
        key,
      )
    }
    return {
      question: 'requests a second on one worker',
      machine: describeMachine(),
      versions: values.others ? versionsOf('express', 'knex') : {},
      parcels: Number(values.parcels),
      turns: TURNS,
      seconds: Number(values.seconds),
      connections: Number(values.connections),
      results,
    }
  } finally {
    for (const contender of Object.values(contenders)) await contender.stop()
  }
}

type Prepared = { data: string; key: string; root: string }

/** Returns our data and key, and those of the other checkout, if there is one. */
function prepare(scratch: string, against: string | undefined): [Prepared, Prepared?] {
  if (against !== undefined && values.data === undefined) {
    return prepareAlike(scratch, Number(values.parcels), [ROOT, against]) as [Prepared, Prepared]
  }
  const data = values.data ?? join(scratch, 'data')
  const ours = { data, ...prepareData(data, Number(values.parcels)), root: ROOT }
  if (against === undefined) return [ours]
  const copy = join(scratch, 'before')
  cpSync(data, copy, { recursive: true })
  return [ours, { ...ours, data: copy, root: against }]
}

function contend(service: RunningService): Contender {
  return {
    address: service.address,
    pid: workerOf(service),
    cpuSeconds: () => cpuSecondsOfTree(service.pid),
    stop: async () => {
      await service.stop()
    },
  }
}

async function compare(paths: string[], contenders: Record<string, Contender>, key: string) {
  const body = await middleBody(paths, (contenders.platbook as Contender).address, key)
  const server = await startBare(body)
  const bare: Contender = { ...server, cpuSeconds: () => cpuSeconds(server.pid) }
  const all = { ...contenders, bare }
  const turns: Record<string, Turn[]> = {}
  for (const [name, contender] of Object.entries(all)) {
    turns[name] = []
    // Warm-up until the hot code is compiled.
    await drive(contender, paths, key, name === 'bare' ? WARM_BARE_SECONDS : WARM_SECONDS)
  }
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const [name, contender] of Object.entries(all)) {
      turns[name]?.push(await driveBusy(contender, paths, key))
    }
  }
  await bare.stop()
  const shown = Object.fromEntries(
    Object.entries(turns).map(([name, list]) => [name, summarize(list)]),
  )
  const limit = shown.bare as ReturnType<typeof summarize>
  const ours = shown.platbook as ReturnType<typeof summarize>
  const { before } = contenders
  return {
    bytes: body.length,
    ...(before !== undefined && {
      bytesBefore: (await middleBody(paths, before.address, before.key ?? key)).length,
    }),
    ratio: round(ours.perSecond / limit.perSecond, 3),
    cpuRatio: round(limit.cpuMicros / ours.cpuMicros, 3),
    contenders: shown,
  }
}

async function driveBusy(contender: Contender, paths: string[], key: string): Promise<Turn> {
  let best: Turn | undefined
  for (let attempt = 0; attempt < Number(values.attempts); attempt += 1) {
    const turn = await drive(contender, paths, key)
    if (best === undefined || turn.busy > best.busy) best = turn
    if (turn.busy >= BUSY_MIN) break
  }
  return best as Turn
}

async function drive(
  contender: Contender,
  paths: string[],
  key: string,
  seconds = Number(values.seconds),
): Promise<Turn> {
  const before = { own: cpuSeconds(contender.pid), all: contender.cpuSeconds() }
  const started = performance.now()
  const { requests, perSecond, p50Ms, p99Ms, notOk } = await runWrk({
    address: contender.address,
    paths,
    key: contender.key ?? key,
    connections: Number(values.connections),
    seconds,
  })
  const elapsed = (performance.now() - started) / 1000
  const own = cpuSeconds(contender.pid) - before.own
  const all = contender.cpuSeconds() - before.all
  return {
    perSecond,
    p50Ms,
    p99Ms,
    notOk,
    cpuMicros: round((own * 1e6) / requests, 1),
    allCpuMicros: round((all * 1e6) / requests, 1),
    busy: round(Math.max(own, all) / elapsed, 2),
  }
}

function summarize(turns: Turn[]) {
  const counted = turns.filter(({ busy }) => busy >= BUSY_MIN)
  const quiet = counted.length * 2 > turns.length
  const used = quiet ? counted : turns
  const of = (name: keyof Turn) => round(median(used.map((turn) => turn[name])), 2)
  return {
    perSecond: of('perSecond'),
    cpuMicros: of('cpuMicros'),
    allCpuMicros: of('allCpuMicros'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    quiet,
    busy: turns.map(({ busy }) => busy),
    perSecondOfTurns: turns.map(({ perSecond }) => perSecond),
    notOk: turns.reduce((sum, { notOk }) => sum + notOk, 0),
  }
}

/**
 * The others answer the same questions with the same bytes, but for the owner search, where `LIKE`
 * finds other parcels.
 */
async function checkAlike(queries: Queries, contenders: Record<string, Contender>, key: string) {
  for (const kind of ['parcelId', 'page25', 'owner'] as const) {
    const path = queries[kind][0]?.path ?? ''
    const answers = await Promise.all(
      Object.values(contenders).map(({ address }) => ask(address, path, key)),
    )
    const [ours, ...others] = answers
    for (const other of others) {
      const alike = kind === 'owner' ? other.status === 200 : other.text === ours?.text
      if (alike) continue
      const at = [...other.text].findIndex((letter, at) => letter !== ours?.text[at])
      const around = [ours, other].map((one) => one?.text.slice(at - 60, at + 100))
      throw new Error(`${path} is answered otherwise: ${around.join(' / ')}`)
    }
  }
}

/** Neighbours in the file share pages, so parcels are asked in a drawn order, always the same. */
function shuffle(list: unknown[]): void {
  let seed = 1
  for (let at = list.length - 1; at > 0; at -= 1) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    const other = (seed >>> 8) % (at + 1)
    ;[list[at], list[other]] = [list[other], list[at]]
  }
}

/** A change that loses a tenth is to be seen. Ratios, since machines differ. */
function tellChange(path: string): void {
  const old = JSON.parse(readFileSync(path, 'utf8')).results as Record<string, { cpuRatio: number }>
  const now = result.results as Record<string, { cpuRatio: number; ratio: number }>
  for (const [kind, { cpuRatio, ratio }] of Object.entries(now)) {
    const before = old[kind]?.cpuRatio
    const change = before === undefined ? Number.NaN : round((cpuRatio / before - 1) * 100, 1)
    const mark = change <= -10 ? '  LOST' : ''
    console.error(
      `${kind.padEnd(9)} ratio to bare ${ratio}, by processor time ${cpuRatio}, before ` +
        `${before ?? '-'}: ${change} %${mark}`,
    )
  }
}
