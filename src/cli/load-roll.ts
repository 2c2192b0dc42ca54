/** Downloads and loads a roll, with the web settings of options; for `import` and `sync`. */
import { CommandError } from '../base/errors.ts'
import { usesFile } from '../import/mapping/mapping.ts'
import { fits } from '../import/mapping/plan.ts'
import type { ImportJob } from '../import/open.ts'
import { expireFiles } from '../import/report/expire-files.ts'
import type { ImportReport } from '../import/report/import-report.ts'
import type { ProgressSink } from '../import/report/progress.ts'
import { runImport } from '../import/run.ts'
import { fetchSources } from '../import/sources/fetch-sources.ts'
import { makeWeb, type Web } from '../import/sources/web.ts'
import { followSuppressions, type NewerSuppressions } from '../privacy/follow-suppressions.ts'
import type { CommandArgs, CommandIo } from './command.ts'

/** An import whose files may be web addresses. What is absent follows from the settings. */
type RollJob = Partial<Omit<ImportJob, 'files' | 'shown' | 'sink' | 'newer'>> &
  Pick<ImportJob, 'mapping' | 'state' | 'county' | 'geometry' | 'force'> & { sources: string[] }

/** Downloads and loads; a download is kept until then. Throws `CommandError` if either fails. */
export async function loadRoll(io: CommandIo, web: Web, job: RollJob): Promise<ImportReport> {
  const report = await loadUnlessSame(io, web, job, async () => false)
  if (report === undefined) throw new Error('a roll that is never the same was not loaded')
  return report
}

/** As `loadRoll`, but returns `undefined` and loads nothing when `isSame` accepts the files. */
export async function loadUnlessSame(
  io: CommandIo,
  web: Web,
  { sources, ...asked }: RollJob,
  isSame: (files: string[]) => Promise<boolean>,
): Promise<ImportReport | undefined> {
  const { data: dataDir, databaseUrl, registryHash, history: keep } = io.config
  const job = {
    ...{ dataDir, databaseUrl, registryHash, versions: { keep, vintage: null } },
    ...{ forcedOrder: undefined, rollYear: undefined, partial: false, dryRun: false },
    today: new Date(io.now()).toISOString().slice(0, 10),
    ...asked,
  }
  const fitsLayer = usesFile(job.mapping) ? (columns: string[]) => fits(job, columns) : undefined
  const { files, shown, close } = await fetchSources(web, { ...job, sources, fitsLayer })
  const ready = { ...job, files, shown, sink: makeSink(io, web.isStopped) }
  let newer: NewerSuppressions | undefined
  let report: ImportReport | undefined
  let isDone = false
  try {
    if (!(await isSame(files))) {
      if (!job.dryRun) expireFiles(io.config.data, io.config.filesDays, io.now())
      newer = job.dryRun ? undefined : followSuppressions(io)
      report = await runImport({ ...ready, ...(newer && { newer }) })
    }
    isDone = !job.dryRun
  } finally {
    close(isDone)
  }
  await newer?.enforce()
  return report
}

/** A signal stops an import between two steps, so that it can report; a second one at once. */
export function watchStop(io: CommandIo) {
  let asked = false
  const ask = () => {
    if (asked) process.exit(1)
    asked = true
    io.report('stopping; once more ends at once')
  }
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.on(signal, ask)
  return {
    isAsked: () => asked,
    end: () => {
      for (const signal of signals) process.off(signal, ask)
    },
  }
}

export function makeSink(io: CommandIo, isStopped = () => false): ProgressSink {
  return {
    isStopped,
    terminal: io.terminal,
    report: io.report,
    now: io.now,
    // Returns to the start of the line, writes the text and clears the rest.
    draw: (text) => process.stderr.write(`\r${text}\u001b[K`),
  }
}

/** The web settings of options and configuration. Throws `CommandError` for an invalid value. */
export function readWeb(
  { concurrency = '2', 'allow-private': allowPrivate }: CommandArgs['values'],
  io: CommandIo,
  isStopped: () => boolean,
): Web {
  if (!/^[1-8]$/.test(String(concurrency))) {
    throw new CommandError(`--concurrency: "${concurrency}" is not a number from 1 to 8`, 2)
  }
  return makeWeb({
    contact: io.config.contact,
    allowPrivate: allowPrivate === true,
    concurrency: Number(concurrency),
    report: io.report,
    now: io.now,
    isStopped,
  })
}
