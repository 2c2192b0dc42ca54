/** Imports a county's roll: runs the steps of an import in order. */
import { resolve } from 'node:path'
import { CommandError } from '../base/errors.ts'
import { isDiskFull } from '../base/safe-files.ts'
import { fipsCode } from '../regions/counties.ts'
import { type ImportNote, KEEP_ALL } from '../store/history.ts'
import type { RollChange } from '../store/store.ts'
import { finishAfterCommit, warnIfFails } from './after/after-commit.ts'
import { guardRoll } from './guard.ts'
import { type Joined, openJoin } from './join.ts'
import { learnRoll } from './learn-roll.ts'
import { type ImportJob, type OpenImport, openImport } from './open.ts'
import { pickFresh } from './pick-fresh.ts'
import { Previewer } from './preview.ts'
import { UnchangedRows } from './refresh/unchanged-rows.ts'
import { settleRepeats } from './repeats.ts'
import { countBatch, emptyTally, type ImportReport } from './report/import-report.ts'
import { LINES_SHOWN } from './report/rejects.ts'
import { ShareCounter } from './report/shares.ts'
import { type BatchSetup, makeBatchReader } from './threads/batch.ts'
import { readBatches, startThreads } from './threads/pool.ts'
import { type Staging, walkRows } from './walk.ts'

/**
 * Loads a roll: source → mapping → normalize → store. Readers see the old roll until the commit.
 * Throws `CommandError` before it; a failure after it is a warning of the report.
 */
export async function runImport(job: ImportJob): Promise<ImportReport> {
  const opened = await openImport(job)
  const { staged, ...done } = await runSteps(opened)
  return makeReport(staged, done)
}

/** Ends the writer before the report, which has the seconds and a warning of that too. */
async function runSteps(opened: OpenImport) {
  const { job, rejects, progress, origins, kept, warnings, writer } = opened
  let joined: Joined | undefined
  try {
    joined = await openJoin(job, origins)
    const staged = await stageRows(opened, joined)
    await stageConflicts(staged)
    for (const text of joined?.listLost() ?? []) progress.warn(text)
    const compared = await compareRoll(staged)
    const rejectsFile = rejects.close()
    const dry = compared.isPast ? NO_CHANGE : compared.difference
    const change = job.dryRun ? dry : await applyRoll(staged, compared, rejectsFile)
    return { staged, compared, change, rejectsFile }
  } catch (error) {
    rejects.discard()
    throw explainWriting(error, job.dataDir)
  } finally {
    joined?.close()
    kept?.close()
    const loaded = job.dryRun ? '' : 'the roll is loaded, but '
    const what = `${loaded}its writer did not end as it should`
    await warnIfFails(warnings, what, () => writer.discard())
    progress.end()
  }
}

/** What an earlier roll changes of the present. */
const NO_CHANGE = { loaded: 0, updated: 0, unchanged: 0, removed: 0 }

type Staged = Awaited<ReturnType<typeof stageRows>>

/** Stages every row of the files in order: rows → those to be read → parcels → store. */
async function stageRows(opened: OpenImport, joined: Joined | undefined) {
  const { job, expectations, size, suppress, progress, rejects, origins, writer } = opened
  // The threads load their code while names and cities are learned.
  await using threads = startThreads(size, job.threads)
  const learned = await learnRoll({ job, joined, progress })
  const { mapping, state, county, forcedOrder, rollYear, today, geometry } = job
  const plain = { mapping, state, county, forcedOrder, rollYear, today, geometry }
  const setup: BatchSetup = { ...plain, suppress, ...learned }
  const expected = expectations.map(({ field }) => field)
  const shares = new ShareCounter(expected)
  const previewer = job.dryRun ? new Previewer(expected) : undefined
  const unchanged = await UnchangedRows.open(opened, setup, expected)
  const reader = makeBatchReader(setup)
  const staging: Staging = { ...opened, joined, reader, unchanged }
  const tally = emptyTally()
  const fresh = pickFresh(walkRows(staging, 'rows'), staging)
  const keepsRows = previewer !== undefined
  for await (const read of readBatches(fresh, { setup, reader, threads, keepsRows })) {
    const { batch, result } = read
    countBatch(tally, rejects, read)
    const parcels = result.parcels()
    for (const { row, id } of batch.seen) origins?.place(row, id)
    origins?.hideSuppressed(parcels)
    previewer?.see(batch, parcels)
    progress.see(parcels, batch.seen.length)
    const bits = shares.see(parcels, batch.seen)
    unchanged?.noteRead(batch.firstRow, result, bits)
    await writer.stage(parcels)
  }
  return { ...staging, tally, shares, previewer }
}

/** Stages unchanged rows of parcels that also have a changed row: all rows make the parcel. */
async function stageConflicts(staged: Staged): Promise<void> {
  const { reader, writer, unchanged } = staged
  const conflicts = await unchanged?.findConflicts()
  if (unchanged === undefined || conflicts === undefined || conflicts.size === 0) return
  for await (const batch of walkRows(staged, 'settling repeated parcels')) {
    const fresh = batch.rows.map((_, at) => conflicts.has(batch.firstRow + at))
    if (!fresh.includes(true)) continue
    fresh.forEach((isConflict, at) => {
      if (isConflict) unchanged.withdraw(batch, at)
    })
    await writer.stage([...reader.read(batch, batch.firstRow, fresh)])
  }
}

/** Asks the store what applying would do, once no two staged rows are of one parcel; guards it. */
async function compareRoll(staged: Staged) {
  const { job, writer, tally } = staged
  const { partial, leaving, renumbered: pairs } = job
  const repeats = await settleRepeats(staged, tally.equalRows)
  const { scopes, ...difference } = await writer.compare({ partial, leaving, pairs })
  const compared = { scopes, difference, repeats }
  return { ...compared, ...guardRoll(staged, compared) }
}

type Compared = Awaited<ReturnType<typeof compareRoll>>

/** Writes the staged roll. Then it is loaded: a later step that fails adds a warning. */
async function applyRoll(
  staged: Staged,
  compared: Compared,
  rejectsFile: string | null,
): Promise<RollChange> {
  const { job, writer, rejects, progress, tally, unchanged } = staged
  const note: ImportNote = {
    mapping: job.mapping.name,
    files: job.shown ?? job.files.map((path) => resolve(path)),
    rows: tally.rows,
    rejected: rejects.count,
    skipped: tally.skipped,
    duplicates: compared.repeats.duplicates,
    unplaced: progress.unplaced.count,
    rejectsFile,
    versions: job.versions ?? KEEP_ALL,
  }
  await job.newer?.filter()
  const onProgress = (share: number) => progress.step('writing', share)
  const token = unchanged?.makeToken() ?? null
  const applied = await writer.apply({ onProgress, note, token })
  const counted = { ...tally, repeated: compared.repeats.repeated }
  await finishAfterCommit(staged, { ...compared, ...applied, token, counted })
  return applied.change
}

function makeReport(
  { job, rejects, progress, warnings, tally, previewer }: Staged,
  done: { compared: Compared; change: RollChange; rejectsFile: string | null },
): ImportReport {
  const { change, rejectsFile } = done
  const { scopes, isPast, refused, repeats: merged } = done.compared
  const { repeated: _, lines, ...repeats } = merged
  const counties = [...new Set(scopes.map(({ fips }) => fips))]
  const { equalRows: _equal, skips, ...counts } = tally
  return {
    ...counts,
    ...change,
    rejectsFile,
    ...repeats,
    skips: Object.entries(skips).sort((a, b) => b[1] - a[1]),
    equalLines: [...tally.equalLines, ...lines].slice(0, LINES_SHOWN),
    rejected: rejects.count,
    isPast,
    seconds: Math.round(progress.seconds() * 1000) / 1000,
    counties: counties.map((fips) => fipsCode(fips)).sort(),
    ...{ reasons: rejects.reasons(), rejectedRows: rejects.examples() },
    ...{ unplaced: progress.unplaced.list(), outside: progress.outside.list() },
    doubts: progress.doubts,
    warnings,
    ...(previewer && { preview: previewer.finish(job.mapping), refused: refused ?? null }),
  }
}

/** Turns a disk-full error of SQLite or of the file system into a sentence. */
function explainWriting(error: unknown, dataDir: string): unknown {
  if (!isDiskFull(error)) return error
  return new CommandError(
    `the disk of ${dataDir} is full; nothing was loaded, and the previous roll is still served`,
    1,
    error,
  )
}
