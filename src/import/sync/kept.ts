/** What a sync remembers of a source, a file each in `sync` of the data folder. */
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateFolder } from '../../private-files.ts'
import type { Look } from '../sources/look.ts'

/** Times in epoch milliseconds. */
export type Kept = {
  id: string
  /** When it was last found unchanged, or loaded. */
  checkedAt: number | null
  loadedAt: number | null
  /** What its addresses told before they were last loaded. */
  looks: Look[]
  /** Columns at the last good check. */
  columns: string[] | null
  /** SHA-256 of the bytes that were loaded. */
  digest: string | null
  /** Changes with the store, the mapping and the options of the load. */
  setup: string | null
  failedAt: number | null
  error: string | null
}

/** What is remembered of a source; of one that was never asked, nothing but its id. */
export function readKept(dataDir: string, id: string): Kept {
  try {
    return { ...emptyKept(id), ...JSON.parse(readFileSync(pathOf(dataDir, id), 'utf8')) }
  } catch {
    return emptyKept(id)
  }
}

/** Written beside and renamed, so that a kill leaves the old file or the new one. */
export function writeKept(dataDir: string, kept: Kept): void {
  makePrivateFolder(join(dataDir, 'sync'))
  const path = pathOf(dataDir, kept.id)
  writeFileSync(`${path}.new`, JSON.stringify(kept), { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

/** Ids of the sources that a sync has asked before. */
export function listKeptIds(dataDir: string): string[] {
  try {
    return readdirSync(join(dataDir, 'sync'))
      .filter((name) => name.endsWith('.json'))
      .map((name) => decodeURIComponent(name.slice(0, -'.json'.length)))
  } catch {
    return []
  }
}

function pathOf(dataDir: string, id: string): string {
  return join(dataDir, 'sync', `${encodeURIComponent(id)}.json`)
}

function emptyKept(id: string): Kept {
  const nothing = { checkedAt: null, loadedAt: null, columns: null, digest: null, setup: null }
  return { id, ...nothing, looks: [], failedAt: null, error: null }
}
