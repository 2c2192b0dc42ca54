/** Makes the context of a request, for callers and for a store's own operator. */
import { performance } from 'node:perf_hooks'
import { DEFAULT_FACTS } from '../accounts/account-facts.ts'
import { nextTurn } from '../base/event-loop.ts'
import { createTileBuilder } from '../render/tiles/builder.ts'
import type { Config } from '../settings/config.ts'
import type { ParcelReader } from '../store/store.ts'
import type { RequestContext } from './operation.ts'
import { refuseWatches } from './watches/draft.ts'

/** Operations that need the calling account, which does not exist here. */
export const ACCOUNT_OPERATIONS: ReadonlySet<string> = new Set(['usage'])

/** Starts its thread with the first tile. */
const tiles = createTileBuilder()

type Limit = 'searchTimeMs' | 'ownerTimeMs' | 'changesDays' | 'publicUrl'

export function makeContext(
  { searchTimeMs, ownerTimeMs, changesDays, publicUrl }: Pick<RequestContext, Limit>,
  own: Omit<RequestContext, Limit | 'startedAt'>,
): RequestContext {
  const startedAt = performance.now()
  // A second spread would copy key by key.
  return { ...own, searchTimeMs, ownerTimeMs, changesDays, publicUrl, startedAt }
}

/** Makes the operator's own context: no key, no account, no charge. Records are flat. */
export function makeLocalContext(parcels: ParcelReader, config: Config): RequestContext {
  return makeContext(config, {
    parcels,
    // Operations on accounts are not run here.
    accounts: undefined as never,
    account: { id: '', name: '', facts: DEFAULT_FACTS },
    layout: 'flat',
    now: Date.now(),
    tiles,
    ifNoneMatch: undefined,
    idempotencyKey: undefined,
    watches: refuseWatches,
    queueSearch: (work) => work(nextTurn),
  })
}
