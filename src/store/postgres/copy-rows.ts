/** Rows of copied tables in PostgreSQL: how they are read, adapted to the server, and written. */

import type { Client } from 'pg'
import type { CopyTable, Row } from '../copy/tables.ts'
import { packLeaves } from './pack/records.ts'
import { cleanText, copyIn } from './write/copy-in.ts'
import { dropEndlessKeys, isEndless } from './write/key-columns.ts'
import { boundsText } from './write/roll-staging.ts'

/**
 * Reads the keys of a record from their own table, row by row.
 *
 * The planner would plan a join by its statistics. For a state loaded after the last statistics it
 * chose a nested loop over the whole state, which made the time of a copy grow with the square of
 * its rows.
 */
const keysOfRecord = (state: string) =>
  `(SELECT keys FROM record_keys WHERE record_keys.state = ${state}
    AND record_keys.id = records.id)`

/** Returns the statement that reads a table, or one state's rows of it, in order. */
export function selectFrom(
  client: Client,
  { name, columns, order }: CopyTable,
  state?: string,
): string {
  const literal = state === undefined ? undefined : client.escapeLiteral(state)
  const shown = columns.map((column) => {
    if (name === 'records' && column.name === 'keys')
      return keysOfRecord(literal ?? 'records.state')
    return column.kind === 'bytes' ? `encode(${column.name}, 'hex')` : column.name
  })
  const where = literal === undefined ? '' : `WHERE state = ${literal}`
  return `SELECT ${shown.join(', ')} FROM ${name} ${where} ORDER BY ${order.join(', ')}`
}

/** Appends copied rows to their table, and what is derived from them to its own. */
export async function writeRows(client: Client, table: CopyTable, rows: Row[]): Promise<void> {
  const { name, columns } = table
  if (name === 'records') {
    const keys = columns.length - 1
    const owners = await readOwners(client, rows)
    await copyIn(
      client,
      'records (state, id, loaded_at, leaves, owner)',
      rows.map((row) => [
        ...row.slice(0, keys - 1),
        packLeaves(String(row[keys - 1])),
        owners.get(Number(row[1])) ?? 0,
      ]),
    )
    await copyIn(
      client,
      'record_keys (state, id, keys)',
      rows.map((row) => [...row.slice(0, 2), row[keys] ?? '']),
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
