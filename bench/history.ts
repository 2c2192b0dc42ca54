/**
 * Measures what earlier versions and lineage cost. A roll has ten years: 3 % of it are sold, 30 %
 * revalued, and 0.5 % split or merged each year. Every year is imported with the history and, in
 * turns, without it. Prints JSON.
 *
 *   node bench/history.ts --parcels 20000
 *   node bench/history.ts --file roll.csv --mapping ma-massgis-l3 --owner OWNER1 --value TOTAL_VAL
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { loadMapping } from '../src/import/mapping/mapping.ts'
import { CsvSplitter } from '../src/import/readers/csv.ts'
import { runImport } from '../src/import/run.ts'
import { writeSampleFile } from '../src/sample/file.ts'
import { Random } from '../src/sample/random.ts'
import { describeMachine } from './kit/machine.ts'
import { median, round } from './kit/numbers.ts'
import { tellResult } from './kit/result.ts'

const { values: options } = parseArgs({
  options: {
    parcels: { type: 'string', default: '20000' },
    file: { type: 'string' },
    mapping: { type: 'string', default: 'platbook' },
    owner: { type: 'string', default: 'ownerName1' },
    value: { type: 'string', default: 'totalAssessedValue' },
    years: { type: 'string', default: '10' },
    out: { type: 'string' },
  },
})
const YEARS = Number(options.years)
const SHARES = { sold: 0.03, revalued: 0.3, replatted: 0.005 }

const folder = mkdtempSync(join(tmpdir(), 'platbook-bench-'))
try {
  tellResult(await measure(), options.out)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function measure() {
  const rolls = await prepareRolls()
  const stores = { kept: { keep: null }, off: { keep: 0 } } as const
  const seconds: Record<keyof typeof stores, number[]> = { kept: [], off: [] }
  const updated: number[] = []
  let first = 0
  for (const [year, file] of rolls.entries()) {
    const names = Object.keys(stores) as (keyof typeof stores)[]
    for (const name of year % 2 === 0 ? names : names.toReversed()) {
      const dataDir = join(folder, name)
      mkdirSync(dataDir, { recursive: true })
      const { keep } = stores[name]
      const before = process.cpuUsage()
      const report = await load(file, dataDir, { keep, vintage: Date.UTC(2016 + year, 0) / 864e5 })
      if (year === 0) continue
      const { user, system } = process.cpuUsage(before)
      seconds[name].push(round((user + system) / 1e6, 3))
      if (name === 'kept') updated.push(report.updated + report.loaded + report.removed)
    }
    if (year === 0) first = sizeOf('kept')
  }
  const [kept, off] = [sizeOf('kept'), sizeOf('off')]
  const perYear = (kept - off) / (YEARS - 1)
  return {
    ...{ machine: describeMachine(), shares: SHARES, years: YEARS, changedAYear: median(updated) },
    megabytes: { first: mb(first), kept: mb(kept), off: mb(off), tables: tablesOf('kept') },
    addedAYear: round(perYear / first, 4),
    // Of processor time of all threads, which other load disturbs less.
    seconds: { kept: round(median(seconds.kept), 2), off: round(median(seconds.off), 2) },
    timeRatio: round(median(seconds.kept.map((own, at) => own / (seconds.off[at] ?? own))), 3),
    turns: seconds,
  }
}

function load(file: string, dataDir: string, versions: { keep: number | null; vintage: number }) {
  return runImport({
    ...{ files: [file], mapping: loadMapping(options.mapping), dataDir, databaseUrl: null },
    ...{ state: undefined, county: undefined, forcedOrder: undefined, rollYear: undefined },
    ...{ today: '2026-06-01', geometry: true, versions, partial: false, dryRun: false },
    force: true,
    sink: { terminal: false, report() {}, draw() {}, now: Date.now },
  })
}

function sizeOf(name: string): number {
  return statSync(join(folder, name, 'parcels.db')).size
}

/** Megabytes of the tables of the history. */
function tablesOf(name: string) {
  const db = new DatabaseSync(join(folder, name, 'parcels.db'), { readOnly: true })
  const rows = db
    .prepare(`SELECT CASE WHEN name LIKE '%lineage%' THEN 'lineage' ELSE name END AS own,
        sum(pgsize) AS size FROM dbstat
      WHERE name IN ('versions', 'past_keys', 'vintages', 'lineage', 'lineage_by_child')
      GROUP BY own`)
    .all()
  db.close()
  return Object.fromEntries(rows.map(({ own, size }) => [String(own), mb(Number(size))]))
}

function mb(bytes: number): number {
  return round(bytes / 2 ** 20, 2)
}

/** Writes a roll a year and returns their paths. */
async function prepareRolls(): Promise<string[]> {
  const base = options.file ?? join(folder, 'sample.csv')
  if (options.file === undefined) {
    await writeSampleFile({ parcels: Number(options.parcels), seed: 1 }, base)
  }
  const splitter = new CsvSplitter(',')
  splitter.push(readFileSync(base, 'utf8'), true)
  const [head = [], ...first] = splitter.drain().rows
  const column = (name: string) => head.indexOf(name)
  const at = { owner: column(options.owner), value: column(options.value) }
  const places = { id: column('parcelId'), geometry: column('geometry') }
  const random = new Random(7, 'history')
  let rows = first
  return Array.from({ length: YEARS }, (_, year) => {
    if (year > 0) rows = changeYear(rows, { random: () => random.unit(), year, ...at, ...places })
    const path = join(folder, `${year}.csv`)
    const quote = (text: string) => `"${text.replaceAll('"', '""')}"`
    const lines = [head, ...rows].map((row) => row.map(quote).join(','))
    writeFileSync(path, `${lines.join('\n')}\n`)
    return path
  })
}

type Changing = {
  random(): number
  year: number
  owner: number
  value: number
  id: number
  geometry: number
}

function changeYear(rows: string[][], { random, ...at }: Changing): string[][] {
  return rows.flatMap((row, index) => {
    const now = [...row]
    const chance = random()
    if (chance < SHARES.revalued) now[at.value] = String(Math.round(Number(row[at.value]) * 1.03))
    if (random() < SHARES.sold) {
      now[at.owner] = rows[Math.floor(random() * rows.length)]?.[at.owner] ?? ''
    }
    // A file without these columns is only sold and revalued.
    if (at.id === -1 || at.geometry === -1 || random() >= SHARES.replatted) return [now]
    const [west, east] = halve(row[at.geometry] ?? '')
    if (west === undefined || east === undefined) return [now]
    return [west, east].map((geometry, part) => {
      const half = [...now]
      half[at.id] = `${row[at.id]}${at.year}${part}${index % 7}`
      half[at.geometry] = geometry
      return half
    })
  })
}

/** Cuts a lot of four corners in two. */
function halve(geojson: string): (string | undefined)[] {
  if (geojson === '') return []
  const { type, coordinates } = JSON.parse(geojson)
  const [a, b, c, d, ...rest] = type === 'Polygon' ? coordinates[0] : []
  if (d === undefined || rest.length !== 1) return []
  const middle = (one: [number, number], other: [number, number]) =>
    [0, 1].map((at) => ((one[at] ?? 0) + (other[at] ?? 0)) / 2)
  const [low, high] = [middle(a, b), middle(d, c)]
  return [
    [a, low, high, d, a],
    [low, b, c, high, low],
  ].map((ring) => JSON.stringify({ type: 'Polygon', coordinates: [ring] }))
}
