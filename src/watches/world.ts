/** What the process that keeps watches works with. */
import type { OpenAccounts } from '../store/accounts/opened.ts'
import type { HistoryReader } from '../store/history.ts'
import type { KeySecrets } from '../store/key-secret.ts'
import type { ParcelReader } from '../store/store.ts'

export type WatchWorld = {
  accounts: Pick<OpenAccounts, 'watches' | 'reader' | 'admin'>
  parcels: ParcelReader
  /** Opens the history of imports. */
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

/**
 * Whether stored parcels do not follow a suppression yet. Then no event is made, shown or sent:
 * versions of parcels may still have what it hides.
 */
export async function isPaused({ accounts }: Pick<WatchWorld, 'accounts'>): Promise<boolean> {
  return (await accounts.reader.pendingSuppressions()).length > 0
}
