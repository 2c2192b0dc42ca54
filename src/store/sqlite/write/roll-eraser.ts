/** Reverts loads in SQLite. */
import { rmSync } from 'node:fs'
import { createRollEraser, type EraseParts, type RollEraser } from '../../rolls/erase-rolls.ts'
import type { StagedState } from '../../rolls/roll-sql.ts'
import { renewSumsOfChange } from '../page-sums.ts'
import { openRollSql } from '../roll-sql.ts'
import { applyChanges } from './roll-apply.ts'
import { type Opened, stagingOf } from './roll-common.ts'
import { prepareStaging, stageKept } from './roll-refresh.ts'
import { attachStaging } from './roll-writer.ts'

/** Opens the store in a data folder. The importer's lock guarantees a single writer. */
export function openRollEraser(dataDir: string): RollEraser {
  const opened = attachStaging(dataDir)
  prepareStaging(opened.db)
  return createRollEraser(openParts(opened))
}

function openParts({ db, stagingDir }: Opened): EraseParts<StagedState> {
  const sql = openRollSql(db)
  return {
    sql,
    async open(states) {
      db.exec('DELETE FROM staging.staged; DELETE FROM staging.change')
      return states.map(stagingOf)
    },
    stage: async (_staging, kept) => stageKept(db, kept),
    hasOtherKeys: 'r.keys <> pack_keys(s.keys) OR p.parcel_key <> s.parcel_key',
    async transact(work) {
      const result = await sql.transact(work)
      renewSumsOfChange(db)
      return result
    },
    apply: (_staged, scopes, at) => applyChanges(db, { scopes, ...at, restores: true }),
    async close() {
      db.close()
      rmSync(stagingDir, { recursive: true, force: true })
    },
  }
}
