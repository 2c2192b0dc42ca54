/** Commands that a page starts: each runs as the command line runs it, in a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config.ts'
import { CommandError } from '../errors.ts'
import { WITHOUT_SECRETS } from '../least-environment.ts'
import { writeStateDatabases } from '../model/state-databases.ts'

const PROGRAM = fileURLToPath(new URL('../cli/main.ts', import.meta.url))
/** Jobs that are remembered, and lines of each. */
const JOBS_MAX = 50
const LINES_MAX = 200
const OUTPUT_MAX = 64 * 1024 * 1024

/** One command that the console runs for an operator, as a process of its own. */
export type Job = {
  id: string
  /** `import`, `inspect`, `backup` … */
  command: string
  operator: string
  /** Where it is watched, a path of the console; `null`: nowhere. */
  page: string | null
  /** Epoch milliseconds. */
  startedAt: number
  endedAt: number | null
  /** What it said so far, the newest last. */
  lines: string[]
  /** What it printed as JSON; `null` while it runs and where it failed. */
  // biome-ignore lint/suspicious/noExplicitAny: every command has its own shape
  result: any
  /** Why it failed, as a sentence. */
  error: string | null
}

/** Commands under way, and those that ended lately. */
export type Jobs = {
  /** `page`: where it is watched. `whenDone` runs when the command ended well. */
  start(
    operator: string,
    words: string[],
    more?: { page?: string; whenDone?: (job: Job) => void },
  ): Job
  find(id: string): Job | undefined
  /** The newest first. */
  list(): Job[]
  /** Asks it to end between two steps, as Ctrl-C does. */
  stop(id: string): void
  close(): void
}

/** Starts empty; `now` gives epoch milliseconds. */
export function createJobs(config: Config, now: () => number): Jobs {
  const jobs = new Map<string, Job>()
  const running = new Map<string, ChildProcess>()

  return {
    start(operator, words, { page = null, whenDone } = {}) {
      const [command = ''] = words
      const id = randomBytes(9).toString('base64url')
      const lines: string[] = []
      const job: Job = {
        ...{ id, command, operator, page, startedAt: now(), endedAt: null },
        ...{ lines, result: null, error: null },
      }
      const child = spawn(process.execPath, [PROGRAM, ...words, '--json'], {
        env: environmentOf(config),
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      jobs.set(id, job)
      for (const old of jobs.keys()) {
        if (jobs.size > JOBS_MAX && !running.has(old)) jobs.delete(old)
      }
      running.set(id, child)
      let printed = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        if (printed.length < OUTPUT_MAX) printed += text
      })
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        lines.push(...text.split('\n').filter((line) => line.trim() !== ''))
        lines.splice(0, Math.max(0, lines.length - LINES_MAX))
      })
      child.on('error', (error) => end(error.message))
      child.on('close', (code, signal) => end(code === 0 ? null : explain(lines, code, signal)))

      function end(error: string | null): void {
        if (job.endedAt !== null) return
        running.delete(id)
        job.endedAt = now()
        job.error = error
        job.result = readResult(printed)
        if (error === null) whenDone?.(job)
      }
      return job
    },
    find: (id) => jobs.get(id),
    list: () => [...jobs.values()].reverse(),
    stop: (id) => void running.get(id)?.kill('SIGTERM'),
    close() {
      for (const child of running.values()) child.kill('SIGTERM')
    },
  }
}

/** A job as pages poll it. Throws `CommandError` where it is not known (any more). */
export function showJob(jobs: Jobs, id: string) {
  const job = jobs.find(id)
  if (job === undefined) {
    throw new CommandError(
      'this job is not known any more: the console was started again meanwhile. The history on ' +
        'Imports tells what was loaded',
    )
  }
  const { command, startedAt, endedAt, lines, result, error } = job
  return { id, command, startedAt, endedAt, lines: lines.slice(-20), result, error }
}

/** The last line says why: `platbook: the roll …`. */
function explain(lines: string[], code: number | null, signal: NodeJS.Signals | null): string {
  const told = lines.findLast((line) => line.startsWith('platbook: '))
  if (told !== undefined) return told.slice('platbook: '.length)
  if (signal !== null) {
    return (
      `it was ended from outside (${signal}), perhaps for want of memory. ` +
      'The history on Imports tells what was loaded; it can be started again'
    )
  }
  const defect = lines.find((line) => /^\w*Error\b/.test(line)) ?? `code ${code}`
  return `it ended by a defect: ${defect}`
}

function readResult(printed: string): unknown {
  try {
    return JSON.parse(printed)
  } catch {
    return null
  }
}

/** Addresses with passwords go by the environment: arguments are seen by other users. */
function environmentOf({
  data,
  databaseUrl,
  stateDatabases,
  registryHash,
}: Config): NodeJS.ProcessEnv {
  const { PLATBOOK_WORKER_ORDER: _order, ...env } = process.env
  return {
    ...env,
    ...WITHOUT_SECRETS,
    PLATBOOK_DATA: data,
    ...(databaseUrl !== null && { PLATBOOK_DATABASE_URL: databaseUrl }),
    ...(registryHash !== null && { PLATBOOK_REGISTRY_HASH: registryHash }),
    ...(stateDatabases !== null && {
      PLATBOOK_STATE_DATABASES: writeStateDatabases(stateDatabases),
    }),
  }
}
