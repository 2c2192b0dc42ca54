/** The ends of a copy: the store that it reads and the one that it fills; each store is both. */
import { CommandError } from '../../base/errors.ts'
import type { ReadDialect, RollSql, SqlValue } from '../rolls/roll-sql.ts'
import { type CopyTable, ROLL_TABLES, type Row, STATE_TABLES } from './tables.ts'

/** What each database does in its own way when it is read. */
export type SourceParts = {
  /** SQL over the database that has a table; `undefined`: its file is missing and so empty. */
  sqlOf(table: string): RollSql | undefined
  /** SQL for the records `r` of one state, `$1`. */
  records: string
  /** Tables without a state: the condition for the rows of one, by its parcels. */
  belonging: Readonly<Record<string, string>>
  /** The highest record ID ever assigned. */
  newestId(): Promise<number>
  close(): Promise<void>
}

/** The same when it is filled. */
type TargetParts = SourceParts & {
  /** Whether a copy was begun and has not ended. */
  isBegun(): Promise<boolean>
  /** Commits everything that `work` writes, or nothing. */
  transaction<Result>(work: () => Promise<Result>): Promise<Result>
  /** Converts rows that the store cannot hold as they are: drops or changes some. */
  adapt(table: CopyTable, rows: Row[]): Row[]
  /** Called before the parcels of a state are written. */
  lock(state: string): Promise<void>
  /** Writes rows of `records`, whose parcels are there. */
  writeRecords(rows: Row[]): Promise<void>
  /** Reports whether rows were there already. */
  isTaken(error: unknown): boolean
  /** Writes what follows from the copied tables of a state, or removes it. */
  derive(state: string): Promise<void>
  underive(state: string): Promise<void>
  /** Called after the accounts were written: sets ids and versions to continue those. */
  closeLedger(): Promise<void>
  /** Completes the copy. `newestId`: later ids are higher. */
  finish(newestId: number): Promise<void>
}

/** A consistent snapshot of a store during other writes. */
export type CopySource = ReturnType<typeof createSource>

export type CopyTarget = ReturnType<typeof createTarget>

/** Checksums of each completely copied state, as JSON. */
export type CopyProgress = Map<string, string>

export function createSource(parts: SourceParts) {
  const { newestId, close } = parts
  return {
    /** States of which parcels are loaded, or changes are known. */
    async states() {
      const found = new Set<string>()
      // Two statements: on a cluster a union of both tables would be sent to every shard.
      for (const table of ['scopes', 'change_heads']) {
        const text = `SELECT DISTINCT state FROM ${table}`
        const rows = await parts.sqlOf(table)?.ask<{ state: string }>(text)
        for (const { state } of rows ?? []) found.add(state)
      }
      return [...found].sort()
    },
    ...createReader(parts),
    newestId,
    close,
  }
}

export function createTarget(parts: TargetParts) {
  const { transaction, adapt, closeLedger, finish, close } = parts
  const rolls = parts.sqlOf('parcels') as RollSql
  const accounts = parts.sqlOf('account') as RollSql
  const hasRows = async (sql: RollSql, table: string) =>
    (await sql.ask(`SELECT 1 AS one FROM ${table} LIMIT 1`)).length > 0
  return {
    /** Whether it has data, and the progress of an earlier copy; `undefined`: none was begun. */
    async look() {
      const text = 'SELECT state, sums FROM copy_progress'
      type Noted = { state: string; sums: string }
      const noted = (await parts.isBegun()) ? await rolls.ask<Noted>(text) : undefined
      return {
        parcels: (await hasRows(rolls, 'parcels')) || (await hasRows(rolls, 'scopes')),
        accounts: await hasRows(accounts, 'account'),
        progress: noted && new Map(noted.map(({ state, sums }) => [state, sums])),
      }
    },
    /** Records that a copy has started; until it finishes the target is incomplete. */
    async begin() {
      await rolls.run('CREATE TABLE copy_progress (state text PRIMARY KEY, sums text NOT NULL)')
    },
    transaction,
    adapt,
    write: (table: CopyTable, rows: Row[]) => writeRows(parts, table, rows),
    async clear(state: string) {
      await parts.underive(state)
      // Deletes the rows of a parcel before the parcel.
      const [parcels = '', ...others] = ROLL_TABLES.map(({ name }) => name)
      for (const name of [...others, parcels]) {
        const where = parts.belonging[name] ?? 'state = $1'
        await rolls.run(`DELETE FROM ${name} WHERE ${where}`, [state])
      }
      await rolls.run('DELETE FROM copy_progress WHERE state = $1', [state])
    },
    async note(state: string, sums: string) {
      await parts.derive(state)
      await rolls.run('INSERT INTO copy_progress VALUES ($1, $2)', [state, sums])
    },
    ...createReader(parts),
    /** Called before the accounts are written, in the same transaction. */
    async openLedger() {
      for (const name of STATE_TABLES) await accounts.run(`DELETE FROM ${name}`)
    },
    closeLedger,
    finish,
    close,
  }
}

function createReader(parts: SourceParts) {
  return {
    /** Reads rows of a table in key order, some thousand at a time. `state`: only that state. */
    async *rows(table: CopyTable, state?: string): AsyncGenerator<Row[]> {
      const sql = parts.sqlOf(table.name)
      if (sql === undefined) return
      const text = selectFrom(parts, sql.dialect, table, state !== undefined)
      const values = state === undefined ? [] : [state]
      for await (const rows of sql.walk<Record<string, unknown>>(text, values)) {
        yield rows.map((row) => readRow(table, sql.dialect, row))
      }
    },
    async count({ name }: CopyTable) {
      const text = `SELECT count(*) AS n FROM ${name}`
      const [row] = (await parts.sqlOf(name)?.ask<{ n: number }>(text)) ?? []
      return Number(row?.n ?? 0)
    },
  }
}

function selectFrom(
  { records, belonging }: SourceParts,
  { of, bytes, keys }: ReadDialect,
  { name, columns, order }: CopyTable,
  isOfState: boolean,
): string {
  if (name === 'records') {
    // A polygon by a statement of its own: for a join the server may read all of them each time.
    return `SELECT $1 AS state, r.id, r.loaded_at, r.field_values, ${keys} AS keys,
        (SELECT g.geojson FROM geometries g WHERE ${of('g')} g.id = r.id) AS geojson
      FROM ${records} ORDER BY r.id`
  }
  const shown = columns.map(({ name: column, kind }) => {
    if (column === 'state' && name in belonging) return '$1 AS state'
    return kind === 'bytes' ? `${bytes(column)} AS ${column}` : column
  })
  const where = isOfState ? `WHERE ${belonging[name] ?? 'state = $1'}` : ''
  return `SELECT ${shown.join(', ')} FROM ${name} ${where} ORDER BY ${order.join(', ')}`
}

function readRow(table: CopyTable, dialect: ReadDialect, row: Record<string, unknown>): Row {
  return table.columns.map(({ name, kind }) => {
    const cell = row[name] ?? null
    if (cell === null) return null
    if (table.name === 'records' && name === 'keys') {
      return dialect.readKeys(String(cell), String(row.field_values))
    }
    if (kind === 'flag') return cell === 1 || cell === true
    if (kind === 'bytes') return Buffer.from(dialect.readBytes(cell)).toString('base64')
    return cell as string | number
  })
}

async function writeRows(parts: TargetParts, table: CopyTable, rows: Row[]): Promise<void> {
  const { name, columns } = table
  try {
    if (name === 'parcels') await parts.lock(String(rows[0]?.[0]))
    if (name === 'records') return await parts.writeRecords(rows)
    const kept = columns.map((column) => !(column.name === 'state' && name in parts.belonging))
    const names = columns.flatMap((column, at) => (kept[at] ? column.name : []))
    const values = rows.map((row) =>
      row.flatMap((cell, at): SqlValue[] => {
        if (!kept[at]) return []
        const isBytes = columns[at]?.kind === 'bytes' && cell !== null
        return [isBytes ? Buffer.from(String(cell), 'base64') : cell]
      }),
    )
    await parts.sqlOf(name)?.insert(name, names.join(', '), values)
  } catch (error) {
    if (!parts.isTaken(error)) throw error
    throw new CommandError(
      `${name}: the target holds rows that no copy has left there; ` +
        'begin again with an empty target',
      1,
      error,
    )
  }
}
