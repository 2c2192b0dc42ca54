/**
 * Assembles everything that answers requests, by hand: store, keys, ledger, server. Tests assemble
 * the same.
 */
import type { IncomingMessage } from 'node:http'
import { performance } from 'node:perf_hooks'
import type { FastifyPluginAsync } from 'fastify'
import { createKeyDirectory, type KeyDirectory } from './accounts/directory.ts'
import { createFailedKeys, DISCOVERY, type FailedKeys } from './accounts/failed-keys.ts'
import { withoutBearer } from './accounts/identify.ts'
import { createRateLimits } from './accounts/rate-limits.ts'
import { CommandError } from './base/errors.ts'
import { openRefusalLog } from './base/logs/refusal-log.ts'
import type { RollAge } from './base/metrics.ts'
import { type Networks, readNetworks } from './base/network/networks.ts'
import type { Observe } from './base/observe.ts'
import { type AccessLog, openAccessLog } from './http/access-log.ts'
import type { Services } from './http/answer.ts'
import { allowOrigins } from './http/cors.ts'
import { addressGroup } from './http/load/address-shares.ts'
import { SearchQueue } from './http/load/search-queue.ts'
import { readPublicFields } from './http/ogc/fields.ts'
import { serveOgc } from './http/ogc/routes.ts'
import { serveBilling, serveBillingPage } from './http/routes/billing-routes.ts'
import { serveDocPages } from './http/routes/doc-pages.ts'
import { serveMcp } from './http/routes/mcp.ts'
import { describeSignIn, serveOAuth } from './http/routes/oauth.ts'
import { serveReference } from './http/routes/reference.ts'
import { serveReleases } from './http/routes/releases.ts'
import { buildServer, type Server } from './http/server.ts'
import { openTls } from './http/tls.ts'
import type { Traces } from './http/traces.ts'
import type { Ledger } from './ledger/ledger.ts'
import { presetPrice } from './operations/operation.ts'
import { refuseWatches, type WatchDesk } from './operations/watches/draft.ts'
import { openAuditor } from './privacy/audit.ts'
import { createParcelGuard } from './privacy/guard-parcels.ts'
import { fipsCode } from './regions/counties.ts'
import { createTileBuilder } from './render/tiles/builder.ts'
import { openSandbox } from './sandbox/open.ts'
import type { Config } from './settings/config.ts'
import { loadSecrets } from './store/key-secret.ts'
import { openStore } from './store/open.ts'

/**
 * Milliseconds between sending recorded key uses to the ledger process, which writes them once a
 * minute at most.
 */
const USES_MS = 10_000

type App = {
  server: Server
  /** Lists when the roll of each county last changed; without those of an unreachable database. */
  listRolls(): Promise<RollAge[]>
  /** Stops answering, finishes requests under way, sends recorded uses and closes the files. */
  close(): Promise<void>
}

/** Differences between the real service and a test. */
type AppWorld = {
  ledger: Ledger
  observe: Observe
  /** Epoch milliseconds. */
  now(): number
  /** Milliseconds of a monotonic clock; without it, the process's. */
  steadyMs?(): number
  /** Counts requests without a valid key over all workers; without it, this process by itself. */
  failedKeys?: FailedKeys
  /** Returns Prometheus text; without it `/metrics` is not served here. */
  metrics?: () => Promise<string>
  /** Socket of the billing process; without it there are no webhooks. */
  billingSocket?: string
  /** Keeps watches; without it requests for them are refused. */
  watches?: WatchDesk
  /** Without it requests are not traced. */
  traces?: Traces | undefined
  /** Where callers of this machine reach the console, unless a setting says it for all. */
  consoleAddress?: string | null
}

/** Assembles a serving process over a prepared store; reads it and writes nothing. */
export function buildApp(config: Config, world: AppWorld): App {
  const store = openStore(config)
  const keys = createKeyDirectory(store.accounts, () => loadSecrets(config.data, config.keySecret))
  const sandbox = openSandbox(config.data)
  const steadyMs = world.steadyMs ?? (() => performance.now())
  const rates = createRateLimits({ leases: world.ledger.leases, workers: config.workers, steadyMs })
  const services: Services = {
    parcels: store.parcels,
    guard: createParcelGuard(config, keys.pending, (error) =>
      world.observe.failure('', 'suppressions', error),
    ),
    sandboxParcels: () => sandbox.parcels(),
    accounts: store.accounts,
    keys,
    rates,
    failedKeys: world.failedKeys ?? createFailedKeys(steadyMs),
    discovery: createFailedKeys(steadyMs, DISCOVERY),
    ledger: world.ledger,
    auditor: openAuditor(config.audit, loadSecrets(config.data, config.keySecret)),
    observe: world.observe,
    refusals: openRefusals(config.data, world),
    tiles: createTileBuilder(),
    watches: world.watches ?? refuseWatches,
    keyIn: config.acceptBearer ? withoutBearer : (header) => header,
    publicUrl: config.publicUrl,
    searches: new SearchQueue(),
    priceOf: (operation) =>
      keys.price(operation.operationId) ?? presetPrice(operation, config.prices),
    now: world.now,
    searchTimeMs: config.searchTimeMs,
    ownerTimeMs: config.ownerTimeMs,
    changesDays: config.changesDays,
    billingUrl: billingUrlOf(config),
  }
  const accessLog = openLog(config, world)
  const trusted = readNetworks(config.trustProxy)
  const server = buildServer({
    services,
    metrics: world.metrics,
    patienceMs: config.patienceMs,
    addressShare: config.addressShare,
    trusted,
    cors: allowOrigins(config.corsOrigins),
    tls: openTls(config),
    accessLog,
    traces: world.traces,
    plugins: listPlugins(config, world, { services, accessLog, trusted, steadyMs }),
  })
  const flushing = setInterval(() => flushUses(keys, world.ledger), USES_MS).unref()
  return {
    server,
    async listRolls() {
      const counties = await store.parcels.coverage({ partial: true })
      return counties.map(({ state, fips, loadedAt }) => {
        return { state, county: fipsCode(fips), loadedAt }
      })
    },
    async close() {
      await server.stop(config.drainMs)
      accessLog?.close()
      services.refusals?.close()
      await world.traces?.close()
      clearInterval(flushing)
      flushUses(keys, world.ledger)
      rates.close()
      await world.ledger.close()
      await services.tiles.close()
      await sandbox.close()
      await store.close()
    },
  }
}

/**
 * Returns this service's billing page at the address that the operator configured, never at a
 * request's Host.
 */
function billingUrlOf({ billingUrl, publicUrl, consoleUrl }: Config): string | null {
  if (billingUrl !== null) return billingUrl
  if (consoleUrl !== null) return `${consoleUrl}/account`
  if (publicUrl === null) return null
  return `${publicUrl}/billing`
}

/** MCP, and with the console's address its sign-in. */
function serveAgents(config: Config, world: AppWorld, shared: Shared) {
  const { services, accessLog, trusted } = shared
  const consoleUrl = config.consoleUrl ?? world.consoleAddress
  if (!consoleUrl) return [serveMcp(services, accessLog, trusted)]
  const settings = {
    consoleUrl,
    publicUrl: config.publicUrl,
    secrets: () => loadSecrets(config.data, config.keySecret),
    leases: world.ledger.leases,
    count: async (raw: IncomingMessage) => services.discovery.note(addressGroup(raw, trusted)),
    now: services.now,
  }
  const signIn = (raw: IncomingMessage) => describeSignIn(settings, raw)
  return [serveMcp(services, accessLog, trusted, signIn), serveOAuth(settings)]
}

type Shared = {
  services: Services
  accessLog: AccessLog | undefined
  trusted: Networks
  steadyMs(): number
}

/** Routes besides the operations. */
function listPlugins(config: Config, world: AppWorld, shared: Shared): FastifyPluginAsync[] {
  const { services, accessLog, trusted, steadyMs } = shared
  return [
    ...serveAgents(config, world, shared),
    serveDocPages(config.publicUrl ?? ''),
    serveReference,
    ...(config.releases === null ? [] : [serveReleases(config.releases)]),
    serveOgc({ services, accessLog, trusted, open: openPublic(config, steadyMs) }),
    serveBillingPage({
      socketPath: world.billingSocket,
      secrets: () => loadSecrets(config.data, config.keySecret),
      publicUrl: config.publicUrl,
      now: world.now,
    }),
    ...(world.billingSocket === undefined ? [] : [serveBilling(world.billingSocket)]),
  ]
}

/** Returns what anybody may read; each worker allows its part of the rate. */
function openPublic({ publicFields, publicRate, workers }: Config, steadyMs: () => number) {
  if (publicFields === null) return undefined
  const burst = Math.ceil(publicRate / Math.max(1, workers))
  const text = 'Too many requests without an API key from this address'
  const rate = createFailedKeys(steadyMs, { burst, perSecond: burst / 60, text })
  return { readable: readPublicFields(publicFields), rate }
}

const ACCESS_LOG_BYTES = 100_000_000

function openLog({ accessLog }: Config, world: AppWorld): AccessLog | undefined {
  if (accessLog === null) return undefined
  const fail = (error: unknown) => world.observe.failure('', 'access log', error)
  try {
    return openAccessLog({ target: accessLog, maxBytes: ACCESS_LOG_BYTES, now: world.now, fail })
  } catch (error) {
    throw new CommandError('PLATBOOK_ACCESS_LOG: the file cannot be opened', 1, error)
  }
}

function openRefusals(dataDir: string, { now, observe }: AppWorld) {
  const fail = (error: unknown) => observe.failure('', 'refused requests', error)
  return openRefusalLog({ dataDir, now, fail })
}

function flushUses(keys: KeyDirectory, ledger: Ledger): void {
  const uses = keys.takeUses()
  if (uses.length > 0) ledger.noteUses(uses)
}
