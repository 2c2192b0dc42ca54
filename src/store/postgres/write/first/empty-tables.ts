/**
 * The first roll of an empty database. Its tables are locked from the first row to the commit, so
 * nobody can read them, and their indexes are built afterwards (docs/postgres.md).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { SCHEMA } from '../../pool/connection.ts'
import { SQLSTATE, sqlState } from '../../pool/errors.ts'

/** Tables that have a row or more for most parcels, and at least one index. */
const TABLES = [
  ...['parcels', 'records', 'alternate_ids', 'situs', 'loose_situs'],
  ...['owner_heads', 'owner_words', 'owner_deletions', 'geometries', 'shapes'],
]

type DroppedIndexes = string[]

/** Number of attempts to lock the tables; and milliseconds between two. */
const TRIES = 100
const WAIT_MS = 20

/**
 * Locks and truncates the tables of an empty database, for this transaction. `false`: something is
 * loaded, or they were in use all the time. It never waits while it holds a lock: a reader that
 * holds some and requests others would deadlock.
 */
export async function takeEmptyTables(client: Client): Promise<boolean> {
  // Scopes are never locked, so that an import that has taken the tables keeps none waiting here.
  for (let tries = 0; tries < TRIES && (await isEmpty(client, 'scopes')); tries += 1) {
    await client.query('SAVEPOINT taking')
    try {
      await client.query(`LOCK TABLE ${TABLES.join(', ')} IN ACCESS EXCLUSIVE MODE NOWAIT`)
      // Another import may have committed its state before the lock was taken.
      const empty = await isEmpty(client, 'parcels')
      await client.query(empty ? 'RELEASE taking' : 'ROLLBACK TO taking')
      // Removes what removed parcels left behind, and all that is written now if it fails.
      if (empty) await client.query(`TRUNCATE ${TABLES.join(', ')}`)
      return empty
    } catch (error) {
      if (sqlState(error) !== SQLSTATE.NO_LOCK) throw error
      await client.query('ROLLBACK TO taking')
      await sleep(WAIT_MS)
    }
  }
  return false
}

export async function isEmpty(client: Client, table: 'parcels' | 'scopes'): Promise<boolean> {
  return (await client.query(`SELECT 1 FROM ${table} LIMIT 1`)).rows.length === 0
}

/** Drops the indexes of tables that the caller's transaction has locked. */
export async function dropIndexes(client: Client): Promise<DroppedIndexes> {
  const { rows } = await client.query<{ table: string; name: string; key: string; text: string }>(
    `SELECT t.relname AS table, i.relname AS name, pg_get_constraintdef(k.oid) AS key,
      pg_get_indexdef(i.oid) AS text
    FROM pg_index x JOIN pg_class t ON t.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
    LEFT JOIN pg_constraint k ON k.conindid = i.oid AND k.contype IN ('p', 'u')
    WHERE t.relnamespace = '${SCHEMA}'::regnamespace AND t.relname = ANY($1)
    ORDER BY array_position($1, t.relname::text), k.oid IS NULL, i.relname`,
    [TABLES],
  )
  for (const { table, name, key } of rows) {
    await client.query(
      key === null ? `DROP INDEX ${name}` : `ALTER TABLE ${table} DROP CONSTRAINT ${name}`,
    )
  }
  return rows.map(({ table, name, key, text }) =>
    key === null ? text : `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${key}`,
  )
}

/** Builds the indexes again. `onProgress` is called with the share done. */
export async function restoreIndexes(
  client: Client,
  indexes: DroppedIndexes,
  onProgress: (share: number) => void,
): Promise<void> {
  for (const [at, text] of indexes.entries()) {
    await client.query(text)
    onProgress((at + 1) / indexes.length)
  }
}
