/** Rows of the account tables as values, by the columns that `copy/tables.ts` lists. */
import { ACCOUNT_TABLES, type CopyTable } from '../copy/tables.ts'

/** A row as the drivers return it. */
export type Row = Record<string, unknown>

/** A column, and its name in camel case: `account_id` is `accountId`. */
type NamedColumn = CopyTable['columns'][number] & { property: string }

const COLUMNS = new Map(
  ACCOUNT_TABLES.map(({ name, columns }): [string, NamedColumn[]] => [
    name,
    columns.map((column) => ({
      ...column,
      property: column.name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    })),
  ]),
)

export function columnsOf(table: string): readonly NamedColumn[] {
  return COLUMNS.get(table) ?? []
}

/** Returns the reader of a table's rows: columns by property, or `null`, but for `without`. */
export function readerOf<Value>(table: string, ...without: string[]): (row: Row) => Value {
  const columns = columnsOf(table).filter(({ name }) => !without.includes(name))
  return (row) => {
    const value: Row = {}
    for (const { name, kind, property } of columns) {
      const cell = row[name] ?? null
      if (cell === null) value[property] = null
      else if (kind === 'number') value[property] = Number(cell)
      else value[property] = kind === 'flag' ? cell === 1 || cell === true : cell
    }
    return value as Value
  }
}

/** Returns the text that inserts one row with all columns of a table `t`. */
export function insertInto(table: string): string {
  const names = columnsOf(table).map(({ name }) => name)
  const places = names.map((_, at) => `$${at + 1}`)
  return `INSERT INTO ${table} AS t (${names.join(', ')}) VALUES (${places.join(', ')})`
}

/** Returns a value's cells in the order of the table's columns; absent ones are `null`. */
export function cellsOf(table: string, value: object): unknown[] {
  return columnsOf(table).map(({ property }) => (value as Row)[property] ?? null)
}
