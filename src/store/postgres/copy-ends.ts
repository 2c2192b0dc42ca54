/** Both ends of a copy for PostgreSQL; `copy/tables.ts` lists what is copied. */
import type { Client } from 'pg'
import { CommandError } from '../../base/errors.ts'
import { countOwnersSql } from '../columns.ts'
import { type CopySource, type CopyTarget, type ReadRows, refuseStray } from '../copy/ends.ts'
import {
  ACCOUNT_TABLES,
  type CopyTable,
  ROLL_TABLES,
  type Row,
  STATE_TABLES,
} from '../copy/tables.ts'
import { ALL_PLACED, countChange, dropCells, noteCells } from './cluster/state-places.ts'
import { packRecord } from './pack/pack.ts'
import { unpackHex } from './pack/unpack.ts'
import { describeServer, inTransaction, openOn, rollConfig } from './pool/connection.ts'
import { SQLSTATE, sqlState } from './pool/errors.ts'
import { checkSchema, ensureSchema, LOCKS } from './schema.ts'
import { cleanText, copyIn, dropEndlessKeys, isEndless } from './write/copy-in.ts'
import { boundsText, lockState } from './write/roll-staging.ts'

/** Rows read before they are passed on. */
const BATCH = 500

/** The source is idle in its transaction while the target is written. */
const SETTINGS = { idle_in_transaction_session_timeout: 0 }

/** Opens a snapshot of the database. */
export function openCopySource(url: string): Promise<CopySource> {
  return connectTo(url, async (client) => {
    await checkSchema(client, describeServer(url))
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    return {
      states: () => listStates(client),
      rows: readRows(client),
      count: (table) => countRows(client, table),
      // Not part of the snapshot: it may be ahead of it, but never behind.
      newestId: () => readNewestId(client),
      close: () => client.end(),
    }
  })
}

export async function openCopyTarget(url: string): Promise<CopyTarget> {
  await ensureSchema(url)
  return connectTo(url, async (client) => {
    const held = await client.query('SELECT pg_try_advisory_lock($1, $2) AS held', [
      LOCKS.space,
      LOCKS.copy,
    ])
    if (held.rows[0]?.held !== true) {
      throw new CommandError(`another copy is filling ${describeServer(url)}`)
    }
    const locked = new Set<string>()
    return {
      async look() {
        const parcels = (await hasRows(client, 'parcels')) || (await hasRows(client, 'scopes'))
        const accounts = await hasRows(client, 'account')
        const { rows } = await client.query("SELECT to_regclass('copy_progress') AS begun")
        if (rows[0]?.begun === null) return { parcels, accounts, progress: undefined }
        const noted = await client.query('SELECT state, sums FROM copy_progress')
        return {
          parcels,
          accounts,
          progress: new Map(noted.rows.map(({ state, sums }) => [String(state), String(sums)])),
        }
      },
      async begin() {
        await client.query(
          'CREATE TABLE copy_progress (state text PRIMARY KEY, sums text NOT NULL)',
        )
      },
      transaction: (work) => inTransaction(client, work),
      adapt: (table, rows) => rows.flatMap((row) => adapt(table, row)),
      async write(table, rows) {
        const state = String(rows[0]?.[0])
        if (table.name === 'parcels' && !locked.has(state)) {
          await lockState(client, state, describeServer(url))
          locked.add(state)
        }
        await writeRows(client, table, rows).catch((error: unknown) => {
          throw sqlState(error) === SQLSTATE.UNIQUE_VIOLATION ? refuseStray(table, error) : error
        })
      },
      async clear(state) {
        for (const name of [...ROLL_TABLES.map((table) => table.name), ...OWN_TABLES]) {
          await client.query(`DELETE FROM ${name} WHERE state = $1`, [state])
        }
        await dropCells(client, state)
        await countChange(client, state)
        await client.query('DELETE FROM copy_progress WHERE state = $1', [state])
      },
      async note(state, sums) {
        await client.query('INSERT INTO copy_progress VALUES ($1, $2)', [state, sums])
        await client.query(COUNT_POINTS, [state])
        await client.query(COUNT_OWNERS, [state])
        await noteCells(client, state, ALL_PLACED)
        await countChange(client, state)
      },
      rows: readRows(client),
      count: (table) => countRows(client, table),
      async openLedger() {
        for (const name of STATE_TABLES) await client.query(`DELETE FROM ${name}`)
      },
      async closeLedger() {
        // Two statements: on a cluster one table is local and the other distributed.
        const { rows } = await client.query('SELECT coalesce(max(id), 0) AS id FROM ledger')
        await client.query('UPDATE ledger_newest SET id = $1', [rows[0]?.id])
        await client.query('UPDATE accounts_state SET version = version + 1')
      },
      async finish(newestId) {
        const newest = Math.max(newestId, await readNewestId(client))
        if (newest > 0) await client.query("SELECT setval('parcel_ids', $1)", [newest])
        // Versions and changes name imports that are not copied.
        const { rows } = await client.query('SELECT max(import) AS id FROM vintages')
        await client.query(
          `SELECT setval(pg_get_serial_sequence('imports', 'id'),
            greatest((SELECT max(id) FROM imports), $1::bigint))
            WHERE $1::bigint IS NOT NULL`,
          [rows[0]?.id ?? null],
        )
        await client.query('DROP TABLE copy_progress')
        const own = OWN_TABLES.map((name) => ({ name }))
        for (const { name } of [...ROLL_TABLES, ...ACCOUNT_TABLES, ...own]) {
          await client.query(`VACUUM (ANALYZE, SKIP_LOCKED) ${name}`).catch(() => undefined)
        }
      },
      close: () => client.end(),
    }
  })
}

/** Tables derived from the copied ones. */
const OWN_TABLES = ['geometries', 'shapes', 'point_counts', 'owner_counts']

const COUNT_POINTS = `INSERT INTO point_counts (state, cell, parcels)
  SELECT state, cell, count(*) FROM parcels WHERE state = $1 AND cell IS NOT NULL
  GROUP BY state, cell`

const COUNT_OWNERS = `INSERT INTO owner_counts (state, owner, parcels, residential, other)
  SELECT p.state, p.owner, ${countOwnersSql('')} FROM parcels p
  WHERE p.state = $1 AND p.owner <> 0 GROUP BY p.state, p.owner`

function connectTo<End>(url: string, open: (client: Client) => Promise<End>): Promise<End> {
  const config = { ...rollConfig(url, 0, SETTINGS), isKept: true }
  return openOn(config, describeServer(url), open)
}

/** Uses a cursor, because a table may be larger than memory. */
function readRows(client: Client): ReadRows {
  return async function* read(table, state) {
    await client.query(`DECLARE copied NO SCROLL CURSOR FOR ${selectFrom(client, table, state)}`)
    try {
      for (;;) {
        const text = `FETCH ${BATCH} FROM copied`
        const { rows } = await client.query<Row>({ text, rowMode: 'array' })
        if (rows.length > 0) yield rows.map((row) => readRow(table, row))
        if (rows.length < BATCH) return
      }
    } finally {
      // A failed transaction has no cursor to close.
      await client.query('CLOSE copied').catch(() => undefined)
    }
  }
}

/** Lists the states of which parcels are loaded, or changes are known. */
async function listStates(client: Client): Promise<string[]> {
  // Two statements, because on a cluster a union of both tables would be sent to every shard.
  const loaded = await client.query('SELECT DISTINCT state FROM scopes')
  const changed = await client.query('SELECT state FROM change_heads')
  const states = [...loaded.rows, ...changed.rows].map(({ state }) => String(state))
  return [...new Set(states)].sort()
}

async function countRows(client: Client, { name }: CopyTable): Promise<number> {
  const { rows } = await client.query(`SELECT count(*) AS n FROM ${name}`)
  return Number(rows[0]?.n)
}

async function hasRows(client: Client, table: string): Promise<boolean> {
  return (await client.query(`SELECT 1 FROM ${table} LIMIT 1`)).rows.length > 0
}

async function readNewestId(client: Client): Promise<number> {
  const { rows } = await client.query(
    'SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END AS id FROM parcel_ids',
  )
  return Number(rows[0]?.id)
}

/** Returns the statement that reads a table, or one state's rows of it, in order. */
function selectFrom(client: Client, { name, columns, order }: CopyTable, state?: string): string {
  const literal = state === undefined ? undefined : client.escapeLiteral(state)
  const shown = columns.map((column) => {
    if (column.name === 'geojson') return polygonSql(literal)
    return column.kind === 'bytes' || (name === 'records' && column.name === 'keys')
      ? `encode(${column.name}, 'hex')`
      : column.name
  })
  const where = literal === undefined ? '' : `WHERE state = ${literal}`
  return `SELECT ${shown.join(', ')} FROM ${name} ${where} ORDER BY ${order.join(', ')}`
}

/** With the state as a literal Citus asks one shard for the record and its polygon. */
const polygonSql = (literal = 'records.state') =>
  `(SELECT g.geojson FROM geometries g WHERE g.state = ${literal} AND g.id = records.id) AS geojson`

/** Returns a row that was read by `selectFrom`. */
function readRow({ name, columns }: CopyTable, row: Row): Row {
  if (name !== 'records') return row
  const keys = columns.length - 1
  return [...row.slice(0, keys), unpackHex(String(row[keys]), String(row[keys - 1]))]
}

/** The polygon's place among the columns of `records`. */
const POLYGON_AT = 3

/** Appends copied rows to their table, and what is derived from them to its own. */
async function writeRows(client: Client, table: CopyTable, rows: Row[]): Promise<void> {
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
        return [...row.slice(0, POLYGON_AT), ...packRecord(fieldValues, own), owner]
      }),
    )
    const drawn = rows
      .map((row) => [row[0] ?? '', row[1] ?? 0, row[POLYGON_AT] ?? null])
      .filter(([, , geojson]) => geojson !== null)
    const shapes = drawn.flatMap(([state = '', id = 0, geojson]) => {
      const bounds = boundsText(String(geojson))
      return bounds === null ? [] : [[state, id, bounds]]
    })
    await copyIn(client, 'geometries (state, id, geojson)', drawn)
    await copyIn(client, 'shapes (state, id, bounds)', shapes)
    return
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

/** Converts texts, and drops rows with keys too long for an index, as an import does. */
function adapt(table: CopyTable, row: Row): Row[] {
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
