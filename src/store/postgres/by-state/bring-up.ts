/** Migrates the databases of states to this program's version. */

import { listHomes } from '../../../base/model/state-databases.ts'
import type { Config } from '../../../settings/config.ts'
import { parcelsPlace } from '../../data-folder.ts'
import { migrate } from '../migrate.ts'
import { isOutOfOrder } from '../pool/errors.ts'

/** Migrates a database; returns `false` when it is unreachable. */
export async function migrateReached(url: string): Promise<boolean> {
  try {
    await migrate(url)
    return true
  } catch (error) {
    if (isOutOfOrder((error as Error).cause)) return false
    throw error
  }
}

/** Addresses of the state databases, without the main one. */
export function stateUrls(config: Config): string[] {
  const place = parcelsPlace(config)
  if (typeof place === 'string') return []
  return listHomes(place).flatMap(({ isMain, url }) => (isMain ? [] : [url]))
}
