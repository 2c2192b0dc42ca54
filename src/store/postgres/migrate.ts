/**
 * Migrates a database to this program's version: forward-only numbered migrations under a lock, so
 * that several nodes may start at once.
 */
import { readFileSync } from 'node:fs'
import type { Client } from 'pg'
import { CommandError } from '../../base/errors.ts'
import { listMigrationFiles } from '../../base/migration-files.ts'
import { clientConfig, connect, describeServer, SCHEMA } from './pool/connection.ts'
import { explainOpening } from './pool/errors.ts'
import { splitStatements } from './split-statements.ts'

/**
 * Advisory locks of this program. The first number is the program's, "PBlk" as bytes; the second
 * says what is locked.
 */
export const LOCKS = { space: 0x50426c6b, migration: 1, copy: 2, ids: 3 } as const

/** Oldest version with the required SQL: docs/decisions/postgresql.md. */
const SERVER_VERSION_MIN = 150_000

/**
 * Applies the missing migrations, each in one transaction, and returns the version. Writes nothing
 * when none is missing, so it also works on a standby. Throws `CommandError` for a server that is
 * unreachable, too old, or migrated by a newer Platbook.
 */
export async function migrate(url: string): Promise<number> {
  const where = describeServer(url)
  const config = clientConfig(url, 0, { lock_timeout: 60_000 })
  try {
    const client = await connect(config)
    try {
      await checkServer(client, where)
      const steps = listMigrations()
      while ((await readVersion(client, where, steps.length)) < steps.length) {
        await applyNext(client, where, steps)
      }
      return steps.length
    } finally {
      await client.end().catch(() => undefined)
    }
  } catch (error) {
    throw explainOpening(error, where)
  }
}

/** Throws `CommandError` when a migration is missing; changes nothing. */
export async function checkMigrated(client: Client, where: string): Promise<void> {
  await checkServer(client, where)
  const known = listMigrations().length
  const version = await readVersion(client, where, known)
  if (version === known) return
  throw new CommandError(
    version === 0
      ? `${where} holds no data of a Platbook`
      : `${where} is of version ${version} and this Platbook needs ${known}; ` +
          'run platbook migrate',
  )
}

async function checkServer(client: Client, where: string): Promise<void> {
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
}

async function applyNext(client: Client, where: string, steps: URL[]): Promise<void> {
  await client.query('BEGIN')
  try {
    await client.query('SELECT pg_advisory_xact_lock($1, $2)', [LOCKS.space, LOCKS.migration])
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`)
    await client.query(`CREATE TABLE IF NOT EXISTS ${SCHEMA}.migrations (
      version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`)
    // Another node may have applied it already.
    const version = await readVersion(client, where, steps.length)
    const step = steps[version]
    if (step !== undefined) {
      for (const statement of readStatements(step)) await client.query(statement)
      await client.query('INSERT INTO migrations (version) VALUES ($1)', [version + 1])
    }
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

async function readVersion(client: Client, where: string, known: number): Promise<number> {
  const { rows } = await client.query("SELECT to_regclass('migrations') IS NOT NULL AS there")
  if (rows[0]?.there !== true) return 0
  const newest = await client.query('SELECT coalesce(max(version), 0) AS version FROM migrations')
  const version = Number(newest.rows[0]?.version)
  if (version > known) {
    throw new CommandError(
      `${where} is of version ${version}, made by a newer Platbook; this one knows ` +
        `versions up to ${known}`,
    )
  }
  return version
}

let newest: number | undefined

/** Returns the version that this program migrates to. */
export function newestVersion(): number {
  newest ??= listMigrations().length
  return newest
}

/** Returns the statements of the migration that creates a version. */
export function readMigration(version: number): string[] {
  const step = listMigrations()[version - 1]
  return step === undefined ? [] : readStatements(step)
}

function readStatements(step: URL): string[] {
  return splitStatements(readFileSync(step, 'utf8'))
}

function listMigrations(): URL[] {
  return listMigrationFiles(new URL('migrations/', import.meta.url))
}
