/** Opens the configured store for requests and for commands; `open-rolls.ts` for imports. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { closing } from '../base/at-end.ts'
import { CommandError } from '../base/errors.ts'
import type { StoredRule } from '../base/model/suppression.ts'
import type { Config } from '../settings/config.ts'
import {
  assembleAccounts,
  type OpenAccounts,
  type OpenLedger,
  type OpenStore,
} from './accounts/opened.ts'
import { createAccountReader } from './accounts/reader.ts'
import { createAuditStore } from './audit/audit-store.ts'
import { accountsPath, checkFolder, isAddress, makeFolder, parcelsPath } from './data-folder.ts'
import { explainEmptied, headsPath, noteHeads, readHeads } from './heads.ts'
import { loadSecrets, refuseLostSecret } from './key-secret.ts'
import { openAccountDatabase } from './sqlite/account-database.ts'
import { openDatabase } from './sqlite/connection.ts'
import { createLedgerStore, findSegments } from './sqlite/ledger.ts'
import type { ParcelReader } from './store.ts'

/** Page cache of the rolls per process, in KiB. */
const CACHE_KIB = 16_384

export const READING = { kind: 'parcels', readOnly: true } as const

const require = createRequire(import.meta.url)

/** Loads what PostgreSQL needs; the embedded store starts without its 60 files. */
function postgres(): typeof import('./postgres/open.ts') {
  return require('./postgres/open.ts')
}

/** Loads what reads rolls: the primary and the ledger's process do without. */
function rolls(): typeof import('./sqlite/read/parcels.ts') {
  return require('./sqlite/read/parcels.ts')
}

/** Creates what is missing: data folder, databases or the server's tables, server secret. */
export async function prepareData(config: Config): Promise<void> {
  makeFolder(config.data)
  if (config.databaseUrl === null) prepareParcels(config.data)
  await checkSecrets(config)
}

/** Reports whether the data was prepared before; creates nothing. */
export async function hasData({ data, databaseUrl }: Config): Promise<boolean> {
  return databaseUrl === null ? existsSync(parcelsPath(data)) : postgres().holdsTables(databaseUrl)
}

/** Opens prepared data for reading. Writes nothing and connects on first use. */
export function openStore(config: Config): OpenStore {
  if (config.databaseUrl !== null) return postgres().openStore(config.databaseUrl, config)
  const parcels = openDatabase(parcelsPath(config.data), READING)
  parcels.exec(`PRAGMA cache_size = -${CACHE_KIB}`)
  const accounts = openDatabase(accountsPath(config.data), { kind: 'accounts', readOnly: true })
  const { ask, dialect } = openAccountDatabase(accounts)
  return {
    parcels: rolls().openParcelReader(parcels),
    accounts: createAccountReader(ask, dialect),
    async close() {
      parcels.close()
      accounts.close()
    },
  }
}

/** Creates the database of the rolls in a folder when missing. */
export function prepareParcels(folder: string): void {
  openDatabase(parcelsPath(folder), { kind: 'parcels' }).close()
}

/** Opens the rolls for reading; needs no accounts and no server secret. */
export function openParcels(config: Config): { parcels: ParcelReader; close(): Promise<void> } {
  if (config.databaseUrl !== null) return postgres().openStore(config.databaseUrl, config)
  return openParcelsIn(config.data)
}

/** Opens the rolls of a folder for reading. Throws when they are missing or of another version. */
export function openParcelsIn(folder: string): { parcels: ParcelReader; close(): Promise<void> } {
  const db = openDatabase(parcelsPath(folder), READING)
  return { parcels: rolls().openParcelReader(db), close: async () => db.close() }
}

/** Opens the rolls in a data folder, or in the database at an address, for reading. */
export function openParcelsAt(place: string): { parcels: ParcelReader; close(): Promise<void> } {
  if (!isAddress(place)) return openParcelsIn(place)
  const parcels = postgres().openParcelReader(place)
  return { parcels, close: () => parcels.close() }
}

/**
 * Opens accounts, keys and ledger, and creates them when missing. `now`: clock of the operator log.
 * `reading`: creates nothing; throws `CommandError` without a folder.
 */
export async function openAccounts(
  config: Config,
  { reading = false, now = Date.now } = {},
): Promise<OpenAccounts> {
  if (reading) checkFolder(config)
  else makeFolder(config.data)
  const noted = await readHeads(headsPath(config))
  const path = accountsPath(config.data)
  if (noted !== undefined && config.databaseUrl === null && !existsSync(path)) {
    throw explainEmptied(path, 'is missing')
  }
  const accounts = await openAnyAccounts(config, reading, now)
  const { ledger, operator } = await accounts.ledger.newest().catch(async (error) => {
    await accounts.close()
    throw error
  })
  if (noted !== undefined && ledger.id === 0 && operator.id === 0) {
    const { databaseUrl } = config
    const name = databaseUrl === null ? path : postgres().describeServer(databaseUrl)
    await accounts.close()
    throw explainEmptied(name, 'holds no account')
  }
  // With PostgreSQL, a command that only reads may have no data folder and creates none.
  const isThere = existsSync(config.databaseUrl === null ? path : config.data)
  if (!isThere) return accounts
  return {
    ...accounts,
    async close() {
      await using _accounts = closing(accounts)
      await noteHeads(accounts.ledger, headsPath(config), Date.now())
    },
  }
}

async function openAnyAccounts(
  { data, databaseUrl }: Pick<Config, 'data' | 'databaseUrl'>,
  reading: boolean,
  now: () => number,
): Promise<OpenAccounts> {
  const isEmpty = reading && databaseUrl !== null && !(await postgres().holdsTables(databaseUrl))
  if (databaseUrl !== null && !isEmpty) return postgres().openAccounts(databaseUrl, now)
  const path = accountsPath(data)
  const db = openDatabase(isEmpty || (reading && !existsSync(path)) ? ':memory:' : path, {
    kind: 'accounts',
  })
  return assembleAccounts(openAccountDatabase(db, now), {
    ledger: createLedgerStore(db),
    segmentsOf: findSegments(db),
    close: async () => db.close(),
  })
}

/** Reads the suppressions in force, without opening the accounts. */
export async function readStoredRules(
  dataDir: string,
  databaseUrl: string | null,
): Promise<StoredRule[]> {
  if (databaseUrl === null && !existsSync(accountsPath(dataDir))) return []
  await using accounts = closing(
    await openAnyAccounts({ data: dataDir, databaseUrl }, false, Date.now),
  )
  return await accounts.admin.suppressionRules()
}

export function openLedger(place: string): OpenLedger {
  if (isAddress(place)) return postgres().openLedger(place)
  const db = openDatabase(place, { kind: 'accounts', synchronous: 'FULL' })
  return {
    store: createLedgerStore(db),
    audit: createAuditStore(openAccountDatabase(db), findSegments(db)),
    close: async () => db.close(),
  }
}

/** Creates the server secret on a first start, or checks that it belongs to the keys. */
async function checkSecrets(config: Config): Promise<void> {
  const accounts = await openAccounts(config)
  const inUse = await accounts.admin.keysBySecret(Date.now()).finally(() => accounts.close())
  refuseLostSecret(config, inUse)
  const secrets = loadSecrets(config.data, config.keySecret)
  const known = new Set(secrets.map(({ id }) => id))
  if (inUse.size === 0 || [...inUse.keys()].some((id) => known.has(id))) return
  throw new CommandError(
    'the keys in the database are hashed under another server secret than that of ' +
      `${config.data}; ` +
      'give PLATBOOK_KEY_SECRET the same value on every node, or copy the file "secret" there',
  )
}
