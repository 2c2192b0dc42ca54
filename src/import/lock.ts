/** Allows one import at a time per data folder. */
import { join } from 'node:path'
import { CommandError } from '../base/errors.ts'
import { takeLock } from '../base/lock.ts'
import { makePrivateFolder } from '../base/private-files.ts'

/**
 * Takes the import lock of a data folder and returns the function that releases it. Throws
 * `CommandError` when another import holds the lock.
 */
export function lockImport(dataDir: string): () => void {
  makePrivateFolder(dataDir)
  const unlock = takeLock(join(dataDir, 'import.lock'))
  if (unlock !== undefined) return unlock
  throw new CommandError(`another import is loading into ${dataDir}; try again when it has ended`)
}
