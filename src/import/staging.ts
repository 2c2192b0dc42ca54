/**
 * Opens the writer of an import: the store's own, or a temporary one for a dry run without a store.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../base/errors.ts'
import { isDiskFull, needRoom, sizeOfFiles } from '../base/safe-files.ts'
import { isAddress, parcelsPath, rollsPlace } from '../store/data-folder.ts'
import { openWriter } from '../store/open-rolls.ts'
import type { RollWriter } from '../store/store.ts'
import { makeTemporary } from './temporary.ts'

/** Opens the writer; `discard` drops what was staged and releases the locks. */
export async function openStaging(job: {
  dataDir: string
  databaseUrl?: string | null
  dryRun: boolean
  /** Epoch seconds. */
  loadedAt: number
}): Promise<RollWriter> {
  const place = rollsPlace(job)
  const isTemporary = job.dryRun && !isAddress(place) && !existsSync(parcelsPath(place))
  if (!isTemporary) return openWriter(place, job.loadedAt, job.dryRun)
  const { path, remove } = makeTemporary()
  try {
    const writer = await openWriter(path, job.loadedAt)
    return { ...writer, discard: async () => Promise.resolve(writer.discard()).finally(remove) }
  } catch (error) {
    remove()
    throw error
  }
}

/** Bytes that a load leaves free. */
const SPARE = 67_108_864

/**
 * Throws `CommandError` when the disk is too small for the load. Data is written twice, to the log
 * and to the store. `free`: free bytes, for tests.
 */
export function checkDisk(dataDir: string, free?: number): void {
  const written = [join('staging', 'roll.db'), 'parcels.db-wal'].map((name) => join(dataDir, name))
  needRoom(dataDir, 2 * sizeOfFiles(written) + SPARE, 'this load', free)
}

/** Turns a disk-full error of SQLite or of the file system into a sentence. */
export function explainWriting(error: unknown, dataDir: string): unknown {
  if (!isDiskFull(error)) return error
  return new CommandError(
    `the disk of ${dataDir} is full; nothing was loaded, and the previous roll is still served`,
    1,
    error,
  )
}
