/** The operator log in SQLite. */
import { DatabaseSync } from 'node:sqlite'
import {
  EMPTY_HEAD,
  keyColumnOf,
  LOGGED_KINDS,
  type LoggedKind,
  type LogHead,
  nextEntry,
  type OperatorEntry,
  stateOf,
} from '../operator-log.ts'
import { createTables } from './connection.ts'

type OperatorLogWriter = {
  /**
   * Appends the present state of a row; called in the transaction that changed it. Does nothing
   * when the row does not exist.
   */
  log(kind: LoggedKind, subject: string): void
  /** Appends an entry of another kind. */
  note(kind: OperatorEntry['kind'], subject: string, state: string): void
}

export function createOperatorLog(db: DatabaseSync, now: () => number): OperatorLogWriter {
  const insert = db.prepare(
    'INSERT INTO operator_log (id, at, kind, subject, state, hash) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const newest = db.prepare('SELECT id, hash FROM operator_log ORDER BY id DESC LIMIT 1')
  const selectOne = prepareEach(db, (kind) => `WHERE ${keyColumnOf(kind)} = ?`)
  const selectAll = prepareEach(db, (kind) => `ORDER BY ${keyColumnOf(kind)}`)

  function append(kind: OperatorEntry['kind'], subject: string, state: string): void {
    const head = (newest.get() as LogHead | undefined) ?? EMPTY_HEAD
    const { id, at, hash } = nextEntry(head, { at: now(), kind, subject, state })
    insert.run(id, at, kind, subject, state, hash)
  }

  /**
   * If the log is empty, appends all rows, including those older than the log. Returns whether it
   * was empty.
   */
  function begin(): boolean {
    if (newest.get() !== undefined) return false
    for (const kind of LOGGED_KINDS) {
      for (const row of selectAll[kind].all()) {
        append(kind, String(row[keyColumnOf(kind)]), stateOf(kind, row))
      }
    }
    return true
  }

  return {
    log(kind, subject) {
      if (begin()) return
      const row = selectOne[kind].get(subject)
      if (row !== undefined) append(kind, subject, stateOf(kind, row))
    },
    note(kind, subject, state) {
      begin()
      append(kind, subject, state)
    },
  }
}

/** Prepares a statement for each logged table. */
export function prepareEach(db: DatabaseSync, rest: (kind: LoggedKind) => string) {
  const pairs = LOGGED_KINDS.map((kind) => [
    kind,
    db.prepare(`SELECT * FROM ${kind} ${rest(kind)}`),
  ])
  return Object.fromEntries(pairs) as Record<LoggedKind, ReturnType<DatabaseSync['prepare']>>
}

/**
 * Returns a trigger that differs from the baseline: changed, missing or additional; `undefined`
 * when all match.
 */
export function findWrongTrigger(db: DatabaseSync): string | undefined {
  const fresh = new DatabaseSync(':memory:')
  try {
    createTables(fresh, 'accounts')
    const [wanted, found] = [readTriggers(fresh), readTriggers(db)]
    return [...new Set([...wanted.keys(), ...found.keys()])].find(
      (name) => wanted.get(name) !== found.get(name),
    )
  } finally {
    fresh.close()
  }
}

function readTriggers(db: DatabaseSync): Map<string, string> {
  const rows = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all()
  return new Map(rows.map(({ name, sql }) => [String(name), String(sql)]))
}
