/**
 * Lists where backups, exports and enriched lists of a data folder were written, because an
 * operator must delete or renew them after a suppression. One line of JSON each in `copies.jsonl`
 * of the folder.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makePrivateFile } from '../base/private-files.ts'
import { mayContain } from './find-copies.ts'

type CopyKind = 'backup' | 'export' | 'enrich' | 'draft'
type NotedCopy = { kind: CopyKind; path: string; at: number }

/** The file in a data folder. */
export function copiesPath(dataFolder: string): string {
  return join(dataFolder, 'copies.jsonl')
}

/** Records a copy. `now`: epoch milliseconds. Does nothing without a data folder. */
export function noteCopy(dataFolder: string, kind: CopyKind, path: string, now: number): void {
  if (!existsSync(dataFolder)) return
  const file = copiesPath(dataFolder)
  makePrivateFile(file)
  const noted: NotedCopy = { kind, path: resolve(path), at: now }
  appendFileSync(file, `${JSON.stringify(noted)}\n`, { flush: true })
}

/** When the newest backup was made, in epoch milliseconds; `undefined` without one. */
export function newestBackup(dataFolder: string): number | undefined {
  const backups = readNoted(dataFolder).filter(({ kind }) => kind === 'backup')
  return backups.length === 0 ? undefined : Math.max(...backups.map(({ at }) => at))
}

/**
 * Returns copies that still exist, each path once; ignores invalid lines. Drafts of mappings only
 * where they may contain `text`.
 */
export function listCopies(dataFolder: string, text: string | undefined): string[] {
  const kept = readNoted(dataFolder).filter(
    ({ kind, path }) => kind !== 'draft' || mayContain(path, text),
  )
  return [...new Set(kept.map(({ path }) => path))].filter((path) => existsSync(path))
}

function readNoted(dataFolder: string): NotedCopy[] {
  const file = copiesPath(dataFolder)
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as NotedCopy]
      } catch {
        return []
      }
    })
}
