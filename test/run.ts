/**
 * `npm test [-- OPTION… FILE…]`: all tests, or those of these files. The files of a folder run
 * one after the other in one process, or in a few where they are many. Each loads the program once,
 * so folders of few files share one.
 * A file whose first line says `A process of its own: WHY` has one. Options: `--long` runs files
 * named `*.long.test.ts` and those that repeat more then (`repetitions.ts`), `--alone` runs one
 * process at a time, and `--failed PATH` writes the files that failed, one a line.
 */
import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { BRIEF } from './repetitions.ts'
import type { PoolCounts } from './report.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CACHE = join(ROOT, 'node_modules/.cache/node')

/** No test takes as long. */
const TEST_MS = 300_000
const LONG_TEST_MS = 3_600_000
const LONG_FACTOR = 20
const REPEATS = /\/repetitions\.ts'$/m
const APART = /^\S+ A process of its own: /
const IN_BROWSER = /\/browser\.ts'$/m
const PAGES = 'test/console'
const SMALL = 'small folders of test'
/** What takes longest, or waits for most of its time, comes first; short files come last. */
const FIRST = [PAGES, 'test/store', SMALL, 'test/import', 'test']

/**
 * Small imports would collect the young heap of a pool every few tests: a fifth of their time. Each
 * database and buffer is memory outside the heap, which would mark the whole heap 300 times in
 * `test/import`, a quarter of its time. A pool uses up to 1.2 GB this way, a fifth more.
 */
const ROOMY = [
  '--initial-old-space-size=512',
  '--min-semi-space-size=64',
  '--max-semi-space-size=64',
  '--external-memory-accounted-in-global-limit',
  '--external-memory-max-growing-factor=20',
  '--heap-growing-percent=1000',
]

/** Files in memory are synced at once: a third of the clock and a tenth of the processor time. */
const MEMORY = '/dev/shm'
const MEMORY_BYTES = 4e9

/**
 * So that no process outlasts the others by much; loading the program costs two seconds each, and a
 * PostgreSQL as much.
 */
const POOL_FILES = 64
const FEW_FILES = 13

export type Pool = { name: string; files: string[] }

/**
 * Divides test files, whose paths begin at the checkout, among processes. All that need a browser
 * share one. Those of `FIRST` come first: all runners end at about the same time.
 */
export function toPools(files: string[], read: (file: string) => string): Pool[] {
  const pools = new Map<string, string[]>()
  for (const file of files) {
    const text = read(file)
    const shared = IN_BROWSER.test(text) ? PAGES : folderOf(file)
    const name = APART.test(text) || isLong(file) ? file : shared
    pools.set(name, [...(pools.get(name) ?? []), file])
  }
  const isSmall = ([name, its]: [string, string[]]) =>
    name.startsWith('test/') && !name.endsWith('.ts') && its.length <= FEW_FILES
  const [small, own] = [[...pools].filter(isSmall), [...pools].filter((pool) => !isSmall(pool))]
  own.push([SMALL, small.flatMap(([, its]) => its)])
  const listed = own.flatMap(([name, its]) => divide(its).map((part) => ({ name, files: part })))
  const order = [...FIRST, undefined, 'src']
  const turn = ({ name }: Pool) => order.indexOf(order.includes(name) ? name : undefined)
  return listed.sort((a, b) => turn(a) - turn(b) || b.files.length - a.files.length)
}

/** Divides the files of a folder into parts of about the same number. */
function divide(files: string[]): string[][] {
  const parts = Math.ceil(files.length / POOL_FILES)
  return Array.from({ length: parts }, (_, part) => files.filter((_, at) => at % parts === part))
}

/** `src`, or the folder below `test`. */
function folderOf(file: string): string {
  const [top, folder] = file.split('/')
  return top === 'test' && folder?.includes('.') === false ? `test/${folder}` : String(top)
}

const isLong = (file: string) => file.endsWith('.long.test.ts')

/** Runs a pool and gives its counts. Where a file ends the process, the others get a new one. */
async function runPool(pool: Pool, folder: string): Promise<PoolCounts> {
  const own = mkdtempSync(join(folder, 'pool-'))
  const ending = await runProcess(pool.files, own)
  const counts = readCounts(own)
  const missing = pool.files.filter((file) => !counts.files.includes(file))
  if (missing.length === 0 && (ending === '0' || counts.fail > 0)) return counts
  const file = missing.length === 0 ? pool.name : readFileSync(join(own, 'file'), 'utf8')
  const failure = `${file}: its process ended early (${ending})`
  const early = { ...NONE, fail: 1, failed: [file], failures: [failure] }
  const files = missing.filter((other) => other !== file)
  const later = files.length > 0 ? await runPool({ ...pool, files }, folder) : NONE
  return sumUp([counts, early, later])
}

/** Runs files in one process, which leaves its counts in `folder`; how it ended. */
async function runProcess(files: string[], folder: string): Promise<string> {
  const isLongRun = process.env.PLATBOOK_TEST_REPEAT !== undefined
  const timeoutMs = isLongRun ? LONG_TEST_MS : TEST_MS
  const reporter = ['--test-reporter', join(ROOT, 'test/report.ts')]
  const options = [
    ...[...reporter, '--test-reporter-destination=stdout', `--test-timeout=${timeoutMs}`],
    ...[...ROOMY, ...(isLongRun ? [] : BRIEF)],
  ]
  const child = spawn(process.execPath, [...options, join(ROOT, 'test/pool.ts'), ...files], {
    cwd: ROOT,
    env: { NODE_COMPILE_CACHE: CACHE, ...process.env, TEST_POOL: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    // Whole lines, because several pools print.
    const end = (printed + text).lastIndexOf('\n') + 1
    process.stdout.write((printed + text).slice(0, end))
    printed = (printed + text).slice(end)
  })
  return new Promise((resolve) =>
    child.once('close', (code, signal) => resolve(String(code ?? signal))),
  )
}

/** The folder of temporary files: in memory, where the system has enough of it. */
function temporaryFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize > MEMORY_BYTES ? MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}

function readCounts(folder: string): PoolCounts {
  try {
    return JSON.parse(readFileSync(join(folder, 'counts.json'), 'utf8'))
  } catch {
    return NONE
  }
}

const NONE: PoolCounts = {
  ...{ pass: 0, fail: 0, skip: 0, processorMs: 0 },
  ...{ files: [], failed: [], failures: [] },
}

function sumUp(all: PoolCounts[]): PoolCounts {
  const add = (count: 'pass' | 'fail' | 'skip' | 'processorMs') =>
    all.reduce((total, counts) => total + counts[count], 0)
  const join = (list: 'files' | 'failed' | 'failures') => all.flatMap((counts) => counts[list])
  return {
    ...{ pass: add('pass'), fail: add('fail'), skip: add('skip') },
    processorMs: add('processorMs'),
    ...{ files: join('files'), failed: join('failed'), failures: join('failures') },
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { long: { type: 'boolean' }, alone: { type: 'boolean' }, failed: { type: 'string' } },
    allowPositionals: true,
  })
  const all = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: ROOT }).sort()
  const read = (file: string) => readFileSync(resolve(ROOT, file), 'utf8')
  const asked = all.filter((file) =>
    values.long === true ? isLong(file) || REPEATS.test(read(file)) : !isLong(file),
  )
  const waiting = toPools(positionals.length > 0 ? positionals : asked, read)
  if (values.long === true) process.env.PLATBOOK_TEST_REPEAT ??= String(LONG_FACTOR)
  if (process.env.TMPDIR === undefined) process.env.TMPDIR = temporaryFolder()
  const folder = mkdtempSync(join(tmpdir(), 'platbook-tests-'))
  const began = performance.now()
  const ended: PoolCounts[] = []
  const runner = async () => {
    for (let pool = waiting.shift(); pool !== undefined; pool = waiting.shift())
      ended.push(await runPool(pool, folder))
  }
  // More than there are cores, because many tests wait; long ones use what they get.
  const cores = availableParallelism()
  const most = values.long === true ? cores : 2 * cores + 1
  const runners = values.alone === true ? 1 : most
  await Promise.all(Array.from({ length: runners }, runner))
  rmSync(folder, { recursive: true, force: true })
  const counts = sumUp(ended)
  if (values.failed !== undefined)
    writeFileSync(values.failed, counts.failed.map((file) => `${file}\n`).join(''))
  conclude(counts, performance.now() - began)
  process.exitCode = counts.fail > 0 ? 1 : 0
}

function conclude(counts: PoolCounts, durationMs: number): void {
  const { pass, fail, skip, failures, processorMs } = counts
  const lines = [
    ...(failures.length > 0 ? ['', 'failed:', ...failures.map((line) => `  ✖ ${line}`)] : []),
    '',
    `ℹ tests ${pass + fail + skip}`,
    `ℹ pass ${pass}`,
    `ℹ fail ${fail}`,
    `ℹ skipped ${skip}`,
    `ℹ duration_ms ${Math.round(durationMs)}`,
    `ℹ processor_ms ${Math.round(processorMs)}`,
  ]
  console.log(lines.join('\n'))
}

if (import.meta.main) await main()
