/** The stored origins of a state in the embedded store. */
import type { DatabaseSync } from 'node:sqlite'
import type { OriginRows } from '../../origins/origins.ts'

const CHUNK = 'state = ? AND number = ? AND part = ? AND line = ?'

/** Reads and writes inside the caller's transaction. */
export function openOriginRows(db: DatabaseSync, state: string): OriginRows {
  const all = (text: string, ...values: (string | number | Uint8Array)[]) =>
    db.prepare(text).all(...values)
  const run = (text: string, ...values: (string | number | Uint8Array)[]) => {
    db.prepare(text).run(...values)
  }
  return {
    async newestImport() {
      const text = `SELECT max(import) AS id FROM main.import_scopes s WHERE state = ?
        AND (SELECT kind FROM main.imports i WHERE i.id = s.import) = 'import'`
      return Number(all(text, state)[0]?.id ?? 0)
    },
    async imports() {
      const rows = all(
        'SELECT number, import, scopes FROM main.origin_imports WHERE state = ?',
        state,
      )
      return rows as { number: number; import: number; scopes: string }[]
    },
    async putImport(number, scopes, stored) {
      run(
        'INSERT INTO main.origin_imports VALUES (?, ?, ?, ?, ?)',
        ...[state, number, stored.import, scopes, stored.document],
      )
    },
    async forgetImport(number) {
      for (const table of ['origin_imports', 'origins', 'kept_rows']) {
        run(`DELETE FROM main.${table} WHERE state = ? AND number = ?`, state, number)
      }
    },
    async blocks(block) {
      const text = `SELECT number, data FROM main.origins WHERE state = ? AND block = ?
        ORDER BY number DESC`
      return all(text, state, block) as { number: number; data: Uint8Array }[]
    },
    async putBlock(number, block, data) {
      const key = [state, block, number] as const
      if (data !== undefined)
        run('INSERT OR REPLACE INTO main.origins VALUES (?, ?, ?, ?)', ...key, data)
      else run('DELETE FROM main.origins WHERE state = ? AND block = ? AND number = ?', ...key)
    },
    async putRows({ number, part, line, data }) {
      const key = [state, number, part, line] as const
      run('INSERT OR REPLACE INTO main.kept_rows VALUES (?, ?, ?, ?, ?)', ...key, data)
    },
    async chunks() {
      const text = 'SELECT number, part, line FROM main.kept_rows WHERE state = ?'
      return all(text, state) as { number: number; part: number; line: number }[]
    },
    async chunk({ number, part, line }) {
      const text = `SELECT data FROM main.kept_rows WHERE ${CHUNK}`
      return all(text, state, number, part, line)[0]?.data as Uint8Array
    },
  }
}

/**
 * Forgets the imports whose scopes are all gone, and one that was undone, inside the caller's
 * transaction.
 */
export function forgetOrigins(db: DatabaseSync, undone: number | null): void {
  db.prepare('DELETE FROM main.origin_imports WHERE import = ?').run(undone)
  db.exec(`DELETE FROM main.origin_imports WHERE NOT EXISTS (
      SELECT 1 FROM json_each(main.origin_imports.scopes) j JOIN main.scopes s
      ON s.fips = j.value ->> 0 AND s.municipality = j.value ->> 1)`)
  for (const table of ['origins', 'kept_rows']) {
    db.exec(`DELETE FROM main.${table} WHERE NOT EXISTS (SELECT 1 FROM main.origin_imports i
      WHERE i.state = main.${table}.state AND i.number = main.${table}.number)`)
  }
}
