/** Rewrites single parcels while the service runs, and an import but for its last transaction. */
import type { DatabaseSync } from 'node:sqlite'
import { atEnd } from '../../../base/at-end.ts'
import {
  createRollRewriter,
  type RewriteParts,
  type RollRewriter,
} from '../../rolls/rewrite-rolls.ts'
import type { StagedState } from '../../rolls/roll-sql.ts'
import { emptyLog } from '../checkpoint.ts'
import { openDatabase, writing } from '../connection.ts'
import { packKeys } from '../packed-keys.ts'
import { stampWritten, writePageSums } from '../page-sums.ts'
import { openRollSql } from '../roll-sql.ts'
import { applyChanges } from './roll-apply.ts'
import { stagingOf } from './roll-common.ts'
import { prepareStaging, stageKept } from './roll-refresh.ts'

/** Longest wait for another writer, such as the last transaction of an import. */
const PATIENCE_MS = 600_000

/** Opens `parcels.db` in a data folder; staging tables are in memory. */
export function openRollRewriter(path: string): RollRewriter {
  const db = openDatabase(path, { kind: 'parcels', synchronous: 'FULL' })
  db.exec('PRAGMA secure_delete = ON')
  return createRollRewriter(openParts(db))
}

function openParts(db: DatabaseSync): RewriteParts<StagedState> {
  let isChanged = false
  const transact: RewriteParts<StagedState>['transact'] = async (work) => {
    // Within `withState` it is that transaction.
    if (db.isTransaction) return work()
    db.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}`)
    return writing(db, async () => {
      const before = countWrites(db)
      const result = await work()
      if (countWrites(db) > before) stampWritten(db)
      isChanged ||= countWrites(db) > before
      return result
    })
  }
  return {
    sql: openRollSql(db),
    async withState(state, work) {
      db.exec("ATTACH ':memory:' AS staging")
      using _end = atEnd(() => db.exec('DETACH staging'))
      prepareStaging(db)
      return await transact(() => work(stagingOf(state)))
    },
    transact,
    stage: async (_staging, kept) => stageKept(db, kept),
    apply: (_staged, scopes, at) => applyChanges(db, { scopes, ...at, restores: true }),
    pack: (fieldValues, keys) => [fieldValues, packKeys(keys, JSON.parse(keys))],
    async finish() {
      // The log contains the old records.
      if (isChanged && (await emptyLog(db))) writePageSums(db)
    },
    async close() {
      db.close()
    },
  }
}

function countWrites(db: DatabaseSync): number {
  return Number(db.prepare('SELECT total_changes() AS n').get()?.n)
}
