/** Downloads and loads a roll, with the settings of the data folder; for `import` and `sync`. */
import { followSuppressions, type NewerSuppressions } from '../privacy/follow-suppressions.ts'
import type { Config } from '../settings/config.ts'
import { usesFile } from './mapping/mapping.ts'
import { fits } from './mapping/plan.ts'
import type { ImportJob } from './open.ts'
import { expireFiles } from './report/expire-files.ts'
import type { ImportReport } from './report/import-report.ts'
import type { ProgressSink } from './report/progress.ts'
import { runImport } from './run.ts'
import { fetchSources } from './sources/fetch-sources.ts'
import type { Web } from './sources/web.ts'

export type LoadWorld = { config: Config; web: Web; sink: ProgressSink }

/** An import whose files may be web addresses. What is absent follows from the settings. */
type RollJob = Partial<Omit<ImportJob, 'files' | 'shown' | 'sink' | 'newer'>> &
  Pick<ImportJob, 'mapping' | 'state' | 'county' | 'geometry' | 'force'> & { sources: string[] }

/** A roll on this disk. `close` releases it; `loaded`: downloads are no longer needed. */
type FetchedRoll = ImportJob & { close(loaded: boolean): void }

/** Downloads and loads; a download is kept until then. Throws `CommandError` if either fails. */
export async function loadRoll(world: LoadWorld, job: RollJob): Promise<ImportReport> {
  return loadFetched(world, await fetchRoll(world, job))
}

/** Downloads what is on the web; the caller loads or closes it. */
export async function fetchRoll(
  { config, web, sink }: LoadWorld,
  { sources, ...asked }: RollJob,
): Promise<FetchedRoll> {
  const { data: dataDir, databaseUrl, registryHash, history: keep } = config
  const job = {
    ...{ dataDir, databaseUrl, registryHash, versions: { keep, vintage: null } },
    ...{ forcedOrder: undefined, rollYear: undefined, partial: false, dryRun: false },
    today: new Date(sink.now()).toISOString().slice(0, 10),
    ...asked,
  }
  const fitsLayer = usesFile(job.mapping) ? (columns: string[]) => fits(job, columns) : undefined
  return { ...job, sink, ...(await fetchSources(web, { ...job, sources, fitsLayer })) }
}

export async function loadFetched(
  { config, sink }: LoadWorld,
  { close, ...job }: FetchedRoll,
): Promise<ImportReport> {
  let newer: NewerSuppressions | undefined
  let report: ImportReport
  let isDone = false
  try {
    if (!job.dryRun) {
      expireFiles(config.data, config.filesDays, sink.now())
      newer = followSuppressions({ config, now: sink.now })
    }
    report = await runImport({ ...job, ...(newer && { newer }) })
    isDone = !job.dryRun
  } finally {
    close(isDone)
  }
  await newer?.enforce()
  return report
}
