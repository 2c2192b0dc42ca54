/** The parcels that commands and the console may show. */
import { CommandError } from '../base/errors.ts'
import type { Config } from '../settings/config.ts'
import type { AccountReader } from '../store/accounts-store.ts'
import { checkFolder } from '../store/data-folder.ts'
import { openAccounts, openParcels } from '../store/open.ts'
import type { ParcelReader } from '../store/store.ts'
import { createParcelGuard } from './guard-parcels.ts'
import type { SuppressionSettings } from './rules.ts'

/**
 * Opens the rolls for reading, without suppressed parcels that are still stored. `fail`: as in
 * `createParcelGuard`; without it `parcels` throws `CommandError` when suppressions are unreadable.
 */
export async function openGuardedParcels(config: Config, fail: (error: unknown) => void = rethrow) {
  checkFolder(config)
  const store = openParcels(config)
  try {
    const accounts = await openAccounts(config, { reading: true })
    return {
      /** Returns a reader of what may be shown now, for one question or page. */
      parcels: watchPending(config, store.parcels, accounts.reader, fail),
      close: async () => {
        await store.close()
        await accounts.close()
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Reads the pending suppressions on each call and filters by them. */
export function watchPending(
  settings: SuppressionSettings,
  parcels: ParcelReader,
  accounts: Pick<AccountReader, 'pendingSuppressions'>,
  fail: (error: unknown) => void,
): () => Promise<ParcelReader> {
  let pending: Awaited<ReturnType<typeof accounts.pendingSuppressions>> = []
  const guard = createParcelGuard(settings, () => pending, fail)
  return async () => {
    pending = await accounts.pendingSuppressions()
    return guard(parcels)
  }
}

/** Throws `CommandError` while one is pending, since an export reads the store unfiltered. */
export async function refuseWhilePending(config: Config): Promise<void> {
  const accounts = await openAccounts(config, { reading: true })
  const pending = await accounts.reader.pendingSuppressions().finally(() => accounts.close())
  if (pending.length === 0) return
  throw new CommandError(
    'nothing was exported: a suppression is not in effect yet on what is loaded; ' +
      'export when the import that runs has ended, or else import again first',
  )
}

function rethrow(error: unknown): never {
  throw error
}
