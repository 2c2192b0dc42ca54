/** Opens the rolls in the configured store, for imports, copies and suppressions. */
import type { DatabaseSync } from 'node:sqlite'
import type { Config } from '../settings/config.ts'
import type { CopySource, CopyTarget } from './copy/ends.ts'
import { isAddress, makeFolder, parcelsPath, parcelsPlace, pathsIn } from './data-folder.ts'
import { createExportReader, type ExportReader } from './export.ts'
import { READING } from './open.ts'
import type { RollEraser } from './rolls/erase-rolls.ts'
import { createHistoryReader, type HistoryReader } from './rolls/history-reader.ts'
import type { RollRewriter } from './rolls/rewrite-rolls.ts'
import { shrinkLog } from './sqlite/checkpoint.ts'
import { openDatabase } from './sqlite/connection.ts'
import * as sqliteCopy from './sqlite/copy-ends.ts'
import { openRollSql } from './sqlite/roll-sql.ts'
import { openRollEraser } from './sqlite/write/roll-eraser.ts'
import { openRollRewriter } from './sqlite/write/roll-rewrite.ts'
import { openRollWriter } from './sqlite/write/roll-writer.ts'
import type { RollWriter } from './store.ts'

/** What PostgreSQL needs is loaded only where its address is configured. */
const postgres = () => import('./postgres/open-rolls.ts')

/**
 * Opens the writer of an import, which takes the lock of a data folder, or for the database at an
 * address. `loadedAt`: of its roll, epoch seconds. `dryRun`: `apply` will not be called.
 */
export async function openWriter(
  place: string,
  loadedAt: number,
  dryRun = false,
): Promise<RollWriter> {
  if (!isAddress(place)) return openRollWriter(place, loadedAt)
  return (await postgres()).openRollWriter(place, { loadedAt, dryRun })
}

/** Opens the history of imports for reading; the store must exist and be of this version. */
export async function openHistory(config: Config): Promise<HistoryReader> {
  const place = parcelsPlace(config)
  if (isAddress(place)) return (await postgres()).openHistoryReader(place)
  return openHistoryReader(openDatabase(parcelsPath(place), READING))
}

/** Opens a snapshot of the rolls for an export; the store must exist and be of this version. */
export async function openExport(config: Config): Promise<ExportReader> {
  return openExportAt(parcelsPlace(config))
}

/** The same for a data folder, or the database at an address. */
export async function openExportAt(place: string): Promise<ExportReader> {
  if (isAddress(place)) return (await postgres()).openExportReader(place)
  const path = parcelsPath(place)
  const db = openDatabase(path, READING)
  // A deferred transaction takes its snapshot at the first read.
  db.exec('BEGIN; SELECT count(*) FROM scopes')
  return createExportReader(openRollSql(db), async () => {
    db.close()
    shrinkLog(path, 'parcels')
  })
}

/** Opens the eraser of loads for a data folder, whose lock the caller holds, or a database. */
export async function openEraser(place: string): Promise<RollEraser> {
  return isAddress(place) ? (await postgres()).openRollEraser(place) : openRollEraser(place)
}

export async function openRewriter(config: Config): Promise<RollRewriter> {
  const place = parcelsPlace(config)
  if (isAddress(place)) return (await postgres()).openRollRewriter(place)
  return openRollRewriter(parcelsPath(place))
}

/** Opens the source of a copy: a data folder, or the database at an address. */
export async function openCopySource(place: string): Promise<CopySource> {
  return isAddress(place)
    ? (await postgres()).openCopySource(place)
    : sqliteCopy.openCopySource(pathsIn(place))
}

/** Opens the target of a copy and creates what is missing. */
export async function openCopyTarget(place: string): Promise<CopyTarget> {
  if (isAddress(place)) return (await postgres()).openCopyTarget(place)
  makeFolder(place)
  return sqliteCopy.openCopyTarget(pathsIn(place))
}

/** Reads on a connection that `close` ends. */
export function openHistoryReader(db: DatabaseSync): HistoryReader {
  return createHistoryReader(
    async <Row>(text: string) => db.prepare(text).all() as Row[],
    async () => db.close(),
  )
}
