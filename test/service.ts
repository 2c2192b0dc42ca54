/**
 * The real service for contract tests: the app as `app.ts` builds it, over a real socket, with a
 * roll that was imported by the real import into a folder of its own. Only the clock is fixed, and
 * the ledger writes in this process. With `PLATBOOK_TEST_CITUS_URL` each service that has no data
 * folder yet gets a database of that cluster (`citus-cluster.ts`).
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEFAULT_FACTS } from '../src/accounts/account-facts.ts'
import { hashKey, makeKey, prefixOf } from '../src/accounts/api-key.ts'
import { buildApp } from '../src/app.ts'
import type { AccountFacts } from '../src/base/model/account.ts'
import { createObserve, type Observe } from '../src/base/observe.ts'
import { loadMapping } from '../src/import/mapping/mapping.ts'
import type { ImportReport } from '../src/import/report/import-report.ts'
import { runImport } from '../src/import/run.ts'
import type { Ledger } from '../src/ledger/ledger.ts'
import { createRateWindows } from '../src/ledger/rates/rate-windows.ts'
import { openLedgerWriter } from '../src/ledger/writer.ts'
import type { Config } from '../src/settings/config.ts'
import { readConfig } from '../src/settings/read-config.ts'
import type { OpenAccounts } from '../src/store/accounts/opened.ts'
import type { LedgerEntry } from '../src/store/accounts-store.ts'
import { KEEP_ALL, type KeepVersions } from '../src/store/history.ts'
import { loadSecrets } from '../src/store/key-secret.ts'
import { openAccounts, openParcels, prepareData } from '../src/store/open.ts'
import { openDesk } from '../src/watches/desk.ts'
import { type Keeper, openKeeper } from '../src/watches/keeper.ts'
import { openMeter } from '../src/watches/meter.ts'
import { openWatchWorld } from '../src/watches/open-world.ts'
import { CLUSTER, createOnCluster, noteDatabase } from './citus-cluster.ts'
import { checkAgainstDocument } from './openapi-check.ts'

/** Limits that a slow machine does not reach, because tests run beside others. */
const PATIENT = { patienceMs: 60_000, searchTimeMs: 60_000, ownerTimeMs: 60_000 }

/** Noon of a day in 2026, UTC: the clock of a test service, unless it is moved. */
export const NOON = Date.UTC(2026, 2, 10, 12)

export type Answer = {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: answers are JSON of any shape
  body: any
  text: string
}

export type TestService = {
  config: Config
  address: string
  observe: Observe
  logged: string[]
  /** Creates an account with these facts, nested by default, and returns one of its keys. */
  keyFor(facts?: Partial<AccountFacts>, make?: () => string): Promise<string>
  /** An account's facts are changed, by its key. */
  changeFacts(key: string, facts: Partial<AccountFacts>): Promise<void>
  /** How many ledger rows the account that has the key has. */
  charges(key: string): Promise<number>
  /** Those rows. */
  entries(key: string): Promise<LedgerEntry[]>
  /** Sends a request with a key of an account without limits, or with `key` (`null`: none). */
  get(path: string, query?: Query, options?: AskOptions): Promise<Answer>
  setClock(at: number): void
  importRoll(csv: string, options?: RollOptions): Promise<ImportReport>
  /** Finds events of watches and sends them, as the notifier process does. */
  keeper: Keeper
  accounts: OpenAccounts
  /** Names of receivers are resolved by this function. */
  setResolve(resolve: (name: string) => Promise<string[]>): void
  close(): Promise<void>
}

export type Query = Record<string, string | number | boolean> | string
export type AskOptions = {
  key?: string | null
  headers?: Record<string, string>
  method?: string
  /** Sent as JSON. */
  body?: unknown
}
export type RollOptions = {
  mapping?: string
  partial?: boolean
  force?: boolean
  at?: number
  /** Name of the roll's file, whose extension gives its format; `roll.csv` by default. */
  name?: string
  geometry?: boolean
  versions?: KeepVersions
  renumbered?: boolean
  keepSource?: boolean
}

/**
 * Starts a service with a roll loaded by the mapping `platbook`. `disturb` wraps its ledger, for
 * faults that a test cannot cause from outside. A data folder named in the settings is kept;
 * without one the service gets its own.
 */
export async function startService(
  csv: string,
  settings: Partial<Config> = {},
  disturb: (ledger: Ledger) => Ledger = (ledger) => ledger,
): Promise<TestService> {
  const data = settings.data ?? mkdtempSync(join(tmpdir(), 'platbook-test-'))
  const isOwn = settings.data === undefined && settings.databaseUrl === undefined
  const cluster = CLUSTER !== undefined && isOwn ? await createOnCluster(CLUSTER) : undefined
  const databaseUrl = cluster?.url ?? null
  if (cluster !== undefined) noteDatabase(data, cluster.url)
  const base = { ...readConfig({}), ...PATIENT, drainMs: 0, data, databaseUrl }
  const config: Config = { ...base, ...settings }
  let clock = NOON
  const logged: string[] = []
  await prepareData(config)
  const accounts = await openAccounts(config)
  const { admin, ledger: ledgerStore } = accounts
  const windows = createRateWindows()
  const steadyMs = () => clock
  const writer: Ledger = {
    ...(await openLedgerWriter(ledgerStore, () => clock)),
    leases: {
      lease: async (account, limit, want) => windows.lease(account, limit, want, steadyMs()),
      giveBack: windows.giveBack,
    },
  }
  const ledger = disturb(writer)
  const observe = createObserve(
    (line) => logged.push(line),
    () => clock,
  )
  const accountOf = new Map<string, string>()
  // A data folder that was filled before has some already.
  const accountsBefore = (await admin.accounts()).length

  async function keyFor(facts: Partial<AccountFacts> = {}, make = makeKey): Promise<string> {
    const number = accountsBefore + accountOf.size + 1
    const account = {
      id: `acc_${number}`,
      name: `Account ${number}`,
      facts: { ...DEFAULT_FACTS, responseShape: 'nested' as const, ...facts },
      createdAt: clock,
    }
    await admin.createAccount(account)
    const key = make()
    const [secret] = loadSecrets(data, config.keySecret)
    assert.ok(secret)
    await admin.createKey({
      id: `key_${number}`,
      accountId: account.id,
      label: null,
      prefix: prefixOf(key),
      createdAt: clock,
      ...hashKey(key, secret),
    })
    accountOf.set(key, account.id)
    return key
  }

  function entries(key: string): Promise<LedgerEntry[]> {
    return ledgerStore.entriesOf(accountOf.get(key) ?? '', 0, 1_000_000)
  }

  async function importRoll(roll: string, options: RollOptions = {}): Promise<ImportReport> {
    const file = join(data, options.name ?? 'roll.csv')
    writeFileSync(file, roll)
    return runImport({
      files: [file],
      mapping: loadMapping(options.mapping ?? 'platbook'),
      dataDir: data,
      databaseUrl: config.databaseUrl,
      state: undefined,
      county: undefined,
      forcedOrder: undefined,
      rollYear: undefined,
      today: new Date(clock).toISOString().slice(0, 10),
      geometry: options.geometry ?? false,
      keepSource: options.keepSource ?? false,
      versions: options.versions ?? KEEP_ALL,
      renumbered: options.renumbered ?? true,
      partial: options.partial ?? false,
      dryRun: false,
      force: options.force ?? false,
      sink: { terminal: false, report() {}, draw() {}, now: () => options.at ?? clock },
    })
  }

  // Rolls of tests may put a county's parcels anywhere.
  if (csv !== '') await importRoll(csv, { force: true })
  const rolls = openParcels(config)
  const alarm = (text: string) => logged.push(text)
  const stores = { accounts, parcels: rolls.parcels }
  const watchWorld = openWatchWorld(config, stores, { now: () => clock, alarm })
  const meter = openMeter(config, accounts.reader, { ledger, now: () => clock })
  const watches = openDesk(watchWorld)
  const app = buildApp(config, { ledger, observe, now: () => clock, steadyMs, watches })
  await app.server.fastify.listen({ host: '127.0.0.1', port: 0 })
  const bound = app.server.fastify.server.address()
  assert.ok(typeof bound === 'object' && bound !== null)
  const address = `http://127.0.0.1:${bound.port}`
  const freeKey = await keyFor()

  return {
    config,
    address,
    observe,
    logged,
    keyFor,
    importRoll,
    accounts,
    keeper: openKeeper(watchWorld, meter),
    setResolve(resolve) {
      watchWorld.resolve = resolve
    },
    async changeFacts(key, facts) {
      await admin.changeFacts(accountOf.get(key) ?? '', (old) => ({ ...old, ...facts }))
      // Processes check for changes four times a second.
      clock += 300
    },
    async charges(key) {
      return (await entries(key)).length
    },
    entries,
    async get(path, query = {}, options = {}) {
      const search = typeof query === 'string' ? query : String(new URLSearchParams(toText(query)))
      const key = options.key === undefined ? freeKey : options.key
      const response = await fetch(`${address}${path}${search === '' ? '' : `?${search}`}`, {
        method: options.method ?? 'GET',
        headers: { ...(key !== null && { authorization: key }), ...options.headers },
        ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
      })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.startsWith('application/json')
      const body = isJson === true && text !== '' ? JSON.parse(text) : undefined
      const answer = { status: response.status, headers: response.headers, body, text }
      checkAgainstDocument(path, options.method ?? 'GET', answer)
      return answer
    },
    setClock(at) {
      clock = at
    },
    async close() {
      await app.close()
      await rolls.close()
      await accounts.close()
      await cluster?.drop()
      if (settings.data === undefined) rmSync(data, { recursive: true, force: true })
    },
  }
}

function toText(query: Exclude<Query, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))
}
