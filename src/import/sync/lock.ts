/** Allows one sync at a time per data folder, and records which process holds the lock. */
import { readFileSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { CommandError } from '../../base/errors.ts'
import { takeLock } from '../../base/lock.ts'
import { makePrivateFolder } from '../../base/private-files.ts'
import { replaceFile } from '../../base/safe-files.ts'

/** Held while a sync runs, so that no second one starts. */
type SyncLock = {
  /** Records the current source, to be shown to a second sync. */
  note(source: string): void
  release(): void
}

/** What a second sync is shown. `at`: ISO time. */
type Holder = { pid: number; host: string; at: string; source: string | null }

/** Takes the lock. Throws `CommandError` that names process, start and source of its holder. */
export function lockSync(dataDir: string, now: number): SyncLock {
  makePrivateFolder(dataDir)
  const path = join(dataDir, 'sync.lock')
  const holderPath = `${path}.json`
  const unlock = takeLock(path)
  if (unlock === undefined) throw new CommandError(describeHolder(holderPath, dataDir))
  const holder = { pid: process.pid, host: hostname(), at: new Date(now).toISOString() }
  const write = (source: string | null) =>
    replaceFile(holderPath, JSON.stringify({ ...holder, source }))
  write(null)
  return {
    note: write,
    release() {
      rmSync(holderPath, { force: true })
      unlock()
    },
  }
}

function describeHolder(path: string, dataDir: string): string {
  const under = `another sync of ${dataDir} is under way`
  try {
    const { pid, host, at, source } = JSON.parse(readFileSync(path, 'utf8')) as Holder
    const where = source === null ? '' : `, at the source ${source}`
    return `${under}: process ${pid} on ${host} since ${at}${where}; try again when it has ended`
  } catch {
    // The holder has not yet written its file.
    return `${under}; try again when it has ended`
  }
}
