/** The request context of a store's own operator: no key, no account, no charge. */
import { performance } from 'node:perf_hooks'
import { DEFAULT_FACTS } from '../accounts/account-facts.ts'
import { createTileBuilder } from '../render/tiles/builder.ts'
import type { Config } from '../settings/config.ts'
import type { ParcelReader } from '../store/store.ts'
import type { RequestContext } from './operation.ts'

/** Operations that need the calling account, which does not exist here. */
export const ACCOUNT_OPERATIONS: ReadonlySet<string> = new Set(['usage'])

/** Starts its thread with the first tile. */
const tiles = createTileBuilder()

/** Creates the context of one request. Records are flat. */
export function makeLocalContext(
  parcels: ParcelReader,
  { searchTimeMs, ownerTimeMs, changesDays, docsUrl, publicUrl }: Config,
): RequestContext {
  return {
    parcels,
    // Operations on accounts are not run here.
    accounts: undefined as never,
    account: { id: '', name: '', facts: DEFAULT_FACTS },
    layout: 'flat',
    now: Date.now(),
    startedAt: performance.now(),
    searchTimeMs,
    ownerTimeMs,
    changesDays,
    docsUrl,
    publicUrl,
    tiles,
    ifNoneMatch: undefined,
    queueSearch: (work) => work(() => new Promise((resolve) => setImmediate(resolve))),
  }
}
