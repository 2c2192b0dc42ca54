/** Opens SQLite files: pragmas, the tables of new files, and error sentences for faulty files. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { atEnd } from '../../base/at-end.ts'
import { CommandError, DamagedData, Refusal, refuse } from '../../base/errors.ts'
import { BEAT_MS, SILENT_MS } from '../../base/liveness.ts'
import { makePrivateFile } from '../../base/private-files.ts'
import { isDiskFull } from '../../base/safe-files.ts'
import { explainOtherSchema, SCHEMA_NUMBER } from '../../base/schema-number.ts'
import { defineKeys } from './packed-keys.ts'
import { defineRecordSum } from './record-checksum.ts'

/** The database's file under `baseline/`, without its ending. */
export type DatabaseKind = 'parcels' | 'accounts' | 'console'

type OpenOptions = {
  kind: DatabaseKind
  /** `FULL`: a commit is on disk. `NORMAL`, as for rolls: a power failure may lose the newest. */
  synchronous?: 'FULL' | 'NORMAL'
  /** Only reads. The file must exist and have its tables. */
  readOnly?: boolean
  /** How long a statement waits for another process's write, milliseconds. */
  busyTimeoutMs?: number
}

/** Result codes of https://www.sqlite.org/rescode.html that this program distinguishes. */
export const SQLITE = {
  BUSY: 5,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  CONSTRAINT: 19,
  NOTADB: 26,
} as const

/**
 * Longer than any write of this program, as an import's long last transaction is in the other file.
 * So short that a process that waits from just before a report is not taken for hung.
 */
const BUSY_TIMEOUT_MS = SILENT_MS - 2 * BEAT_MS
const OPENING_HINT = 'does its folder exist, and may this user write there?'

/** Bytes of write-ahead log that may stay on disk after a checkpoint. */
export const LOG_BYTES = 67_108_864

/** `PRAGMA application_id`, by which a file's kind is known: "PBp1", "PBa1", "PBc1" as bytes. */
const APPLICATION_IDS: Record<DatabaseKind, number> = {
  parcels: 0x50427031,
  accounts: 0x50426131,
  console: 0x50426331,
}

/** Three records leave a sixth of a page of 4 KB empty, seven a twelfth of one of 8 KB. */
const PAGE_BYTES: Record<DatabaseKind, number> = { parcels: 8192, accounts: 4096, console: 4096 }

/**
 * Opens a database file, or `:memory:`, with WAL and foreign keys. Creates the tables of a new one
 * in one transaction, since two processes may do so. Throws `CommandError` naming a file that is
 * missing (read-only), of another schema number or kind, damaged, or cannot be opened.
 */
export function openDatabase(path: string, options: OpenOptions): DatabaseSync {
  const readOnly = options.readOnly ?? false
  refuseLost(path)
  if (readOnly && !existsSync(path)) throw new CommandError(`${path} does not exist`)
  let db: DatabaseSync | undefined
  try {
    // SQLite gives its accompanying files the mode of the database.
    if (!readOnly && path !== ':memory:') makeFile(path)
    db = new DatabaseSync(path, { readOnly, timeout: options.busyTimeoutMs ?? BUSY_TIMEOUT_MS })
    checkKind(db, path, options.kind)
    // Of a new file; another file keeps its own.
    if (!readOnly) db.exec(`PRAGMA page_size = ${PAGE_BYTES[options.kind]}`)
    if (!readOnly) useWal(db)
    // Only macOS uses fullfsync; there a plain fsync leaves the bytes in the drive's cache.
    const { synchronous = options.kind === 'parcels' ? 'NORMAL' : 'FULL' } = options
    db.exec(`PRAGMA synchronous = ${synchronous}; PRAGMA fullfsync = 1;
      PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY`)
    // Overwrites replaced data: it may be suppressed, and must not stay in free space of a page.
    if (!readOnly) {
      db.exec(`PRAGMA secure_delete = FAST; PRAGMA journal_size_limit = ${LOG_BYTES}`)
    }
    if (options.kind === 'parcels') {
      defineRecordSum(db)
      defineKeys(db)
    }
    ensureTables(db, path, options.kind, readOnly)
    return db
  } catch (error) {
    db?.close()
    throw explainOpening(error, path)
  }
}

/** Runs `work` in one write transaction, after other writers. If it throws, nothing is written. */
export function transaction<Result>(db: DatabaseSync, work: () => Result): Result {
  using _end = beginWrite(db)
  const result = work()
  db.exec('COMMIT')
  return result
}

/** Begins a write; at the end of its scope, what was not committed is rolled back. */
function beginWrite(db: DatabaseSync): Disposable {
  db.exec('BEGIN IMMEDIATE')
  // After some errors, such as a full disk, SQLite has already rolled back.
  return atEnd(() => {
    if (db.isTransaction) db.exec('ROLLBACK')
  })
}

/** The same for work that waits: no other work may use the connection meanwhile. */
export async function writing<Result>(
  db: DatabaseSync,
  work: () => Promise<Result>,
): Promise<Result> {
  using _end = beginWrite(db)
  const result = await work()
  db.exec('COMMIT')
  return result
}

/** Runs `work` on a consistent snapshot. Throws SQLite's errors as refusals (`asRefusal`). */
export async function snapshot<Result>(
  db: DatabaseSync,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    db.exec('BEGIN')
    return await work()
  } catch (error) {
    throw asRefusal(error)
  } finally {
    if (db.isTransaction) db.exec('ROLLBACK')
  }
}

/** Wraps a synchronous query as a promise, with SQLite's errors as refusals (`asRefusal`). */
export function guarded<Args extends unknown[], Result>(
  work: (...args: Args) => Result,
): (...args: Args) => Promise<Result> {
  return async (...args) => {
    try {
      return work(...args)
    } catch (error) {
      throw asRefusal(error)
    }
  }
}

/** Returns the primary result code of a SQLite error; `undefined` for other errors. */
export function sqliteCode(error: unknown): number | undefined {
  const { errcode } = (error ?? {}) as { errcode?: unknown }
  return typeof errcode === 'number' ? errcode & 0xff : undefined
}

/** Turns a busy, full or failing database into *unavailable*, a damaged one into `DamagedData`. */
export function asRefusal(error: unknown): unknown {
  const code = sqliteCode(error)
  if (code === SQLITE.CORRUPT || code === SQLITE.NOTADB) {
    return new DamagedData(`the database is damaged: ${(error as Error).message}`, { cause: error })
  }
  if (error instanceof Refusal || code === undefined || !OUT_OF_ORDER.has(code)) return error
  return refuse.unavailable('Service temporarily unavailable', error)
}

const OUT_OF_ORDER: ReadonlySet<number> = new Set([
  SQLITE.BUSY,
  SQLITE.READONLY,
  SQLITE.IOERR,
  SQLITE.FULL,
  SQLITE.CANTOPEN,
])

/** If this fails, SQLite reports an error too, which is then explained. */
function makeFile(path: string): void {
  try {
    makePrivateFile(path)
  } catch {
    return
  }
}

/** One statement, because another process may create a new file's tables between two. */
function checkKind(db: DatabaseSync, path: string, kind: DatabaseKind): void {
  const { id, tables } = db
    .prepare(
      'SELECT application_id AS id, (SELECT count(*) FROM sqlite_schema) AS tables FROM ' +
        'pragma_application_id',
    )
    .get() as { id: number; tables: number }
  if (id === APPLICATION_IDS[kind]) return
  if (id !== 0 || tables !== 0) {
    throw new CommandError(`${path} is a database, but not the ${kind} database of a Platbook`)
  }
}

/** Switching to WAL needs exclusive access for a moment, and SQLite does not wait for it. */
function useWal(db: DatabaseSync): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      db.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (sqliteCode(error) !== SQLITE.BUSY || attempt === 100) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    }
  }
}

function ensureTables(db: DatabaseSync, path: string, kind: DatabaseKind, readOnly: boolean) {
  if (readVersion(db) === 0) {
    const why = 'a first import or start that was killed leaves such a file, and the next fills it'
    if (readOnly) throw new CommandError(`${path} holds no data of a Platbook: ${why}`)
    createTables(db, kind)
  }
  if (readVersion(db) !== SCHEMA_NUMBER) throw new CommandError(explainOtherSchema(path))
}

/** Creates the tables of a new database, unless another process has created them meanwhile. */
export function createTables(db: DatabaseSync, kind: DatabaseKind): void {
  transaction(db, () => {
    if (readVersion(db) !== 0) return
    db.exec(readFileSync(new URL(`baseline/${kind}.sql`, import.meta.url), 'utf8'))
    db.exec(`PRAGMA user_version = ${SCHEMA_NUMBER};
      PRAGMA application_id = ${APPLICATION_IDS[kind]}`)
  })
}

/** Throws where checksums say that a missing or empty file held rolls: a new one has no answers. */
export function refuseLost(path: string): void {
  const sums = sumsPath(path)
  if (!existsSync(sums) || statSync(path, { throwIfNoEntry: false })?.size) return
  throw new CommandError(
    `${path} is missing or empty, but ${sums} says that rolls were loaded: ` +
      `bring it back with platbook restore; to begin anew, move ${sums} away`,
  )
}

/** Path of the checksums of a database file's pages. */
export function sumsPath(path: string): string {
  return path.replace(/(\.db)?$/, '.sums')
}

function readVersion(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version)
}

function explainOpening(error: unknown, path: string): unknown {
  const sentences: Record<number, string> = {
    [SQLITE.NOTADB]: `${path} is not an SQLite database`,
    [SQLITE.CORRUPT]: `${path} is damaged: ${(error as Error).message}`,
    [SQLITE.CANTOPEN]: `${path} cannot be opened; ${OPENING_HINT}`,
    [SQLITE.READONLY]: `${path} cannot be written by this user`,
    [SQLITE.FULL]: `the disk is full: ${path} could not be written`,
    [SQLITE.BUSY]: `${path} is in use by another process for too long`,
    [SQLITE.IOERR]: `${path} could not be read or written: ${(error as Error).message}`,
  }
  const code = isDiskFull(error) ? SQLITE.FULL : sqliteCode(error)
  const sentence = sentences[code ?? -1]
  return sentence === undefined ? error : new CommandError(sentence, 1, error)
}
