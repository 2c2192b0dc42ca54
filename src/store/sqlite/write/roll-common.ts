/** Shared by both ways of writing a roll. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { COLUMN_NAMES, COLUMNS, type ColumnValues } from '../../columns.ts'
import type { StagedState } from '../../rolls/roll-sql.ts'
import type { RollWriter, StagedParcel } from '../../store.ts'
import { checkpoint } from '../checkpoint.ts'
import { asInput } from '../dialect.ts'

/** A connection to the store with a staging file attached as `staging`, and that file's folder. */
export type Opened = { db: DatabaseSync; stagingDir: string }

/** What the two ways of writing a roll differ in. */
export type StagingWriter = Omit<RollWriter, 'after' | 'discard'>

/** The staging tables, which hold the rows of all states. */
export function stagingOf(state: string): StagedState {
  return { state, staged: 'staging.staged', change: 'staging.change' }
}

/** SQL for the record of a staged row `s` with what is kept of the stored one and `polygon`. */
export function carrySql(keptValues: string, polygon: string): string {
  const keepsPolygon = `s.geometry IS NULL AND ${polygon} IS NOT NULL`
  return `carry_over(${keptValues}, s.field_values, ${keepsPolygon})`
}

/** Empties the log after a commit, and returns an error as `fault`. Checksums are written later. */
export function finishCommit(db: DatabaseSync): { fault?: unknown } {
  try {
    checkpoint(db)
    return {}
  } catch (fault) {
    return { fault }
  }
}

/** Columns of `parcels` after the id; `parcelValues` returns their values. */
export const PARCEL_COLUMNS = COLUMN_NAMES.join(', ')

/** SQLite has no boolean type: 0 and 1 are used. */
export function parcelValues(parcel: ColumnValues): SQLInputValue[] {
  return COLUMNS.map(({ property }) => asInput(parcel[property]))
}

/** What distinguishes a parcel from others with its letters and digits; `''` for nearly all. */
export function variantOf({ identity, strippedKey }: StagedParcel): string {
  return identity === strippedKey ? '' : identity
}

const ROWS = 8

/**
 * Inserts rows, eight with a statement: 1.1 to 1.4 µs a row of seven columns, alone 2.3. `into`: a
 * table, or also its columns. A row waits for others until `flush`.
 */
export function openInserter(db: DatabaseSync, into: string, width: number) {
  const row = `(${Array(width).fill('?')})`
  const prepare = (rows: number) =>
    db.prepare(`INSERT INTO ${into} VALUES ${Array(rows).fill(row)}`)
  const insert = prepare(ROWS)
  let waiting: SQLInputValue[] = []
  return {
    add(...values: SQLInputValue[]): void {
      waiting.push(...values)
      if (waiting.length < ROWS * width) return
      // `run` would make an object of counts.
      insert.get(...waiting)
      waiting = []
    },
    flush(): void {
      if (waiting.length > 0) prepare(waiting.length / width).run(...waiting)
      waiting = []
    },
  }
}
