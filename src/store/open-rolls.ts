/**
 * Opens what imports, copies and suppressions need of the rolls, in the store that is configured.
 */
import type { Config } from '../config.ts'
import type { CopySource, CopyTarget } from './copy/ends.ts'
import { isAddress, makeFolder, parcelsPath, pathsIn } from './data-folder.ts'
import type { ExportReader } from './export.ts'
import type { HistoryReader, RollEraser } from './history.ts'
import type { PlaceFiller } from './places.ts'
import * as postgresCopy from './postgres/copy-ends.ts'
import { migrate } from './postgres/migrate.ts'
import { openExportReader as openPostgresExport } from './postgres/read/export.ts'
import { openHistoryReader as openPostgresHistory } from './postgres/read/history.ts'
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
 * Opens what an import writes to: a data folder, or the database at an address. `loadedAt`: what
 * `apply` will be given.
 */
export async function openWriter(place: string, loadedAt?: number): Promise<RollWriter> {
  if (!isAddress(place)) return openRollWriter(place, loadedAt)
  await migrate(place)
  return openPostgresWriter(place)
}

/** Opens the history of imports for reading; the store is there and of this version. */
export async function openHistory(config: Config): Promise<HistoryReader> {
  if (config.databaseUrl !== null) return openPostgresHistory(config.databaseUrl)
  const options = { migrations: 'parcels', synchronous: 'NORMAL', readOnly: true } as const
  return openHistoryReader(openDatabase(parcelsPath(config.data), options))
}

/** Opens the rolls as they stand now for an export; the store is there and of this version. */
export async function openExport(config: Config): Promise<ExportReader> {
  if (config.databaseUrl !== null) return openPostgresExport(config.databaseUrl)
  const options = { migrations: 'parcels', synchronous: 'NORMAL', readOnly: true } as const
  return openExportReader(openDatabase(parcelsPath(config.data), options))
}

/**
 * Opens what takes loads back: in a data folder, whose import lock the caller holds, or in the
 * database at an address.
 */
export async function openEraser(place: string): Promise<RollEraser> {
  return isAddress(place) ? openPostgresEraser(place) : openRollEraser(place)
}

/**
 * Opens what fills in the places of older parcels: in a data folder, or in the database at an
 * address.
 */
export async function openPlaceFiller(place: string): Promise<PlaceFiller> {
  if (isAddress(place)) return openPostgresFiller(place)
  const options = { migrations: 'parcels', synchronous: 'NORMAL' } as const
  return openSqliteFiller(openDatabase(parcelsPath(place), options))
}

/**
 * Opens what keeps tests of sales: in a data folder, whose import lock the caller holds, or in the
 * database at an address.
 */
export async function openSaleTests(place: string): Promise<SaleTestWriter> {
  return isAddress(place) ? openPostgresSaleTests(place) : openSqliteSaleTests(parcelsPath(place))
}

/** Opens what rewrites single parcels. */
export async function openRewriter({ data, databaseUrl }: Config): Promise<RollRewriter> {
  return databaseUrl === null
    ? openSqliteRewriter(parcelsPath(data))
    : openPostgresRewriter(databaseUrl)
}

/** Opens what a copy reads: a data folder, or the database at an address. */
export async function openCopySource(place: string): Promise<CopySource> {
  return isAddress(place)
    ? postgresCopy.openCopySource(place)
    : sqliteCopy.openCopySource(pathsIn(place))
}

/** Opens what a copy fills, making what is not there. */
export async function openCopyTarget(place: string): Promise<CopyTarget> {
  if (isAddress(place)) return postgresCopy.openCopyTarget(place)
  makeFolder(place)
  return sqliteCopy.openCopyTarget(pathsIn(place))
}
