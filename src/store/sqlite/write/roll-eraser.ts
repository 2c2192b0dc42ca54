/**
 * Reverts loads: undoes the last import of a scope from the earlier records, or unloads whole
 * scopes.
 */
import { rmSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import {
  checkImages,
  type ImportEntry,
  NO_COUNTS,
  NO_NOTE,
  type RollEraser,
  type RollScope,
  type UndoCounts,
} from '../../history.ts'
import { forgetOrigins } from '../../origins/origin-rows.ts'
import { addImport, addScopes, dropImages, NO_IDS } from '../../rolls/import-rows.ts'
import { forgetVersions, pruneToDay } from '../../versions/forget.ts'
import { dropPast } from '../../versions/past.ts'
import { writing } from '../connection.ts'
import { renewPageSums, stampWritten } from '../page-sums.ts'
import { openRollSql } from '../roll-sql.ts'
import { applyChanges } from './roll-apply.ts'
import { prepareStaging } from './roll-refresh.ts'
import { attachStaging } from './roll-writer.ts'
import { PARCEL_COLUMNS } from './staged-columns.ts'

/** Opens the store in a data folder. The importer's lock guarantees a single writer. */
export function openRollEraser(dataDir: string): RollEraser {
  const { db, stagingDir } = attachStaging(dataDir)
  prepareStaging(db)
  return {
    planUndo: async (entry) => (entry.kind === 'past' ? NO_COUNTS : stageUndo(db, entry)),
    async undo(entry, loadedAt) {
      if (entry.kind === 'past') return undoPast(db, entry, loadedAt)
      const counts = stageUndo(db, entry)
      const { scopes, id } = entry
      await erase(
        db,
        scopes,
        loadedAt,
        { kind: 'undo', undoes: id, updated: counts.restored },
        counts,
      )
      return counts
    },
    async unload(scopes, loadedAt) {
      const removed = stageUnload(db, scopes)
      const counts = { removed, returned: 0 }
      await erase(db, scopes, loadedAt, { kind: 'unload', undoes: null, updated: 0 }, counts)
      return removed
    },
    async prune(scopes, day) {
      let pruned = 0
      await writing(db, async () => {
        for (const scope of scopes) pruned += await pruneToDay(openRollSql(db), scope, day)
        stampWritten(db)
      })
      renewPageSums(db)
      return pruned
    },
    async close() {
      db.close()
      rmSync(stagingDir, { recursive: true, force: true })
    },
  }
}

/** Takes an earlier roll out of the history; no parcel changes. */
async function undoPast(
  db: DatabaseSync,
  { scopes, id }: ImportEntry,
  loadedAt: number,
): Promise<UndoCounts> {
  const sql = openRollSql(db)
  await writing(db, async () => {
    stampWritten(db)
    const none = { loaded: 0, updated: 0, unchanged: 0, removed: 0 }
    const own = { kind: 'undo' as const, undoes: id, loadedAt }
    const undo = await addImport(sql, { ...NO_NOTE, ...none, ...own })
    await dropPast(sql, scopes, id)
    await addScopes(sql, undo, scopes, { ...NO_IDS, images: 0 })
  })
  renewPageSums(db)
  return NO_COUNTS
}

/** Applies the staged changes, deletes the earlier records, and adds the history entry. */
async function erase(
  db: DatabaseSync,
  scopes: RollScope[],
  loadedAt: number,
  what: Pick<ImportEntry, 'kind' | 'undoes' | 'updated'>,
  { removed, returned }: Omit<UndoCounts, 'restored'>,
): Promise<void> {
  const sql = openRollSql(db)
  await writing(db, async () => {
    stampWritten(db)
    const counts = { loaded: returned, unchanged: 0, removed }
    const id = await addImport(sql, { ...NO_NOTE, ...counts, ...what, loadedAt })
    await applyChanges(db, { scopes, loadedAt, id, restores: true })
    await dropImages(sql, scopes)
    await forgetVersions(sql, scopes, what.undoes)
    forgetStates(db, scopes)
    await addScopes(sql, id, scopes, NO_IDS)
    for (const state of new Set(scopes.map((scope) => scope.state))) {
      await forgetOrigins(sql, state, what.undoes)
    }
  })
  renewPageSums(db)
}

/**
 * Stages the earlier records under their own ids, and the parcels that the import added as removed.
 */
function stageUndo(db: DatabaseSync, entry: ImportEntry): UndoCounts {
  db.exec('DELETE FROM staging.staged; DELETE FROM staging.change')
  const stage = db.prepare(`INSERT INTO staging.staged
      (seq, row, variant, ${PARCEL_COLUMNS}, field_values, keys, geometry)
    SELECT id, id, '', ${PARCEL_COLUMNS}, field_values, keys, geometry FROM main.import_images
    WHERE fips = ? AND municipality = ?`)
  const remove = db.prepare(`INSERT INTO staging.change (seq, id, what)
    SELECT NULL, id, 'removed' FROM main.parcels
    WHERE fips = ? AND municipality = ? AND id BETWEEN ? AND ?`)
  let [kept, removed] = [0, 0]
  for (const { fips, municipality, firstId, lastId } of entry.scopes) {
    kept += Number(stage.run(fips, municipality).changes)
    removed += Number(remove.run(fips, municipality, firstId, lastId).changes)
  }
  checkImages(entry, kept)
  db.exec(`INSERT INTO staging.change (seq, id, what)
    SELECT s.seq, s.seq, CASE WHEN p.id IS NULL THEN 'new'
      WHEN r.keys <> s.keys OR p.parcel_key <> s.parcel_key THEN 'keys' ELSE 'record' END
    FROM staging.staged s LEFT JOIN main.parcels p ON p.id = s.seq
    LEFT JOIN main.records r ON r.id = s.seq ORDER BY s.seq`)
  const row = db.prepare("SELECT count(*) AS returned FROM staging.change WHERE what = 'new'").get()
  const returned = Number(row?.returned)
  return { removed, restored: kept - returned, returned }
}

function stageUnload(db: DatabaseSync, scopes: RollScope[]): number {
  db.exec('DELETE FROM staging.staged; DELETE FROM staging.change')
  const remove = db.prepare(`INSERT INTO staging.change (seq, id, what)
    SELECT NULL, id, 'removed' FROM main.parcels WHERE fips = ? AND municipality = ?`)
  return scopes.reduce(
    (sum, { fips, municipality }) => sum + Number(remove.run(fips, municipality).changes),
    0,
  )
}

/** Words of owners and streets are stored per state and removed with its last parcel. */
function forgetStates(db: DatabaseSync, scopes: RollScope[]): void {
  const left = db.prepare('SELECT 1 FROM main.parcels WHERE state = ? LIMIT 1')
  for (const state of new Set(scopes.map((scope) => scope.state))) {
    if (left.get(state) !== undefined) continue
    db.prepare('DELETE FROM main.loose_situs WHERE state = ?').run(state)
    db.prepare('DELETE FROM main.owner_deletions WHERE state = ?').run(state)
  }
}
