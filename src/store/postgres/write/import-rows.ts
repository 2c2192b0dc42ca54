/** Writes the history of imports, and the records that undo the last import of a scope. */
import type { Client } from 'pg'
import type { ImportEntry, RollScope } from '../../history.ts'
import type { IdRange } from './id-source.ts'
import { PARCEL_COLUMNS } from './roll-apply.ts'
import type { Staging } from './roll-staging.ts'
import { forgetTokens } from './roll-tokens.ts'

/** Adds an entry to the history, inside the caller's transaction, and returns its id. */
export async function addImport(
  client: Client,
  entry: Omit<ImportEntry, 'id' | 'scopes'>,
): Promise<number> {
  const { rows } = await client.query(
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
  return Number(rows[0]?.id)
}

/**
 * Adds the scopes of one state to a history entry and invalidates their tokens. `ids`: the range
 * assigned in the state; `images` is 0 where earlier records undo another import.
 */
export async function addScopes(
  client: Client,
  id: number,
  scopes: RollScope[],
  { firstId, lastId, images }: IdRange & { images?: 0 },
): Promise<void> {
  const [first] = scopes
  if (first !== undefined) await forgetTokens(client, first.state, scopes)
  for (const { state, fips, municipality } of scopes) {
    const { rows } = await client.query(
      `SELECT count(*) AS images FROM import_images
        WHERE state = $1 AND fips = $2 AND municipality = $3`,
      [state, fips, municipality],
    )
    await client.query(
      `INSERT INTO import_scopes (import, state, fips, municipality, first_id, last_id, images)
        VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [id, state, fips, municipality, firstId, lastId, images ?? rows[0]?.images],
    )
  }
}

/**
 * Stores the rows that `change` will change or remove, replacing those stored earlier for these
 * scopes.
 */
export async function keepImages(
  client: Client,
  { state, change }: Staging,
  scopes: RollScope[],
): Promise<void> {
  await dropImages(client, scopes)
  await client.query(
    `INSERT INTO import_images
        (state, id, ${PARCEL_COLUMNS.join(', ')}, field_values, keys, geometry)
      SELECT p.state, p.id, ${PARCEL_COLUMNS.map((name) => `p.${name}`).join(', ')},
        r.field_values, r.keys, g.geojson
      FROM ${change} c JOIN parcels p ON p.state = $1 AND p.id = c.id
      JOIN records r ON r.state = $1 AND r.id = c.id
      LEFT JOIN geometries g ON g.state = $1 AND g.id = c.id
      WHERE c.state = $1 AND c.what IN ('record', 'keys', 'removed') ORDER BY p.id`,
    [state],
  )
}

/** Deletes the earlier records of these scopes. */
export async function dropImages(client: Client, scopes: RollScope[]): Promise<void> {
  for (const { state, fips, municipality } of scopes) {
    await client.query(
      'DELETE FROM import_images WHERE state = $1 AND fips = $2 AND municipality = $3',
      [state, fips, municipality],
    )
  }
}
