/** Reverts loads in PostgreSQL. The states concerned are locked as by an import. */
import type { Client } from 'pg'
import { noteChanges } from '../../rolls/change-rows.ts'
import { createRollEraser, type EraseParts, type RollEraser } from '../../rolls/erase-rolls.ts'
import type { KeptParts } from '../../rolls/rewrite.ts'
import { isSpread } from '../citus.ts'
import { countChange, dropCells } from '../cluster/state-places.ts'
import { describeServer, inTransaction, openOn, rollConfig } from '../pool/connection.ts'
import { openRollSql } from '../roll-sql.ts'
import { applyChanges, prepareChanges } from './roll-apply.ts'
import { hasParcels } from './roll-compare.ts'
import { dropStaging, indexStaged, makeStaging, type Staging, stageKept } from './roll-staging.ts'

/** Opens the database at an address. Throws `CommandError` when it is unreachable. */
export function openRollEraser(url: string): Promise<RollEraser> {
  const where = describeServer(url)
  const config = { ...rollConfig(url, 0, { work_mem: '64MB' }), isKept: true }
  return openOn(config, where, async (client) =>
    createRollEraser(openParts(client, where, await isSpread(client))),
  )
}

function openParts(client: Client, where: string, spread: boolean): EraseParts<Staging> {
  const opened = new Map<string, Staging>()
  return {
    ...keptParts(client),
    async open(states) {
      for (const state of states) {
        const known = opened.get(state)
        if (known !== undefined) await dropStaging(client, known)
        const staging = await makeStaging(client, state, where, spread)
        // The earlier records may be a whole roll.
        staging.rows = Number.POSITIVE_INFINITY
        opened.set(state, staging)
      }
      return [...opened.values()].filter(({ state }) => states.includes(state))
    },
    index: (staging) => indexStaged(client, staging),
    // Unpacking the stored ones costs as much as writing them again.
    hasOtherKeys: 'TRUE',
    async close() {
      for (const staging of spread ? opened.values() : []) {
        await dropStaging(client, staging).catch(() => undefined)
      }
      await client.end().catch(() => undefined)
    },
  }
}

/** Changes stored parcels without a roll. */
export function keptParts(client: Client): KeptParts<Staging> {
  const sql = openRollSql(client)
  return {
    sql,
    async stage(staging, kept) {
      if (kept.length > 0) await stageKept(client, staging, kept)
    },
    prepare: async (staging) => void (await prepareChanges(client, staging)),
    transact: (work) => inTransaction(client, work),
    async apply(staged, _scopes, { id, loadedAt }) {
      for (const staging of staged) {
        await noteChanges(sql, staging, { loadedAt, id, restores: true })
        await applyChanges(client, staging, { loadedAt })
      }
    },
    async noteState(state) {
      if (!(await hasParcels(client, state))) await dropCells(client, state)
      await countChange(client, state)
    },
    close: () => client.end(),
  }
}
