/** Assembles what keeps watches, from the settings of a process. */
import { readNetworks } from '../base/network/networks.ts'
import { isPublic } from '../base/network/public-addresses.ts'
import type { Config } from '../settings/config.ts'
import type { OpenAccounts } from '../store/accounts/opened.ts'
import { loadSecrets } from '../store/key-secret.ts'
import { openHistory } from '../store/open-rolls.ts'
import type { ParcelReader } from '../store/store.ts'
import type { WatchWorld } from './world.ts'

/** `now`: epoch milliseconds. `alarm`: alerts the operator. */
export function openWatchWorld(
  config: Config,
  stores: { accounts: OpenAccounts; parcels: ParcelReader },
  { now, alarm }: Pick<WatchWorld, 'now' | 'alarm'>,
): WatchWorld {
  const { watchPrivate, history, data, keySecret } = config
  const isAny = watchPrivate === 'all'
  const allowed = readNetworks(isAny ? null : watchPrivate)
  return {
    ...stores,
    ...{ now, alarm, keep: history },
    openHistory: () => openHistory(config),
    secrets: () => loadSecrets(data, keySecret),
    mayCall: (address) => isAny || isPublic(address) || allowed.has(address),
  }
}
