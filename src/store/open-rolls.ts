/** Opens the rolls in the configured store, for imports, copies and suppressions. */

import type { RollsPlace } from '../base/model/state-databases.ts'
import type { Config } from '../settings/config.ts'
import type { CopySource, CopyTarget } from './copy/ends.ts'
import { isAddress, makeFolder, parcelsPath, parcelsPlace, pathsIn } from './data-folder.ts'
import type { ExportReader } from './export.ts'
import type { HistoryReader, RollEraser } from './history.ts'
import type { PlaceFiller } from './places.ts'
import * as copyByState from './postgres/by-state/copy-ends.ts'
import { openStateEraser, openStateHistory } from './postgres/by-state/loads.ts'
import * as rollsByState from './postgres/by-state/rolls.ts'
import { openStateWriter } from './postgres/by-state/writer.ts'
import * as postgresCopy from './postgres/copy-ends.ts'
import { migrate } from './postgres/migrate.ts'
import { openExportReader as openPostgresExport } from './postgres/read/export.ts'
import { openHistoryReader as openPostgresHistory } from './postgres/read/history.ts'
import { openIdSource } from './postgres/write/id-source.ts'
import { openPlaceFiller as openPostgresFiller } from './postgres/write/place-fill.ts'
import { openRollEraser as openPostgresEraser } from './postgres/write/roll-eraser.ts'
import { openRollRewriter as openPostgresRewriter } from './postgres/write/roll-rewrite.ts'
import { openRollWriter as openPostgresWriter } from './postgres/write/roll-writer.ts'
import { openSaleTests as openPostgresSaleTests } from './postgres/write/sale-tests.ts'
import type { RollRewriter } from './rewrite.ts'
import type { SaleTestWriter } from './sale-tests.ts'
import { openDatabase } from './sqlite/connection.ts'
import * as sqliteCopy from './sqlite/copy-ends.ts'
import { openExportReader } from './sqlite/read/export.ts'
import { openHistoryReader } from './sqlite/read/history.ts'
import { openPlaceFiller as openSqliteFiller } from './sqlite/write/place-fill.ts'
import { openRollEraser } from './sqlite/write/roll-eraser.ts'
import { openRollRewriter as openSqliteRewriter } from './sqlite/write/roll-rewrite.ts'
import { openRollWriter } from './sqlite/write/roll-writer.ts'
import { openSaleTests as openSqliteSaleTests } from './sqlite/write/sale-tests.ts'
import type { RollWriter } from './store.ts'

/**
 * Opens the writer of an import: for a data folder, the database at an address, or databases by
 * state. `loadedAt`: the value that `apply` will get. `prepare` runs on each state's database
 * before its rows are staged. `dryRun`: `apply` will not be called.
 */
export async function openWriter(
  place: RollsPlace,
  loadedAt?: number,
  prepare: (url: string) => Promise<void> = async () => undefined,
  dryRun = false,
): Promise<RollWriter> {
  if (typeof place !== 'string') {
    const ids = openIdSource(place.main)
    return openStateWriter(place, ids, async (url, own) => {
      await migrate(url)
      await prepare(url)
      return openPostgresWriter(url, { ids: own, loadedAt, dryRun })
    })
  }
  if (!isAddress(place)) return openRollWriter(place, loadedAt)
  await migrate(place)
  return openPostgresWriter(place, { loadedAt, dryRun })
}

const READ_ONLY = { migrations: 'parcels', synchronous: 'NORMAL', readOnly: true } as const

/** Opens the history of imports for reading; the store must exist and be of this version. */
export async function openHistory(config: Config): Promise<HistoryReader> {
  const place = parcelsPlace(config)
  if (typeof place !== 'string') return openStateHistory(place)
  if (isAddress(place)) return openPostgresHistory(place)
  return openHistoryReader(openDatabase(parcelsPath(place), READ_ONLY))
}

/** Opens a snapshot of the rolls for an export; the store must exist and be of this version. */
export async function openExport(config: Config): Promise<ExportReader> {
  const place = parcelsPlace(config)
  if (typeof place !== 'string') return rollsByState.openStateExport(place)
  if (isAddress(place)) return openPostgresExport(place)
  return openExportReader(openDatabase(parcelsPath(place), READ_ONLY))
}

/**
 * Opens the eraser of loads: for a data folder, whose import lock the caller holds, or for
 * databases.
 */
export async function openEraser(place: RollsPlace): Promise<RollEraser> {
  if (typeof place !== 'string') return openStateEraser(place)
  return isAddress(place) ? openPostgresEraser(place) : openRollEraser(place)
}

/** Opens the filler of missing places: for a data folder, or for databases. */
export async function openPlaceFiller(place: RollsPlace): Promise<PlaceFiller> {
  if (typeof place !== 'string') return rollsByState.openStatePlaceFiller(place)
  if (isAddress(place)) return openPostgresFiller(place)
  const options = { migrations: 'parcels', synchronous: 'NORMAL' } as const
  return openSqliteFiller(openDatabase(parcelsPath(place), options))
}

/**
 * Opens the writer of sale tests: for a data folder, whose import lock the caller holds, or for
 * databases.
 */
export async function openSaleTests(place: RollsPlace): Promise<SaleTestWriter> {
  if (typeof place !== 'string') return rollsByState.openStateSaleTests(place)
  return isAddress(place) ? openPostgresSaleTests(place) : openSqliteSaleTests(parcelsPath(place))
}

/** Opens the rewriter of single parcels. */
export async function openRewriter(config: Config): Promise<RollRewriter> {
  const place = parcelsPlace(config)
  if (typeof place !== 'string') return rollsByState.openStateRewriter(place)
  return isAddress(place) ? openPostgresRewriter(place) : openSqliteRewriter(parcelsPath(place))
}

/** Opens the source of a copy: a data folder, the database at an address, or databases by state. */
export async function openCopySource(place: RollsPlace): Promise<CopySource> {
  if (typeof place !== 'string') return copyByState.openStateCopySource(place)
  return isAddress(place)
    ? postgresCopy.openCopySource(place)
    : sqliteCopy.openCopySource(pathsIn(place))
}

/** Opens the target of a copy and creates what is missing. */
export async function openCopyTarget(place: RollsPlace): Promise<CopyTarget> {
  if (typeof place !== 'string') return copyByState.openStateCopyTarget(place)
  if (isAddress(place)) return postgresCopy.openCopyTarget(place)
  makeFolder(place)
  return sqliteCopy.openCopyTarget(pathsIn(place))
}
