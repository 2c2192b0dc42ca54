/** Runs the SQL of `rolls/roll-sql.ts` in PostgreSQL. */
import type { Client } from 'pg'
import type { RollSql, SqlValue } from '../rolls/roll-sql.ts'
import { asInput } from './account-database.ts'
import { DIALECT } from './dialect.ts'
import { inTransaction } from './pool/connection.ts'
import { asDriverError, asRefusal } from './pool/errors.ts'
import { type CopyValue, copyIn } from './write/copy-in.ts'

const BATCH = 2000

/** The connection reads rolls (`rollConfig`). */
export function openRollSql(client: Client): RollSql {
  return {
    ask: async <Row>(text: string, values: readonly unknown[] = []) =>
      (await client.query(text, values.map(asInput))).rows as Row[],
    run: async (text, values = []) => (await client.query(text, values.map(asInput))).rowCount ?? 0,
    walk: (text, values) => walk(client, text, values),
    async insert(table, columns, rows) {
      if (rows.length === 0) return
      const values = rows.map((row) => row.map((value) => asInput(value) as CopyValue))
      await copyIn(client, `${table} (${columns})`, values)
    },
    transact: (work) =>
      inTransaction(client, work).catch((error: unknown) => {
        throw asRefusal(asDriverError(error))
      }),
    async nextId() {
      const { rows } = await client.query("SELECT nextval('parcel_ids') AS id")
      return Number(rows[0]?.id)
    },
    dialect: {
      ...DIALECT,
      elements: (parameter) => `jsonb_array_elements(${parameter}::jsonb) e(value)`,
      matches: '~',
      forUpdate: ' FOR UPDATE',
      order: { ofRoll: 'ORDER BY c.seq, c.id', ofTables: '' },
      carried: 's.field_values',
      json: 'json_build_',
      scopeKey: 'state, fips, municipality',
    },
  }
}

/** Yields the rows of a statement, inside the caller's transaction. */
export async function* walk<Row>(
  client: Client,
  text: string,
  values: readonly SqlValue[],
): AsyncGenerator<Row[]> {
  // A cursor takes no parameters.
  const bound = text.replace(/\$(\d+)/g, (_, at) => literalOf(client, values[Number(at) - 1]))
  await client.query(`DECLARE walked NO SCROLL CURSOR FOR ${bound}`)
  for (;;) {
    const { rows } = await client.query(`FETCH ${BATCH} FROM walked`)
    if (rows.length > 0) yield rows as Row[]
    if (rows.length < BATCH) break
  }
  await client.query('CLOSE walked')
}

function literalOf(client: Client, value: SqlValue | undefined): string {
  return typeof value === 'number' ? String(value) : client.escapeLiteral(String(value))
}
