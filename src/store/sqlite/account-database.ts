/** Accounts, ledger and audit in SQLite. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { AccountDatabase, Dialect, Statement, Steps } from '../accounts/database.ts'
import { guarded, snapshot, transaction } from './connection.ts'

const DIALECT: Dialect = {
  versions: 'state',
  // A transaction that writes is the only one.
  lockLog: [],
  raise: [{ text: 'UPDATE state SET version = version + 1' }],
  forUpdate: '',
  find: 'instr',
  isIn: (parameter) => `IN (SELECT value FROM json_each(${parameter}))`,
  dayOf: (column) => `strftime('%Y-%m-%d', ${column} / 1000, 'unixepoch')`,
}

export function openAccountDatabase(
  db: DatabaseSync,
  now: () => number = Date.now,
): AccountDatabase {
  const prepared = new Map<string, StatementSync>()

  function run({ text, values = [] }: Statement) {
    const statement = prepared.getOrInsertComputed(text, () => db.prepare(text))
    if (values.length === 0) return statement.all()
    return statement.all(
      Object.fromEntries(values.map((value, at) => [`$${at + 1}`, value as SQLInputValue])),
    )
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
    dialect: DIALECT,
  }
}
