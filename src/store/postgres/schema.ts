/** Creates the tables of a database under a lock, so that several nodes may start at once. */
import { readFileSync } from 'node:fs'
import type { Client } from 'pg'
import { CommandError } from '../../base/errors.ts'
import { explainOtherSchema, SCHEMA_NUMBER } from '../../base/schema-number.ts'
import { clientConfig, describeServer, inTransaction, onServer, SCHEMA } from './pool/connection.ts'

/** Advisory locks of this program: "PBlk" as bytes, and what is locked. */
export const LOCKS = { space: 0x50426c6b, schema: 1, copy: 2, ids: 3 } as const

/** Oldest version with the required SQL: docs/decisions/postgresql.md. */
const SERVER_VERSION_MIN = 150_000

/**
 * Creates the tables of an empty database, and writes nothing when they exist, as on a standby.
 * Throws `CommandError` for a server that is unreachable or too old, or another schema number.
 */
export function ensureSchema(url: string): Promise<void> {
  const where = describeServer(url)
  return onServer(clientConfig(url, 0, { lock_timeout: 60_000 }), where, async (client) => {
    if (!(await hasTables(client, where))) await createTables(client, where)
  })
}

/** Reports whether a database has the tables. Throws as `ensureSchema`. */
export function holdsTables(url: string): Promise<boolean> {
  const where = describeServer(url)
  return onServer(clientConfig(url, 0, {}), where, (client) => hasTables(client, where))
}

/** Throws `CommandError` when the tables are missing or of another number; changes nothing. */
export async function checkSchema(client: Client, where: string): Promise<void> {
  if (!(await hasTables(client, where))) {
    throw new CommandError(`${where} holds no data of a Platbook`)
  }
}

/** The same over an open connection: another one costs more than what it is opened for. */
export async function hasTables(client: Client, where: string): Promise<boolean> {
  const { rows } = await client.query(
    "SELECT current_setting('server_version_num')::int AS version," +
      " current_setting('server_encoding') AS encoding",
  )
  const { version, encoding } = rows[0] as { version: number; encoding: string }
  if (version < SERVER_VERSION_MIN) {
    throw new CommandError(
      `${where} is PostgreSQL ${Math.floor(version / 10_000)}; Platbook needs 15 or later`,
    )
  }
  if (encoding !== 'UTF8') {
    throw new CommandError(`${where} has the encoding ${encoding}; Platbook needs UTF8`)
  }
  return hasSchema(client, where)
}

function createTables(client: Client, where: string): Promise<void> {
  return inTransaction(client, async () => {
    await client.query('SELECT pg_advisory_xact_lock($1, $2)', [LOCKS.space, LOCKS.schema])
    // Also a schema that exists needs CREATE on the database in the statement below.
    const { rows } = await client.query('SELECT to_regnamespace($1) AS schema', [SCHEMA])
    if (rows[0]?.schema === null) await client.query(`CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`)
    // Another node may have created them meanwhile: seen only after the statement above.
    if (!(await hasSchema(client, where))) {
      await client.query(readFileSync(new URL('baseline.sql', import.meta.url), 'utf8'))
      await client.query('INSERT INTO schema_number VALUES (1, $1)', [SCHEMA_NUMBER])
    }
  })
}

/** Throws `CommandError` for tables of another number. Before 0.2.0 they had no number. */
async function hasSchema(client: Client, where: string): Promise<boolean> {
  const { rows } = await client.query(`SELECT to_regclass('schema_number') IS NOT NULL AS numbered,
    to_regclass('parcels') IS NOT NULL AS filled`)
  if (rows[0]?.numbered === true) {
    const { rows: found } = await client.query('SELECT number FROM schema_number')
    if (Number(found[0]?.number) === SCHEMA_NUMBER) return true
  } else if (rows[0]?.filled !== true) return false
  throw new CommandError(explainOtherSchema(where))
}
