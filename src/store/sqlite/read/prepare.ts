/**
 * Prepared statements by their text: each is compiled once per connection, and gives rows as arrays
 * (`read-rows.ts`).
 */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { shareSnapshot } from './turn-snapshot.ts'

type Value = SQLInputValue | Record<string, SQLInputValue>

/** A statement whose rows are arrays, in the order of the selected columns. */
type Statement = {
  all<Row extends readonly unknown[]>(...values: Value[]): Row[]
  get<Row extends readonly unknown[]>(...values: Value[]): Row | undefined
}

export type Prepare = (sql: string) => Statement

/** More shapes of statements than real callers make; past it all are compiled anew. */
const STATEMENTS_MAX = 500

/** Prepares each text of a statement once a database. */
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
