/** Tokens that show which scopes are unchanged since an import. */
import type { Client } from 'pg'
import { CommandError } from '../../../base/errors.ts'
import type { RollScope } from '../../history.ts'
import type { ScopeToken } from '../../store.ts'

export async function readTokens(client: Client): Promise<ScopeToken[]> {
  const text = 'SELECT state, fips, municipality, token FROM roll_tokens'
  return (await client.query<ScopeToken>(text)).rows
}

/** Called by everything that changes scopes of a state, inside its transaction. */
export async function forgetTokens(
  client: Client,
  state: string,
  scopes: readonly RollScope[],
): Promise<void> {
  await client.query(
    `DELETE FROM roll_tokens t USING unnest($2::integer[], $3::text[]) d (fips, municipality)
    WHERE t.state = $1 AND t.fips = d.fips AND t.municipality = d.municipality`,
    [state, ...splitScopes(scopes)],
  )
}

/** Records that an import has just written these scopes of a state completely. */
export async function writeTokens(
  client: Client,
  state: string,
  scopes: readonly RollScope[],
  token: string,
): Promise<void> {
  await client.query(
    `INSERT INTO roll_tokens (state, fips, municipality, token)
    SELECT $1, d.fips, d.municipality, $4 FROM unnest($2::integer[], $3::text[]) d (fips,
    municipality)`,
    [state, ...splitScopes(scopes), token],
  )
}

const splitScopes = (scopes: readonly RollScope[]) => [
  scopes.map(({ fips }) => fips),
  scopes.map(({ municipality }) => municipality),
]

/**
 * Throws `CommandError` when a scope has changed since its token was read. The state must be
 * locked.
 */
export async function checkTokens(
  client: Client,
  claimed: readonly ScopeToken[],
  where: string,
): Promise<void> {
  const tokens = new Set((await readTokens(client)).map(nameToken))
  if (claimed.every((one) => tokens.has(nameToken(one)))) return
  throw new CommandError(
    `another import has changed ${where} while this one began; nothing was loaded: import it again`,
  )
}

const nameToken = ({ state, fips, municipality, token }: ScopeToken) =>
  JSON.stringify([state, fips, municipality, token])
