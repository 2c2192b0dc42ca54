/** The folders of the ledger process's Unix socket, one per running service. */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The socket's name in its folder. */
export const SOCKET = 'ledger.sock'
/** The primary's process id and six random characters. */
const NAME = /^platbook-ledger-(\d+)-\w{6}$/
const CONNECT_MS = 1000

/** Creates a folder that only this user can read. Its name contains this process's id. */
export function makeSocketFolder(): string {
  return mkdtempSync(join(tmpdir(), `platbook-ledger-${process.pid}-`))
}

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
