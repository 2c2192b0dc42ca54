/** Brings the databases of states to this program's version. */
import type { Config } from '../../../config.ts'
import { listHomes } from '../../../model/state-databases.ts'
import { parcelsPlace } from '../../data-folder.ts'
import { migrate } from '../migrate.ts'
import { isOutOfOrder } from '../pool/errors.ts'

/** Brings a database to this version; `false`: it cannot be reached now. */
export async function migrateReached(url: string): Promise<boolean> {
  try {
    await migrate(url)
    return true
  } catch (error) {
    if (isOutOfOrder((error as Error).cause)) return false
    throw error
  }
}

/** The databases of states, without the main one. */
export function stateUrls(config: Config): string[] {
  const place = parcelsPlace(config)
  if (typeof place === 'string') return []
  return listHomes(place).flatMap(({ isMain, url }) => (isMain ? [] : [url]))
}
