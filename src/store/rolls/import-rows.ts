/** Writes the history of imports, and the records that undo the last import of a scope. */
import { COLUMN_NAMES } from '../columns.ts'
import type { ImportEntry, RollScope } from '../history.ts'
import type { ScopeToken } from '../store.ts'
import type { RollSql, StagedState } from './roll-sql.ts'

/** Assigned ids; `lastId` is below `firstId` when there are none. */
export type IdRange = { firstId: number; lastId: number }
export const NO_IDS: IdRange = { firstId: 1, lastId: 0 }

/** Adds an entry to the history, inside the caller's transaction, and returns its id. */
export async function addImport(
  sql: RollSql,
  entry: Omit<ImportEntry, 'id' | 'scopes'>,
): Promise<number> {
  const [row] = await sql.ask<{ id: number }>(
    `INSERT INTO imports (kind, loaded_at, mapping, files, rows, rejected, skipped,
        duplicates, unplaced, loaded, updated, unchanged, removed, rejects_file, undoes)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) RETURNING id`,
    [
      ...[entry.kind, entry.loadedAt, entry.mapping, JSON.stringify(entry.files), entry.rows],
      ...[entry.rejected, entry.skipped, entry.duplicates, entry.unplaced],
      ...[entry.loaded, entry.updated, entry.unchanged, entry.removed],
      ...[entry.rejectsFile, entry.undoes],
    ],
  )
  return Number(row?.id)
}

/**
 * Adds the scopes of one state to a history entry and invalidates their tokens. `ids`: the range
 * assigned in the state; `images` is 0 where earlier records undo another import.
 */
export async function addScopes(
  sql: RollSql,
  id: number,
  scopes: readonly RollScope[],
  { firstId, lastId, images }: IdRange & { images?: 0 },
): Promise<void> {
  await forgetTokens(sql, scopes)
  for (const { state, fips, municipality } of scopes) {
    const [kept] = await sql.ask<{ images: number }>(
      `SELECT count(*) AS images FROM import_images i
        WHERE ${sql.dialect.of('i')} i.fips = $2 AND i.municipality = $3`,
      [state, fips, municipality],
    )
    await sql.run(
      `INSERT INTO import_scopes (import, state, fips, municipality, first_id, last_id, images)
        VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [id, state, fips, municipality, firstId, lastId, images ?? kept?.images ?? 0],
    )
  }
}

/** Stores the rows that `change` will change or remove, instead of earlier ones of the scopes. */
export async function keepImages(
  sql: RollSql,
  { state, change }: StagedState,
  scopes: readonly RollScope[],
): Promise<void> {
  const { of } = sql.dialect
  await dropImages(sql, scopes)
  await sql.run(
    `INSERT INTO import_images (id, ${COLUMN_NAMES.join(', ')}, field_values, keys, geometry)
      SELECT p.id, ${COLUMN_NAMES.map((name) => `p.${name}`).join(', ')},
        r.field_values, r.keys, g.geojson
      FROM ${change} c JOIN parcels p ON ${of('p')} p.id = c.id
      JOIN records r ON ${of('r')} r.id = c.id
      LEFT JOIN geometries g ON ${of('g')} g.id = c.id
      WHERE ${of('c')} c.what IN ('record', 'keys', 'removed') ORDER BY p.id`,
    [state],
  )
}

export async function dropImages(sql: RollSql, scopes: readonly RollScope[]): Promise<void> {
  const own = sql.dialect.of('import_images')
  for (const { state, fips, municipality } of scopes) {
    await sql.run(`DELETE FROM import_images WHERE ${own} fips = $2 AND municipality = $3`, [
      ...[state, fips, municipality],
    ])
  }
}

/** Tokens that show which scopes are unchanged since an import. */
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
