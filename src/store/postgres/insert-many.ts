/** Inserts many rows of an account table by one parameter, a JSON list. */
import { columnsOf } from '../accounts/table-rows.ts'

const TYPES = { text: 'text', number: 'bigint', flag: 'boolean', bytes: 'text' } as const

/** Returns the statement that inserts the rows of `$1`, see `toJson`. `alias`: of the table. */
export function insertMany(table: string, alias = 't'): string {
  const columns = columnsOf(table)
  const names = columns.map(({ name }) => name).join(', ')
  const read = columns.map(({ name, kind }) => (kind === 'bytes' ? `decode(${name}, 'hex')` : name))
  const types = columns.map(({ name, kind }) => `${name} ${TYPES[kind]}`)
  return `INSERT INTO ${table} AS ${alias} (${names}) SELECT ${read.join(', ')}
    FROM jsonb_to_recordset($1::jsonb) AS e(${types.join(', ')})`
}

/** Returns the rows of values as the JSON list that `insertMany` reads; bytes in hex. */
export function toJson(table: string, values: Iterable<object>): string {
  const columns = columnsOf(table)
  const rows = Iterator.from(values).map((value) =>
    Object.fromEntries(
      columns.map(({ name, property }) => {
        const cell = (value as Record<string, unknown>)[property]
        return [name, cell instanceof Uint8Array ? Buffer.from(cell).toString('hex') : cell]
      }),
    ),
  )
  return JSON.stringify(rows.toArray())
}
