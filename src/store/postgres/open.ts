/** Opens the store in PostgreSQL; loaded only where its address is configured. */
import type { Config } from '../../settings/config.ts'
import { splitAddresses } from '../../settings/setting-values.ts'
import { assembleAccounts, type OpenAccounts, type OpenStore } from '../accounts/opened.ts'
import { createAccountReader } from '../accounts/reader.ts'
import { ACCOUNTS_CHANNEL, asInput, DIALECT, openAccountDatabase } from './account-database.ts'
import { createLedgerStore, findSegments } from './ledger.ts'
import { clientConfig, describeServer, READING } from './pool/connection.ts'
import { LookupQueue } from './pool/lookup-queue.ts'
import { Session } from './pool/session.ts'
import { type ClosableReader, openParcelReader } from './read/parcels.ts'
import { openReplicatedReader } from './read/replicas.ts'
import { ensureSchema, hasTables } from './schema.ts'

export { openPostgresLedger as openLedger } from './ledger.ts'
export { describeServer } from './pool/connection.ts'
export { openParcelReader } from './read/parcels.ts'
export { holdsTables } from './schema.ts'

/** Longest lookup of a key or of an account's use, in milliseconds. */
const KEY_MS = 1500

/** Opens rolls and accounts for reading. Connects on first use. */
export function openStore(url: string, config: Config): OpenStore {
  const parcels = openReplicas(url, config)
  const hearers: (() => void)[] = []
  const keys = new LookupQueue(clientConfig(url, KEY_MS, READING), 1, {
    channel: ACCOUNTS_CHANNEL,
    onMessage: () => {
      for (const heard of hearers) heard()
    },
  })
  return {
    parcels,
    accounts: {
      ...createAccountReader((text, values = []) => keys.ask(text, values.map(asInput)), DIALECT),
      onChange: (heard) => hearers.push(heard),
    },
    async close() {
      await Promise.all([parcels.close(), keys.close()])
    },
  }
}

function openReplicas(url: string, { readDatabaseUrl }: Config): ClosableReader {
  const replicas = readDatabaseUrl === null ? [] : splitAddresses(readDatabaseUrl)
  return replicas.length === 0 ? openParcelReader(url) : openReplicatedReader(url, replicas)
}

/** Opens accounts, keys and ledger for writing, and creates the tables when missing. */
export async function openAccounts(url: string, now: () => number): Promise<OpenAccounts> {
  const session = new Session(url, 0)
  await session.open(describeServer(url), async (client, where) => {
    if (!(await hasTables(client, where))) await ensureSchema(url)
  })
  const database = openAccountDatabase(session, now)
  return assembleAccounts(database, {
    ledger: createLedgerStore(database),
    segmentsOf: findSegments(database.ask),
    close: () => session.close(),
  })
}
