/** Caches statements by text, compiled once per connection; rows are arrays (`read-rows.ts`). */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { watchTurns } from '../../../base/event-loop.ts'
import type { RollSql } from '../../rolls/roll-sql.ts'
import { bindValues } from '../dialect.ts'

type Value = SQLInputValue | Record<string, SQLInputValue>

/** A statement that returns rows as arrays in the order of the selected columns. */
type Statement = {
  all<Row extends readonly unknown[]>(...values: Value[]): Row[]
  get<Row extends readonly unknown[]>(...values: Value[]): Row | undefined
  columns(): { name: string }[]
  setAllowUnknownNamedParameters(isAllowed: boolean): void
}

export type Prepare = (sql: string) => Statement

/** More distinct statements than real requests produce; beyond it the cache is cleared. */
const STATEMENTS_MAX = 500

/** Prepares each statement text once per database. */
export function cachePrepared(db: DatabaseSync): Prepare {
  const enter = shareSnapshot(db)
  const statements = new Map<string, Statement>()
  return (sql) => {
    enter()
    let statement = statements.get(sql)
    if (statement === undefined) {
      if (statements.size >= STATEMENTS_MAX) statements.clear()
      const prepared = db.prepare(sql)
      prepared.setReturnArrays(true)
      statement = prepared as unknown as Statement
      statements.set(sql, statement)
    }
    return statement
  }
}

/** Runs the texts that both databases share, with parameters `$1`; rows are objects. */
export function openAsk(prepare: Prepare): RollSql['ask'] {
  const namesOf = new WeakMap<Statement, string[]>()
  return async <Row>(text: string, values: readonly unknown[] = []) => {
    const statement = prepare(text)
    let names = namesOf.get(statement)
    if (names === undefined) {
      // SQLite needs no state for some of them.
      statement.setAllowUnknownNamedParameters(true)
      names = statement.columns().map(({ name }) => name)
      namesOf.set(statement, names)
    }
    return statement
      .all(bindValues(values))
      .map((row) => Object.fromEntries(row.map((value, at) => [names[at], value])) as Row)
  }
}

/**
 * One read transaction for all statements within one turn of the event loop: a single statement
 * takes the file's lock, looks for a change and releases it, in three system calls
 * (docs/decisions/sqlite-reads.md). Returns the function to call before each. The transaction
 * begins with the second statement of a turn, so that a single one costs no more.
 */
function shareSnapshot(db: DatabaseSync): () => void {
  const begin = db.prepare('BEGIN')
  const end = db.prepare('COMMIT')
  const undo = db.prepare('ROLLBACK')
  let statements = 0
  const endTurn = () => {
    const began = statements > 1
    statements = 0
    if (!began || !db.isOpen) return
    try {
      if (db.isTransaction) end.run()
    } catch {
      // The file cannot be read; the statements have already thrown.
    }
    // SQLite ends a transaction after some errors only. One kept open would hold its snapshot.
    if (db.isTransaction) undo.run()
  }
  const isFirstOfTurn = watchTurns(endTurn)
  return () => {
    statements += 1
    if (statements === 1) isFirstOfTurn()
    else if (statements === 2) begin.run()
  }
}
