/** `platbook sync`: downloads and loads the sources that have changed. Source: docs/sources.md. */
import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { atEnd } from '../../../base/at-end.ts'
import { CommandError } from '../../../base/errors.ts'
import type { LoadWorld } from '../../../import/load-roll.ts'
import { loadCatalogue } from '../../../import/sources/catalogue.ts'
import { findFollowed, findSources } from '../../../import/sync/choose.ts'
import { runSync, type SourceReport } from '../../../import/sync/run-sync.ts'
import { deliverNotices } from '../../../notify/deliver.ts'
import { addNotice, makeNotice } from '../../../notify/notice.ts'
import { type CommandArgs, type CommandIo, command } from '../../command.ts'
import { openWorld } from '../../load-world.ts'
import { readLoads } from '../../rolls.ts'
import { printResult } from '../../table.ts'
import { followRelease } from './follow.ts'
import { showImport } from './import.ts'

export const syncCommand = command('sync', async (args, io) => {
  const world = openWorld(args.values, io)
  using _end = atEnd(world.end)
  if (/^https?:\/\//.test(args.positionals[0] ?? '')) {
    await followRelease(args, io, world)
    return 0
  }
  return await syncSources(args, io, world)
})

/** Syncs and reports. Returns the exit code. */
export async function syncSources(
  { values, positionals }: CommandArgs,
  io: CommandIo,
  world: LoadWorld,
): Promise<number> {
  const isAll = values.all === true
  if (isAll === positionals.length > 0) {
    throw new CommandError(
      'sync needs the IDs of sources, or --all; platbook sources lists them',
      2,
    )
  }
  if (isAll && values.force === true) {
    throw new CommandError('--force passes the guard of a source: give its ID, not --all', 2)
  }
  const catalogue = loadCatalogue(io.config.data)
  // The first source of a new data folder makes it.
  const isNew = !isAll && io.config.databaseUrl === null && !existsSync(io.config.data)
  const loads = isNew ? new Map<string, number>() : await readLoads(io)
  const chosen = isAll
    ? findFollowed(catalogue, io.config.data, loads)
    : findSources(catalogue, positionals)
  if (chosen.length === 0) {
    io.report('nothing was added, synced or loaded from an address yet; name a source by its ID')
  }
  const options = {
    // A load into one store says nothing about another.
    store: io.config.databaseUrl === null ? '' : hash('sha256', io.config.databaseUrl),
    due: values.due === true,
    geometry: values.geometry === true,
    again: values.again === true,
    force: values.force === true,
  }
  const start = io.now()
  const reports: SourceReport[] = []
  for await (const report of runSync({ ...world, ...options, loads }, chosen, catalogue)) {
    reports.push(report)
    for (const warning of report.load?.warnings ?? []) {
      io.report(`${report.id}: warning: ${warning}`)
    }
    if (!io.json) io.print(describe(report))
    if (report.error !== null) noteFailure(io, report.id, report.error)
  }
  await sendFailures(io)
  const counts = countOutcomes(reports)
  const seconds = Math.round(io.now() - start) / 1000
  const { loaded, unchanged, waiting, failed } = counts
  const line = `${loaded} loaded, ${unchanged} unchanged, ${waiting} waiting, ${failed} failed`
  printResult(io, { sources: reports.map(showReport), ...counts, seconds }, line)
  return counts.failed > 0 || world.web.isStopped() ? 1 : 0
}

function noteFailure({ config, now }: CommandIo, source: string, error: string): void {
  if (config.notifyUrl === null) return
  const at = now()
  addNotice(config.data, makeNotice('sync_failed', `${source}/${at}`, { source, error }, at))
}

/** Sends notices of failures; an unsent one waits for the service or the next sync. */
async function sendFailures({ config, now, report }: CommandIo): Promise<void> {
  const { data: dataDir, notifyUrl: url, notifySecret: secret } = config
  if (url === null || secret === null) return
  const timeoutMs = 10_000
  await deliverNotices({ dataDir, url, secret, now, timeoutMs, alarm: report })
}

function countOutcomes(reports: SourceReport[]) {
  const counts = { loaded: 0, unchanged: 0, waiting: 0, failed: 0 }
  for (const { outcome } of reports) counts[outcome] += 1
  return counts
}

function showReport({ load, ...report }: SourceReport) {
  return { ...report, load: load === null ? null : showImport(load) }
}

function describe({ id, outcome, error, load }: SourceReport): string {
  if (error !== null) return `${id}: failed: ${error}`
  if (load === null) return `${id}: ${outcome === 'waiting' ? 'not due' : outcome}`
  const n = (count: number) => count.toLocaleString('en-US')
  const { loaded, updated, removed, rejected } = load
  return (
    `${id}: ${n(loaded)} new, ${n(updated)} updated, ${n(removed)} removed parcels; ` +
    `${n(rejected)} rows rejected`
  )
}
