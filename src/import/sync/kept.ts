/** The state that a sync keeps per source, one file each in `sync` of the data folder. */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateFolder } from '../../base/private-files.ts'
import { readJson, replaceFile } from '../../base/safe-files.ts'
import type { Look } from '../sources/look.ts'

/** Times in epoch milliseconds. */
export type Kept = {
  id: string
  /** When it was last found unchanged, or loaded. */
  checkedAt: number | null
  loadedAt: number | null
  /** The headers of each address, read before its last load. */
  looks: Look[]
  /** Columns at the last good check. */
  columns: string[] | null
  /** SHA-256 of the loaded bytes. */
  digest: string | null
  /** Digest of the store, the mapping and the load's options. */
  setup: string | null
  failedAt: number | null
  error: string | null
  /** Whether polygons are loaded at each sync. */
  geometry: boolean
  /** Whether the operator stopped following it. */
  stopped: boolean
}

/** Reads the state of a source; one that was never synced has only its id. */
export function readKept(dataDir: string, id: string): Kept {
  return { ...emptyKept(id), ...readJson<Partial<Kept>>(pathOf(dataDir, id)) }
}

export function writeKept(dataDir: string, kept: Kept): void {
  makePrivateFolder(join(dataDir, 'sync'))
  replaceFile(pathOf(dataDir, kept.id), JSON.stringify(kept))
}

export function forgetKept(dataDir: string, id: string): void {
  rmSync(pathOf(dataDir, id), { force: true })
}

export function listKeptIds(dataDir: string): string[] {
  try {
    return readdirSync(join(dataDir, 'sync'))
      .filter((name) => name.endsWith('.json'))
      .map((name) => decodeURIComponent(name.slice(0, -'.json'.length)))
  } catch {
    return []
  }
}

export function countFailed(dataDir: string): number {
  return listKeptIds(dataDir).filter((id) => readKept(dataDir, id).failedAt !== null).length
}

function pathOf(dataDir: string, id: string): string {
  return join(dataDir, 'sync', `${encodeURIComponent(id)}.json`)
}

function emptyKept(id: string): Kept {
  const nothing = { checkedAt: null, loadedAt: null, columns: null, digest: null, setup: null }
  const unset = { failedAt: null, error: null, geometry: false, stopped: false }
  return { id, ...nothing, looks: [], ...unset }
}
