/** Reads the history of imports. */
import type { LoadedScope } from '../history.ts'
import { type HistoryRow, readHistory, type ScopeOfImport } from '../rows.ts'

export type HistoryReader = ReturnType<typeof createHistoryReader>

/** `ask`: returns the rows of a statement. */
export function createHistoryReader(
  ask: <Row>(text: string) => Promise<Row[]>,
  close: () => Promise<void>,
) {
  return {
    /** Newest first. */
    async list() {
      const entries = await ask<HistoryRow>(
        `SELECT id, kind, loaded_at AS "loadedAt", mapping, files, rows, rejected, skipped,
          duplicates, unplaced, loaded, updated, unchanged, removed,
          rejects_file AS "rejectsFile", undoes
        FROM imports ORDER BY id DESC`,
      )
      const scopes = await ask<ScopeOfImport>(
        `SELECT import, state, fips, municipality, first_id AS "firstId", last_id AS "lastId",
          images
        FROM import_scopes ORDER BY import, fips, municipality`,
      )
      return readHistory(entries, scopes)
    },
    scopes: () =>
      ask<LoadedScope>(
        'SELECT state, fips, municipality, parcels FROM scopes ORDER BY fips, municipality',
      ),
    close,
  }
}
