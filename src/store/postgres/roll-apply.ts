/** Second half of writing a roll: what was compared is applied, by sets and in key order. */
import type { Client } from 'pg'
import { COVERAGE_FIELDS } from '../../model/coverage.ts'
import { deletions } from '../../owner/match.ts'
import type { RollChange } from '../store.ts'
import { copyIn } from './copy-in.ts'
import { KEY_TABLES, type KeyTable } from './roll-keys.ts'

const COLUMNS = [
  ...['fips', 'municipality', 'stripped_key', 'parcel_key', 'city', 'zip', 'unit'],
  ...['use_code', 'residential', 'transfer_day', 'assigned', 'roll_year', 'filled'],
]

/** Tables in which a parcel has one row under its id. */
const BY_ID = ['parcels', 'records', 'record_keys', 'geometries']

/** From so many changes on tables are tidied at once; below, the server's own housekeeping will do. */
const MANY = 2000

/**
 * Writes the differences that `change` lists into the store, inside the caller's transaction.
 *
 * `loadedAt`: epoch seconds. `onProgress` hears the share of the steps that are done.
 */
export async function applyChanges(
  client: Client,
  loadedAt: number,
  onProgress: (share: number) => void,
): Promise<void> {
  const steps: (() => Promise<unknown>)[] = [
    () => numberNewParcels(client),
    ...KEY_TABLES.map((keys) => () => removeKeys(client, keys)),
    ...BY_ID.map(
      (table) => () =>
        client.query(`DELETE FROM ${table} t USING change c
          WHERE c.what = 'removed' AND t.state = c.state AND t.id = c.id`),
    ),
    () => updateParcels(client, loadedAt),
    () => insertParcels(client, loadedAt),
    ...KEY_TABLES.map((keys) => () => insertKeys(client, keys)),
    () => insertLooseKeys(client),
    () => insertDeletions(client),
    () => writeScopes(client, loadedAt),
  ]
  for (const [done, step] of steps.entries()) {
    await step()
    onProgress((done + 1) / steps.length)
  }
}

/** After a load that changed much: statistics for the planner, and pages that an index alone may answer for. */
export async function refreshStatistics(
  client: Client,
  { loaded, updated, removed }: RollChange,
): Promise<void> {
  if (loaded + updated + removed < MANY) return
  const tables = new Set([...BY_ID, ...KEY_TABLES.map(({ table }) => table)])
  for (const table of [...tables, 'loose_situs', 'owner_deletions']) {
    // Another process may be tidying it, or the user may not: it is done later then.
    await client.query(`VACUUM (ANALYZE, SKIP_LOCKED) ${table}`).catch(() => undefined)
  }
}

/** New parcels get ids in the roll's own order, after every id that was ever given. */
async function numberNewParcels(client: Client): Promise<void> {
  await client.query(`UPDATE change c SET id = numbered.id FROM (
      SELECT seq, nextval('parcel_ids') AS id
      FROM (SELECT seq FROM change WHERE what = 'new' ORDER BY seq) ordered) numbered
    WHERE c.what = 'new' AND c.seq = numbered.seq`)
  await client.query('ANALYZE change')
}

/** Takes back the old keys of parcels that are removed or found by other keys from now on. */
async function removeKeys(client: Client, { table, list, columns, values, primary }: KeyTable) {
  const old = columns.slice(0, primary).map((name, at) => `${values[at]} AS ${name}`)
  const same = columns.slice(0, primary).map((name) => `t.${name} = o.${name}`)
  await client.query(`DELETE FROM ${table} t USING (
      SELECT ${old.join(', ')} FROM change c
      JOIN parcels p ON p.state = c.state AND p.id = c.id
      JOIN record_keys k ON k.state = c.state AND k.id = c.id
      CROSS JOIN LATERAL jsonb_array_elements(k.keys::jsonb -> '${list}') e
      WHERE c.what IN ('removed', 'keys')) o
    WHERE ${same.join(' AND ')}`)
}

async function updateParcels(client: Client, loadedAt: number): Promise<void> {
  const changed = `FROM change c JOIN staged s ON s.seq = c.seq
    WHERE c.what IN ('leaves', 'keys') AND t.state = c.state AND t.id = c.id`
  const set = COLUMNS.map((name) => `${name} = s.${name}`).join(', ')
  await client.query(`UPDATE parcels t SET ${set} ${changed}`)
  await client.query(`UPDATE record_keys t SET keys = s.keys ${changed} AND c.what = 'keys'`)
  await client.query(`UPDATE records t SET loaded_at = $1, leaves = s.leaves ${changed}`, [
    loadedAt,
  ])
}

async function insertParcels(client: Client, loadedAt: number): Promise<void> {
  const fresh = `FROM change c JOIN staged s ON s.seq = c.seq WHERE c.what = 'new' ORDER BY c.id`
  const shown = COLUMNS.map((name) => `s.${name}`).join(', ')
  await client.query(
    `INSERT INTO parcels (state, id, ${COLUMNS.join(', ')}) SELECT s.state, c.id, ${shown} ${fresh}`,
  )
  await client.query(
    `INSERT INTO records (state, id, loaded_at, leaves) SELECT s.state, c.id, $1, s.leaves ${fresh}`,
    [loadedAt],
  )
  await client.query(
    `INSERT INTO record_keys (state, id, keys) SELECT s.state, c.id, s.keys ${fresh}`,
  )
  await client.query(`INSERT INTO geometries (state, id, geojson)
    SELECT s.state, c.id, s.geometry FROM change c JOIN staged s ON s.seq = c.seq
    WHERE c.what <> 'same' AND s.geometry IS NOT NULL ORDER BY c.id
    ON CONFLICT (state, id) DO UPDATE SET geojson = excluded.geojson`)
}

/** Elements of one list of the keys of parcels that are new or found by other keys. */
function changedKeys(list: string): string {
  return `change c JOIN staged s ON s.seq = c.seq
    JOIN parcels p ON p.state = c.state AND p.id = c.id
    CROSS JOIN LATERAL jsonb_array_elements(s.keys::jsonb -> '${list}') e
    WHERE c.what IN ('new', 'keys')`
}

async function insertKeys(client: Client, { table, list, columns, values, primary }: KeyTable) {
  const order = Array.from({ length: primary }, (_, at) => at + 1).join(', ')
  await client.query(`INSERT INTO ${table} (${columns.join(', ')})
    SELECT ${values.join(', ')} FROM ${changedKeys(list)} ORDER BY ${order} ON CONFLICT DO NOTHING`)
}

/** Kept as a superset, like `owner_deletions`: an entry that nothing stands behind any more finds nothing. */
async function insertLooseKeys(client: Client): Promise<void> {
  await client.query(`INSERT INTO loose_situs (state, loose_key, key)
    SELECT DISTINCT p.state, e.value ->> 1, e.value ->> 0 FROM ${changedKeys('s')}
      AND e.value ->> 1 <> '' ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING`)
}

/** Adds the words that no owner of the state had before, with every form that has one letter less. */
async function insertDeletions(client: Client): Promise<void> {
  const { rows } = await client.query<{ state: string; word: string }>(`
    SELECT w.state, w.word FROM (
      SELECT p.state, e.value ->> 1 AS word FROM ${changedKeys('w')}
      UNION SELECT p.state, e.value ->> 2 FROM ${changedKeys('h')}) w
    WHERE length(w.word) >= 3 AND NOT EXISTS (SELECT 1 FROM owner_deletions d
      WHERE d.state = w.state AND d.deletion = w.word AND d.word = w.word)`)
  if (rows.length === 0) return
  await client.query(`CREATE TEMP TABLE new_deletions
    (state text COLLATE "C", deletion text COLLATE "C", word text COLLATE "C") ON COMMIT DROP`)
  await copyIn(client, 'new_deletions', formsOf(rows))
  await client.query(`INSERT INTO owner_deletions (state, deletion, word)
    SELECT state, deletion, word FROM new_deletions ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING`)
}

function* formsOf(words: { state: string; word: string }[]): Generator<string[]> {
  for (const { state, word } of words) {
    for (const deletion of deletions(word)) yield [state, deletion, word]
  }
}

/** Counts each touched scope anew, so that `coverage` reads one row a scope. */
async function writeScopes(client: Client, loadedAt: number): Promise<void> {
  const sums = COVERAGE_FIELDS.map(
    (field, at) => `'${field}', coalesce(sum((filled >> ${at}) & 1), 0)`,
  )
  await client.query(
    `INSERT INTO scopes AS o (state, fips, municipality, parcels, roll_year, loaded_at, filled)
    SELECT p.state, p.fips, p.municipality, count(*), max(p.roll_year), $1::bigint,
      json_build_object(${sums.join(', ')})::text
    FROM (SELECT DISTINCT state, fips, municipality FROM staged) d
    JOIN parcels p USING (state, fips, municipality)
    GROUP BY p.state, p.fips, p.municipality
    ON CONFLICT (state, fips, municipality) DO UPDATE SET parcels = excluded.parcels,
      roll_year = excluded.roll_year, filled = excluded.filled,
      loaded_at = CASE WHEN EXISTS (SELECT 1 FROM change WHERE what <> 'same')
        THEN excluded.loaded_at ELSE o.loaded_at END`,
    [loadedAt],
  )
}
