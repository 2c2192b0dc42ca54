/** Reads the history of imports. */
import type { HistoryReader, LoadedScope } from '../../history.ts'
import { type HistoryRow, readHistory, type ScopeOfImport } from '../../rows.ts'
import { Session } from '../pool/session.ts'

/** Opens the history of the database at an address. */
export function openHistoryReader(url: string): HistoryReader {
  const session = new Session(url, 0)
  return {
    async list() {
      const entries = await session.ask<HistoryRow>(
        `SELECT id, kind, loaded_at AS "loadedAt", mapping, files, rows, rejected, skipped,
          duplicates, unplaced, loaded, updated, unchanged, removed,
          rejects_file AS "rejectsFile", undoes
        FROM imports ORDER BY id DESC`,
        [],
      )
      const scopes = await session.ask<ScopeOfImport>(
        `SELECT import, state, fips, municipality, first_id AS "firstId", last_id AS "lastId",
          images
        FROM import_scopes ORDER BY import, fips, municipality`,
        [],
      )
      return readHistory(entries, scopes)
    },
    scopes: () =>
      session.ask<LoadedScope>(
        'SELECT state, fips, municipality, parcels FROM scopes ORDER BY fips, municipality',
        [],
      ),
    close: () => session.close(),
  }
}
