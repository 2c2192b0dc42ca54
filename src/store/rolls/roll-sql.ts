/**
 * What imports write the rolls' history through: versions, lineage, origins, changes, facts. The
 * same SQL text serves both databases, with parameters `$1`; an adapter per database runs it, and
 * `Dialect` lists what is written otherwise.
 */

export type SqlValue = string | number | boolean | null | Uint8Array

export type RollSql = {
  /** Returns the rows of a statement. A list is a value for `Dialect.isIn`. */
  ask<Row>(text: string, values?: readonly (SqlValue | readonly SqlValue[])[]): Promise<Row[]>
  /** The same for one that only writes: returns the number of rows that it wrote. */
  run(text: string, values?: readonly (SqlValue | readonly SqlValue[])[]): Promise<number>
  /** Yields many rows, some thousand at a time; other tables may be written meanwhile. */
  walk<Row>(text: string, values: readonly SqlValue[]): AsyncIterable<Row[]>
  /** Inserts many rows, of which the table has none. */
  insert(table: string, columns: string, rows: readonly (readonly SqlValue[])[]): Promise<void>
  transact<Result>(work: () => Promise<Result>): Promise<Result>
  /** Assigns the next record ID. */
  nextId(): Promise<number>
  dialect: Dialect
}

/** What reading needs of a dialect. */
export type ReadDialect = {
  /** First condition on a table: its rows are of state `$1`. SQLite needs none. */
  of(table: string): string
  /** Tests for an element of a list. */
  isIn(parameter: string, type: 'bigint' | 'text'): string
  /** SQL for bytes, which `readBytes` reads. */
  bytes(column: string): string
  readBytes(value: unknown): Uint8Array
  /** SQL for the keys of a record `r`, and the text that it stands for. */
  keys: string
  readKeys(keys: string, fieldValues: string): string
}

type Dialect = ReadDialect & {
  /** Elements `e.value` of a JSON array. */
  elements(parameter: string): string
  /** Operator that tests a text by a regular expression. */
  matches: string
  /** Locks the selected rows until the commit. */
  forUpdate: string
  /** Orders of the changes `c`: that of the roll, and that of the tables that are written. */
  order: { ofRoll: string; ofTables: string }
  /** SQL for the record of a staged row `s` with what is kept of the stored record `r`. */
  carried: string
  /** How the functions begin that make objects and arrays of JSON. */
  json: string
  /** The columns of the primary key of `scopes`. */
  scopeKey: string
}

/** The staged rows of a roll, and the change of each parcel of a state. */
export type StagedState = { state: string; staged: string; change: string }

/** Yields parts of a list, so that a statement has a bounded number of values. */
export function* slicesOf<Item>(items: readonly Item[], size = 2000): Generator<readonly Item[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size)
}
