/**
 * The whole service as an operator runs it: real processes, a real port, a real data folder. For
 * crash tests.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { IS_LONG } from '../repetitions.ts'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export type ProcessKind = 'ledger' | 'worker' | 'console' | 'billing' | 'notifier'

export type RunningService = {
  address: string
  /** Of the primary. */
  pid: number
  /** Its output to standard error so far. */
  log(): string
  /** Ids of its processes of a kind, from the system's own list. */
  pids(kind: ProcessKind): number[]
  /** SIGKILL to all of its processes at once. */
  killAll(): Promise<void>
  /** SIGTERM, and its exit code. */
  stop(): Promise<number | null>
}

export type StartOptions = {
  data: string
  /** Where the program's files are; default: this checkout. */
  root?: string
  workers?: number
  /** Starts the console too. */
  console?: boolean
  /** Put in front of the command: `strace …`. */
  wrapper?: string[]
  env?: Record<string, string>
}

/** Tests run beside others, so a slow machine must not count as overload. */
const PATIENT = { PLATBOOK_PATIENCE_MS: '60000' }

const running = new Set<number>()
const loads = new Set<Load>()

/** For `after`: ends the services and loads of failed tests too. */
export async function endAll(): Promise<void> {
  for (const group of running) killGroup(group)
  for (const load of loads) await load.stop().catch(() => undefined)
}

/** Starts `platbook serve` on a free port and resolves when it answers. */
export async function startRunning(options: StartOptions): Promise<RunningService> {
  const { data, root = ROOT, workers = 2, wrapper = [], env = {} } = options
  const serve = [
    'serve',
    ...(options.console === true ? [] : ['--no-console']),
    '--port',
    '0',
    '--workers',
    String(workers),
    '--data',
    data,
  ]
  const words = [...wrapper, process.execPath, join(root, 'src/cli/main.ts'), ...serve]
  const child = spawn(words[0] as string, words.slice(1), {
    // A group of its own, which can be killed as one.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...PATIENT, ...env },
  })
  const ended = once(child, 'exit')
  running.add(child.pid as number)
  child.once('exit', () => running.delete(child.pid as number))
  const said: string[] = []
  child.stderr.setEncoding('utf8').on('data', (text: string) => said.push(text))
  const address = await readAddress(child, ended, said)
  return {
    address,
    pid: child.pid as number,
    log: () => said.join(''),
    pids: (kind) => listProcesses(child.pid as number, kind),
    async killAll() {
      const pids = listGroup(child.pid as number)
      killGroup(child.pid as number)
      await ended
      // Other processes of the service may end after the primary. Tests look at its files next.
      while (pids.some(isRunning)) await wait(5)
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
      return child.exitCode
    },
  }
}

/** Requests and answers, seen from outside. */
export type Load = {
  sent: number
  /** Request ids of the 200s that arrived whole. */
  answered: Set<string>
  /** How many answers of each status, and `lost` for none. */
  statuses: Map<string, number>
  stop(): Promise<void>
}

/** Callers wait a little; refused ones longer: a restarting process needs the processor. */
const ANSWERED_MS = IS_LONG ? 0 : 4
const REFUSED_MS = IS_LONG ? 10 : 20

/**
 * Sends premium owner searches over `connections` connections, one after the other on each, until
 * stopped.
 */
export function startLoad(
  addressOf: () => string,
  key: string,
  connections: number,
  query = 'state=TX&lastName=SMITH&limit=1',
): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let going = true
  const load: Load = {
    sent: 0,
    answered: new Set(),
    statuses: new Map(),
    async stop() {
      going = false
      loads.delete(load)
      await Promise.all(walks)
      agent.destroy()
    },
  }
  loads.add(load)
  const walks = Array.from({ length: connections }, async () => {
    while (going) {
      load.sent += 1
      const url = `${addressOf()}/public/premium/owner/?${query}`
      const status = await ask(url, key, agent, load.answered)
      load.statuses.set(status, (load.statuses.get(status) ?? 0) + 1)
      if (!/^(200|403|503|lost)$/.test(status)) throw new Error(`${url} answered ${status}`)
      const pauseMs = status === '200' ? ANSWERED_MS : REFUSED_MS
      if (pauseMs > 0) await wait(pauseMs)
    }
  })
  return load
}

/** One request; the status of its answer, or `lost`. */
export function ask(
  url: string,
  key: string,
  agent: Agent | undefined,
  answered: Set<string>,
): Promise<string> {
  return new Promise((resolve) => {
    const request = get(url, { headers: { authorization: key }, ...(agent && { agent }) })
    request.on('error', () => resolve('lost'))
    request.on('response', (response) => {
      response.on('error', () => resolve('lost'))
      response.on('close', () => {
        if (!response.complete) return resolve('lost')
        if (response.statusCode === 200) answered.add(String(response.headers['x-request-id']))
        resolve(String(response.statusCode))
      })
      response.resume()
    })
  })
}

/** Ids of all processes of a group. */
function listGroup(group: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => statOf(pid)?.[2] === String(group))
}

/**
 * Whether a thread of a process is still at work. The first thread of a killed process may have
 * ended while another one waits for the disk; until that one ends too, the process keeps its files
 * open and locked.
 */
function isRunning(pid: number): boolean {
  return listThreads(pid).some((thread) => {
    const state = statOf(`${pid}/task/${thread}`)?.[0]
    return state !== undefined && state !== 'Z' && state !== 'X'
  })
}

function listThreads(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

/** Of a process, or of a thread (`1234/task/1236`): state, parent, group and the rest. */
function statOf(path: number | string): string[] | undefined {
  try {
    return readFileSync(`/proc/${path}/stat`, 'latin1').split(') ').at(-1)?.split(' ')
  } catch {
    return undefined
  }
}

function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // All processes of the group have ended.
  }
}

async function readAddress(
  child: ChildProcess,
  ended: Promise<unknown>,
  said: string[],
): Promise<string> {
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  const first = await Promise.race([once(lines, 'line'), ended.then(() => undefined)])
  if (first === undefined) throw new Error(`the service did not start: ${said.join('')}`)
  return String(first[0]).replace(/^.*(?=https?:)/, '')
}

function listProcesses(group: number, kind: ProcessKind): number[] {
  const program = `processes/${kind}.ts`
  const processes = process.platform === 'linux' ? readProcesses() : askForProcesses()
  return processes
    .filter(({ pgid, args }) => pgid === group && args.includes(program))
    .map(({ pid }) => pid)
}

type Listed = { pid: number; pgid: number; args: string }

/** What `ps` reads, without a process for it: tests ask a hundred times a second. */
function readProcesses(): Listed[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) => {
    try {
      // Its own name, in brackets, may hold anything; state, parent and group follow it: proc(5).
      const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?!.*\) )/s)
      const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      return [{ pid: Number(pid), pgid: Number(rest.split(' ')[2]), args }]
    } catch {
      // It ended meanwhile.
      return []
    }
  })
}

function askForProcesses(): Listed[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,pgid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .map(([pid, pgid, ...args]) => ({ pid: Number(pid), pgid: Number(pgid), args: args.join(' ') }))
}
