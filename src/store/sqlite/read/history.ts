/** Reads the history of imports. */
import type { DatabaseSync } from 'node:sqlite'
import type { HistoryReader, LoadedScope } from '../../history.ts'
import { type HistoryRow, readHistory, type ScopeOfImport } from '../../rows.ts'

/** Reads on a connection that `close` ends. */
export function openHistoryReader(db: DatabaseSync): HistoryReader {
  return {
    async list() {
      const entries = db.prepare(`SELECT id, kind, loaded_at AS loadedAt, mapping, files, rows,
          rejected, skipped, duplicates, unplaced, loaded, updated, unchanged, removed,
          rejects_file AS rejectsFile, undoes FROM imports ORDER BY id DESC`)
      const scopes = db.prepare(`SELECT import, state, fips, municipality, first_id AS firstId,
          last_id AS lastId, images FROM import_scopes ORDER BY import, fips, municipality`)
      return readHistory(entries.all() as HistoryRow[], scopes.all() as ScopeOfImport[])
    },
    async scopes() {
      return db
        .prepare(
          'SELECT state, fips, municipality, parcels FROM scopes ORDER BY fips, municipality',
        )
        .all() as LoadedScope[]
    },
    async close() {
      db.close()
    },
  }
}
