/** Loads the other servers' databases with the same parcels, and starts the servers. */
import { type ChildProcess, fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pipeline } from 'node:stream/promises'
import { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { startServer, type TestServer } from '../../test/postgres-server.ts'
import { cpuSeconds, cpuSecondsOfTree } from '../kit/process.ts'
import { type RollRow, readRoll } from '../kit/roll.ts'
import type { Order } from './answers.ts'

export type Contender = {
  address: string
  /** When it has keys of its own. */
  key?: string
  /** Of the process that answers HTTP. */
  pid: number
  /** Seconds of processor time of all its processes. */
  cpuSeconds(): number
  stop(): Promise<void>
}

const COLUMNS: (keyof RollRow)[] = [
  ...(['id', 'state', 'county', 'parcel_id', 'address', 'owner1', 'owner2', 'record'] as const),
]

export async function startFastifyPg(data: string, key: string): Promise<Contender> {
  const server = await startServer(['shared_buffers=256MB'])
  const database = await server.createDatabase('bench')
  await loadPostgres(database, data)
  const child = await startFile('fastify-pg.ts', { database, keyHash: hashOf(key) })
  return {
    ...child,
    cpuSeconds: () => cpuSeconds(child.pid) + cpuSecondsOfServer(server),
    async stop() {
      await child.stop()
      await server.stop()
    },
  }
}

export async function startExpressKnex(
  data: string,
  key: string,
  folder: string,
): Promise<Contender> {
  const database = join(folder, 'express.db')
  await loadSqlite(database, data)
  const child = await startFile('express-knex.ts', { database, keyHash: hashOf(key) })
  return { ...child, cpuSeconds: () => cpuSeconds(child.pid) }
}

async function startFile(name: string, order: Order) {
  const child = fork(new URL(name, import.meta.url).pathname, { execArgv: [] })
  child.send(order)
  const [address] = (await once(child, 'message')) as [string]
  return { address, pid: child.pid ?? 0, stop: () => stopChild(child) }
}

async function stopChild(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.disconnect()
  await gone
}

async function loadPostgres(database: string, data: string): Promise<void> {
  const client = new Client({ connectionString: database })
  await client.connect()
  await client.query(`CREATE EXTENSION pg_trgm;
    CREATE TABLE parcels (id bigint PRIMARY KEY, state text NOT NULL, county text NOT NULL,
    parcel_id text NOT NULL,
      address text, owner1 text, owner2 text, record text NOT NULL);
    CREATE TABLE charges (id bigserial PRIMARY KEY, account text NOT NULL, request text NOT NULL,
      at timestamptz NOT NULL DEFAULT now())`)
  const copy = client.query(copyFrom(`COPY parcels (${COLUMNS.join(', ')}) FROM STDIN`))
  await pipeline(async function* () {
    for await (const rows of readRoll(data)) yield rows.map(copyLine).join('')
  }, copy)
  await client.query(`CREATE INDEX ON parcels (state, county, parcel_id);
    CREATE INDEX ON parcels (state, id);
    CREATE INDEX ON parcels USING gin (address gin_trgm_ops);
    CREATE INDEX ON parcels USING gin (owner1 gin_trgm_ops);
    CREATE INDEX ON parcels USING gin (owner2 gin_trgm_ops);
    ANALYZE parcels`)
  await client.end()
}

function copyLine(row: RollRow): string {
  const cells = COLUMNS.map((name) => {
    const value = row[name]
    return value === null
      ? '\\N'
      : String(value).replace(/[\\\n\t\r]/g, (one) => ESCAPES[one] ?? '')
  })
  return `${cells.join('\t')}\n`
}

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r' }

async function loadSqlite(path: string, data: string): Promise<void> {
  const db = new DatabaseSync(path)
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;
    CREATE TABLE parcels (id INTEGER PRIMARY KEY, state TEXT NOT NULL, county TEXT NOT NULL,
      parcel_id TEXT NOT NULL, address TEXT, owner1 TEXT, owner2 TEXT, record TEXT NOT NULL);
    CREATE TABLE charges (id INTEGER PRIMARY KEY, account TEXT NOT NULL, request TEXT NOT NULL,
      at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP);
    BEGIN`)
  const insert = db.prepare(
    `INSERT INTO parcels (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`,
  )
  for await (const rows of readRoll(data)) {
    for (const row of rows) insert.run(...COLUMNS.map((name) => row[name]))
  }
  // LIKE uses an index only if the index ignores case, as LIKE does.
  db.exec(`COMMIT;
    CREATE INDEX parcels_by_parcel_id ON parcels (state, county, parcel_id);
    CREATE INDEX parcels_by_state ON parcels (state, id);
    CREATE INDEX parcels_by_address ON parcels (state, county, address COLLATE NOCASE);
    ANALYZE`)
  db.close()
}

function cpuSecondsOfServer(server: TestServer): number {
  const [pid] = readFileSync(join(server.folder, 'data/postmaster.pid'), 'utf8').split('\n')
  return cpuSecondsOfTree(Number(pid))
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}
