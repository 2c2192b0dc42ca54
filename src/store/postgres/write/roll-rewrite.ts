/** Rewrites single parcels in PostgreSQL. A state is locked as by an import; waits for one. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { CommandError } from '../../../base/errors.ts'
import { noteChanges } from '../../rolls/change-rows.ts'
import {
  createRollRewriter,
  type RewriteParts,
  type RollRewriter,
} from '../../rolls/rewrite-rolls.ts'
import { writeScopes } from '../../rolls/staged-rolls.ts'
import { isSpread } from '../citus.ts'
import { countChange } from '../cluster/state-places.ts'
import { packRecord } from '../pack/pack.ts'
import { describeServer, inTransaction, openOn, rollConfig } from '../pool/connection.ts'
import { explaining, explainOpening } from '../pool/errors.ts'
import { openRollSql } from '../roll-sql.ts'
import { applyChanges, prepareChanges } from './roll-apply.ts'
import { dropStaging, makeStaging, type Staging, stageKept } from './roll-staging.ts'

/** Number of attempts to lock a state, one per second. */
const TRIES = 600

/** Opens the database at an address. Throws `CommandError` when it is unreachable. */
export function openRollRewriter(url: string): Promise<RollRewriter> {
  const where = describeServer(url)
  const config = { ...rollConfig(url, 0, { work_mem: '64MB' }), isKept: true }
  return openOn(config, where, async (client) =>
    explaining(createRollRewriter(await openParts(client, where)), (error) =>
      explainOpening(error, where),
    ),
  )
}

async function openParts(client: Client, where: string): Promise<RewriteParts<Staging>> {
  const sql = openRollSql(client)
  const spread = await isSpread(client)
  return {
    sql,
    async withState(state, work) {
      const staging = await lockAndStage(client, state, where, spread)
      try {
        return await work(staging)
      } finally {
        await dropStaging(client, staging)
        await client.query('SELECT pg_advisory_unlock_all()')
      }
    },
    transact: (work) => inTransaction(client, work),
    async stage(staging, parcels, removed) {
      const { state, change } = staging
      if (parcels.length > 0) await stageKept(client, staging, parcels)
      await sql.insert(change, 'state, seq, id, what', [
        ...parcels.map(({ id }) => [state, id, id, 'keys']),
        ...removed.map((id) => [state, null, id, 'removed']),
      ])
      await prepareChanges(client, staging, true)
    },
    async apply(staging, scopes, now) {
      // As in the embedded store: the number that the next import gets.
      const [row] = await sql.ask<{ next: number }>(
        'SELECT coalesce(max(id), 0) + 1 AS next FROM imports',
      )
      await noteChanges(sql, staging, { loadedAt: now, id: Number(row?.next), restores: true })
      await applyChanges(client, staging, { loadedAt: now })
      await countChange(client, staging.state)
      await writeScopes(sql, scopes, now, true)
    },
    pack: packRecord,
    finish: async () => undefined,
    close: () => client.end(),
  }
}

async function lockAndStage(client: Client, state: string, where: string, spread: boolean) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await makeStaging(client, state, where, spread)
    } catch (error) {
      if (!(error instanceof CommandError) || tries === TRIES) throw error
      await sleep(1000)
    }
  }
}
