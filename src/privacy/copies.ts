/**
 * Where backups, exports and enriched lists of a data folder went: what an operator has to delete
 * or make anew when somebody is suppressed. One line of JSON each in `copies.jsonl` of the folder.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makePrivateFile } from '../private-files.ts'

type CopyKind = 'backup' | 'export' | 'enrich'
type NotedCopy = { kind: CopyKind; path: string; at: number }

/** The file in a data folder. */
export function copiesPath(dataFolder: string): string {
  return join(dataFolder, 'copies.jsonl')
}

/** Notes a copy that was made. `now`: epoch milliseconds. Nothing without a data folder. */
export function noteCopy(dataFolder: string, kind: CopyKind, path: string, now: number): void {
  if (!existsSync(dataFolder)) return
  const file = copiesPath(dataFolder)
  makePrivateFile(file)
  const noted: NotedCopy = { kind, path: resolve(path), at: now }
  appendFileSync(file, `${JSON.stringify(noted)}\n`, { flush: true })
}

/**
 * Copies that are still where they were made, each path once. Lines that are none are passed over.
 */
export function listCopies(dataFolder: string): string[] {
  const file = copiesPath(dataFolder)
  if (!existsSync(file)) return []
  const paths = readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [(JSON.parse(line) as NotedCopy).path]
      } catch {
        return []
      }
    })
  return [...new Set(paths)].filter((path) => existsSync(path))
}
