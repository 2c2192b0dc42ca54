/**
 * Checksums of the pages of `parcels.db`, in `parcels.sums` next to it, by which `platbook check`
 * detects every changed byte. Only imports write `parcels.db`, and at their end all pages are read
 * again. The first line is JSON that identifies the state of the database; four bytes a page
 * follow, little-endian.
 */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { crc32 } from 'node:zlib'
import { atEnd } from '../../base/at-end.ts'
import { CommandError } from '../../base/errors.ts'
import { isDiskFull, replaceFile } from '../../base/safe-files.ts'
import { checkpoint, emptyLog } from './checkpoint.ts'
import { sumsPath } from './connection.ts'

type SumsHeader = { written: number; pageSize: number; pages: number; crc: number }

const CHUNK_BYTES = 1_048_576

/** Gives the database a new state identifier, within an import's transaction. */
export function stampWritten(db: DatabaseSync): void {
  const stamp = Math.floor(Math.random() * 2 ** 48)
  db.prepare("INSERT OR REPLACE INTO main.counters VALUES ('written', ?)").run(stamp)
}

/** Writes checksums of a file with an empty log. If it throws, the old ones match no state. */
export function writePageSums(db: DatabaseSync, path = db.location('main')): void {
  if (path === null) return
  const pageSize = Number(db.prepare('PRAGMA main.page_size').get()?.page_size)
  const sums = sumPages(path, pageSize)
  const body = Buffer.from(sums.buffer)
  const header: SumsHeader = {
    written: readStamp(db),
    pageSize,
    pages: sums.length,
    crc: crc32(body),
  }
  replaceFile(sumsPath(path), Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), body]))
}

/** Empties the write-ahead log and writes the checksums; neither while a reader blocks the log. */
export function renewPageSums(db: DatabaseSync): void {
  if (checkpoint(db)) writePageSums(db)
}

/** Renews the checksums after a command's commit; a failure says that the change is made. */
export function renewSumsOfChange(db: DatabaseSync): void {
  try {
    renewPageSums(db)
  } catch (error) {
    const why = isDiskFull(error) ? 'the disk is full' : (error as Error).message
    throw new CommandError(
      `the change is made, but the checksums of the store are not renewed: ${why}`,
      1,
      error,
    )
  }
}

/** Renews the checksums after an import, whose process may have readers in the way. */
export async function renewSumsOfLoad(db: DatabaseSync): Promise<void> {
  try {
    if (await emptyLog(db)) writePageSums(db)
  } catch (error) {
    const what = 'checksums of the store were not renewed; the next import does it'
    throw new CommandError(`${what}: ${(error as Error).message}`, 1, error)
  }
}

/** Writes the checksums of a copy that was not opened yet, and no other file. */
export function writeSumsOfCopy(path: string): string {
  const url = pathToFileURL(path)
  // SQLite reads an immutable file without a write-ahead log.
  url.search = 'immutable=1'
  using db = new DatabaseSync(url, { readOnly: true })
  writePageSums(db, path)
  return sumsPath(path)
}

/** Lists the pages that changed since the last import, from 1; `undefined` without checksums. */
export function findChangedPages(db: DatabaseSync): number[] | undefined {
  // While it reads, no log is moved into the file.
  db.exec('BEGIN')
  using _end = atEnd(() => db.exec('ROLLBACK'))
  return comparePages(db)
}

function comparePages(db: DatabaseSync): number[] | undefined {
  const path = db.location('main')
  const kept = path === null ? undefined : readSums(sumsPath(path))
  if (path === null || kept === undefined) return undefined
  if (readStamp(db) !== kept.header.written) return undefined
  const now = sumPages(path, kept.header.pageSize)
  const most = Math.max(now.length, kept.sums.length)
  return Array.from({ length: most }, (_, page) => page)
    .filter((page) => now[page] !== kept.sums[page])
    .map((page) => page + 1)
}

export function readStamp(db: DatabaseSync): number {
  const row = db.prepare("SELECT value FROM main.counters WHERE name = 'written'").get()
  return Number(row?.value ?? 0)
}

function sumPages(path: string, pageSize: number): Uint32Array {
  const file = openSync(path, 'r')
  const sums: number[] = []
  // Whole pages, and no more than there are: a roll of a test has few.
  const pages = Math.ceil(fstatSync(file).size / pageSize)
  const chunk = Buffer.alloc(pageSize * Math.max(1, Math.min(pages, CHUNK_BYTES / pageSize)))
  using _end = atEnd(() => closeSync(file))
  for (;;) {
    const length = fill(file, chunk)
    for (let at = 0; at < length; at += pageSize) {
      sums.push(crc32(chunk.subarray(at, Math.min(at + pageSize, length))))
    }
    if (length < chunk.length) return Uint32Array.from(sums)
  }
}

/** Reads until the buffer is full or the file ends; returns the number of bytes. */
function fill(file: number, chunk: Buffer): number {
  let length = 0
  while (length < chunk.length) {
    const more = readSync(file, chunk, length, chunk.length - length, null)
    if (more === 0) break
    length += more
  }
  return length
}

/** Reads the stored checksums; `undefined` when missing or damaged. */
function readSums(path: string): { header: SumsHeader; sums: Uint32Array } | undefined {
  try {
    const file = readFileSync(path)
    const end = file.indexOf('\n')
    const header = JSON.parse(file.toString('utf8', 0, end)) as SumsHeader
    const body = Uint8Array.from(file.subarray(end + 1))
    if (crc32(body) !== header.crc || body.length !== header.pages * 4) return undefined
    return { header, sums: new Uint32Array(body.buffer) }
  } catch {
    return undefined
  }
}
