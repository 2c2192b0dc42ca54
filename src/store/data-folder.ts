/** Locates the databases: files in the data folder, or the address of a PostgreSQL server. */
import { accessSync, constants, statSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../base/errors.ts'
import { takeLock } from '../base/lock.ts'
import { makePrivateFolder } from '../base/private-files.ts'
import type { Config } from '../settings/config.ts'

export function parcelsPath(data: string): string {
  return join(data, 'parcels.db')
}

export function accountsPath(data: string): string {
  return join(data, 'accounts.db')
}

export function consolePath(data: string): string {
  return join(data, 'console.db')
}

/** Location of the ledger for `openLedger`: a file path or an address. */
export function ledgerPlace(config: Config): string {
  return config.databaseUrl ?? accountsPath(config.data)
}

/** Location of the rolls: a data folder, or the address of a database. */
export function parcelsPlace({ data, databaseUrl }: Config): string {
  return databaseUrl ?? data
}

/** The same from the settings of an import or undo. */
export function rollsPlace(job: { dataDir: string; databaseUrl?: string | null }): string {
  return job.databaseUrl ?? job.dataDir
}

/** Throws `CommandError` without a data folder, which commands that only read never create. */
export function checkFolder({ data, databaseUrl }: Config): void {
  if (databaseUrl !== null) return
  const stat = statSync(data, { throwIfNoEntry: false })
  if (stat === undefined) throw new CommandError(`the data folder ${data} does not exist`)
  if (!stat.isDirectory()) throw new CommandError(`${data} is a file and no data folder`)
  // Else its files would seem not to be there.
  accessSync(data, constants.X_OK)
}

export function pathsIn(folder: string) {
  return { parcels: parcelsPath(folder), accounts: accountsPath(folder) }
}

/** Reports whether a location is a PostgreSQL address and not a folder. */
export function isAddress(place: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(place)
}

/** Takes the import lock of a data folder; returns its release. Throws when another has it. */
export function lockImport(dataDir: string): () => void {
  makePrivateFolder(dataDir)
  const unlock = takeLock(join(dataDir, 'import.lock'))
  if (unlock !== undefined) return unlock
  throw new CommandError(`another import is loading into ${dataDir}; try again when it has ended`)
}

export function makeFolder(path: string): void {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat !== undefined && !stat.isDirectory()) {
    throw new CommandError(`${path} is a file and no data folder`)
  }
  try {
    makePrivateFolder(path)
  } catch (error) {
    const { message } = error as Error
    throw new CommandError(`the data folder ${path} cannot be made: ${message}`, 1, error)
  }
}
