/**
 * The primary's side: starts the ledger process, restarts it when it dies, and stops it cleanly.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { endChild, sendStop } from '../base/end-child.ts'
import { CommandError } from '../base/errors.ts'
import { watchLiveness } from '../base/liveness.ts'
import { WITHOUT_SETTINGS } from '../settings/least-environment.ts'
import type { LedgerReport } from './process.ts'
import { makeSocketFolder, removeStaleFolders, SOCKET } from './socket-folder.ts'

type LedgerSupervisor = {
  /** Path of the socket, for `connectLedger`, which waits until it exists. */
  socketPath: string
  /** Resolves when it answers; rejects with a `CommandError` when it cannot start. */
  started: Promise<void>
  /** Id of the current process; for tests that kill it. */
  pid(): number | undefined
  /** Lets it write its pending charges, then stops it. Called when the workers have ended. */
  stop(): Promise<void>
}

/** Events of the ledger process that the primary handles. */
export type LedgerEvent =
  | { kind: 'died'; code: number | null; signal: string | null; againInMs: number }
  | { kind: 'silent' }
  | Exclude<LedgerReport, { kind: 'ready' | 'alive' }>

const PROGRAM = new URL('process.ts', import.meta.url)
/** Environment variable with the ledger's location. */
const PLACE = 'PLATBOOK_LEDGER_PLACE'
/** Environment variable with the places of heads, as a JSON array. */
const HEADS = 'PLATBOOK_LEDGER_HEADS'
/** Environment variable with the days of the audit. */
const AUDIT_DAYS = 'PLATBOOK_LEDGER_AUDIT_DAYS'
const BACKOFF_MIN_MS = 100
const BACKOFF_MAX_MS = 5000
const STOP_MS = 10_000

/**
 * Starts the ledger process for a ledger's location (`openLedger` in store/open.ts).
 *
 * The socket is in its own folder in the system's temporary folder, closed to other users, because
 * a path in the data folder could exceed the 107 bytes allowed for sockets. Folders left by killed
 * services are removed. A process that is silent for 5 s is killed and restarted. `onEvent` is
 * called with what an operator should know. `heads`: where the newest rows are recorded
 * (`headsPlaces` in store/heads.ts). `auditDays`: how long the audit is kept.
 */
export function superviseLedger(
  place: string,
  onEvent: (event: LedgerEvent) => void,
  heads: readonly string[] = [],
  auditDays = 730,
): LedgerSupervisor {
  void removeStaleFolders()
  const folder = makeSocketFolder()
  const socketPath = join(folder, SOCKET)
  let stopping = false
  let backoffMs = 0
  let retry: NodeJS.Timeout | undefined
  let lastError = 'it ended without a word'
  let child = start()

  const started = rise(child)

  async function rise(first: ChildProcess): Promise<void> {
    const answers = await Promise.race([
      new Promise<boolean>((resolve) => {
        first.on('message', (report: LedgerReport) => {
          if (report.kind === 'ready') resolve(true)
        })
      }),
      once(first, 'exit').then(() => false),
    ])
    if (answers || stopping) return
    stopping = true
    clearTimeout(retry)
    rmSync(folder, { recursive: true, force: true })
    throw new CommandError(`the ledger process could not start: ${lastError}`)
  }

  /**
   * A process that had started is restarted at once; one that could not start waits longer each
   * time.
   */
  function start(): ChildProcess {
    // An address may contain a password, and arguments are visible to every user of the machine.
    const env = {
      ...process.env,
      ...WITHOUT_SETTINGS,
      [PLACE]: place,
      [HEADS]: JSON.stringify(heads),
      [AUDIT_DAYS]: String(auditDays),
    }
    const started = fork(PROGRAM, [socketPath], { execArgv: [], env })
    const liveness = watchLiveness(() => {
      if (stopping) return
      onEvent({ kind: 'silent' })
      started.kill('SIGKILL')
    })
    started.on('message', (report: LedgerReport) => {
      if (report.kind === 'ready') backoffMs = 0
      else if (report.kind === 'alive') liveness.heard()
      else onEvent(report)
      if (report.kind === 'error') lastError = report.text
    })
    started.on('exit', (code, signal) => {
      liveness.stop()
      if (stopping) return
      onEvent({ kind: 'died', code, signal, againInMs: backoffMs })
      retry = setTimeout(() => {
        child = start()
      }, backoffMs)
      backoffMs = Math.min(BACKOFF_MAX_MS, Math.max(BACKOFF_MIN_MS, backoffMs * 2))
    })
    return started
  }

  return {
    socketPath,
    started,
    pid: () => (child.exitCode === null && child.signalCode === null ? child.pid : undefined),
    async stop() {
      stopping = true
      clearTimeout(retry)
      await endChild(child, sendStop, STOP_MS)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
