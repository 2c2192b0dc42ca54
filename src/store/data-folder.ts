/** Where the databases lie: files of the data folder, or the address of a PostgreSQL server. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { CommandError } from '../errors.ts'
import { makePrivateFolder } from '../private-files.ts'

/** `parcels.db` of a data folder. */
export function parcelsPath(data: string): string {
  return join(data, 'parcels.db')
}

/** `accounts.db` of a data folder. */
export function accountsPath(data: string): string {
  return join(data, 'accounts.db')
}

/**
 * Where the ledger process finds its ledger, for `openLedger`: the path of a file or an address.
 */
export function ledgerPlace(config: Config): string {
  return config.databaseUrl ?? accountsPath(config.data)
}

/** Where the rolls are, for `openPlaceFiller` and `openWriter`: a data folder or an address. */
export function parcelsPlace(config: Config): string {
  return config.databaseUrl ?? config.data
}

/**
 * Throws `CommandError` when the data folder does not exist or is a file: what only reads never
 * makes one. A database at an address needs no folder.
 */
export function checkFolder({ data, databaseUrl }: Config): void {
  if (databaseUrl !== null) return
  const stat = statSync(data, { throwIfNoEntry: false })
  if (stat === undefined) throw new CommandError(`the data folder ${data} does not exist`)
  if (!stat.isDirectory()) throw new CommandError(`${data} is a file and no data folder`)
}

/** Whether something has been prepared before. */
export function hasData(config: Config): boolean {
  return config.databaseUrl !== null || existsSync(parcelsPath(config.data))
}

export function pathsIn(folder: string) {
  return { parcels: parcelsPath(folder), accounts: accountsPath(folder) }
}

/** Whether a place is a PostgreSQL database, and not a folder. */
export function isAddress(place: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(place)
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
