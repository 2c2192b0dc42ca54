/** `platbook check` for PostgreSQL: one server or a Citus cluster. */
import { basename } from 'node:path'
import { CommandError } from '../../../base/errors.ts'
import { headsPath, readHeads } from '../../../store/heads.ts'
import { secretPath } from '../../../store/key-secret.ts'
import { openAccounts } from '../../../store/open.ts'
import {
  checkRolls,
  type RollPlace,
  readLastParcelId,
} from '../../../store/postgres/check/rolls.ts'
import { describeServer } from '../../../store/postgres/pool/connection.ts'
import type { CommandIo } from '../../command.ts'
import { formatTable } from '../../table.ts'
import { canBeShown, checkLedger, checkSecrets, type Report, showProgress } from './check-report.ts'

/** An unreachable server is reported as a finding. */
export async function checkDatabases(io: CommandIo, url: string): Promise<Report> {
  const { config } = io
  const own = await readHeads(headsPath(config))
  const report: Report = {
    findings: [],
    parcels: 0,
    accounts: 0,
    ledgerRows: 0,
    places: [],
    unsummed: [],
  }
  const where = describeServer(url)
  const find = (where: string) => (problem: string) => void report.findings.push({ where, problem })
  try {
    const checked = await checkRolls(url, {
      readLastId: () => readLastParcelId(url),
      canBeShown,
      onStep: (state) => showProgress(io, `${where}: ${state}`),
    })
    checked.problems.forEach(find(where))
    report.parcels = checked.parcels
    report.places = checked.places
    report.unsummed = checked.unsummed
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    find(where)(withoutPlace(error.message, where))
    return report
  }
  showProgress(io, `${where}: ledger`)
  const accounts = await openAccounts(config, { reading: true, now: io.now })
  try {
    report.accounts = (await accounts.admin.accounts()).length
    await checkLedger(io, accounts.ledger, own === undefined ? [] : [own], report, find(where))
    const bySecret = await accounts.admin.keysBySecret(io.now())
    checkSecrets(config, bySecret).forEach(find(basename(secretPath(config.data))))
  } finally {
    await accounts.close()
  }
  return report
}

/** The finding names the server itself. */
function withoutPlace(message: string, where: string): string {
  return message.startsWith(where) ? message.slice(where.length).replace(/^:? /, '') : message
}

export function describePlaces(places: RollPlace[]): string[] {
  if (places.length === 0) return []
  const isCluster = places.some(({ shards }) => shards !== null)
  const rows = places.map(({ where, shards, states, bytes }) => [
    where,
    ...(isCluster ? [String(shards ?? '-')] : []),
    states.reduce((sum, { parcels }) => sum + parcels, 0).toLocaleString('en-US'),
    bytes === null ? '-' : `${(bytes / 1e6).toFixed(1)} MB`,
    states.map(({ state }) => state).join(' '),
  ])
  const headings = ['place', ...(isCluster ? ['shards'] : []), 'parcels', 'size', 'states']
  return formatTable(headings, rows, ['shards', 'parcels', 'size'])
}
