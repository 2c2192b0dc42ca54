/**
 * Measures what watches cost an import. 1 % of a roll is revalued; watches list ten parcels each,
 * one for every parcel of a roll ten times as large. Prints JSON.
 *
 *   node bench/watches.ts --parcels 100000 --watches 100000
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { loadMapping } from '../src/import/mapping/mapping.ts'
import { runImport } from '../src/import/run.ts'
import { readConfig } from '../src/settings/read-config.ts'
import { openAccounts, openParcels, prepareData } from '../src/store/open.ts'
import { openFinder } from '../src/watches/find-events.ts'
import { openWatchWorld } from '../src/watches/open-world.ts'
import { describeMachine } from './kit/machine.ts'
import { round } from './kit/numbers.ts'
import { tellResult } from './kit/result.ts'

const { values: options } = parseArgs({
  options: {
    parcels: { type: 'string', default: '100000' },
    watches: { type: 'string', default: '100000' },
    out: { type: 'string' },
  },
})
const [PARCELS, WATCHES] = [Number(options.parcels), Number(options.watches)]
const LISTED = 10
const CHANGED = 0.01

const data = mkdtempSync(join(tmpdir(), 'platbook-bench-'))
const config = { ...readConfig({}), data }
try {
  tellResult(await measure(), options.out)
} finally {
  rmSync(data, { recursive: true, force: true })
}

async function measure() {
  await prepareData(config)
  const first = await timed(() => load(1))
  addWatches()
  const accounts = await openAccounts(config)
  const rolls = openParcels(config)
  const stores = { accounts, parcels: rolls.parcels }
  const alarm = (text: string) => process.stderr.write(`${text}\n`)
  const finder = openFinder(openWatchWorld(config, stores, { now: Date.now, alarm }))
  while (await finder.find());
  const turns = []
  for (const year of [2, 3, 4]) {
    const refresh = await timed(() => load(year))
    await new Promise(setImmediate)
    const before = countEvents()
    const find = await timed(async () => {
      while (await finder.find());
    })
    turns.push({ refresh, find, events: countEvents() - before, ratio: round(find / refresh, 4) })
  }
  await rolls.close()
  await accounts.close()
  return { machine: describeMachine(), parcels: PARCELS, watches: WATCHES, first, turns }
}

/** Seconds of processor time of all threads, which other load disturbs less. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return round((user + system) / 1e6, 3)
}

/** Each year another hundredth is revalued. */
function load(year: number) {
  const rows = Array.from({ length: PARCELS }, (_, at) => {
    const part = at % Math.round(1 / CHANGED)
    const value = 1000 + (part <= year ? part : 0)
    return `WI,Dane,${at},"DOE${at % 5000}, JANE",last-first,${at + 1} OAK ST,${value}`
  })
  const head = 'state,county,parcelId,ownerName1,nameOrder,address,totalAssessedValue'
  writeFileSync(join(data, 'roll.csv'), `${head}\n${rows.join('\n')}\n`)
  return runImport({
    ...{ files: [join(data, 'roll.csv')], mapping: loadMapping('platbook'), dataDir: data },
    ...{ databaseUrl: null, state: undefined, county: undefined, forcedOrder: undefined },
    ...{ rollYear: undefined, today: '2026-06-01', geometry: false, partial: false, dryRun: false },
    versions: { keep: null, vintage: null },
    force: true,
    sink: { terminal: false, report() {}, draw() {}, now: () => Date.now() + year * 864e5 },
  })
}

function addWatches(): void {
  const db = new DatabaseSync(join(data, 'accounts.db'))
  db.exec('PRAGMA foreign_keys = OFF')
  db.exec('BEGIN')
  const watch = db.prepare(`INSERT INTO watch (id, account_id, name, kind, groups, secret, status,
      created_at, starts, parcels, newest, delivered)
    VALUES (?, 'acc_bench', '', 'parcels', 255, '', 'active', 0, '{}', ?, 0, 0)`)
  const parcel = db.prepare(
    'INSERT INTO watch_parcel (watch_id, parcel_key, property_id) VALUES (?, ?, ?)',
  )
  for (let at = 0; at < WATCHES; at += 1) {
    watch.run(`wat_${at}`, LISTED)
    for (let one = 0; one < LISTED; one += 1) {
      const id = `55025-${at + one * WATCHES}`
      parcel.run(`wat_${at}`, id, id)
    }
  }
  db.exec('UPDATE watch_state SET version = version + 1')
  db.exec('COMMIT')
  db.close()
}

function countEvents(): number {
  const db = new DatabaseSync(join(data, 'accounts.db'), { readOnly: true })
  const row = db.prepare('SELECT count(*) AS count FROM watch_event').get()
  db.close()
  return Number(row?.count)
}
