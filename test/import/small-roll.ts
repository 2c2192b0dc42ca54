/** Imports small rolls into a store of their own and reads parcels back. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { loadMapping, type MappingDocument } from '../../src/import/mapping/mapping.ts'
import type { ImportJob } from '../../src/import/open.ts'
import type { ImportReport } from '../../src/import/report/import-report.ts'
import { runImport } from '../../src/import/run.ts'
import type { Parcel } from '../../src/record/parcel.ts'
import { decodeParcel } from '../../src/record/stored.ts'
import { openDatabase } from '../../src/store/sqlite/connection.ts'
import { openParcelReader } from '../../src/store/sqlite/read/parcels.ts'
import type { ParcelReader, StoredParcel } from '../../src/store/store.ts'

export const TODAY = '2026-06-01'
export const fixture = (name: string) =>
  new URL(`../fixtures/rolls/${name}`, import.meta.url).pathname

/** A folder that is deleted after the test. */
export function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'platbook-import-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Writes a file into a folder; its path. */
export function write(folder: string, name: string, text: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

export type Options = Partial<Omit<ImportJob, 'mapping'>> & { mapping?: string | MappingDocument }

/** Imports into `dataDir`, with a fixed clock; `at` (epoch milliseconds) sets it. */
export function importRoll(
  dataDir: string,
  files: string[],
  options: Options = {},
  at = Date.parse('2026-06-01T00:00:00Z'),
): Promise<ImportReport> {
  const { mapping = 'platbook', ...rest } = options
  return runImport({
    state: undefined,
    county: undefined,
    forcedOrder: undefined,
    rollYear: undefined,
    today: TODAY,
    geometry: false,
    partial: false,
    dryRun: false,
    force: false,
    sink: { terminal: false, report: () => {}, now: () => at, draw: () => {} },
    ...rest,
    mapping: typeof mapping === 'string' ? loadMapping(mapping) : mapping,
    files,
    dataDir,
  })
}

/** Returns the counts of a report, without path and time. */
export function counts(report: ImportReport) {
  const { rows, loaded, updated, unchanged, removed, duplicates, skipped, rejected } = report
  return { rows, loaded, updated, unchanged, removed, duplicates, skipped, rejected }
}

/** Opens what was loaded. */
export function openLoaded(t: TestContext, dataDir: string): ParcelReader {
  const db = openDatabase(join(dataDir, 'parcels.db'), {
    kind: 'parcels',
    synchronous: 'NORMAL',
    readOnly: true,
  })
  t.after(() => db.close())
  return openParcelReader(db)
}

/** The one parcel with an ID, as letters and digits. */
export async function readParcel(
  reader: ParcelReader,
  state: string,
  fips: number,
  strippedKey: string,
): Promise<Parcel & { id: number; loadedAt: number }> {
  const found: StoredParcel[] = await reader.byParcelId(state, fips, strippedKey)
  const [first] = found
  if (first === undefined || found.length > 1) {
    throw new Error(`${found.length} parcels have the ID ${strippedKey}`)
  }
  return { ...decodeParcel(first.fieldValues), id: first.id, loadedAt: first.loadedAt }
}
