/** Runs the SQL of `rolls/roll-sql.ts` in SQLite. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { RollSql } from '../rolls/roll-sql.ts'
import { writing } from './connection.ts'
import { asInput, bindValues, DIALECT } from './dialect.ts'
import { stampWritten } from './page-sums.ts'
import { carrySql } from './write/roll-common.ts'

/** Rows passed on at a time. */
const BATCH = 2000

/** Statements are prepared once; the connection may have a staging file attached. */
export function openRollSql(db: DatabaseSync): RollSql {
  const prepared = new Map<string, StatementSync>()
  const patterns = new Map<string, RegExp>()
  db.function('regexp', { deterministic: true }, (pattern, text) => {
    const known = patterns.getOrInsertComputed(String(pattern), () => new RegExp(String(pattern)))
    return Number(known.test(String(text)))
  })
  const prepare = (text: string) => {
    const known = prepared.getOrInsertComputed(text, () => db.prepare(text))
    known.setAllowUnknownNamedParameters(true)
    return known
  }
  return {
    ask: async <Row>(text: string, values: readonly unknown[] = []) =>
      prepare(text).all(bindValues(values)) as Row[],
    run: async (text, values = []) => Number(prepare(text).run(bindValues(values)).changes),
    async *walk<Row>(text: string, values: readonly unknown[]) {
      let rows: Row[] = []
      for (const row of prepare(text).iterate(bindValues(values)) as Iterable<Row>) {
        rows.push(row)
        if (rows.length < BATCH) continue
        yield rows
        rows = []
      }
      if (rows.length > 0) yield rows
    },
    async insert(table, columns, rows) {
      const places = columns.replace(/\w+/g, '?')
      const insert = prepare(`INSERT INTO ${table} (${columns}) VALUES (${places})`)
      for (const row of rows) insert.run(...row.map(asInput))
    },
    transact: (work) =>
      writing(db, () => {
        stampWritten(db)
        return work()
      }),
    async nextId() {
      const text = "UPDATE counters SET value = value + 1 WHERE name = 'parcel' RETURNING value"
      return Number(prepare(text).get()?.value)
    },
    dialect: {
      ...DIALECT,
      elements: (parameter) => `json_each(${parameter}) e`,
      matches: 'REGEXP',
      forUpdate: '',
      order: { ofRoll: 'ORDER BY c.rowid', ofTables: 'ORDER BY c.id' },
      carried: `CASE WHEN s.seq IS NULL OR r.id IS NULL THEN s.field_values
        ELSE ${carrySql('r.field_values', 'r.geojson')} END`,
      json: 'json_',
      scopeKey: 'fips, municipality',
    },
  }
}
