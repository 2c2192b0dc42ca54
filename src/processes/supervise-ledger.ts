/** Keeps the ledger process running; without it charges wait, and then are unavailable. */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommandError } from '../base/errors.ts'
import type { LedgerOrder } from './messages.ts'
import { forkChild, type Said, supervise } from './supervise.ts'

type Hearer = {
  report(line: string): void
  /** Called with each break of a chain. */
  onFault?(text: string): void
}

const STOP_MS = 10_000
const AUDIT_DAYS = 730

/**
 * Starts the ledger process for a ledger's location. Its socket is in a folder of its own in the
 * system's temporary folder, because a path in the data folder could exceed a socket's 107 bytes.
 * Folders left by killed services are removed.
 */
export function superviseLedger(
  place: string,
  { report, onFault }: Hearer,
  { heads = [], auditDays = AUDIT_DAYS }: Partial<Pick<LedgerOrder, 'heads' | 'auditDays'>> = {},
) {
  void removeStaleFolders()
  const folder = mkdtempSync(join(tmpdir(), `platbook-ledger-${process.pid}-`))
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
    /** Path of the socket, for `connectLedger`, which waits until it exists. */
    socketPath,
    /** Resolves when it answers; rejects with a `CommandError` when it cannot start. */
    started,
    health: () => ({ ...child.health(), faults }),
    /** Id of the current process; for tests that kill it. */
    pid: child.pid,
    /** Lets it write its pending charges, then stops it. Called when the workers have ended. */
    async stop() {
      await child.stop(STOP_MS)
      removeFolder()
    },
  }
}

export const SOCKET = 'ledger.sock'
/** The primary's process id and six random characters. */
const NAME = /^platbook-ledger-(\d+)-\w{6}$/
const CONNECT_MS = 1000

/**
 * Removes this user's socket folders whose service has ended: its process does not exist and
 * nothing answers on its socket. Both are checked, because process ids differ between containers
 * that share /tmp. Resolves with the removed folders. Never rejects.
 */
export async function removeStaleFolders(parent: string = tmpdir()): Promise<string[]> {
  const removed: string[] = []
  for (const folder of listFolders(parent)) {
    if (await isAnswering(join(folder, SOCKET))) continue
    try {
      rmSync(folder, { recursive: true, force: true })
      removed.push(folder)
    } catch {
      // Another service removed it, or it cannot be removed; neither affects this service.
    }
  }
  return removed
}

function listFolders(parent: string): string[] {
  const names = readNames(parent)
  return names.flatMap((name) => {
    const [, pid] = NAME.exec(name) ?? []
    const folder = join(parent, name)
    return pid !== undefined && isOwn(folder) && !isRunning(Number(pid)) ? [folder] : []
  })
}

function readNames(parent: string): string[] {
  try {
    return readdirSync(parent)
  } catch {
    return []
  }
}

function isOwn(folder: string): boolean {
  const stats = statSync(folder, { throwIfNoEntry: false })
  return stats?.isDirectory() === true && stats.uid === process.getuid?.()
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function isAnswering(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    const settle = (answers: boolean) => {
      socket.destroy()
      resolve(answers)
    }
    socket.setTimeout(CONNECT_MS, () => settle(true))
    socket.once('connect', () => settle(true))
    socket.once('error', () => settle(false))
  })
}
