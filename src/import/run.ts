/** Imports a county's roll: runs the steps of an import in order. */
import { join, resolve } from 'node:path'
import { CommandError } from '../base/errors.ts'
import type { NewerSuppressions } from '../privacy/follow-suppressions.ts'
import { openMatcher } from '../privacy/matcher.ts'
import { openRowTest } from '../privacy/mentions.ts'
import { readRules } from '../privacy/rules.ts'
import { type ImportNote, KEEP_ALL, type KeepVersions } from '../store/history.ts'
import type { AppliedRoll, LeavingParcel, RollChange } from '../store/store.ts'
import { finishAfterCommit, warnIfFails } from './after/after-commit.ts'
import { readExpectations, refuseUnmet } from './expect.ts'
import { describeRenumbered, findRefusal, isOfPast } from './guard.ts'
import { type Joined, openJoin } from './join.ts'
import { learnRoll } from './learn.ts'
import { KeptRows } from './origins/kept-rows.ts'
import { Origins } from './origins/origins.ts'
import { Previewer, type PreviewReport } from './preview.ts'
import { UnchangedRows } from './refresh/unchanged-rows.ts'
import { noRepeats, type RepeatTally, settleRepeats } from './repeats.ts'
import type { Outside } from './report/outside.ts'
import { Progress, type ProgressSink } from './report/progress.ts'
import { LINES_SHOWN, openRejects, type Rejects } from './report/rejects.ts'
import { BITS_FIELDS, ShareCounter } from './report/shares.ts'
import type { Unplaced } from './report/unplaced.ts'
import { sizeOf } from './source.ts'
import { stageRows, type Tally } from './stage.ts'
import { checkDisk, explainWriting, openStaging } from './staging.ts'
import { type BatchSetup, makeBatchReader } from './threads/batch.ts'
import { startThreads } from './threads/pool.ts'
import { sourceOptions } from './walk.ts'

/** One import: files, mapping, store, and what the operator asked for. */
export type ImportJob = Omit<BatchSetup, 'evidence' | 'cities' | 'suppress'> & {
  files: string[]
  /** Names shown in the history when the files were downloaded. */
  shown?: string[]
  dataDir: string
  /**
   * Database that receives the roll instead of the data folder's own store. Rejected rows are kept
   * in the folder in any case.
   */
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

/**
 * The result of an import. `rows`, `skipped`, `duplicates` and `rejected` count rows, the others
 * parcels.
 */
export type ImportReport = Omit<Tally, 'equalRows'> &
  Omit<RepeatTally, 'lines' | 'repeated'> &
  Omit<AppliedRoll, 'fault'> & {
    rejected: number
    rejectsFile: string | null
    /** Whether it is an earlier roll, for the history alone: no parcel changes. */
    isPast: boolean
    seconds: number
    /** Five-digit FIPS codes of the counties in the roll. */
    counties: string[]
    /** The commonest reasons of rejection. */
    reasons: [string, number][]
    /** The first rejected rows of each reason. */
    rejectedRows: ReturnType<Rejects['examples']>
    /** Rows that had a shape and got none, by reason, the commonest first. */
    unplaced: Unplaced[]
    /** Parcels whose point, ZIP code or city is outside their county. */
    outside: Outside[]
    /** Doubtful points about the files, a sentence each. */
    doubts: string[]
    /** Only for a dry run. */
    preview?: PreviewReport
    /** Only for a dry run: the sentence that would refuse the load. */
    refused?: string | null
    /** What failed after the roll was loaded, a sentence each; empty after a dry run. */
    warnings: string[]
  }

/**
 * Loads a roll: source → mapping → normalize → store.
 *
 * Readers see the old roll until the new one is committed. Throws `CommandError` for an expected
 * failure before that; nothing has changed then. A failure after the commit becomes one of the
 * report's warnings.
 */
export async function runImport(job: ImportJob): Promise<ImportReport> {
  const opened = await openImport(job)
  const { rejects, progress, origins, kept, warnings, threads, writer } = opened
  let joined: Joined | undefined
  try {
    joined = await openJoin(job, sourceOptions(job), (batch) => origins?.seePartners(batch) ?? 0)
    const staged = await stageRoll(opened, joined)
    const compared = await compareRoll(opened, staged)
    const refused = guardRoll(opened, staged, compared)
    const rejectsFile = rejects.close()
    const change = job.dryRun
      ? describeChange(job, compared)
      : await applyRoll(opened, staged, compared, rejectsFile)
    return makeReport(opened, staged, compared, { ...change, rejectsFile, refused })
  } catch (error) {
    rejects.discard()
    throw explainWriting(error, job.dataDir)
  } finally {
    progress.end()
    joined?.close()
    kept?.close()
    // Reading closes them at its end, but it may not have begun.
    await threads.close()
    await warnIfFails(warnings, 'the staged rows could not be discarded', async () =>
      writer.discard(),
    )
  }
}

type OpenImport = Awaited<ReturnType<typeof openImport>>

async function openImport(job: ImportJob) {
  const expectations = readExpectations(job.mapping.expect)
  const { dataDir, databaseUrl = null, registryHash = null, files, shown, dryRun } = job
  /** Bytes of all files. */
  const size = sizeOf(files)
  const progress = new Progress(job.sink, size)
  /** Epoch seconds. */
  const loadedAt = Math.floor(job.sink.now() / 1000)
  const writer = await openStaging({ ...job, loadedAt })
  const suppress = await readRules(dataDir, databaseUrl, registryHash).catch(async (error) => {
    await writer.discard()
    throw error
  })
  const isHidden = suppress && openRowTest(openMatcher(suppress))
  const rejects = openRejects(dryRun ? undefined : join(dataDir, 'rejects'), nameRun(job), isHidden)
  const isKept = job.keepSource === true && !dryRun
  const kept = isKept ? new KeptRows(isHidden ?? (() => false)) : undefined
  const origins = dryRun ? undefined : new Origins({ files, shown, kept })
  const warnings: string[] = []
  return {
    ...{ job, size, loadedAt, expectations, writer },
    ...{ rejects, progress, suppress, warnings, origins, kept },
    threads: startThreads(size, job.threads),
  }
}

async function stageRoll(opened: OpenImport, joined: Joined | undefined) {
  const { job, expectations, writer, rejects, progress, suppress, threads } = opened
  const roll = { ...job, joined }
  const learned = await learnRoll(roll, progress)
  const setup: BatchSetup = { ...setupOf(job), suppress, ...learned }
  const reader = makeBatchReader(setup)
  const expected = expectations.map(({ field }) => field)
  const shares = new ShareCounter(expected)
  const previewer = job.dryRun ? new Previewer(expected) : undefined
  const unchanged = await openUnchanged(opened, setup, shares, expected)
  const { origins } = opened
  const context = { job: roll, reader, writer, rejects, progress, unchanged, origins }
  const options = { setup, threads, previewer, shares }
  const { equalRows, ...tally } = await stageRows(context, options)
  for (const text of joined?.listLost() ?? []) progress.warn(text)
  return { context, tally, equalRows, shares, previewer, unchanged }
}

type Staged = Awaited<ReturnType<typeof stageRoll>>

/** Asks the store what applying would do, once no two staged rows are of one parcel. */
async function compareRoll({ job, writer }: OpenImport, { context, equalRows }: Staged) {
  const pairs = (job.renumbered ?? true) && !job.partial
  if (job.leaving !== undefined) await writer.leave(job.leaving)
  let repeats = noRepeats(equalRows)
  let compared = await writer.compare(pairs)
  while ('repeats' in compared) {
    repeats = await settleRepeats(context, compared.repeats, equalRows)
    compared = await writer.compare(pairs)
  }
  const { scopes, ...difference } = compared
  const isPast = isOfPast(scopes, job.versions ?? KEEP_ALL, job.partial)
  return { scopes, difference, repeats, isPast }
}

type Compared = Awaited<ReturnType<typeof compareRoll>>

/**
 * Throws `CommandError` when the roll looks broken or the disk is too small. A dry run returns the
 * sentence that refuses the roll.
 */
function guardRoll(
  { job, expectations, rejects, progress }: OpenImport,
  { tally, shares }: Staged,
  { scopes, difference, isPast }: Compared,
): string | undefined {
  const { loaded, updated, unchanged } = difference
  const parcels = loaded + updated + unchanged + (job.leaving?.length ?? 0)
  const made = { ...tally, parcels, reasons: rejects.reasons() }
  const refusal = job.force
    ? undefined
    : // An earlier roll is not compared with the present one.
      (findRefusal(made, isPast ? [] : scopes, job.mapping.guard, !job.partial) ??
      progress.outside.findRefusal() ??
      refuseUnmet(expectations, shares.finish()))
  for (const scope of scopes) {
    if (Number(scope.renumbered) > 0 && !isPast) progress.doubts.push(describeRenumbered(scope))
  }
  if (job.dryRun) return refusal
  if (refusal !== undefined) throw new CommandError(refusal)
  if ((job.databaseUrl ?? null) === null) checkDisk(job.dataDir)
  return undefined
}

/** The change of a dry run. */
function describeChange({ partial, leaving }: ImportJob, { difference, isPast }: Compared) {
  if (isPast) return { loaded: 0, updated: 0, unchanged: 0, removed: 0 }
  return partial && leaving === undefined ? { ...difference, removed: 0 } : difference
}

/**
 * Writes the staged roll to the store. Then the roll is loaded: a later step that fails adds a
 * warning.
 */
async function applyRoll(
  opened: OpenImport,
  { tally, unchanged }: Staged,
  { scopes, repeats, isPast }: Compared,
  rejectsFile: string | null,
) {
  const { job, loadedAt, writer, rejects, progress } = opened
  const note: ImportNote = {
    mapping: job.mapping.name,
    files: job.shown ?? job.files.map((path) => resolve(path)),
    rows: tally.rows,
    rejected: rejects.count,
    skipped: tally.skipped,
    duplicates: repeats.duplicates,
    unplaced: progress.unplaced.count,
    rejectsFile,
    versions: job.versions ?? KEEP_ALL,
  }
  await job.newer?.filter()
  const write = (share: number) => progress.step('writing', share)
  const token = unchanged?.makeToken() ?? null
  const applied = await writer.apply(!job.partial, loadedAt, write, note, token)
  const counted = { ...tally, repeated: repeats.repeated }
  await finishAfterCommit({ ...opened, scopes, isPast, unchanged, token, counted }, applied)
  const { fault: _, ...change } = applied
  return change
}

function makeReport(
  { job, rejects, progress, warnings }: OpenImport,
  { tally, previewer }: Staged,
  { scopes, isPast, repeats: { repeated: _, lines, ...repeats } }: Compared,
  { refused, ...done }: RollChange & { rejectsFile: string | null; refused: string | undefined },
): ImportReport {
  const counties = [...new Set(scopes.map(({ fips }) => fips))]
  return {
    ...tally,
    ...done,
    ...repeats,
    equalLines: [...tally.equalLines, ...lines].slice(0, LINES_SHOWN),
    rejected: rejects.count,
    isPast,
    seconds: Math.round(progress.seconds() * 1000) / 1000,
    counties: counties.map((fips) => String(fips).padStart(5, '0')).sort(),
    ...{ reasons: rejects.reasons(), rejectedRows: rejects.examples() },
    ...{ unplaced: progress.unplaced.list(), outside: progress.outside.list() },
    doubts: progress.doubts,
    warnings,
    ...(previewer && { preview: previewer.finish(job.mapping), refused: refused ?? null }),
  }
}

/**
 * Opens the search for unchanged rows. Returns `undefined` when none can be skipped: in a dry run,
 * when the files are a part of the roll, when names are learned from the whole roll, when too many
 * fields are counted, or when the store stages every row.
 */
async function openUnchanged(
  { job, writer: { marks }, origins, suppress }: OpenImport,
  setup: BatchSetup,
  shares: ShareCounter,
  expected: string[],
): Promise<UnchangedRows | undefined> {
  const isAlone = setup.evidence === undefined && expected.length <= BITS_FIELDS
  const isDated = (job.versions?.vintage ?? null) !== null
  if (marks === undefined || job.dryRun || job.partial || isDated || !isAlone) return undefined
  // Each parcel is made again, to learn of which rows something is suppressed.
  if (origins?.keepsRows === true && suppress !== undefined) return undefined
  return UnchangedRows.open({ dataDir: job.dataDir, marks, setup, origins, expected, shares })
}

/** Selects the settings that threads need, as plain data. */
function setupOf(job: ImportJob) {
  const { mapping, state, county, forcedOrder, rollYear, today, geometry } = job
  return { mapping, state, county, forcedOrder, rollYear, today, geometry }
}

/** Returns the name of the rejects file: mapping and time. */
function nameRun(job: ImportJob): string {
  const at = new Date(job.sink.now()).toISOString().replace(/[-:]|\..*/g, '')
  return `${job.mapping.name}-${at}`
}
