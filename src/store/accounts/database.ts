/**
 * What the tables of accounts, ledger and audit are asked through: one SQL text for both databases,
 * with parameters `$1`. An adapter runs it; `Dialect` lists what each writes otherwise.
 */
import type { Row } from './table-rows.ts'

export type Statement = {
  /** It stays prepared, so it must name its columns. */
  name?: string
  text: string
  values?: unknown[]
}

/** Statements that are sent together. `isLast`: with the commit, so that no rows come back. */
type Step = readonly Statement[] & { isLast?: true }

/**
 * The steps of a transaction: each yields statements, and gets the rows of each. SQLite runs all
 * steps in one turn, so that nothing else writes between them.
 */
export type Steps<Result> = Generator<Step, Result, Row[][]>

export type Ask = <Shape = Row>(text: string, values?: unknown[]) => Promise<Shape[]>

export type Dialect = {
  /** Table of the version of accounts and keys. */
  versions: string
  /** Statements that a transaction begins with that appends to the operator log. */
  lockLog: readonly Statement[]
  /** Statements that notify the services of changed accounts or keys. */
  raise: readonly Statement[]
  /** Locks the selected rows until the commit. */
  forUpdate: string
  /** Reads some columns of accounts, and the heads of their chains, and locks the accounts. */
  readAccounts(columns: string): (ids: readonly string[]) => Statement[]
  /** Reads the newest id of the ledger, and stores the next one. */
  newest: { read: Statement; write(id: number): Statement[] }
  /** Returns the function that inserts values into all columns of a table `t`. */
  insert(table: string, conflict?: string): (values: Iterable<object>) => Statement[]
  /** Function that finds a text in another one: 0 when it is not there. */
  find: string
  /** Tests for an element of a list. */
  isIn(parameter: string, type: 'bigint' | 'text'): string
  /** Epoch milliseconds as a day. */
  dayOf(column: string): string
}

export type AccountDatabase = {
  ask: Ask
  /** Commits all that the steps send, or nothing; when this returns, the commit is on disk. */
  transact<Result>(steps: () => Steps<Result>): Promise<Result>
  snapshot<Result>(work: () => Promise<Result>): Promise<Result>
  /** The clock of the operator log, epoch milliseconds. */
  now(): number
  dialect: Dialect
}

/** Reads whole rows of a table as values. `rest` follows the table's name. */
export function openTable<Value>(ask: Ask, table: string, read: (row: Row) => Value) {
  const all = async (rest = '', values: unknown[] = []): Promise<Value[]> =>
    (await ask(`SELECT * FROM ${table} ${rest}`, values)).map(read)
  return { all, one: async (rest: string, values: unknown[]) => (await all(rest, values))[0] }
}

/** The last step of a transaction. */
export function lastStep(statements: Statement[]): Step {
  return Object.assign(statements, { isLast: true as const })
}

/** The step of one statement. */
export function* run(text: string, values: unknown[] = []): Steps<Row[]> {
  const [rows] = yield [{ text, values }]
  return rows as Row[]
}
