/** Reverts loads in SQLite. */
import { rmSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { createRollEraser, type EraseParts, type RollEraser } from '../../rolls/erase-rolls.ts'
import type { StagedState } from '../../rolls/roll-sql.ts'
import { renewSumsOfChange } from '../page-sums.ts'
import { openRollSql } from '../roll-sql.ts'
import { applyChanges } from './roll-apply.ts'
import { type Opened, PARCEL_COLUMNS, stagingOf } from './roll-common.ts'
import { prepareStaging } from './roll-refresh.ts'
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
    async stageImages(_staging, { fips, municipality }) {
      const stage = db.prepare(`INSERT INTO staging.staged
          (seq, row, variant, ${PARCEL_COLUMNS}, field_values, keys, geometry)
        SELECT id, id, '', ${PARCEL_COLUMNS}, field_values, unpack_keys(keys),
          coalesce(geometry, '')
        FROM main.import_images WHERE fips = ? AND municipality = ?`)
      return Number(stage.run(fips, municipality).changes)
    },
    compare: async ({ state }) => compareImages(db, state),
    prepare: async () => undefined,
    async transact(work) {
      const result = await sql.transact(work)
      renewSumsOfChange(db)
      return result
    },
    apply: (_staged, scopes, at) => applyChanges(db, { scopes, ...at, restores: true }),
    noteState: async () => undefined,
    async close() {
      db.close()
      rmSync(stagingDir, { recursive: true, force: true })
    },
  }
}

/** Returns how many of the staged records are of parcels that are gone. */
function compareImages(db: DatabaseSync, state: string): number {
  db.prepare(`INSERT INTO staging.change (state, seq, id, what)
    SELECT s.state, s.seq, s.seq, CASE WHEN p.id IS NULL THEN 'new'
      WHEN r.keys <> pack_keys(s.keys) OR p.parcel_key <> s.parcel_key THEN 'keys' ELSE 'record' END
    FROM staging.staged s LEFT JOIN main.parcels p ON p.id = s.seq
    LEFT JOIN main.records r ON r.id = s.seq WHERE s.state = ? ORDER BY s.seq`).run(state)
  const added = db.prepare(
    "SELECT count(*) AS n FROM staging.change WHERE what = 'new' AND state = ?",
  )
  return Number(added.get(state)?.n)
}
