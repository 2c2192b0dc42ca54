/** Accounts, ledger and audit in SQLite. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { AccountDatabase, Dialect, Statement, Steps } from '../accounts/database.ts'
import { guarded, snapshot, transaction } from './connection.ts'
import { bindValues, DIALECT } from './dialect.ts'

const ACCOUNTS: Dialect = {
  versions: 'state',
  // A transaction that writes is the only one.
  lockLog: [],
  raise: [{ text: 'UPDATE state SET version = version + 1' }],
  forUpdate: '',
  find: 'instr',
  isIn: DIALECT.isIn,
  dayOf: (column) => `strftime('%Y-%m-%d', ${column} / 1000, 'unixepoch')`,
}

export function openAccountDatabase(
  db: DatabaseSync,
  now: () => number = Date.now,
): AccountDatabase {
  const prepared = new Map<string, StatementSync>()

  function run({ text, values = [] }: Statement) {
    const statement = prepared.getOrInsertComputed(text, () => db.prepare(text))
    return values.length === 0 ? statement.all() : statement.all(bindValues(values))
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
