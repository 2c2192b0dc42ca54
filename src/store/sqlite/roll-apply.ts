/** Second half of writing a roll: what was compared is applied, by sets and in key order. */
import type { DatabaseSync } from 'node:sqlite'
import { COVERAGE_FIELDS } from '../../model/coverage.ts'
import { deletions } from '../../owner/match.ts'
import { KEY_TABLES, type KeyTable } from './roll-keys.ts'

const PARCEL_COLUMNS = `state, fips, municipality, stripped_key, parcel_key, city, zip,
  unit, use_code, residential, transfer_day, assigned, roll_year, filled`

/**
 * Writes the differences that `staging.change` lists into the store, inside the caller's transaction.
 *
 * `loadedAt`: epoch seconds. `onProgress` hears the share of the steps that are done.
 */
export function applyChanges(
  db: DatabaseSync,
  loadedAt: number,
  onProgress: (share: number) => void,
) {
  const scopes = db.prepare('SELECT DISTINCT fips, municipality FROM staging.staged').all()
  const firstLoad = db.prepare('SELECT 1 FROM main.parcels LIMIT 1').get() === undefined
  numberNewParcels(db)
  const steps: (() => void)[] = [
    () => removeKeys(db),
    () =>
      db.exec(`DELETE FROM main.parcels WHERE id IN (SELECT id FROM staging.change WHERE what = 'removed');
        DELETE FROM main.records WHERE id IN (SELECT id FROM staging.change WHERE what = 'removed');
        DELETE FROM main.geometries WHERE id IN (SELECT id FROM staging.change WHERE what = 'removed')`),
    () => updateParcels(db, loadedAt),
    () => insertParcels(db, firstLoad, loadedAt),
    () =>
      db.exec(`INSERT OR REPLACE INTO main.geometries (id, geojson)
        SELECT c.id, s.geometry FROM staging.change c JOIN staging.staged s ON s.seq = c.seq
        WHERE c.what <> 'same' AND s.geometry IS NOT NULL ORDER BY c.id`),
    ...KEY_TABLES.map((keys) => () => insertKeys(db, keys)),
    () => insertLooseKeys(db),
    () => insertDeletions(db),
    () => writeScopes(db, scopes as { fips: number; municipality: string }[], loadedAt),
  ]
  steps.forEach((step, done) => {
    step()
    onProgress((done + 1) / steps.length)
  })
}

/** New parcels get ids in the roll's own order, after every id that was ever given. */
function numberNewParcels(db: DatabaseSync): void {
  db.exec(`
    UPDATE staging.change SET id = numbered.id FROM (
      SELECT seq, (SELECT value FROM main.counters WHERE name = 'parcel')
        + row_number() OVER (ORDER BY seq) AS id
      FROM staging.change WHERE what = 'new') AS numbered
    WHERE staging.change.what = 'new' AND staging.change.seq = numbered.seq;
    UPDATE main.counters SET value = value
      + (SELECT count(*) FROM staging.change WHERE what = 'new') WHERE name = 'parcel'`)
}

/** Takes back the old keys of parcels that are removed or found by other keys from now on. */
function removeKeys(db: DatabaseSync): void {
  for (const { table, list, columns, values, primary } of KEY_TABLES) {
    const [names, shown] = [columns, values].map((text) =>
      text.split(', ').slice(0, primary).join(', '),
    )
    db.exec(`DELETE FROM main.${table} WHERE (${names}) IN (
      SELECT ${shown} FROM staging.change c JOIN main.parcels p ON p.id = c.id
      JOIN main.records r ON r.id = c.id, json_each(r.keys, '$.${list}') e
      WHERE c.what IN ('removed', 'keys'))`)
  }
}

function updateParcels(db: DatabaseSync, loadedAt: number): void {
  const columns = PARCEL_COLUMNS.split(/,\s*/)
  db.exec(`UPDATE main.parcels SET ${columns.map((name) => `${name} = s.${name}`).join(', ')}
    FROM staging.change c JOIN staging.staged s ON s.seq = c.seq
    WHERE c.what IN ('leaves', 'keys') AND main.parcels.id = c.id`)
  db.prepare(`UPDATE main.records SET loaded_at = ?, keys = s.keys,
      leaves = carry_assessments(main.records.leaves, s.leaves)
    FROM staging.change c JOIN staging.staged s ON s.seq = c.seq
    WHERE c.what IN ('leaves', 'keys') AND main.records.id = c.id`).run(loadedAt)
}

/** Indexes of an empty table are built once, after its rows. */
function insertParcels(db: DatabaseSync, firstLoad: boolean, loadedAt: number): void {
  const indexes = firstLoad
    ? db
        .prepare(`SELECT name, sql FROM main.sqlite_schema
          WHERE type = 'index' AND tbl_name = 'parcels' AND sql IS NOT NULL`)
        .all()
    : []
  for (const { name } of indexes) db.exec(`DROP INDEX main.${name}`)
  db.exec(`INSERT INTO main.parcels (id, ${PARCEL_COLUMNS})
    SELECT c.id, ${PARCEL_COLUMNS} FROM staging.change c JOIN staging.staged s ON s.seq = c.seq
    WHERE c.what = 'new' ORDER BY c.id`)
  db.prepare(`INSERT INTO main.records (id, loaded_at, leaves, keys)
    SELECT c.id, ?, s.leaves, s.keys FROM staging.change c JOIN staging.staged s ON s.seq = c.seq
    WHERE c.what = 'new' ORDER BY c.id`).run(loadedAt)
  for (const { sql } of indexes) db.exec(String(sql))
}

const CHANGED_KEYS = `staging.change c JOIN staging.staged s ON s.seq = c.seq
  JOIN main.parcels p ON p.id = c.id`

function insertKeys(db: DatabaseSync, { table, list, columns, values, primary }: KeyTable): void {
  const order = Array.from({ length: primary }, (_, at) => at + 1).join(', ')
  db.exec(`INSERT OR IGNORE INTO main.${table} (${columns})
    SELECT ${values} FROM ${CHANGED_KEYS}, json_each(s.keys, '$.${list}') e
    WHERE c.what IN ('new', 'keys') ORDER BY ${order}`)
}

function insertLooseKeys(db: DatabaseSync): void {
  db.exec(`INSERT OR IGNORE INTO main.loose_situs (state, loose_key, key)
    SELECT DISTINCT p.state, e.value ->> 1, e.value ->> 0
    FROM ${CHANGED_KEYS}, json_each(s.keys, '$.s') e
    WHERE c.what IN ('new', 'keys') AND e.value ->> 1 <> '' ORDER BY 1, 2, 3`)
}

/** Adds the words that no owner of the state had before, with every form that has one letter less. */
function insertDeletions(db: DatabaseSync): void {
  db.exec(`CREATE TABLE staging.words AS
    SELECT DISTINCT p.state, e.value ->> 1 AS word FROM ${CHANGED_KEYS}, json_each(s.keys, '$.w') e
      WHERE c.what IN ('new', 'keys')
    UNION
    SELECT DISTINCT p.state, e.value ->> 2 FROM ${CHANGED_KEYS}, json_each(s.keys, '$.h') e
      WHERE c.what IN ('new', 'keys');
    CREATE TABLE staging.deletions (state TEXT, deletion TEXT, word TEXT)`)
  const words = db.prepare(`SELECT rowid AS row, state, word FROM staging.words w
    WHERE rowid > ? AND length(word) >= 3 AND NOT EXISTS (SELECT 1 FROM main.owner_deletions d
      WHERE d.state = w.state AND d.deletion = w.word AND d.word = w.word)
    ORDER BY rowid LIMIT 10000`)
  const insert = db.prepare('INSERT INTO staging.deletions VALUES (?, ?, ?)')
  let after = 0
  for (;;) {
    const batch = words.all(after) as { row: number; state: string; word: string }[]
    for (const { state, word } of batch) {
      for (const deletion of deletions(word)) insert.run(state, deletion, word)
    }
    const last = batch.at(-1)
    if (last === undefined) break
    after = last.row
  }
  db.exec(`INSERT OR IGNORE INTO main.owner_deletions
    SELECT state, deletion, word FROM staging.deletions ORDER BY 1, 2, 3`)
}

/** Counts each touched scope anew, so that `coverage` reads one row a scope. */
function writeScopes(
  db: DatabaseSync,
  scopes: { fips: number; municipality: string }[],
  loadedAt: number,
): void {
  const sums = COVERAGE_FIELDS.map(
    (field, at) => `'${field}', coalesce(sum((filled >> ${at}) & 1), 0)`,
  )
  const changed = db.prepare("SELECT 1 FROM staging.change WHERE what <> 'same' LIMIT 1").get()
  const write = db.prepare(`INSERT OR REPLACE INTO main.scopes
      (state, fips, municipality, parcels, roll_year, loaded_at, filled)
    SELECT state, fips, municipality, count(*), max(roll_year),
      CASE WHEN ? THEN ? ELSE coalesce((SELECT loaded_at FROM main.scopes o
        WHERE o.fips = p.fips AND o.municipality = p.municipality), ?) END,
      json_object(${sums.join(', ')})
    FROM main.parcels p WHERE fips = ? AND municipality = ? GROUP BY fips, municipality`)
  for (const { fips, municipality } of scopes) {
    write.run(changed === undefined ? 0 : 1, loadedAt, loadedAt, fips, municipality)
  }
}
