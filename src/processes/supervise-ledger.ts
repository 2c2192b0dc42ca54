/** Keeps the ledger process running; without it charges wait, and then are unavailable. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../base/errors.ts'
import type { LedgerHealth } from './machine-metrics.ts'
import type { LedgerOrder } from './messages.ts'
import { makeSocketFolder, removeStaleFolders, SOCKET } from './socket-folder.ts'
import { forkChild, type Said, supervise } from './supervise.ts'

type LedgerSupervisor = {
  /** Path of the socket, for `connectLedger`, which waits until it exists. */
  socketPath: string
  /** Resolves when it answers; rejects with a `CommandError` when it cannot start. */
  started: Promise<void>
  health(): LedgerHealth
  /** Id of the current process; for tests that kill it. */
  pid(): number | undefined
  /** Lets it write its pending charges, then stops it. Called when the workers have ended. */
  stop(): Promise<void>
}

type Hearer = {
  report(line: string): void
  /** Called with each break of a chain. */
  onFault?(text: string): void
}

const STOP_MS = 10_000
const AUDIT_DAYS = 730

/**
 * Starts the ledger process for a ledger's location.
 *
 * The socket is in its own folder in the system's temporary folder, closed to other users, because
 * a path in the data folder could exceed the 107 bytes allowed for sockets. Folders left by killed
 * services are removed.
 */
export function superviseLedger(
  place: string,
  { report, onFault }: Hearer,
  { heads = [], auditDays = AUDIT_DAYS }: Partial<Pick<LedgerOrder, 'heads' | 'auditDays'>> = {},
): LedgerSupervisor {
  void removeStaleFolders()
  const folder = makeSocketFolder()
  const socketPath = join(folder, SOCKET)
  let faults = 0
  const order: LedgerOrder = { socketPath, place, heads, auditDays }
  const child = supervise<Said>(
    {
      name: () => 'the ledger process',
      start: () => forkChild('ledger.ts', order),
      isNeeded: true,
      hear: ({ kind, text = '' }) => {
        if (kind !== 'fault') return
        faults += 1
        report(text)
        onFault?.(text)
      },
    },
    report,
  )
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  const started = child.started.catch((error: Error) => {
    removeFolder()
    throw new CommandError(`the ledger process could not start: ${error.message}`)
  })
  started.catch(() => undefined)
  return {
    socketPath,
    started,
    health: () => ({ ...child.health(), faults }),
    pid: child.pid,
    async stop() {
      await child.stop(STOP_MS)
      removeFolder()
    },
  }
}
