/** Builds all that answers requests, by hand: files, engines, ledger, door. A test builds the same. */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createKeyDirectory, type KeyDirectory } from './access/directory.ts'
import { loadSecrets } from './access/key-secret.ts'
import type { Config } from './config.ts'
import { CommandError } from './errors.ts'
import type { Services } from './http/answer.ts'
import { buildServer, type Server } from './http/server.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { Observe } from './observe.ts'
import { createAccountReader } from './store/sqlite/accounts.ts'
import { openDatabase } from './store/sqlite/connection.ts'
import { openParcelReader } from './store/sqlite/parcels.ts'

export const PARCELS_FILE = 'parcels.db'
export const ACCOUNTS_FILE = 'accounts.db'

/** Key uses are written once a minute at most; this is how often they are handed to the ledger process. */
const USES_MS = 10_000

export type App = {
  server: Server
  /** Stops answering, hands over what is noted, closes the files. What is in flight is finished first. */
  close(): Promise<void>
}

/** What differs between the real service and a test. */
export type AppWorld = {
  ledger: Ledger
  observe: Observe
  /** Epoch milliseconds. */
  now(): number
  metrics?: () => Promise<string>
}

/** Makes the data folder, its databases and the server secret, where they are not there yet. */
export function prepareData(config: Config): void {
  if (config.databaseUrl !== null) {
    throw new CommandError('--database: PostgreSQL is not built yet; use --data DIR')
  }
  try {
    mkdirSync(config.data, { recursive: true })
  } catch (error) {
    throw new CommandError(`the data folder ${config.data} cannot be made`, 1, error)
  }
  openDatabase(join(config.data, PARCELS_FILE), {
    migrations: 'parcels',
    synchronous: 'NORMAL',
  }).close()
  openDatabase(join(config.data, ACCOUNTS_FILE), {
    migrations: 'accounts',
    synchronous: 'FULL',
  }).close()
  loadSecrets(config.data, config.keySecret)
}

/** Whether a data folder has been used before. */
export function hasData(config: Config): boolean {
  return existsSync(join(config.data, PARCELS_FILE))
}

/** Assembles a serving process over a prepared data folder; reads both databases, writes neither. */
export function buildApp(config: Config, world: AppWorld): App {
  const parcelsDb = openDatabase(join(config.data, PARCELS_FILE), {
    migrations: 'parcels',
    synchronous: 'NORMAL',
    readOnly: true,
  })
  parcelsDb.exec('PRAGMA cache_size = -32768')
  const accountsDb = openDatabase(join(config.data, ACCOUNTS_FILE), {
    migrations: 'accounts',
    synchronous: 'FULL',
    readOnly: true,
  })
  const keys = createKeyDirectory(createAccountReader(accountsDb), () =>
    loadSecrets(config.data, config.keySecret),
  )
  const services: Services = {
    parcels: openParcelReader(parcelsDb),
    keys,
    ledger: world.ledger,
    observe: world.observe,
    now: world.now,
    searchTimeMs: config.searchTimeMs,
    ownerTimeMs: config.ownerTimeMs,
    docsUrl: config.docsUrl,
    billingUrl: config.billingUrl,
  }
  const server = buildServer({ services, metrics: world.metrics })
  const flushing = setInterval(() => flushUses(keys, world.ledger), USES_MS).unref()
  return {
    server,
    async close() {
      server.beginStop()
      await server.fastify.close()
      clearInterval(flushing)
      flushUses(keys, world.ledger)
      await world.ledger.close()
      parcelsDb.close()
      accountsDb.close()
    },
  }
}

function flushUses(keys: KeyDirectory, ledger: Ledger): void {
  const uses = keys.takeUses()
  if (uses.length > 0) ledger.noteUses(uses)
}
