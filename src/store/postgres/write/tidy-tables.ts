/** Maintenance after a load: statistics for the planner, and pages marked for index-only scans. */
import type { Client } from 'pg'
import type { RollChange } from '../../history.ts'
import { KEY_TABLES } from '../../rolls/key-tables.ts'
import { tidyShards } from '../cluster/tidy-shards.ts'
import { BY_ID, MANY } from './roll-apply.ts'
import type { Staging } from './roll-staging.ts'

/** Runs after a load with many changes. On a cluster, only on the shards of the loaded states. */
export async function refreshStatistics(
  client: Client,
  { loaded, updated, removed }: RollChange,
  stagings: Staging[],
): Promise<void> {
  if (loaded + updated + removed < MANY) return
  const tables = [
    ...new Set([...BY_ID, ...KEY_TABLES.map(({ table }) => table)]),
    ...['loose_situs', 'owner_deletions'],
  ]
  const tidying = 'VACUUM (ANALYZE, SKIP_LOCKED)'
  const shared = stagings.filter(({ isShared }) => isShared)
  for (const { state } of shared) {
    await tidyShards(client, tidying, tables, state).catch(() => undefined)
  }
  if (shared.length > 0) return
  for (const table of tables) {
    // Ignores failures: another process may be vacuuming, or the user may lack the right;
    // autovacuum does it later.
    await client.query(`${tidying} ${table}`).catch(() => undefined)
  }
}
