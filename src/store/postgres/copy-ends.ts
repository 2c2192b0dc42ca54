/** Both ends of a copy for PostgreSQL; `copy/tables.ts` lists what is copied. */
import type { Client } from 'pg'
import { CommandError } from '../../base/errors.ts'
import { countOwnersSql } from '../columns.ts'
import {
  type CopySource,
  type CopyTarget,
  createSource,
  createTarget,
  type SourceParts,
} from '../copy/ends.ts'
import { ACCOUNT_TABLES, type CopyTable, ROLL_TABLES, type Row } from '../copy/tables.ts'
import { ALL_PLACED, countChange, dropCells, noteCells } from './cluster/state-places.ts'
import { packRecord } from './pack/pack.ts'
import { describeServer, inTransaction, openOn, rollConfig } from './pool/connection.ts'
import { SQLSTATE, sqlState } from './pool/errors.ts'
import { openRollSql } from './roll-sql.ts'
import { checkSchema, ensureSchema, LOCKS } from './schema.ts'
import { cleanText, copyIn, dropEndlessKeys, isEndless } from './write/copy-in.ts'
import { boundsText, lockState } from './write/roll-staging.ts'

/** The source is idle in its transaction while the target is written. */
const SETTINGS = { idle_in_transaction_session_timeout: 0 }

/** Opens a snapshot of the database. */
export function openCopySource(url: string): Promise<CopySource> {
  return connectTo(url, async (client) => {
    await checkSchema(client, describeServer(url))
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    return createSource(readParts(client))
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
    return createTarget({
      ...readParts(client),
      async isBegun() {
        const { rows } = await client.query("SELECT to_regclass('copy_progress') AS begun")
        return rows[0]?.begun !== null
      },
      transaction: (work) => inTransaction(client, work),
      adapt: (table, rows) => rows.flatMap((row) => adapt(table, row)),
      lock: (state) => lockState(client, state, describeServer(url)),
      writeRecords: (rows) => writeRecords(client, rows),
      isTaken: (error) => sqlState(error) === SQLSTATE.UNIQUE_VIOLATION,
      async derive(state) {
        await client.query(COUNT_POINTS, [state])
        await client.query(COUNT_OWNERS, [state])
        await noteCells(client, state, ALL_PLACED)
        await countChange(client, state)
      },
      async underive(state) {
        for (const name of OWN_TABLES) {
          await client.query(`DELETE FROM ${name} WHERE state = $1`, [state])
        }
        await dropCells(client, state)
        await countChange(client, state)
      },
      async closeLedger() {
        // Two statements: on a cluster one table is local and the other distributed.
        const { rows } = await client.query('SELECT coalesce(max(id), 0) AS id FROM ledger')
        await client.query('UPDATE ledger_newest SET id = $1', [rows[0]?.id])
        await client.query('UPDATE accounts_state SET version = version + 1')
      },
      finish: (newestId) => finish(client, newestId),
    })
  })
}

/** What both ends have in common. */
function readParts(client: Client): SourceParts {
  const sql = openRollSql(client)
  return {
    sqlOf: () => sql,
    records: 'records r WHERE r.state = $1',
    belonging: {},
    // Not part of the snapshot: it may be ahead of it, but never behind.
    newestId: () => readNewestId(client),
    close: () => client.end(),
  }
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

async function readNewestId(client: Client): Promise<number> {
  const { rows } = await client.query(
    'SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END AS id FROM parcel_ids',
  )
  return Number(rows[0]?.id)
}

async function finish(client: Client, newestId: number): Promise<void> {
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
  const copied = [...ROLL_TABLES, ...ACCOUNT_TABLES].map(({ name }) => name)
  for (const name of [...copied, ...OWN_TABLES]) {
    await client.query(`VACUUM (ANALYZE, SKIP_LOCKED) ${name}`).catch(() => undefined)
  }
}

/** Writes records with their owners, and their polygons with the bounds of those. */
async function writeRecords(client: Client, rows: Row[]): Promise<void> {
  const owners = await readOwners(client, rows)
  await copyIn(
    client,
    'records (state, id, loaded_at, field_values, keys, owner)',
    rows.map(([state = '', id = 0, loadedAt = 0, , fieldValues, keys]) => {
      const packed = packRecord(String(fieldValues), String(keys))
      return [state, id, loadedAt, ...packed, owners.get(Number(id)) ?? 0]
    }),
  )
  const drawn = rows.flatMap(([state = '', id = 0, , geojson = null]) =>
    geojson === null ? [] : [[state, id, geojson]],
  )
  const shapes = drawn.flatMap(([state = '', id = 0, geojson]) => {
    const bounds = boundsText(String(geojson))
    return bounds === null ? [] : [[state, id, bounds]]
  })
  await copyIn(client, 'geometries (state, id, geojson)', drawn)
  await copyIn(client, 'shapes (state, id, bounds)', shapes)
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
