/** Opens an import: its store, the suppressions that it follows, and what it keeps and reports. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { NewerSuppressions } from '../privacy/follow-suppressions.ts'
import { openMatcher } from '../privacy/matcher.ts'
import { openRowTest } from '../privacy/mentions.ts'
import { readRules } from '../privacy/rules.ts'
import { isAddress, parcelsPath, rollsPlace } from '../store/data-folder.ts'
import type { KeepVersions } from '../store/history.ts'
import { openWriter } from '../store/open-rolls.ts'
import type { LeavingParcel, RollWriter } from '../store/store.ts'
import { readExpectations } from './expect.ts'
import { KeptRows } from './origins/kept-rows.ts'
import { Origins } from './origins/origins.ts'
import { Progress, type ProgressSink } from './report/progress.ts'
import { openRejects } from './report/rejects.ts'
import { sizeOf } from './source.ts'
import { makeTemporary } from './temporary.ts'
import type { BatchSetup } from './threads/batch.ts'

/** One import: files, mapping, store, and what the operator asked for. */
export type ImportJob = Omit<BatchSetup, 'evidence' | 'cities' | 'suppress'> & {
  files: string[]
  /** Names shown in the history when the files were downloaded. */
  shown?: string[]
  dataDir: string
  /** Database that receives the roll instead of the folder. Rejected rows stay in the folder. */
  databaseUrl?: string | null
  /** How a registry hashes the people it lists: PLATBOOK_REGISTRY_HASH. */
  registryHash?: string | null
  /** What is kept of the parcels before; all when absent. */
  versions?: KeepVersions
  /** Whether to load polygons. */
  geometry: boolean
  /** Whether to keep the rows as recorded. */
  keepSource?: boolean
  /** The files are not the whole roll, so nothing is removed. */
  partial: boolean
  /** With `partial`: the parcels that leave; the rows match parcels by their exact ID. */
  leaving?: readonly LeavingParcel[]
  /** Counts the changes and makes none. */
  dryRun: boolean
  /** Skips the guard. */
  force: boolean
  /** False: parcels of a county that has renumbered are removed and added. */
  renumbered?: boolean
  /** Suppressions that are added meanwhile; filtered before the staged rows are written. */
  newer?: Pick<NewerSuppressions, 'filter'>
  /** Number of reading threads; chosen by cores and file size when absent. */
  threads?: number
  sink: ProgressSink
}

export type OpenImport = Awaited<ReturnType<typeof openImport>>

/** Throws `CommandError` when the files or the store cannot be opened. */
export async function openImport(job: ImportJob) {
  const { dataDir, databaseUrl = null, registryHash = null, files, shown, dryRun } = job
  const expectations = readExpectations(job.mapping.expect)
  const size = sizeOf(files)
  const progress = new Progress(job.sink, size)
  const suppress = await readRules(dataDir, databaseUrl, registryHash)
  const isHidden = suppress && openRowTest(openMatcher(suppress))
  const rejects = openRejects(dryRun ? undefined : join(dataDir, 'rejects'), nameRun(job), isHidden)
  /** Epoch seconds. */
  const loadedAt = Math.floor(job.sink.now() / 1000)
  const writer = await openStaging(job, loadedAt)
  const isKept = job.keepSource === true && !dryRun
  const kept = isKept ? new KeptRows(isHidden ?? (() => false)) : undefined
  const origins = dryRun ? undefined : new Origins({ files, shown, kept })
  const warnings: string[] = []
  return {
    ...{ job, size, loadedAt, expectations, writer },
    ...{ rejects, progress, suppress, warnings, origins, kept },
  }
}

/** Returns the name of the rejects file: mapping and time. */
function nameRun(job: ImportJob): string {
  const at = new Date(job.sink.now()).toISOString().replace(/[-:]|\..*/g, '')
  return `${job.mapping.name}-${at}`
}

/** Opens the store's writer, or a temporary one for a dry run without a store. */
async function openStaging(job: ImportJob, loadedAt: number): Promise<RollWriter> {
  const place = rollsPlace(job)
  const isTemporary = job.dryRun && !isAddress(place) && !existsSync(parcelsPath(place))
  if (!isTemporary) return openWriter(place, loadedAt, job.dryRun)
  const { path, remove } = makeTemporary()
  try {
    const writer = await openWriter(path, loadedAt)
    return { ...writer, discard: () => writer.discard().finally(remove) }
  } catch (error) {
    remove()
    throw error
  }
}
