/** Commands started by a page: each runs like on the command line, in its own process. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { endChild } from '../base/end-child.ts'
import { CommandError } from '../base/errors.ts'
import { nameInFolder } from '../base/hide-secrets.ts'
import { countyByFips } from '../regions/counties.ts'
import type { Config } from '../settings/config.ts'
import { WITHOUT_SECRETS } from '../settings/least-environment.ts'
import { showCounty } from './show/words.ts'

const PROGRAM = fileURLToPath(new URL('../cli/main.ts', import.meta.url))
/** Jobs kept, jobs that may wait, and lines kept of each. */
const JOBS_MAX = 50
const LINES_MAX = 200
const OUTPUT_MAX = 64 * 1024 * 1024
/** Commands that run at once. Each takes some 100 MB and more. */
const RUNNING_MAX = 2
/** Time for a command to stop after SIGTERM. A killed import leaves its lock free. */
const GRACE_MS = 5000
/** Longest inspection, which a person waits for. */
const INSPECT_MS = 10 * 60_000

export type Job = {
  id: string
  /** `import`, `inspect`, `backup` … */
  command: string
  /** What it does, for a list of jobs: `Undo the import of Dane, WI`; `''`: not listed. */
  title: string
  operator: string
  /** The console's page that shows it; `null` for none. */
  page: string | null
  /** Epoch milliseconds. */
  startedAt: number
  endedAt: number | null
  /** Whether it has not begun, because others run. */
  isWaiting: boolean
  /** Its output lines so far, the newest last. */
  lines: string[]
  /** Its JSON output; `null` while it runs and when it failed. */
  // biome-ignore lint/suspicious/noExplicitAny: every command has its own shape
  result: any
  /** Why it failed, as a sentence. */
  error: string | null
}

/** `page`: the page that shows a job. */
type JobMore = {
  title?: string
  page?: string
  /** Runs after success. */
  whenDone?: (job: Job) => void
  /** Its standard input, for what other users of the machine must not see among its words. */
  input?: string
}

/** Running commands, and those that ended recently. */
export type Jobs = {
  start(operator: string, words: string[], more?: JobMore): Job
  find(id: string): Job | undefined
  /** The newest first. */
  list(): Job[]
  /** Asks it to stop between two steps, like Ctrl-C, and kills it when it does not. */
  stop(id: string): void
  /** Resolves when a job has ended, or after `waitMs`. */
  ended(job: Job, waitMs: number): Promise<void>
  close(): void
}

/** How a job is run; tests take shorter times and another way to start a program. */
export type JobLimits = {
  spawn?: (node: string, words: string[], options: SpawnOptions) => ChildProcess
  graceMs?: number
  inspectMs?: number
}

/** Starts empty; `now` gives epoch milliseconds. */
export function createJobs(config: Config, now: () => number, limits: JobLimits = {}): Jobs {
  const jobs = new Map<string, Job>()
  const running = new Map<string, ChildProcess>()
  const waiting: { job: Job; launch(): void }[] = []
  const endings = new EventEmitter().setMaxListeners(0)

  function startNext(): void {
    while (running.size < RUNNING_MAX) {
      const next = waiting.shift()
      if (next === undefined) return
      next.launch()
    }
  }

  function finish(job: Job, error: string | null, whenDone?: (job: Job) => void): void {
    if (job.endedAt !== null) return
    running.delete(job.id)
    job.endedAt = now()
    job.isWaiting = false
    job.error = error
    try {
      if (error === null) whenDone?.(job)
    } catch (failed) {
      // Another job removed the upload meanwhile. This must not end the console.
      job.error = (failed as Error).message
    }
    job.error &&= nameInFolder(job.error, config.data)
    endings.emit(job.id)
    startNext()
  }

  function launch(job: Job, words: string[], { whenDone, input }: JobMore): void {
    job.isWaiting = false
    job.lines.length = 0
    const child = (limits.spawn ?? spawn)(process.execPath, [PROGRAM, ...words, '--json'], {
      env: environmentOf(config),
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
    // A command that ended early has closed its end.
    child.stdin?.on('error', () => undefined).end(input)
    running.set(job.id, child)
    const inspectMs = limits.inspectMs ?? INSPECT_MS
    let late: string | null = null
    const timer =
      job.command === 'inspect' &&
      setTimeout(() => {
        late = `it took longer than ${Math.ceil(inspectMs / 60_000)} min and was stopped`
        endJob(child)
      }, inspectMs).unref()
    collect(child, job, (error) => {
      if (timer !== false) clearTimeout(timer)
      finish(job, error === null ? null : (late ?? error), whenDone)
    })
  }

  const endJob = (child: ChildProcess) =>
    void endChild(child, (one) => one.kill('SIGTERM'), limits.graceMs ?? GRACE_MS)

  return {
    start(operator, words, more = {}) {
      const [command = ''] = words
      const { title = '', page = null } = more
      if (waiting.length >= JOBS_MAX) {
        throw new CommandError(`${JOBS_MAX} jobs wait already; stop some, or try again later`)
      }
      const job: Job = {
        ...{ id: randomBytes(9).toString('base64url'), command, title, operator, page },
        ...{ startedAt: now(), endedAt: null, isWaiting: true, result: null, error: null },
        lines: ['it waits until another job has ended'],
      }
      jobs.set(job.id, job)
      for (const [id, { endedAt }] of jobs) {
        if (jobs.size > JOBS_MAX && endedAt !== null) jobs.delete(id)
      }
      waiting.push({ job, launch: () => launch(job, words, more) })
      startNext()
      return job
    },
    find: (id) => jobs.get(id),
    list: () => [...jobs.values()].reverse(),
    stop(id) {
      const at = waiting.findIndex(({ job }) => job.id === id)
      const [held] = at < 0 ? [] : waiting.splice(at, 1)
      if (held !== undefined) finish(held.job, 'it was stopped before it began')
      const child = running.get(id)
      if (child !== undefined) endJob(child)
    },
    async ended(job, waitMs) {
      if (job.endedAt !== null) return
      // A page that is left by its reader keeps no listener.
      await once(endings, job.id, { signal: AbortSignal.timeout(waitMs) }).catch(() => undefined)
    },
    close() {
      waiting.length = 0
      for (const child of running.values()) endJob(child)
    },
  }
}

/** Collects what a command prints, and calls `end` with why it failed, or `null`. */
function collect(child: ChildProcess, job: Job, end: (error: string | null) => void): void {
  const { lines } = job
  let printed = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    if (printed.length < OUTPUT_MAX) printed += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lines.push(...text.split('\n').filter((line) => line.trim() !== ''))
    lines.splice(0, Math.max(0, lines.length - LINES_MAX))
  })
  child.on('error', (error) => end(error.message))
  child.on('close', (code, signal) => {
    job.result = readResult(printed)
    end(code === 0 ? null : explain(job, code, signal))
  })
}

/** Returns a job for polling pages. Throws `CommandError` for an unknown or forgotten one. */
export function showJob(jobs: Jobs, id: string) {
  const job = jobs.find(id)
  if (job === undefined) {
    throw new CommandError(
      'this job is not known any more: the console was restarted meanwhile. See the history ' +
        'on Imports for what was loaded',
    )
  }
  const { command, startedAt, endedAt, lines, error } = job
  const counties: string[] | undefined = job.result?.counties
  const places = counties?.map((fips) => {
    const number = Number(fips)
    return `${showCounty(number)}, ${countyByFips(number)?.state}`
  })
  const result = places === undefined ? job.result : { ...job.result, places }
  return { id, command, startedAt, endedAt, lines: lines.slice(-20), result, error }
}

/** The last line has the reason, with a list indented. Some commands report and exit with 1. */
function explain(
  { lines, result }: Job,
  code: number | null,
  signal: NodeJS.Signals | null,
): string {
  const at = lines.findLastIndex((line) => line.startsWith('platbook: '))
  const [reason = '', ...after] = lines.slice(at)
  const end = after.findIndex((line) => !line.startsWith('  '))
  const listed = (end < 0 ? after : after.slice(0, end)).map((line) => line.trim()).join('; ')
  if (at >= 0) return `${reason.slice('platbook: '.length)} ${listed}`.trim()
  const found = describeFindings(result)
  if (found !== '') return found
  if (signal !== null) {
    return (
      `it was ended from outside (${signal}), perhaps for want of memory. ` +
      'See the history on Imports for what was loaded; it can be started again'
    )
  }
  const defect = lines.find((line) => /^\w*Error\b/.test(line)) ?? `code ${code}`
  return `it ended by a defect: ${defect}`
}

/** What `sync`, `sources check` and `check` report of what is not in order. */
function describeFindings(result: {
  sources?: { id: string; error: string | null }[]
  findings?: { where: string; problem: string }[]
}): string {
  const failed = (result?.sources ?? []).flatMap(({ id, error }) =>
    error === null ? [] : [`${id}: ${error}`],
  )
  const found = (result?.findings ?? []).map(({ where, problem }) => `${where}: ${problem}`)
  return [...failed, ...found].join('; ')
}

function readResult(printed: string): unknown {
  try {
    return JSON.parse(printed)
  } catch {
    return null
  }
}

/** Addresses with passwords are passed in the environment, because other users see arguments. */
function environmentOf({ data, databaseUrl, registryHash }: Config): NodeJS.ProcessEnv {
  return {
    ...process.env,
    ...WITHOUT_SECRETS,
    PLATBOOK_DATA: data,
    ...(databaseUrl !== null && { PLATBOOK_DATABASE_URL: databaseUrl }),
    ...(registryHash !== null && { PLATBOOK_REGISTRY_HASH: registryHash }),
  }
}
