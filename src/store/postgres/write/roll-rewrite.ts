/** Rewrites single parcels in PostgreSQL. A state is locked as by an import; waits for one. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { CommandError } from '../../../base/errors.ts'
import {
  createRollRewriter,
  type RewriteParts,
  type RollRewriter,
} from '../../rolls/rewrite-rolls.ts'
import { isSpread } from '../citus.ts'
import { packRecord } from '../pack/pack.ts'
import { describeServer, openOn, rollConfig } from '../pool/connection.ts'
import { explaining, explainOpening } from '../pool/errors.ts'
import { keptParts } from './roll-eraser.ts'
import { dropStaging, makeStaging, type Staging } from './roll-staging.ts'

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
  const spread = await isSpread(client)
  return {
    ...keptParts(client),
    async withState(state, work) {
      const staging = await lockAndStage(client, state, where, spread)
      try {
        return await work(staging)
      } finally {
        await dropStaging(client, staging)
        await client.query('SELECT pg_advisory_unlock_all()')
      }
    },
    pack: packRecord,
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
