/**
 * Opens the writer of an import: the store's own, or a temporary one for a dry run without a store.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommandError } from '../base/errors.ts'
import { isDiskFull, needRoom, sizeOfFiles } from '../base/safe-files.ts'
import { isAddress, rollsPlace } from '../store/data-folder.ts'
import { openWriter } from '../store/open-rolls.ts'
import type { RollWriter } from '../store/store.ts'
import { lockImport } from './lock.ts'

type Staging = { writer: RollWriter; close(): Promise<void> }

/**
 * Takes the import lock and opens the writer. `close` drops what was staged and releases the lock.
 */
export async function openStaging(job: {
  dataDir: string
  databaseUrl?: string | null
  dryRun: boolean
  /** Epoch seconds. */
  loadedAt: number
}): Promise<Staging> {
  const place = rollsPlace(job)
  if (isAddress(place)) {
    // PostgreSQL itself locks the states that are loaded.
    const writer = await openWriter(place, job.loadedAt, job.dryRun)
    return { writer, close: async () => writer.discard() }
  }
  const isTemporary = job.dryRun && !existsSync(join(job.dataDir, 'parcels.db'))
  const folder = isTemporary ? mkdtempSync(join(tmpdir(), 'platbook-')) : job.dataDir
  const unlock = isTemporary
    ? () => rmSync(folder, { recursive: true, force: true })
    : lockImport(folder)
  try {
    const writer = await openWriter(folder, job.loadedAt)
    return {
      writer,
      async close() {
        try {
          await writer.discard()
        } finally {
          unlock()
        }
      },
    }
  } catch (error) {
    unlock()
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
