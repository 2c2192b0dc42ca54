/** Second half of writing a roll: applies the differences in key order. `$1` is the state. */
import type { Client } from 'pg'
import { deletions } from '../../../base/word-edits.ts'
import { COLUMN_NAMES, countOwnersSql, updateSql } from '../../columns.ts'
import { changeFacts } from '../../facts/write.ts'
import type { RollChange } from '../../history.ts'
import type { IdRange } from '../../rolls/import-rows.ts'
import { KEY_TABLES, type KeyTable } from '../../rolls/key-tables.ts'
import { noteStagedCells } from '../cluster/state-places.ts'
import { tidyShards } from '../cluster/tidy-shards.ts'
import { KEYS, unpackHex } from '../pack/unpack.ts'
import { openRollSql, walk } from '../roll-sql.ts'
import { copyIn } from './copy-in.ts'
import { numberNewParcels } from './id-source.ts'
import { changed, type Run, type Staging } from './roll-staging.ts'

/** Columns of a parcel after its state and id. */
export const PARCEL_COLUMNS = COLUMN_NAMES.filter((name) => name !== 'state')

/** Tables with one row per parcel, under its id. */
const BY_ID = ['parcels', 'records', 'geometries', 'shapes']

/** From so many changes on, tables are vacuumed and analyzed at once, not by autovacuum. */
export const MANY = 2000

/** Gives new parcels ids, whose range it returns, and stages keys, before the transaction. */
export async function prepareChanges(client: Client, staging: Staging): Promise<IdRange> {
  const range = await numberNewParcels(client, staging)
  await stageLostKeys(client, staging)
  await unfoldKeys(client, staging)
  await stageDeletions(client, staging)
  return range
}

/**
 * Writes the differences in `change` to the store, inside the caller's transaction. `loadedAt`:
 * epoch seconds. `onProgress`: share of steps done.
 */
export async function applyChanges(
  client: Client,
  staging: Staging,
  { loadedAt, onProgress }: { loadedAt: number; onProgress?: (share: number) => void },
): Promise<void> {
  const ask: Run = (text, ...values) => client.query(text, [staging.state, ...values])
  const steps: (() => Promise<unknown>)[] = [
    ...KEY_TABLES.map((keys) => () => removeKeys(ask, staging, keys)),
    () => countPoints(ask, staging, -1),
    () => countOwners(ask, staging, '-'),
    ...BY_ID.map(
      (table) => () =>
        ask(`DELETE FROM ${table} t USING ${staging.change} c
          WHERE t.state = $1 AND c.state = $1 AND c.what = 'removed' AND t.id = c.id`),
    ),
    () => updateParcels(ask, staging, loadedAt),
    () => insertParcels(ask, staging, loadedAt),
    () => noteStagedCells(client, staging),
    () => countPoints(ask, staging, 1),
    () => countOwners(ask, staging, ''),
    () => changeFacts(openRollSql(client), staging),
    () => removeGeometries(ask, staging),
    ...KEY_TABLES.map((keys) => () => insertKeys(ask, staging, keys)),
    () => insertLooseKeys(ask, staging),
    () =>
      ask(`INSERT INTO owner_deletions (state, deletion, word)
        SELECT state, deletion, word FROM ${staging.deletions} WHERE state = $1 ORDER BY 1, 2, 3
        ON CONFLICT DO NOTHING`),
  ]
  for (const [done, step] of steps.entries()) {
    await step()
    onProgress?.((done + 1) / steps.length)
  }
}

async function removeKeys(
  ask: Run,
  { lost }: Staging,
  { table, list, columns, values, primary }: KeyTable,
) {
  const old = columns.slice(0, primary).map((name, at) => `${values[at]} AS ${name}`)
  const same = columns.slice(0, primary).map((name) => `t.${name} = o.${name}`)
  await ask(`DELETE FROM ${table} t USING (
      SELECT ${old.join(', ')} FROM ${lost} p CROSS JOIN LATERAL (SELECT p.value) e
      WHERE p.state = $1 AND p.list = '${list}') o
    WHERE t.state = $1 AND ${same.join(' AND ')}`)
}

async function updateParcels(ask: Run, staging: Staging, loadedAt: number): Promise<void> {
  const update = (table: string, set: string, kinds: string, ...values: unknown[]) =>
    ask(
      `UPDATE ${table} t SET ${set} FROM ${changed(staging, kinds)}
        AND t.state = $1 AND t.id = c.id`,
      ...values,
    )
  await update('parcels', updateSql(PARCEL_COLUMNS, 't'), "IN ('record', 'keys')")
  const record =
    'loaded_at = $2, field_values = s.field_values, keys = s.packed_keys, owner = s.owner'
  await update('records', record, "IN ('record', 'keys')", loadedAt)
}

async function insertParcels(ask: Run, staging: Staging, loadedAt: number): Promise<void> {
  const added = `FROM ${changed(staging, "= 'new'")} ORDER BY c.id`
  const shown = PARCEL_COLUMNS.map((name) => `s.${name}`).join(', ')
  await ask(
    `INSERT INTO parcels (state, id, ${PARCEL_COLUMNS.join(', ')})
      SELECT s.state, c.id, ${shown} ${added}`,
  )
  await ask(
    `INSERT INTO records (state, id, loaded_at, field_values, keys, owner)
      SELECT s.state, c.id, $2::bigint, s.field_values, s.packed_keys, s.owner ${added}`,
    loadedAt,
  )
  const replacing = (column: string) =>
    `ON CONFLICT (state, id) DO UPDATE SET ${column} = excluded.${column}`
  await ask(`INSERT INTO geometries (state, id, geojson)
    SELECT s.state, c.id, s.geometry FROM ${changed(staging, "<> 'same'")}
      AND s.geometry <> '' ORDER BY c.id ${replacing('geojson')}`)
  await ask(`INSERT INTO shapes (state, id, bounds)
    SELECT s.state, c.id, s.bounds FROM ${changed(staging, "<> 'same'")}
      AND s.bounds IS NOT NULL ORDER BY c.id ${replacing('bounds')}`)
}

async function removeGeometries(ask: Run, staging: Staging): Promise<void> {
  for (const table of ['geometries', 'shapes']) {
    await ask(`DELETE FROM ${table} t USING ${staging.change} c, ${staging.staged} s
      WHERE t.state = $1 AND c.state = $1 AND s.state = $1
        AND s.seq = c.seq AND t.id = c.id AND s.geometry = ''`)
  }
}

/** Subtracts changed parcels from tile counts before the write (-1), adds them after it (1). */
async function countPoints(ask: Run, { change }: Staging, sign: 1 | -1): Promise<void> {
  await ask(`INSERT INTO point_counts AS k (state, cell, parcels)
    SELECT p.state, p.cell, ${sign} * count(*) FROM ${change} c
    JOIN parcels p ON p.state = $1 AND p.id = c.id
    WHERE c.state = $1 AND c.what <> 'same' AND p.cell IS NOT NULL GROUP BY p.state, p.cell
    ON CONFLICT (state, cell) DO UPDATE SET parcels = k.parcels + excluded.parcels`)
}

async function insertKeys(
  ask: Run,
  staging: Staging,
  { table, list, columns, values, primary }: KeyTable,
) {
  const order = Array.from({ length: primary }, (_, at) => at + 1).join(', ')
  await ask(`INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values.join(', ')}
    FROM ${changedKeys(staging, list)} ORDER BY ${order} ON CONFLICT DO NOTHING`)
}

/** A superset, like `owner_deletions`: an obsolete entry only leads to no result. */
async function insertLooseKeys(ask: Run, staging: Staging): Promise<void> {
  await ask(`INSERT INTO loose_situs (state, loose_key, key)
    SELECT DISTINCT p.state, e.value ->> 1, e.value ->> 0 FROM ${changedKeys(staging, 's')}
    WHERE e.value ->> 1 <> '' ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING`)
}

async function stageDeletions(client: Client, staging: Staging): Promise<void> {
  const { state } = staging
  const { rows } = await client.query<{ word: string }>(
    `SELECT w.word FROM (SELECT e.value ->> 1 AS word FROM ${changedKeys(staging, 'w')}
      UNION SELECT e.value ->> 2 FROM ${changedKeys(staging, 'h')}) w
    WHERE length(w.word) >= 3 AND NOT EXISTS (SELECT 1 FROM owner_deletions d
      WHERE d.state = $1 AND d.deletion = w.word AND d.word = w.word)`,
    [state],
  )
  if (rows.length > 0) await copyIn(client, staging.deletions, formsOf(state, rows))
}

function* formsOf(state: string, words: { word: string }[]): Generator<string[]> {
  for (const { word } of words) {
    for (const deletion of deletions(word)) yield [state, deletion, word]
  }
}

/** Runs after a load with many changes. On a cluster, only on the shards of the loaded states. */
export async function refreshStatistics(
  client: Client,
  { loaded, updated, removed }: RollChange,
  stagings: Staging[],
): Promise<void> {
  if (loaded + updated + removed < MANY) return
  const tables = [
    ...new Set([...BY_ID, ...KEY_TABLES.map(({ table }) => table)]),
    ...['loose_situs', 'owner_deletions'],
  ]
  const tidying = 'VACUUM (ANALYZE, SKIP_LOCKED)'
  const shared = stagings.filter(({ isShared }) => isShared)
  for (const { state } of shared) {
    await tidyShards(client, tidying, tables, state).catch(() => undefined)
  }
  if (shared.length > 0) return
  for (const table of tables) {
    // Another process may be vacuuming, or the user may not: autovacuum does it later.
    await client.query(`${tidying} ${table}`).catch(() => undefined)
  }
}

export const MERGE_OWNERS = `ON CONFLICT (state, owner) DO UPDATE SET
  parcels = k.parcels + excluded.parcels, residential = k.residential + excluded.residential,
  other = k.other + excluded.other`

/** Subtracts changed parcels from the counts before the write (`-`), and adds them after it. */
async function countOwners(ask: Run, { change }: Staging, sign: '-' | ''): Promise<void> {
  await ask(`INSERT INTO owner_counts AS k (state, owner, parcels, residential, other)
    SELECT p.state, p.owner, ${countOwnersSql(sign)} FROM ${change} c
    JOIN parcels p ON p.state = $1 AND p.id = c.id
    WHERE c.state = $1 AND c.what <> 'same' AND p.owner <> 0 GROUP BY p.state, p.owner
    ${MERGE_OWNERS}`)
  if (sign === '') await ask('DELETE FROM owner_counts WHERE state = $1 AND parcels = 0')
}

/** Parcels that are new or whose keys change, with the text of their keys. */
const parcels = (staging: Staging) =>
  `(SELECT s.state, c.id, s.fips, s.keys FROM ${changed(staging, "IN ('new', 'keys')")}) p`

const tableOf = ({ state }: Staging) => `unfolded_${state.toLowerCase()}`

/**
 * Writes keys of parcels with ids to a temporary table, a row each: a parcel's JSON text is read
 * once, which saves the server a fifth of a load. On a cluster nothing: it cannot join one.
 */
async function unfoldKeys(client: Client, staging: Staging): Promise<void> {
  if (staging.isShared) return
  const table = tableOf(staging)
  const text = `SELECT p.state, p.id, p.fips, l.key AS list, e.value FROM ${parcels(staging)}
    CROSS JOIN LATERAL jsonb_each(p.keys::jsonb) l
    CROSS JOIN LATERAL jsonb_array_elements(l.value) e`
  await client.query(`DROP TABLE IF EXISTS pg_temp.${table}`)
  // A statement that makes a table takes no values.
  const bound = text.replaceAll('$1', client.escapeLiteral(staging.state))
  await client.query(`CREATE TEMP TABLE ${table} AS ${bound}`)
  await client.query(`ANALYZE ${table} (list)`)
}

/** SQL for elements `e` of one list of the keys of those parcels `p`. `$1` is the state. */
function changedKeys(staging: Staging, list: KeyTable['list']): string {
  if (staging.isShared) {
    return `${parcels(staging)}
      CROSS JOIN LATERAL jsonb_array_elements(p.keys::jsonb -> '${list}') e`
  }
  return `(SELECT * FROM ${tableOf(staging)} WHERE state = $1 AND list = '${list}') p
    CROSS JOIN LATERAL (SELECT p.value) e`
}

/** Writes the stored keys of parcels that are removed or get other keys into `lost`, a row each. */
async function stageLostKeys(client: Client, staging: Staging): Promise<void> {
  const { state, change, lost, isShared } = staging
  type Row = { id: number; fips: number; fieldValues: string; keys: string }
  const text = `SELECT c.id, p.fips, r.field_values AS "fieldValues", ${KEYS} FROM ${change} c
    JOIN parcels p ON p.state = $1 AND p.id = c.id
    JOIN records r ON r.state = $1 AND r.id = c.id
    WHERE c.state = $1 AND c.what IN ('removed', 'keys')`
  await client.query(`DELETE FROM ${lost} WHERE state = $1`, [state])
  await client.query('BEGIN')
  for await (const rows of walk<Row>(client, text, [state])) {
    await copyIn(
      client,
      lost,
      rows.flatMap(({ id, fips, fieldValues, keys }) => {
        const lists: Record<string, unknown[]> = JSON.parse(unpackHex(keys, fieldValues))
        return Object.entries(lists).flatMap(([list, items]) =>
          items.map((item) => [state, id, fips, list, JSON.stringify(item)]),
        )
      }),
    )
  }
  await client.query('COMMIT')
  if (!isShared) await client.query(`ANALYZE ${lost} (list)`)
}
