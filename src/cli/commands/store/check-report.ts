/** The report of `platbook check`, and the checks that both stores share. */
import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { CommandError } from '../../../base/errors.ts'
import { verifyLedger } from '../../../ledger/verify.ts'
import { sendBrokenChain } from '../../../notify/broken-chain.ts'
import { renderParcel } from '../../../render/render.ts'
import type { Config } from '../../../settings/config.ts'
import type { LedgerStore } from '../../../store/accounts-store.ts'
import { headsPath, type KeptHeads, readHeads } from '../../../store/heads.ts'
import { loadSecrets, secretPath } from '../../../store/key-secret.ts'
import { openAccounts } from '../../../store/open.ts'
import {
  checkRolls,
  type RollPlace,
  readLastParcelId,
} from '../../../store/postgres/check/rolls.ts'
import { describeServer } from '../../../store/postgres/pool/connection.ts'
import type { StoredParcel } from '../../../store/store.ts'
import type { CommandIo } from '../../command.ts'
import { formatTable } from '../../table.ts'
import { describeBroken } from '../accounts/ledger.ts'

/** `where`: a file or a server. */
type Finding = { where: string; problem: string }
/** `places`: for PostgreSQL, the servers and nodes with their content. */
export type Report = {
  findings: Finding[]
  parcels: number
  accounts: number
  ledgerRows: number
  places?: RollPlace[]
  /** Servers without page checksums. */
  unsummed?: string[]
}

/** Verifies the ledger and records faults. `noted`: heads recorded outside the store. */
export async function checkLedger(
  io: CommandIo,
  ledger: LedgerStore,
  noted: KeptHeads[],
  report: Report,
  find: (problem: string) => void,
): Promise<void> {
  const { rows, bad } = await verifyLedger(ledger, { noted })
  report.ledgerRows = rows
  if (bad === undefined) return
  const problem = describeBroken(bad)
  find(problem)
  await sendBrokenChain(io, problem)
}

/** Reports whether both layouts of a record are valid JSON. */
export function canBeShown(parcel: StoredParcel): boolean {
  try {
    JSON.parse(renderParcel(parcel, 'nested'))
    JSON.parse(renderParcel(parcel, 'flat'))
    return true
  } catch {
    return false
  }
}

/** A backup without its secret looks complete but rejects every key. */
export function checkSecrets(config: Config, keysBySecret: Map<string, number>): string[] {
  const { data, keySecret } = config
  // `loadSecrets` would create one.
  const missing = keySecret === null && !existsSync(secretPath(data))
  const known = missing ? [] : loadSecrets(data, keySecret)
  const ids = new Set(known.map(({ id }) => id))
  const lost = [...keysBySecret].filter(([id]) => !ids.has(id))
  const keys = lost.reduce((sum, [, count]) => sum + count, 0)
  return keys === 0
    ? []
    : [`${keys} valid keys are hashed under a secret that is not there; they answer 401`]
}

export function showProgress(io: CommandIo, line: string): void {
  if (io.terminal) io.report(line)
}

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
