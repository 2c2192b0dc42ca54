/** The primary's side of a child process: starts it, replaces it, and stops it. */
import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'
import { endChild, sendStop } from '../base/end-child.ts'
import { CommandError } from '../base/errors.ts'
import { readWaitedMs, watchLiveness } from '../base/liveness.ts'
import { WITHOUT_SETTINGS } from '../settings/least-environment.ts'
import { passOrder } from './child.ts'

/** A process that lived as long is replaced at once; others wait longer each time. */
const STEADY_MS = 3000
const WAIT_MIN_MS = 100
const WAIT_MAX_MS = 5000

/**
 * What every child may send: `ready`, then `alive` each second, and `alarm` with what an operator
 * should know. It sends `failed` before it ends, and `refused` when it must not be started again.
 */
export type Said = { kind: string; text?: string }

type Child<Message extends Said> = {
  /** Names a process for the operator: `the billing process`, `worker 4711`. */
  name(pid: number | undefined): string
  start(): ChildProcess
  /** Whether the service needs it: its first process must get ready, or none is started again. */
  isNeeded: boolean
  hear?(message: Message, child: ChildProcess): void
}

export type Supervised = {
  /** Resolves when a process is ready; rejects with a `CommandError` when none will be. */
  started: Promise<void>
  /** Whether the process answers now, and how often it was replaced. */
  health(): { isUp: boolean; restarts: number }
  /** Id of the current process; `undefined` when it has ended. */
  pid(): number | undefined
  beginStop(): void
  /** Asks the process to end, and kills it after `withinMs`. */
  stop(withinMs: number): Promise<void>
}

/** Starts a process and replaces it when it dies, or is silent for 5 s (25 without a processor). */
export function supervise<Message extends Said>(
  { name, start, isNeeded, hear }: Child<Message>,
  report: (line: string) => void,
): Supervised {
  let stopping = false
  let isReady = false
  let isUp = false
  let restarts = 0
  let waitMs = 0
  let retry: NodeJS.Timeout | undefined
  let reason = 'it ended without a word'
  const { promise: started, resolve, reject } = Promise.withResolvers<void>()
  // Not every caller waits for it.
  started.catch(() => undefined)
  let child = begin()

  function begin(): ChildProcess {
    const begun = start()
    const startedAt = performance.now()
    const onSilent = () => {
      if (stopping) return
      report(`${name(begun.pid)} did not answer for 5 s; replacing it`)
      begun.kill('SIGKILL')
    }
    const liveness = watchLiveness(onSilent, () => readWaitedMs(begun.pid))
    begun.on('message', (message: Message) => {
      const { kind, text = '' } = message
      if (kind === 'alive' || kind === 'counts') liveness.heard()
      if (kind === 'alarm') report(text)
      if (kind === 'failed') reason = text
      if (kind === 'failed' && (isReady || !isNeeded)) report(text)
      if (kind === 'refused') giveUp(text)
      hear?.(message, begun)
      if (kind !== 'ready') return
      isReady = true
      isUp = true
      resolve()
    })
    begun.on('exit', (code, signal) => {
      liveness.stop()
      isUp = false
      if (stopping) return
      if (isNeeded && !isReady) return giveUp(reason)
      report(`${name(begun.pid)} died (${signal ?? code}); starting it again`)
      if (performance.now() - startedAt > STEADY_MS) waitMs = 0
      restarts += 1
      retry = setTimeout(() => {
        child = begin()
      }, waitMs)
      waitMs = Math.min(WAIT_MAX_MS, Math.max(WAIT_MIN_MS, waitMs * 2))
    })
    return begun
  }

  function giveUp(text: string): void {
    stopping = true
    reject(new CommandError(text))
  }

  function beginStop(): void {
    stopping = true
    clearTimeout(retry)
  }

  return {
    started,
    health: () => ({ isUp, restarts }),
    pid: () => (child.exitCode === null && child.signalCode === null ? child.pid : undefined),
    beginStop,
    async stop(withinMs) {
      beginStop()
      await endChild(child, sendStop, withinMs)
    },
  }
}

/** Starts a program of this folder with its order, without the settings of this process. */
export function forkChild(
  program: string,
  order: object,
  { env, ...options }: ForkOptions = {},
): ChildProcess {
  return fork(new URL(program, import.meta.url), [], {
    execArgv: [],
    env: { ...process.env, ...(env ?? WITHOUT_SETTINGS), ...passOrder(order) },
    ...options,
  })
}
