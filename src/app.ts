/** Builds all that answers requests, by hand: store, keys, ledger, door. A test builds the same. */
import { setTimeout } from 'node:timers/promises'
import { createKeyDirectory, type KeyDirectory } from './access/directory.ts'
import type { Config } from './config.ts'
import type { Services } from './http/answer.ts'
import { SearchQueue } from './http/load/search-queue.ts'
import { buildServer, type Server } from './http/server.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { Observe } from './observe.ts'
import { loadSecrets } from './store/key-secret.ts'
import { openStore } from './store/open.ts'

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
  /** Prometheus text; without it `/metrics` is not served here. */
  metrics?: () => Promise<string>
}

/** Assembles a serving process over a prepared store; reads it and writes nothing. */
export function buildApp(config: Config, world: AppWorld): App {
  const store = openStore(config)
  const keys = createKeyDirectory(store.accounts, () => loadSecrets(config.data, config.keySecret))
  const services: Services = {
    parcels: store.parcels,
    accounts: store.accounts,
    keys,
    ledger: world.ledger,
    observe: world.observe,
    searches: new SearchQueue(),
    priceOf: ({ operationId, tokenCost }) => keys.price(operationId) ?? tokenCost,
    now: world.now,
    searchTimeMs: config.searchTimeMs,
    ownerTimeMs: config.ownerTimeMs,
    docsUrl: config.docsUrl,
    billingUrl: config.billingUrl,
  }
  const server = buildServer({ services, metrics: world.metrics, patienceMs: config.patienceMs })
  const flushing = setInterval(() => flushUses(keys, world.ledger), USES_MS).unref()
  return {
    server,
    async close() {
      server.beginStop()
      await setTimeout(config.drainMs)
      await server.fastify.close()
      clearInterval(flushing)
      flushUses(keys, world.ledger)
      await world.ledger.close()
      await store.close()
    },
  }
}

function flushUses(keys: KeyDirectory, ledger: Ledger): void {
  const uses = keys.takeUses()
  if (uses.length > 0) ledger.noteUses(uses)
}
