/** Tokens that show which scopes are unchanged since an import. */
import type { DatabaseSync } from 'node:sqlite'
import type { RollScope } from '../../history.ts'
import type { ScopeToken } from '../../store.ts'

export function readTokens(db: DatabaseSync): ScopeToken[] {
  return db
    .prepare('SELECT state, fips, municipality, token FROM main.roll_tokens')
    .all() as ScopeToken[]
}

/** Called by everything that changes a scope, inside its transaction. */
export function forgetTokens(db: DatabaseSync, scopes: readonly RollScope[]): void {
  const forget = db.prepare('DELETE FROM main.roll_tokens WHERE fips = ? AND municipality = ?')
  for (const { fips, municipality } of scopes) forget.run(fips, municipality)
}

/** Records that an import has just written these scopes completely. */
export function writeTokens(
  db: DatabaseSync,
  scopes: readonly RollScope[],
  token: string | null,
): void {
  if (token === null) return
  const write = db.prepare('INSERT OR REPLACE INTO main.roll_tokens VALUES (?, ?, ?, ?)')
  for (const { state, fips, municipality } of scopes) write.run(state, fips, municipality, token)
}
