/**
 * The first load of a store: rows go directly into its tables, in one transaction from the first
 * row to the last index. Only keys are staged, to be sorted. docs/decisions/imports.md.
 */
import type { DatabaseSync } from 'node:sqlite'
import { COLUMN_NAMES } from '../../../columns.ts'
import { FactLoader } from '../../../facts/block.ts'
import type { RollSql } from '../../../rolls/roll-sql.ts'
import { RowNumbers } from '../../../rolls/row-numbers.ts'
import type { RollComparison } from '../../../store.ts'
import { openKeyWriter } from '../key-writer.ts'
import { readLastId } from '../roll-apply.ts'
import { PARCEL_COLUMNS } from '../roll-common.ts'
import { openInserter } from '../row-inserter.ts'

/** Reports whether nothing was ever loaded, or everything was removed. */
export function isEmpty(db: DatabaseSync): boolean {
  return db.prepare('SELECT 1 FROM main.parcels LIMIT 1').get() === undefined
}

/** The state of a first load, whose transaction is open. */
export type FirstLoad = ReturnType<typeof beginLoad>

/** `loadedAt`: the value that `apply` will get; a different one costs a pass over all rows. */
export function beginLoad(db: DatabaseSync, sql: RollSql, loadedAt: number) {
  db.exec('CREATE TABLE staging.variants (id INTEGER PRIMARY KEY, variant TEXT)')
  const keys = openKeyWriter(db)
  db.exec('BEGIN IMMEDIATE')
  // Indexes are built once, after the rows.
  const indexes = db
    .prepare(`SELECT name, sql FROM main.sqlite_schema
      WHERE type = 'index' AND tbl_name = 'parcels' AND sql IS NOT NULL`)
    .all() as { name: string; sql: string }[]
  for (const { name } of indexes) db.exec(`DROP INDEX main.${name}`)
  const lastId = readLastId(db)
  return {
    ...{ db, sql, loadedAt, keys, indexes },
    facts: new FactLoader(),
    ids: new RowNumbers(),
    firstId: lastId + 1,
    lastId,
    /** Whether rows that share an identity were looked for. */
    isSettled: false,
    comparison: undefined as RollComparison | undefined,
    /** The index by identity: the schema's own if none is shared, else a temporary one. */
    identity: 'none' as 'none' | 'shared' | 'unique',
    parcels: openInserter(db, `main.parcels (id, ${PARCEL_COLUMNS})`, 1 + COLUMN_NAMES.length),
    records: openInserter(
      db,
      'main.records (id, loaded_at, field_values, keys, sum, owned, geojson, tile_text)',
      8,
    ),
    variant: db.prepare('INSERT INTO staging.variants VALUES (?, ?)'),
  }
}
