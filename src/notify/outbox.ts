/** Waiting notices, one file each in `notices` of the data folder, so that a restart loses none. */
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateFolder } from '../base/private-files.ts'
import { replaceFile } from '../base/safe-files.ts'
import type { Notice } from './notice.ts'

/** Most waiting notices; further ones are dropped. */
const WAITING_MAX = 10_000

/**
 * Stores a notice until it is sent; replaces a waiting one of the same id. `false`: too many are
 * waiting.
 */
export function addNotice(dataDir: string, notice: Notice): boolean {
  const folder = folderOf(dataDir)
  makePrivateFolder(dataDir)
  makePrivateFolder(folder)
  if (listNames(folder).length >= WAITING_MAX) return false
  const path = join(folder, `${notice.id}.json`)
  replaceFile(path, JSON.stringify(notice))
  return true
}

/** Returns the waiting notices, oldest first; ignores files that are not notices. */
export function listNotices(dataDir: string): Notice[] {
  const folder = folderOf(dataDir)
  return listNames(folder)
    .flatMap((name) => {
      try {
        return [JSON.parse(readFileSync(join(folder, name), 'utf8')) as Notice]
      } catch {
        return []
      }
    })
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

export function removeNotice(dataDir: string, id: string): void {
  rmSync(join(folderOf(dataDir), `${id}.json`), { force: true })
}

function folderOf(dataDir: string): string {
  return join(dataDir, 'notices')
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^ntc_[0-9a-f]+\.json$/.test(name))
  } catch {
    return []
  }
}
