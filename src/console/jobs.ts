/** Commands started by a page: each runs like on the command line, in its own process. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { CommandError } from '../base/errors.ts'
import type { Config } from '../settings/config.ts'
import { WITHOUT_SECRETS } from '../settings/least-environment.ts'

const PROGRAM = fileURLToPath(new URL('../cli/main.ts', import.meta.url))
/** Jobs kept, and lines kept of each. */
const JOBS_MAX = 50
const LINES_MAX = 200
const OUTPUT_MAX = 64 * 1024 * 1024

/** One command that the console runs for an operator. */
export type Job = {
  id: string
  /** `import`, `inspect`, `backup` … */
  command: string
  operator: string
  /** The console's page that shows it; `null` for none. */
  page: string | null
  /** Epoch milliseconds. */
  startedAt: number
  endedAt: number | null
  /** Its output lines so far, the newest last. */
  lines: string[]
  /** Its JSON output; `null` while it runs and when it failed. */
  // biome-ignore lint/suspicious/noExplicitAny: every command has its own shape
  result: any
  /** Why it failed, as a sentence. */
  error: string | null
}

/** Running commands, and those that ended recently. */
export type Jobs = {
  /** `page`: the page that shows it. `whenDone` runs after success. */
  start(
    operator: string,
    words: string[],
    more?: { page?: string; whenDone?: (job: Job) => void },
  ): Job
  find(id: string): Job | undefined
  /** The newest first. */
  list(): Job[]
  /** Asks it to stop between two steps, like Ctrl-C. */
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

/** Returns a job for polling pages. Throws `CommandError` for an unknown or forgotten one. */
export function showJob(jobs: Jobs, id: string) {
  const job = jobs.find(id)
  if (job === undefined) {
    throw new CommandError(
      'this job is not known any more: the console was restarted meanwhile. See the history ' +
        'on Imports for what was loaded',
    )
  }
  const { command, startedAt, endedAt, lines, result, error } = job
  return { id, command, startedAt, endedAt, lines: lines.slice(-20), result, error }
}

/** The last line has the reason: `platbook: the roll …`. */
function explain(lines: string[], code: number | null, signal: NodeJS.Signals | null): string {
  const reason = lines.findLast((line) => line.startsWith('platbook: '))
  if (reason !== undefined) return reason.slice('platbook: '.length)
  if (signal !== null) {
    return (
      `it was ended from outside (${signal}), perhaps for want of memory. ` +
      'See the history on Imports for what was loaded; it can be started again'
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

/** Addresses with passwords are passed in the environment, because other users see arguments. */
function environmentOf({ data, databaseUrl, registryHash }: Config): NodeJS.ProcessEnv {
  const { PLATBOOK_WORKER_ORDER: _order, ...env } = process.env
  return {
    ...env,
    ...WITHOUT_SECRETS,
    PLATBOOK_DATA: data,
    ...(databaseUrl !== null && { PLATBOOK_DATABASE_URL: databaseUrl }),
    ...(registryHash !== null && { PLATBOOK_REGISTRY_HASH: registryHash }),
  }
}
