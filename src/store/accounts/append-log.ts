/** Appends to the operator log, in the transaction that changes what it records. */
import {
  EMPTY_HEAD,
  keyColumnOf,
  type LoggedKind,
  type LogHead,
  nextEntry,
  type OperatorEntry,
  stateOf,
} from '../operator-log.ts'
import { type AccountDatabase, run, type Steps } from './database.ts'
import { cellsOf, insertInto } from './table-rows.ts'

/** Appends entries, within a transaction of `appending`. */
export type OperatorLog = {
  /** Appends the present state of a row; does nothing when the row does not exist. */
  log(kind: LoggedKind, subject: string): Steps<void>
  note(kind: OperatorEntry['kind'], subject: string, state: string): Steps<void>
}

/** Runs a transaction that appends to the operator log, in the order of ids. */
export function appending<Result>(
  database: AccountDatabase,
  work: (log: OperatorLog) => Steps<Result>,
): Promise<Result> {
  return database.transact(function* () {
    yield database.dialect.lockLog
    const entries: OperatorEntry[] = []
    const result = yield* work(createLog(entries, database.now))
    const text = insertInto('operator_log')
    yield entries.map((entry) => ({ text, values: cellsOf('operator_log', entry) }))
    return result
  })
}

function createLog(entries: OperatorEntry[], now: () => number): OperatorLog {
  let head: LogHead | undefined

  function append(kind: OperatorEntry['kind'], subject: string, state: string): void {
    head = nextEntry(head ?? EMPTY_HEAD, { at: now(), kind, subject, state })
    entries.push(head as OperatorEntry)
  }

  /** Reads the newest entry, once. */
  function* begin(): Steps<void> {
    if (head !== undefined) return
    const [newest] = yield* run('SELECT id, hash FROM operator_log ORDER BY id DESC LIMIT 1')
    head = (newest as LogHead | undefined) ?? EMPTY_HEAD
  }

  return {
    *log(kind, subject) {
      yield* begin()
      const [row] = yield* run(`SELECT * FROM ${kind} WHERE ${keyColumnOf(kind)} = $1`, [subject])
      if (row !== undefined) append(kind, subject, stateOf(kind, row))
    },
    *note(kind, subject, state) {
      yield* begin()
      append(kind, subject, state)
    },
  }
}
