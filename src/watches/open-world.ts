/** Assembles what keeps watches, from the settings of a process. */
import { readNetworks } from '../base/network/networks.ts'
import { isPublic } from '../base/network/public-addresses.ts'
import type { Config } from '../settings/config.ts'
import type { OpenAccounts } from '../store/accounts/opened.ts'
import { type KeySecrets, loadSecrets } from '../store/key-secret.ts'
import { openHistory } from '../store/open-rolls.ts'
import type { HistoryReader } from '../store/rolls/history-reader.ts'
import type { ParcelReader } from '../store/store.ts'

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

export type WatchWorld = {
  accounts: Pick<OpenAccounts, 'watches' | 'reader' | 'admin'>
  parcels: ParcelReader
  openHistory(): Promise<Pick<HistoryReader, 'list' | 'close'>>
  /** Number of imports of a scope whose effect is kept; 0 for none, `null` for all. */
  keep: number | null
  secrets(): KeySecrets
  mayCall(address: string): boolean
  /** Epoch milliseconds. */
  now(): number
  alarm(text: string): void
  resolve?: (name: string) => Promise<string[]>
}

/** Whether a suppression is pending: events may have what it hides, so none is made or shown. */
export async function isPaused({ accounts }: Pick<WatchWorld, 'accounts'>): Promise<boolean> {
  return (await accounts.reader.pendingSuppressions()).length > 0
}
