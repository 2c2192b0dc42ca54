/**
 * Measures an import, compared with `.import` of the sqlite3 program for the same CSV into a bare
 * table. It measures a first load and its parts, and a refresh of the same roll. Refreshes with one
 * parcel in a hundred and one in ten changed follow. Prints JSON.
 *
 * Goal: a first load at most 6 times the wall time of `.import`.
 *
 *   node bench/import.ts --parcels 20000
 *   node bench/import.ts --file roll.csv --mapping ne-lancaster [--owner OWNERNME1]
 *   node bench/import.ts --file roll.csv --mapping ne-lancaster --first --threads 0,1,2
 *   node bench/import.ts --file roll.csv --mapping ne-lancaster --against CHECKOUT
 *
 * `--against` only measures first loads, by the commands of this checkout and of another, in turns,
 * and profiles one of each.
 */
import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { CsvSplitter } from '../src/import/readers/csv.ts'
import { writeSampleFile } from '../src/sample/file.ts'
import { ROOT } from '../test/ledger/running-service.ts'
import type { ImportCost, ImportTask } from './kit/import-run.ts'
import { describeMachine } from './kit/machine.ts'
import { median, round } from './kit/numbers.ts'
import { sumFolders } from './kit/profiler.ts'
import { tellResult } from './kit/result.ts'

const { values } = parseArgs({
  options: {
    parcels: { type: 'string', default: '20000' },
    file: { type: 'string' },
    mapping: { type: 'string', default: 'platbook' },
    /** The column whose text differs in the changed roll. */
    owner: { type: 'string', default: 'ownerName1' },
    /** Times that `.import` and the first load are run, in turns; the median counts. */
    turns: { type: 'string', default: '3' },
    out: { type: 'string' },
    /**
     * Numbers of reading threads with which first loads are measured too, in turns; 0: one thread
     * does everything.
     */
    threads: { type: 'string', default: '' },
    /** First loads only. */
    first: { type: 'boolean', default: false },
    /** Folder of another checkout, with its packages installed. */
    against: { type: 'string' },
  },
})
const RUN = new URL('./kit/import-run.ts', import.meta.url).pathname
/**
 * Kept from one import to the next, as by the program itself (docs/decisions/benches-and-start.md).
 */
const COMPILED = new URL('../node_modules/.cache/platbook', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'platbook-bench-'))
try {
  tellResult(await measure(), values.out)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function measure() {
  const csv = await prepareCsv()
  if (values.against !== undefined) return measureAgainst(csv, resolve(values.against))
  const turns = Array.from({ length: Number(values.turns) })
  const bare: ReturnType<typeof importBare>[] = []
  const first: ImportCost[] = []
  for (const _ of turns) {
    bare.push(importBare(csv))
    first.push(await load(csv, 'first'))
  }
  const bareWall = median(bare.map(({ seconds }) => seconds))
  const wall = median(first.map(({ seconds }) => seconds))
  const cpu = median(first.map(({ cpuSeconds }) => cpuSeconds))
  const byThreads = await measureThreads(csv, turns.length)
  const others = values.first ? {} : await measureRefreshes(csv)
  return {
    benchmark: 'import',
    ...describeMachine(),
    file: values.file?.split('/').at(-1) ?? `sample of ${values.parcels}`,
    rows: first[0]?.rows,
    bare: bare.find(({ seconds }) => seconds === bareWall),
    ratio: round(wall / bareWall, 1),
    /** More reliable than wall time when other programs run. */
    cpuRatio: round(cpu / median(bare.map(({ cpuSeconds }) => cpuSeconds)), 1),
    first: first.find(({ seconds }) => seconds === wall),
    ...(byThreads.length === 0 ? {} : { byThreads }),
    ...others,
    /** Parts of the time of an import with one thread, from its profile. */
    microsecondsARow: (await load(csv, 'parts', { threads: 0, profile: true })).parts,
  }
}

/** First loads by two checkouts in turns; a ratio is the median of the ratios of each turn. */
async function measureAgainst(csv: string, checkout: string) {
  const turns = Array.from({ length: Number(values.turns) }, () => {
    const against = importByCommand(csv, checkout)
    return { against, present: importByCommand(csv, ROOT) }
  })
  const ratioOf = (cost: keyof Cost) =>
    round(median(turns.map(({ present, against }) => present[cost] / against[cost])), 3)
  return {
    benchmark: 'import against another checkout',
    ...describeMachine(),
    file: values.file?.split('/').at(-1) ?? `sample of ${values.parcels}`,
    against: checkout,
    turns,
    cpuRatio: ratioOf('cpuSeconds'),
    ratio: ratioOf('seconds'),
    profiles: { against: profileCommand(csv, checkout), present: profileCommand(csv, ROOT) },
  }
}

/** Seconds of one more first load, by folder. The rest is compiled or collected meanwhile. */
function profileCommand(csv: string, checkout: string): Record<string, number> {
  const profiles = join(folder, 'profiles')
  const { cpuSeconds } = importByCommand(csv, checkout, ['--cpu-prof', '--cpu-prof-dir', profiles])
  const parts = sumFolders(profiles)
  rmSync(profiles, { recursive: true })
  const busy = Object.values(parts).reduce((sum, seconds) => sum + seconds, 0)
  return { ...parts, 'other threads': round(Math.max(0, cpuSeconds - busy), 2) }
}

/** Loads the roll into an empty data folder by the command `import` of a checkout. */
function importByCommand(csv: string, checkout: string, flags: string[] = []): Cost {
  const data = join(folder, 'against')
  const words = ['import', csv, '--mapping', values.mapping, '--data', data]
  const cost = timeCommand([
    process.execPath,
    ...flags,
    join(checkout, 'src/cli/main.ts'),
    ...words,
  ])
  rmSync(data, { recursive: true })
  return cost
}

/**
 * The load of each number of threads that took the least processor time: what more it took was
 * others' doing.
 */
async function measureThreads(csv: string, turns: number) {
  const counts = values.threads === '' ? [] : values.threads.split(',').map(Number)
  const least = new Map<number, ImportCost>()
  for (let turn = 0; turn < turns; turn += 1) {
    for (const threads of counts) {
      const cost = await load(csv, 'threads', { threads })
      const known = least.get(threads)
      if (known === undefined || cost.cpuSeconds < known.cpuSeconds) least.set(threads, cost)
    }
  }
  return [...least].map(([threads, cost]) => ({ threads, ...cost }))
}

/**
 * Each in the store that the one before left: in the last one a tenth of the owners are others than
 * in both rolls before.
 */
async function measureRefreshes(csv: string) {
  const changed = join(folder, 'changed.csv')
  const text = readFileSync(csv, 'latin1')
  await load(csv, 'kept', { keep: true })
  const unchanged = await load(csv, 'kept', { keep: true })
  writeFileSync(changed, changeRows(text, 100, 'ROE JANE'), 'latin1')
  const hundredth = await load(changed, 'kept', { keep: true })
  writeFileSync(changed, changeRows(text, 10, 'DOE JANE'), 'latin1')
  return { refresh: { unchanged, hundredth, tenth: await load(changed, 'kept') } }
}

/** Plain text, as `.import` needs it. */
async function prepareCsv(): Promise<string> {
  const { file } = values
  if (file !== undefined && !file.endsWith('.gz')) return file
  const csv = join(folder, 'roll.csv')
  if (file === undefined) await writeSampleFile({ parcels: Number(values.parcels), seed: 1 }, csv)
  else writeFileSync(csv, gunzipSync(readFileSync(file)))
  return csv
}

/** Measures the sqlite3 program. */
function importBare(csv: string): Cost {
  const db = join(folder, 'bare.db')
  rmSync(db, { force: true })
  return timeCommand(['sqlite3', db, '.mode csv', `.import '${csv}' bare`])
}

type Cost = { seconds: number; cpuSeconds: number }

/** Runs a command and returns its time, and the processor time of all its processes. */
function timeCommand(words: string[]): Cost {
  const started = performance.now()
  const script = '"$@" >&2 && times'
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script, 'sh', ...words], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${words[0]} failed: ${stderr}`)
  // The last line of `times` is of the children: user and system, `0m1.25s 0m0.03s`.
  const used = [...(stdout.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)]
  const cpuSeconds = used.reduce((sum, [, min, sec]) => sum + Number(min) * 60 + Number(sec), 0)
  return {
    seconds: round((performance.now() - started) / 1000, 3),
    cpuSeconds: round(cpuSeconds, 3),
  }
}

/** Imports in a process of its own. */
async function load(
  file: string,
  data: string,
  more: { threads?: number; profile?: boolean; keep?: boolean } = {},
): Promise<ImportCost> {
  const { keep = false, ...asked } = more
  const dataDir = join(folder, data)
  mkdirSync(dataDir, { recursive: true })
  const child = fork(RUN, { env: { ...process.env, NODE_COMPILE_CACHE: COMPILED } })
  const task: ImportTask = { file, mapping: values.mapping, dataDir, ...asked }
  child.send(task)
  const gone = once(child, 'exit').then(() => {
    throw new Error('the import failed')
  })
  const [cost] = (await Promise.race([once(child, 'message'), gone])) as [ImportCost]
  gone.catch(() => undefined)
  // A process that is killed does not keep its compiled code.
  child.disconnect()
  if (child.exitCode === null) await once(child, 'exit')
  if (!keep) rmSync(dataDir, { recursive: true })
  return cost
}

/** Returns the roll with another owner in one row of this many. */
function changeRows(text: string, every: number, name: string): string {
  const splitter = new CsvSplitter(',')
  splitter.push(text, true)
  const { rows } = splitter.drain()
  const column = rows[0]?.indexOf(values.owner) ?? -1
  if (column < 0) throw new Error(`the roll has no column ${values.owner}; see --owner`)
  return rows
    .map((row, at) => (at > 0 && at % every === 0 ? row.with(column, `${name} ${at}`) : row))
    .map((row) => row.map(quote).join(','))
    .join('\n')
}

function quote(text: string): string {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
