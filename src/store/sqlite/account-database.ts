/** Accounts, ledger and audit in SQLite. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { AccountDatabase, Dialect, Statement, Steps } from '../accounts/database.ts'
import { cellsOf, insertInto } from '../accounts/table-rows.ts'
import { guarded, snapshot, transaction } from './connection.ts'
import { asInput, DIALECT } from './dialect.ts'

const ACCOUNTS: Dialect = {
  versions: 'state',
  // A transaction that writes is the only one.
  lockLog: [],
  raise: [{ text: 'UPDATE state SET version = version + 1' }],
  forUpdate: '',
  // A statement for each costs less than a list of them.
  readAccounts(columns) {
    const text = `SELECT ${columns}, account_id, rows, hash, period, used FROM account
      LEFT JOIN ledger_head ON account_id = id WHERE id = $1`
    return (ids) => ids.map((id) => ({ text, values: [id] }))
  },
  newest: { read: { text: 'SELECT coalesce(max(id), 0) AS id FROM ledger' }, write: () => [] },
  insert(table, conflict = '') {
    const text = `${insertInto(table)} ${conflict}`
    return (values) => Array.from(values, (value) => ({ text, values: cellsOf(table, value) }))
  },
  find: 'instr',
  isIn: DIALECT.isIn,
  dayOf: (column) => `strftime('%Y-%m-%d', ${column} / 1000, 'unixepoch')`,
}

export function openAccountDatabase(
  db: DatabaseSync,
  now: () => number = Date.now,
): AccountDatabase {
  const prepared = new Map<string, StatementSync>()
  // Values are bound by place: finding a name takes longer.
  const prepare = (text: string) => db.prepare(text.replaceAll('$', '?'))

  function run({ text, values = [] }: Statement) {
    return prepared.getOrInsertComputed(text, prepare).all(...values.map(asInput))
  }

  function drive<Result>(steps: Steps<Result>): Result {
    let step = steps.next()
    while (step.done !== true) step = steps.next(step.value.map(run))
    return step.value
  }

  const ask = guarded((text: string, values: unknown[] = []) => run({ text, values }))
  return {
    ask: ask as unknown as AccountDatabase['ask'],
    transact: (steps) => guarded(() => transaction(db, () => drive(steps())))(),
    snapshot: (work) => snapshot(db, work),
    now,
    dialect: ACCOUNTS,
  }
}
