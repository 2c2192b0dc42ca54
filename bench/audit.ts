/**
 * Measures the cost of the audit for an answer, and the time to search it. Prints JSON.
 *
 * npm run bench:audit -- [--parcels 20000] [--turns 7] [--seconds 2] [--rows 10000000]
 *
 * Two services over the same generated parcels, one with PLATBOOK_AUDIT=off, are driven in turns by
 * wrk (Debian's package). Then the given number of entries, of ten parcels each, is written into a
 * temporary folder and searched.
 */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { filterSegment } from '../src/ledger/audit-keeper.ts'
import { whoSaw } from '../src/privacy/search-audit.ts'
import { chainNotes, SEGMENT_ROWS } from '../src/store/audit/audit-store.ts'
import { createAuditStore, createAuditWriter } from '../src/store/sqlite/audit.ts'
import { openDatabase, transaction } from '../src/store/sqlite/connection.ts'
import { describeMachine } from './kit/machine.ts'
import { median, round } from './kit/numbers.ts'
import { cpuSecondsOfTree } from './kit/process.ts'
import { type Kind, keepAnswered, makeQueries } from './kit/queries.ts'
import { tellResult } from './kit/result.ts'
import { prepareData, type RunningService, startRunning, withScratch } from './kit/service.ts'
import { runWrk } from './kit/wrk.ts'

const { values } = parseArgs({
  options: {
    parcels: { type: 'string', default: '20000' },
    turns: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '2' },
    rows: { type: 'string', default: '10000000' },
    only: { type: 'string' },
    out: { type: 'string' },
  },
})
const KINDS: Kind[] = ['owner', 'address', 'page25']
/** Number of parcels among the generated entries, and parcels per entry. */
const PARCELS = 1_000_000
const SHOWN = 10
const ASKED = 20

const result = await withScratch(async (scratch) => ({
  question: 'what the audit costs',
  machine: describeMachine(),
  answers: Number(values.turns) === 0 ? null : await compareAnswers(scratch),
  search: Number(values.rows) === 0 ? null : await timeSearch(scratch, Number(values.rows)),
}))
tellResult(result, values.out)

async function compareAnswers(scratch: string) {
  const data = join(scratch, 'off')
  const { key } = prepareData(data, Number(values.parcels))
  cpSync(data, join(scratch, 'names'), { recursive: true })
  const services: Record<string, RunningService> = {}
  for (const audit of ['off', 'names']) {
    const options = { data: join(scratch, audit), workers: 1 }
    services[audit] = await startRunning({ ...options, env: { PLATBOOK_AUDIT: audit } })
  }
  const { off, names } = services
  if (off === undefined || names === undefined) throw new Error('a service did not start')
  try {
    const queries = await keepAnswered(await makeQueries(data, 1000), off.address, key)
    const shown: Record<string, object> = {}
    for (const kind of KINDS) {
      if (values.only !== undefined && values.only !== kind) continue
      const paths = queries[kind].map(({ path }) => path)
      for (const one of [off, names]) await drive(one, paths, key, 8)
      const turns: { off: Turn[]; names: Turn[] } = { off: [], names: [] }
      for (let turn = 0; turn < Number(values.turns); turn += 1) {
        turns.off.push(await drive(off, paths, key))
        turns.names.push(await drive(names, paths, key))
      }
      shown[kind] = compareTurns(turns.off, turns.names)
    }
    return shown
  } finally {
    await Promise.all([off, names].map((one) => one.stop()))
  }
}

type Turn = { perSecond: number; cpuMicros: number; p99Ms: number; notOk: number }

async function drive(
  service: RunningService,
  paths: string[],
  key: string,
  seconds = Number(values.seconds),
): Promise<Turn> {
  const before = cpuSecondsOfTree(service.pid)
  const options = { address: service.address, paths, key, connections: 32, seconds }
  const { requests, perSecond, p99Ms, notOk } = await runWrk(options)
  const cpuMicros = ((cpuSecondsOfTree(service.pid) - before) * 1e6) / requests
  return { perSecond, cpuMicros, p99Ms, notOk }
}

/** `throughput`: with the audit, as a share of without. */
function compareTurns(off: Turn[], names: Turn[]) {
  const summarize = (turns: Turn[]) => ({
    perSecond: Math.round(median(turns.map(({ perSecond }) => perSecond))),
    cpuMicros: round(median(turns.map(({ cpuMicros }) => cpuMicros)), 1),
    p99Ms: median(turns.map(({ p99Ms }) => p99Ms)),
    notOk: turns.reduce((sum, { notOk }) => sum + notOk, 0),
  })
  const shares = names.map(({ perSecond }, at) => perSecond / (off[at]?.perSecond ?? 1))
  return {
    off: summarize(off),
    names: summarize(names),
    throughput: round(median(shares), 3),
    shares: shares.map((share) => round(share, 3)),
  }
}

async function timeSearch(scratch: string, rows: number) {
  const db = openDatabase(join(scratch, 'audit.db'), {
    kind: 'accounts',
    synchronous: 'NORMAL',
  })
  const [writer, audit] = [createAuditWriter(db), createAuditStore(db)]
  let seed = 1
  const draw = (below: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((seed / 2 ** 32) * below)
  }
  const parcel = (at: number) => `55025-0709-${String(at).padStart(7, '0')}`
  for (let from = 0; from < rows; from += SEGMENT_ROWS) {
    const notes = Array.from({ length: SEGMENT_ROWS }, (_, at) => ({
      accountId: `acc_${draw(200)}`,
      keyId: 'key_bench00000',
      requestId: `bench-${from + at}`,
      operation: 'premiumOwnerSearch',
      query: (from + at).toString(16).padStart(32, '0'),
      ids: Array.from({ length: SHOWN }, () => parcel(draw(PARCELS))).join('\n'),
    }))
    transaction(db, () => writer.append(chainNotes(notes, writer.newest(), from)))
    const segment = from / SEGMENT_ROWS + 1
    await audit.putFilter(segment, await filterSegment(audit, segment))
  }
  const times: number[] = []
  let answers = 0
  for (let ask = 0; ask < ASKED; ask += 1) {
    const started = performance.now()
    for await (const _ of whoSaw(audit, parcel(draw(PARCELS)))) answers += 1
    times.push(performance.now() - started)
  }
  const bytes = Number(db.prepare('PRAGMA page_count').get()?.page_count) * 4096
  db.close()
  return {
    rows,
    asked: ASKED,
    answers,
    medianMs: Math.round(median(times)),
    maxMs: Math.round(Math.max(...times)),
    bytesPerRow: Math.round(bytes / rows),
  }
}
