/** Prepared statements by their text: each is compiled once per connection. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'

export type Prepare = (sql: string) => StatementSync

/** More shapes of statements than real callers make; past it all are compiled anew. */
const STATEMENTS_MAX = 500

export function cachePrepared(db: DatabaseSync): Prepare {
  const statements = new Map<string, StatementSync>()
  return (sql) => {
    let statement = statements.get(sql)
    if (statement === undefined) {
      if (statements.size >= STATEMENTS_MAX) statements.clear()
      statement = db.prepare(sql)
      statements.set(sql, statement)
    }
    return statement
  }
}
