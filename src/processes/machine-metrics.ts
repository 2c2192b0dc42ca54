/** Metrics of the installation, which no worker counts. */
import { statfs } from 'node:fs/promises'
import { PROGRAM_VERSION } from '../base/program-version.ts'
import { countFailed } from '../import/sync/kept.ts'
import { newestBackup } from '../privacy/copies.ts'
import type { Config } from '../settings/config.ts'

/** The ledger process as the primary sees it. */
export type LedgerHealth = {
  /** Whether it answers now. */
  isUp: boolean
  /** How often it died or was replaced since the service started. */
  restarts: number
  /** Rows that differ from what was written, found since then. */
  faults: number
}

/**
 * Returns Prometheus text: version, disk, ledger, newest backup, failed syncs. Free bytes are left
 * out where the folder cannot be read, and the backup over PostgreSQL, which has its own.
 */
export async function showMachine(
  { data, databaseUrl }: Pick<Config, 'data' | 'databaseUrl'>,
  ledger: LedgerHealth,
): Promise<string> {
  const disk = await statfs(data).catch(() => undefined)
  const text = [
    showGauge('build_info', `{version="${PROGRAM_VERSION}"}`, 1, 'Version; the value is 1.'),
    showGauge('ledger_up', '', Number(ledger.isUp), 'Whether the ledger process answers.'),
    showCounter('ledger_restarts_total', ledger.restarts, 'Replaced ledger processes.'),
    showCounter('ledger_faults_total', ledger.faults, 'Ledger rows that were changed or lost.'),
    showGauge('sync_failed_sources', '', countFailed(data), 'Sources whose last sync failed.'),
  ]
  if (databaseUrl === null) {
    const at = Math.floor((newestBackup(data) ?? 0) / 1000)
    text.push(showGauge('backup_timestamp_seconds', '', at, 'Time of the newest backup, or 0.'))
  }
  if (disk !== undefined) {
    const free = disk.bavail * disk.bsize
    text.push(showGauge('data_free_bytes', '', free, 'Free bytes on the disk of the data folder.'))
  }
  return text.join('')
}

function showGauge(name: string, labels: string, value: number, help: string): string {
  return show(name, 'gauge', help, `${labels} ${value}`)
}

function showCounter(name: string, value: number, help: string): string {
  return show(name, 'counter', help, ` ${value}`)
}

function show(name: string, type: string, help: string, value: string): string {
  const full = `platbook_${name}`
  return `# HELP ${full} ${help}\n# TYPE ${full} ${type}\n${full}${value}\n`
}
