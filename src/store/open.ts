/** Where the data lives, and opening it: the only file beside the stores' own that knows which store there is. */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { loadSecrets } from '../access/key-secret.ts'
import type { Config } from '../config.ts'
import { CommandError } from '../errors.ts'
import type { AccountReader } from './accounts-store.ts'
import { createAccountReader } from './sqlite/accounts.ts'
import { openDatabase } from './sqlite/connection.ts'
import { openParcelReader } from './sqlite/parcels.ts'
import type { ParcelReader } from './store.ts'

/** What serving and the commands read. */
export type OpenStore = {
  parcels: ParcelReader
  accounts: AccountReader
  close(): void
}

/** Pages that a process keeps of the rolls, KiB. */
const CACHE_KIB = 32_768

export function parcelsPath(data: string): string {
  return join(data, 'parcels.db')
}

export function accountsPath(data: string): string {
  return join(data, 'accounts.db')
}

/** Makes the data folder, its databases and the server secret, where they are not there yet. */
export function prepareData(config: Config): void {
  refusePostgres(config)
  try {
    mkdirSync(config.data, { recursive: true })
  } catch (error) {
    throw new CommandError(`the data folder ${config.data} cannot be made`, 1, error)
  }
  openDatabase(parcelsPath(config.data), {
    migrations: 'parcels',
    synchronous: 'NORMAL',
  }).close()
  openDatabase(accountsPath(config.data), {
    migrations: 'accounts',
    synchronous: 'FULL',
  }).close()
  loadSecrets(config.data, config.keySecret)
}

/** Opens prepared data for reading; writes nothing. */
export function openStore(config: Config): OpenStore {
  refusePostgres(config)
  const parcels = openDatabase(parcelsPath(config.data), {
    migrations: 'parcels',
    synchronous: 'NORMAL',
    readOnly: true,
  })
  parcels.exec(`PRAGMA cache_size = -${CACHE_KIB}`)
  const accounts = openDatabase(accountsPath(config.data), {
    migrations: 'accounts',
    synchronous: 'FULL',
    readOnly: true,
  })
  return {
    parcels: openParcelReader(parcels),
    accounts: createAccountReader(accounts),
    close() {
      parcels.close()
      accounts.close()
    },
  }
}

/** Whether a data folder has been used before. */
export function hasData(config: Config): boolean {
  return existsSync(parcelsPath(config.data))
}

function refusePostgres({ databaseUrl }: Config): void {
  if (databaseUrl === null) return
  throw new CommandError('--database: PostgreSQL is not built yet; use --data DIR')
}
