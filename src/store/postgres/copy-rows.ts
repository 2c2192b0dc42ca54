/** Rows of copied tables in PostgreSQL: how they are read, adapted to the server, and written. */
import type { Client } from 'pg'
import type { CopyTable, Row } from '../copy/tables.ts'
import { packRecord, unpackKeys } from './pack/records.ts'
import { cleanText, copyIn } from './write/copy-in.ts'
import { dropEndlessKeys, isEndless } from './write/key-columns.ts'
import { boundsText } from './write/roll-staging.ts'

/** Returns the statement that reads a table, or one state's rows of it, in order. */
export function selectFrom(
  client: Client,
  { name, columns, order }: CopyTable,
  state?: string,
): string {
  const literal = state === undefined ? undefined : client.escapeLiteral(state)
  const shown = columns.map((column) => {
    return column.kind === 'bytes' || isKeys(name, column.name)
      ? `encode(${column.name}, 'hex')`
      : column.name
  })
  const where = literal === undefined ? '' : `WHERE state = ${literal}`
  return `SELECT ${shown.join(', ')} FROM ${name} ${where} ORDER BY ${order.join(', ')}`
}

function isKeys(table: string, column: string): boolean {
  return table === 'records' && column === 'keys'
}

/** Returns a row that was read by `selectFrom`. */
export function readRow({ name, columns }: CopyTable, row: Row): Row {
  if (name !== 'records') return row
  const keys = columns.length - 1
  return [...row.slice(0, keys), unpackKeys(String(row[keys]), String(row[keys - 1]))]
}

/** Appends copied rows to their table, and what is derived from them to its own. */
export async function writeRows(client: Client, table: CopyTable, rows: Row[]): Promise<void> {
  const { name, columns } = table
  if (name === 'records') {
    const keys = columns.length - 1
    const owners = await readOwners(client, rows)
    await copyIn(
      client,
      'records (state, id, loaded_at, field_values, keys, owner)',
      rows.map((row) => {
        const [fieldValues, own] = [String(row[keys - 1]), String(row[keys])]
        const owner = owners.get(Number(row[1])) ?? 0
        return [...row.slice(0, keys - 1), ...packRecord(fieldValues, own), owner]
      }),
    )
    return
  }
  if (name === 'geometries') {
    const shapes = rows.flatMap(([state = '', id = 0, geojson]) => {
      const bounds = boundsText(String(geojson))
      return bounds === null ? [] : [[state, id, bounds]]
    })
    await copyIn(client, 'shapes (state, id, bounds)', shapes)
  }
  const bytes = columns.flatMap(({ kind }, at) => (kind === 'bytes' ? [at] : []))
  const written = rows.map((row) =>
    row.map((value, at) => (bytes.includes(at) && value !== null ? `\\x${value}` : value)),
  )
  await copyIn(client, `${name} (${columns.map((column) => column.name).join(', ')})`, written)
}

/** The owners of records of one state by id, from their parcels, which are written before. */
async function readOwners(client: Client, rows: Row[]): Promise<Map<number, number>> {
  const found = await client.query<{ id: number; owner: number }>(
    'SELECT id, owner FROM parcels WHERE state = $1 AND id = ANY($2::bigint[])',
    [rows[0]?.[0], rows.map(([, id]) => id)],
  )
  return new Map(found.rows.map(({ id, owner }) => [id, owner]))
}

/**
 * Converts texts as `copyIn` does, and drops rows with keys too long for an index, as an import
 * does.
 */
export function adapt(table: CopyTable, row: Row): Row[] {
  const clean = row.map((value) => (typeof value === 'string' ? cleanText(value) : value))
  if (table.name === 'records') {
    const keys = clean.length - 1
    return [[...clean.slice(0, keys), dropEndlessKeys(String(clean[keys]))]]
  }
  if (!KEYED.has(table.name)) return [clean]
  const keyed = table.order.map(
    (name) => clean[table.columns.findIndex((one) => one.name === name)],
  )
  return keyed.some(isEndless) ? [] : [clean]
}

const KEYED = new Set([
  ...['alternate_ids', 'situs', 'loose_situs', 'owner_heads', 'owner_words', 'owner_deletions'],
])
