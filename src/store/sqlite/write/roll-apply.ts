/** Second half of writing a roll: applies the differences with set operations in key order. */
import type { DatabaseSync } from 'node:sqlite'
import { updateSql } from '../../columns.ts'
import { changeFacts } from '../../facts/write.ts'
import type { RollScope } from '../../history.ts'
import { noteChanges } from '../../rolls/change-rows.ts'
import { type Keeping, keepVersions } from '../../versions/keep.ts'
import { packOwnedSql } from '../owned.ts'
import { openRollSql } from '../roll-sql.ts'
import { KEY_TABLES, type KeyWriter, openKeyWriter } from './key-writer.ts'
import { addOwners, removeOwners } from './owner-counts.ts'
import { addPlaces, addTileTexts, removePlaces } from './place-writer.ts'
import { carrySql, PARCEL_COLUMNS, stagingOf } from './roll-common.ts'

type Applying = {
  scopes: RollScope[]
  /** Epoch seconds. */
  loadedAt: number
  /** The number of the import in the history. */
  id: number
  /** The staged rows are earlier records: they are restored unchanged, with their ids. */
  restores?: boolean
  /** What is kept of the parcels before; absent when they are restored. */
  keeping?: Omit<Keeping, 'id'>
  /** Called with the share of steps done. */
  onProgress?: (share: number) => void
}

/** Writes the differences in `staging.change` to the store, inside the caller's transaction. */
export async function applyChanges(db: DatabaseSync, applying: Applying): Promise<void> {
  const { scopes, loadedAt, id, restores = false, keeping, onProgress = () => undefined } = applying
  const keys = openKeyWriter(db)
  const sql = openRollSql(db)
  const states = [...Map.groupBy(scopes, ({ state }) => state)]
  db.exec('CREATE INDEX IF NOT EXISTS staging.change_id ON change (id)')
  numberNewParcels(db)
  for (const [state, own] of states) {
    await noteChanges(sql, stagingOf(state), { loadedAt, id, restores })
    if (keeping) await keepVersions(sql, stagingOf(state), own, { ...keeping, id })
  }
  const steps: (() => unknown)[] = [
    () => removeKeys(db),
    () => removePlaces(db),
    () => removeOwners(db),
    () =>
      db.exec(`DELETE FROM main.parcels WHERE id IN (SELECT id FROM staging.change
        WHERE what = 'removed');
        DELETE FROM main.records
        WHERE id IN (SELECT id FROM staging.change WHERE what = 'removed')`),
    () => updateParcels(db, loadedAt, restores),
    () => insertParcels(db, loadedAt),
    () => updatePolygons(db),
    () => addPlaces(db),
    () => addOwners(db),
    ...states.map(
      ([state]) =>
        () =>
          changeFacts(sql, stagingOf(state)),
    ),
    () => addTileTexts(db, "id IN (SELECT id FROM staging.change WHERE what <> 'removed')"),
    () => gatherKeys(db, keys),
    ...keys.steps(),
  ]
  for (const [done, step] of steps.entries()) {
    await step()
    onProgress((done + 1) / steps.length)
  }
}

/** Returns the highest id ever assigned. */
export function readLastId(db: DatabaseSync): number {
  const row = db.prepare("SELECT value FROM main.counters WHERE name = 'parcel'").get()
  return Number(row?.value ?? 0)
}

/** Assigns ids to new parcels in the roll's order, after all earlier ones; not to restored ones. */
function numberNewParcels(db: DatabaseSync): void {
  db.exec(`
    UPDATE main.counters SET value = value
      + (SELECT count(*) FROM staging.change WHERE what = 'new' AND id IS NULL)
      WHERE name = 'parcel';
    UPDATE staging.change SET id = numbered.id FROM (
      SELECT seq, (SELECT value FROM main.counters WHERE name = 'parcel') + 1
        - row_number() OVER (ORDER BY seq DESC) AS id
      FROM staging.change WHERE what = 'new' AND id IS NULL) AS numbered
    WHERE staging.change.what = 'new' AND staging.change.seq = numbered.seq`)
}

/** Removes the old keys of parcels that are removed or whose keys change. */
function removeKeys(db: DatabaseSync): void {
  for (const { table, list, columns, values, primary } of KEY_TABLES) {
    const [names, shown] = [columns, values].map((all) => all.slice(0, primary).join(', '))
    db.exec(`DELETE FROM main.${table} WHERE (${names}) IN (
      SELECT ${shown} FROM staging.change c JOIN main.parcels p ON p.id = c.id
      JOIN main.records r ON r.id = c.id, json_each(key_list(r.keys, '${list}')) e
      WHERE c.what IN ('removed', 'keys'))`)
  }
}

function updateParcels(db: DatabaseSync, loadedAt: number, restores: boolean): void {
  const kept = 'main.records.geojson'
  const fieldValues = restores ? 's.field_values' : carrySql('main.records.field_values', kept)
  const geometry = `nullif(coalesce(s.geometry, ${kept}), '')`
  const columns = PARCEL_COLUMNS.split(/,\s*/)
  db.exec(`UPDATE main.parcels SET ${updateSql(columns, 'main.parcels')}
    FROM staging.change c JOIN staging.staged s ON s.seq = c.seq
    WHERE c.what IN ('record', 'keys') AND main.parcels.id = c.id`)
  db.prepare(`UPDATE main.records SET loaded_at = ?1, keys = pack_keys(s.keys),
      field_values = ${fieldValues},
      sum = record_sum(main.records.id, ?1, ${fieldValues}, ${geometry}),
      owned = ${packOwnedSql('s')}, tile_text = NULL
    FROM staging.change c JOIN staging.staged s ON s.seq = c.seq
    WHERE c.what IN ('record', 'keys') AND main.records.id = c.id`).run(loadedAt)
}

function insertParcels(db: DatabaseSync, loadedAt: number): void {
  db.exec(`INSERT INTO main.parcels (id, ${PARCEL_COLUMNS})
    SELECT c.id, ${PARCEL_COLUMNS.replace(/\w+/g, 's.$&')}
    FROM staging.change c JOIN staging.staged s ON s.seq = c.seq
    WHERE c.what = 'new' ORDER BY c.id`)
  db.prepare(`INSERT INTO main.records
      (id, loaded_at, field_values, keys, sum, owned, geojson, tile_text)
    SELECT c.id, ?1, s.field_values, pack_keys(s.keys),
      record_sum(c.id, ?1, s.field_values, nullif(s.geometry, '')), ${packOwnedSql('s')},
      nullif(s.geometry, ''), tile_text_of(s.field_values, nullif(s.geometry, ''))
    FROM staging.change c JOIN staging.staged s ON s.seq = c.seq
    WHERE c.what = 'new' ORDER BY c.id`).run(loadedAt)
}

function updatePolygons(db: DatabaseSync): void {
  db.exec(`UPDATE main.records SET geojson = nullif(s.geometry, '')
    FROM staging.change c JOIN staging.staged s ON s.seq = c.seq
    WHERE c.what IN ('record', 'keys') AND main.records.id = c.id
      AND s.geometry <> coalesce(main.records.geojson, '')`)
}

/** Collects the keys of parcels that are new or whose keys change. */
function gatherKeys(db: DatabaseSync, writer: KeyWriter): void {
  const rows = db.prepare(`SELECT c.id, s.state, s.fips, s.keys
    FROM staging.change c JOIN staging.staged s ON s.seq = c.seq
    WHERE c.what IN ('new', 'keys') ORDER BY c.seq`)
  type Row = { id: number; state: string; fips: number; keys: string }
  for (const { id, state, fips, keys } of rows.iterate() as Iterable<Row>) {
    writer.add(id, state, fips, JSON.parse(keys))
  }
}
