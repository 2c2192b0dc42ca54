/** Tokens that show which scopes are unchanged since an import. */
import type { RollScope } from '../history.ts'
import type { ScopeToken } from '../store.ts'
import type { RollSql } from './roll-sql.ts'

export function readTokens(sql: RollSql): Promise<ScopeToken[]> {
  return sql.ask('SELECT state, fips, municipality, token FROM roll_tokens')
}

/** Called by everything that changes a scope, inside its transaction. */
export async function forgetTokens(sql: RollSql, scopes: readonly RollScope[]): Promise<void> {
  const text = 'DELETE FROM roll_tokens WHERE state = $1 AND fips = $2 AND municipality = $3'
  for (const { state, fips, municipality } of scopes)
    await sql.run(text, [state, fips, municipality])
}

/** Records that an import has just written these scopes completely; `null`: it gave no token. */
export async function writeTokens(
  sql: RollSql,
  scopes: readonly RollScope[],
  token: string | null,
): Promise<void> {
  if (token === null) return
  const rows = scopes.map(({ state, fips, municipality }) => [state, fips, municipality, token])
  await sql.insert('roll_tokens', 'state, fips, municipality, token', rows)
}
