/** Both ends of a copy for the embedded store; `copy/tables.ts` lists what is copied. */
import { existsSync } from 'node:fs'
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { CommandError } from '../../base/errors.ts'
import { type CopySource, type CopyTarget, type ReadRows, refuseStray } from '../copy/ends.ts'
import { type CopyTable, ROLL_TABLES, type Row, STATE_TABLES } from '../copy/tables.ts'
import { openDatabase, SQLITE, sqliteCode, writing } from './connection.ts'
import { packOwnedSql } from './owned.ts'
import { renewSumsOfChange, stampWritten } from './page-sums.ts'
import { countOwners } from './write/owner-counts.ts'
import { fillPlaces } from './write/place-writer.ts'

type Paths = { parcels: string; accounts: string }
type Databases = { parcels: DatabaseSync | undefined; accounts: DatabaseSync | undefined }

/** Rows read before they are passed on. */
const BATCH = 500

/** States of which parcels are loaded, or changes are known. */
const STATES = 'SELECT state FROM scopes UNION SELECT state FROM change_heads ORDER BY state'

/** Opens a snapshot of both files; a missing file counts as empty. */
export function openCopySource(paths: Paths): CopySource {
  const open = (kind: 'parcels' | 'accounts') => {
    if (!existsSync(paths[kind])) return undefined
    const db = openDatabase(paths[kind], {
      kind,
      synchronous: 'FULL',
      readOnly: true,
    })
    // The snapshot starts with the first read.
    db.exec('BEGIN; SELECT count(*) FROM sqlite_schema')
    return db
  }
  if (!existsSync(paths.parcels) && !existsSync(paths.accounts)) {
    throw new CommandError(`there is no data to copy: ${paths.parcels} does not exist`)
  }
  const dbs = { parcels: open('parcels'), accounts: open('accounts') }
  return {
    async states() {
      const rows = dbs.parcels?.prepare(STATES).all()
      return (rows ?? []).map(({ state }) => String(state))
    },
    rows: readRows(dbs),
    count: async (table) => countRows(dbs, table),
    async newestId() {
      const sql = "SELECT value FROM counters WHERE name = 'parcel'"
      return Number(dbs.parcels?.prepare(sql).get()?.value ?? 0)
    },
    async close() {
      dbs.parcels?.close()
      dbs.accounts?.close()
    },
  }
}

export function openCopyTarget(paths: Paths): CopyTarget {
  const parcels = openDatabase(paths.parcels, { kind: 'parcels', synchronous: 'NORMAL' })
  const accounts = openDatabase(paths.accounts, { kind: 'accounts', synchronous: 'FULL' })
  const dbs = { parcels, accounts }
  const inserts = new Map<string, StatementSync>()
  parcels.exec(`PRAGMA cache_size = -${CACHE_KIB}`)
  return {
    async look() {
      const begun = parcels
        .prepare("SELECT 1 FROM sqlite_schema WHERE name = 'copy_progress'")
        .get()
      const noted = begun && parcels.prepare('SELECT state, sums FROM copy_progress').all()
      return {
        parcels:
          parcels.prepare('SELECT 1 FROM parcels UNION ALL SELECT 1 FROM scopes').get() !==
          undefined,
        accounts: accounts.prepare('SELECT 1 FROM account').get() !== undefined,
        progress: noted && new Map(noted.map(({ state, sums }) => [String(state), String(sums)])),
      }
    },
    async begin() {
      parcels.exec('CREATE TABLE copy_progress (state TEXT PRIMARY KEY, sums TEXT NOT NULL) STRICT')
    },
    // Each part writes one file; the other file's transaction stays empty.
    transaction: (work) => writing(parcels, () => writing(accounts, work)),
    adapt: (_table, rows) => rows,
    async write(table, rows) {
      const insert = inserts.getOrInsertComputed(table.name, () =>
        databaseOf(dbs, table).prepare(insertInto(table)),
      )
      try {
        for (const row of rows) insert.run(...valuesOf(table, row))
      } catch (error) {
        throw sqliteCode(error) === SQLITE.CONSTRAINT ? refuseStray(table, error) : error
      }
    },
    async clear(state) {
      // Deletes the rows of a parcel before the parcel.
      const [parcelTable, ...others] = ROLL_TABLES.map(({ name }) => name)
      for (const name of [...others, parcelTable as string]) {
        const where = BELONGING[name] ?? 'state = :state'
        parcels.prepare(`DELETE FROM ${name} WHERE ${where}`).run({ state })
      }
      parcels.prepare('DELETE FROM copy_progress WHERE state = ?').run(state)
    },
    async note(state, sums) {
      parcels
        .prepare(`UPDATE records SET sum = record_sum(id, loaded_at, field_values, geojson),
            tile_text = tile_text_of(field_values, geojson),
            owned = (SELECT ${packOwnedSql('p')} FROM parcels p WHERE p.id = records.id)
          WHERE id IN (SELECT id FROM parcels WHERE state = ?)`)
        .run(state)
      parcels.prepare('INSERT INTO copy_progress VALUES (?, ?)').run(state, sums)
    },
    rows: readRows(dbs),
    count: async (table) => countRows(dbs, table),
    async openLedger() {
      for (const name of STATE_TABLES) accounts.exec(`DELETE FROM ${name}`)
    },
    async closeLedger() {
      accounts.exec('UPDATE state SET version = version + 1')
    },
    async finish(newestId) {
      parcels.exec('BEGIN IMMEDIATE')
      parcels
        .prepare("UPDATE counters SET value = max(value, ?) WHERE name = 'parcel'")
        .run(newestId)
      // Versions and changes name imports that are not copied.
      parcels.exec(`DELETE FROM sqlite_sequence WHERE name = 'imports';
        INSERT INTO sqlite_sequence SELECT 'imports', max(
          (SELECT coalesce(max(id), 0) FROM imports),
          (SELECT coalesce(max(import), 0) FROM vintages))`)
      indexPlaces(parcels)
      parcels.exec('DROP TABLE copy_progress; PRAGMA optimize')
      stampWritten(parcels)
      parcels.exec('COMMIT')
      renewSumsOfChange(parcels)
    },
    async close() {
      parcels.close()
      accounts.close()
    },
  }
}

/** Builds the place indexes and counts from the copied rows. */
function indexPlaces(parcels: DatabaseSync): void {
  parcels.exec(
    'DELETE FROM grid; DELETE FROM shapes; DELETE FROM point_counts; ' +
      'DELETE FROM owner_counts; DELETE FROM shared_owners',
  )
  fillPlaces(parcels)
  countOwners(parcels, 0)
}

const CACHE_KIB = 131_072

/**
 * Tables without a state column: a condition for one state's rows, by their parcels, which are
 * written first and removed last. It begins with the county where the key does.
 */
const BELONGING: Record<string, string> = {
  records: 'id IN (SELECT id FROM parcels WHERE state = :state)',
  alternate_ids: 'fips IN (SELECT fips FROM parcels WHERE state = :state)',
}

function readRows(dbs: Databases): ReadRows {
  return async function* read(table, state) {
    const db = databaseOf(dbs, table)
    if (db === undefined) return
    const statement = db.prepare(selectFrom(table))
    statement.setReturnArrays(true)
    let rows: Row[] = []
    const found = state === undefined ? statement.iterate() : statement.iterate({ state })
    for (const values of found) {
      rows.push(readRow(table, values as unknown as Value[]))
      if (rows.length < BATCH) continue
      yield rows
      rows = []
    }
    if (rows.length > 0) yield rows
  }
}

type Value = string | number | null | Uint8Array

function selectFrom({ name, columns, order }: CopyTable): string {
  const names = columns.map((column) => column.name)
  if (!isOfRolls(name))
    return `SELECT ${names.join(', ')} FROM ${name} ORDER BY ${order.join(', ')}`
  if (name === 'records') {
    const shown: Record<string, string> = { state: 'p.state', keys: 'unpack_keys(t.keys)' }
    const own = names.map((column) => shown[column] ?? `t.${column}`)
    return `SELECT ${own.join(', ')} FROM parcels p CROSS JOIN ${name} t ON t.id = p.id
      WHERE p.state = :state ORDER BY p.id`
  }
  const own = names.map((column) => (column === 'state' ? ':state' : column))
  return `SELECT ${own.join(', ')} FROM ${name} WHERE ${BELONGING[name] ?? 'state = :state'}
    ORDER BY ${order.join(', ')}`
}

/** Returns the columns that this store has; some tables have no state column. */
function keptColumns({ name, columns }: CopyTable) {
  return columns.filter((column) => !(column.name === 'state' && name in BELONGING))
}

function insertInto(table: CopyTable): string {
  const names = keptColumns(table).map(({ name }) => name)
  return `INSERT INTO ${table.name} (${names.join(', ')})
    VALUES (${names.map((name) => (isKeys(table, name) ? 'pack_keys(?)' : '?')).join(', ')})`
}

/** Keys are copied as JSON. */
function isKeys({ name }: CopyTable, column: string): boolean {
  return name === 'records' && column === 'keys'
}

function readRow({ columns }: CopyTable, values: Value[]): Row {
  return values.map((value, at) => {
    const kind = columns[at]?.kind
    if (value === null) return null
    if (kind === 'flag') return value === 1
    return kind === 'bytes' ? Buffer.from(value as Uint8Array).toString('hex') : (value as string)
  })
}

function valuesOf(table: CopyTable, row: Row): SQLInputValue[] {
  const skipped = table.columns.length - keptColumns(table).length
  return row.slice(skipped).map((value, at) => {
    if (typeof value === 'boolean') return Number(value)
    const isBytes = table.columns[at + skipped]?.kind === 'bytes'
    return isBytes && value !== null ? Buffer.from(String(value), 'hex') : value
  })
}

function countRows(dbs: Databases, table: CopyTable): number {
  const row = databaseOf(dbs, table)?.prepare(`SELECT count(*) AS n FROM ${table.name}`).get()
  return Number(row?.n ?? 0)
}

function databaseOf<Kept extends Databases>(dbs: Kept, { name }: CopyTable): Kept[keyof Databases] {
  return isOfRolls(name) ? dbs.parcels : dbs.accounts
}

function isOfRolls(name: string): boolean {
  return ROLL_TABLES.some((table) => table.name === name)
}
