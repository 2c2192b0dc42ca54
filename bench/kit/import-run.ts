/** One import in a process of its own, for `bench/import.ts`: its time, and a profile by parts. */
import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { loadMapping } from '../../src/import/mapping/mapping.ts'
import { runImport } from '../../src/import/run.ts'
import { sumParts } from './profiler.ts'

export type ImportTask = {
  file: string
  mapping: string
  dataDir: string
  /** The database that receives the roll instead of the data folder. */
  databaseUrl?: string
  /** Whether to load polygons. */
  geometry?: boolean
  /** Threads that read rows; by default as many as the import chooses for the machine. */
  threads?: number
  profile?: boolean
}

export type ImportCost = {
  rows: number
  loaded: number
  updated: number
  unchanged: number
  removed: number
  seconds: number
  rowsPerSecond: number
  /** Of all threads, including the program's start. */
  cpuSeconds: number
  peakMb: number
  parts?: Record<string, number>
}

/**
 * A part of the work: the functions in which it is done, by file and name. A sample counts for the
 * outermost of them.
 */
const PARTS: Record<string, string[]> = {
  'split text into rows': ['csv.ts push', 'text.ts decodeText', 'text.ts decodeLines'],
  'find equal rows': ['row-digest.ts sees'],
  'read fields': ['normalize.ts normalizeRow'],
  'owner names': ['canonical.ts readOwners', 'index-owners.ts indexOwners'],
  addresses: ['canonical.ts canonicalAddress'],
  'write records': ['stored.ts encodeParcel'],
  'write keys': ['parcel-keys.ts encodeKeys', 'parcel-keys.ts encodeOwners'],
  'other of a parcel': ['finish.ts finishDraft', 'pool.ts read'],
  'store: rows': ['first-load.ts stage'],
  'store: repeated IDs': ['first-load.ts readShared', 'first-load.ts compare'],
  'store: keys, indexes, commit': ['first-load.ts apply'],
  'collect garbage': [' (garbage collector)'],
}

process.once('message', async (task: ImportTask) => {
  const { file, mapping, dataDir, databaseUrl, geometry = false, profile = false } = task
  const session = new Session()
  session.connect()
  if (profile) {
    await session.post('Profiler.enable')
    await session.post('Profiler.start')
  }
  const started = performance.now()
  const before = process.threadCpuUsage()
  const report = await runImport({
    files: [file],
    mapping: loadMapping(mapping),
    dataDir,
    databaseUrl: databaseUrl ?? null,
    state: undefined,
    county: undefined,
    forcedOrder: undefined,
    rollYear: undefined,
    today: new Date().toISOString().slice(0, 10),
    geometry,
    partial: false,
    dryRun: false,
    force: true,
    ...(task.threads !== undefined && { threads: task.threads }),
    sink: { terminal: false, report: () => {}, draw: () => {}, now: Date.now },
  })
  const seconds = (performance.now() - started) / 1000
  const thread = process.threadCpuUsage(before)
  const { user, system } = process.cpuUsage()
  const { rows, loaded, updated, unchanged, removed } = report
  const cost: ImportCost = {
    ...{ rows, loaded, updated, unchanged, removed },
    seconds: Number(seconds.toFixed(2)),
    rowsPerSecond: Math.round(rows / seconds),
    cpuSeconds: Number(((user + system) / 1e6).toFixed(2)),
    peakMb: readPeak(),
  }
  if (profile) {
    const result = await session.post('Profiler.stop')
    // A profile counts elapsed time, which includes that of other programs on the same core.
    const share = Math.min(1, (thread.user + thread.system) / 1e6 / seconds)
    cost.parts = sumParts(result.profile, [...Object.keys(PARTS), 'rest'], rows / share, partOf)
  }
  process.send?.(cost)
})

/** Peak memory of the process. */
function readPeak(): number {
  const [, kb = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return Math.round(Number(kb) / 1024)
}

const PART_OF = new Map(
  Object.entries(PARTS).flatMap(([part, names]) => names.map((name) => [name, part] as const)),
)

/** The outermost part counts, but the parts of a parcel are parts of their own. */
function partOf({ functionName, url }: { functionName: string; url: string }, above: string) {
  if (above !== 'rest' && above !== 'other of a parcel') return above
  return PART_OF.get(`${url.split('/').at(-1)} ${functionName}`) ?? above
}
