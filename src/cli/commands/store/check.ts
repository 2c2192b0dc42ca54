/** `platbook check`: checks both databases, the rules between their tables, and the ledger. */
import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { CommandError } from '../../../base/errors.ts'
import { verifyLedger } from '../../../ledger/verify.ts'
import { sendBrokenChain } from '../../../notify/deliver.ts'
import { renderParcel } from '../../../render/render.ts'
import type { Config } from '../../../settings/config.ts'
import { createAccountAdmin } from '../../../store/accounts/admin.ts'
import type { LedgerStore } from '../../../store/accounts/ledger-rows.ts'
import { accountsPath, checkFolder, parcelsPath } from '../../../store/data-folder.ts'
import { headsPath, type KeptHeads, readHeads } from '../../../store/heads.ts'
import { loadSecrets, secretPath } from '../../../store/key-secret.ts'
import { openAccounts } from '../../../store/open.ts'
import type { RollPlace } from '../../../store/postgres/check/rolls.ts'
import { openAccountDatabase } from '../../../store/sqlite/account-database.ts'
import { type DatabaseKind, openDatabase, sumsPath } from '../../../store/sqlite/connection.ts'
import { checkPageSums, checkPages, checkRolls } from '../../../store/sqlite/integrity.ts'
import { createLedgerStore } from '../../../store/sqlite/ledger.ts'
import type { StoredParcel } from '../../../store/store.ts'
import { type CommandIo, command } from '../../command.ts'
import { formatTable, printResult } from '../../table.ts'
import { describeBroken } from '../accounts/ledger.ts'

export const checkCommand = command('check', async (_args, io) => {
  const report = await check(io)
  const { findings } = report
  const unsummed = 'has no valid page checksums: damage of its disk may not be noticed'
  printResult(io, { ok: findings.length === 0, ...report }, [
    ...findings.map(({ where, problem }) => `${where}: ${problem}`),
    ...describePlaces(report.places ?? []),
    ...(report.unsummed ?? []).map((where) => `${where} ${unsummed}`),
    summarize(report),
  ])
  return findings.length === 0 ? 0 : 1
})

async function check(io: CommandIo): Promise<Report> {
  const { config } = io
  if (config.databaseUrl !== null) return checkDatabases(io, config.databaseUrl)
  if (existsSync(config.data)) checkFolder(config)
  if (![parcelsPath(config.data), accountsPath(config.data)].some((path) => existsSync(path))) {
    throw new CommandError(`there is no data in ${config.data} to check`)
  }
  // Read before the database, which may be written meanwhile.
  const own = await readHeads(headsPath(config))
  const noted = own === undefined ? [] : [own]
  const report: Report = { findings: [], parcels: 0, accounts: 0, ledgerRows: 0 }
  await lookInto(parcelsPath(config.data), 'parcels', report, async (db, find) => {
    const file = basename(parcelsPath(config.data))
    showProgress(io, `${file}: pages`)
    const problems = checkPages(db)
    // In a damaged file the rules would only repeat the finding, or fail.
    const isWhole = problems.length === 0
    const changed = checkPageSums(db)
    if (changed === undefined) report.unsummed = [file]
    problems.push(...(changed ?? []))
    if (isWhole) {
      problems.push(
        ...(await checkRolls(db, canBeShown, (done, of) =>
          showProgress(io, `${file}: rule ${done + 1} of ${of}`),
        )),
      )
    }
    problems.forEach(find)
    report.parcels = count(db, 'parcels')
  })
  const isRead = await lookInto(accountsPath(config.data), 'accounts', report, async (db, find) => {
    showProgress(io, `${basename(accountsPath(config.data))}: pages and ledger`)
    checkPages(db).forEach(find)
    report.accounts = count(db, 'account')
    report.ledgerRows = await checkLedger(io, createLedgerStore(db), noted, find)
    const bySecret = await createAccountAdmin(openAccountDatabase(db)).keysBySecret(io.now())
    const where = basename(secretPath(config.data))
    for (const problem of checkSecrets(config, bySecret)) report.findings.push({ where, problem })
  })
  if (!isRead) await sendBrokenChain(io, `the ledger is broken: ${report.findings.at(-1)?.problem}`)
  return report
}

/** Opens a file read-only. One too damaged to be read is a finding, and `false` is returned. */
async function lookInto(
  path: string,
  kind: DatabaseKind,
  report: Report,
  look: (db: DatabaseSync, find: (problem: string) => void) => void | Promise<void>,
): Promise<boolean> {
  if (!existsSync(path) && !existsSync(sumsPath(path))) return true
  const find = (problem: string) => void report.findings.push({ where: basename(path), problem })
  try {
    using db = openDatabase(path, { kind: kind, synchronous: 'FULL', readOnly: true })
    await look(db, find)
    return true
  } catch (error) {
    // Damage may cause any kind of error: malformed JSON in a key, a missing table.
    const { cause } = error as Error
    find(`cannot be read: ${((cause ?? error) as Error).message}`)
    return false
  }
}

function count(db: DatabaseSync, table: 'parcels' | 'account'): number {
  return Number(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n)
}

function summarize({ findings, parcels, accounts, ledgerRows }: Report): string {
  const n = (count: number) => count.toLocaleString('en-US')
  const looked = `${n(parcels)} parcels, ${n(accounts)} accounts, ${n(ledgerRows)} ledger rows`
  if (findings.length === 0) return `${looked}: all as it should be`
  return `${looked}: ${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}`
}

/** `where`: a file or a server. */
type Finding = { where: string; problem: string }
/** `places`: for PostgreSQL, the servers and nodes with their content. */
type Report = {
  findings: Finding[]
  parcels: number
  accounts: number
  ledgerRows: number
  places?: RollPlace[]
  /** Servers, or the file, without valid page checksums. */
  unsummed?: string[]
}

/** Verifies the ledger and returns its rows. `noted`: heads recorded outside the store. */
async function checkLedger(
  io: CommandIo,
  ledger: LedgerStore,
  noted: KeptHeads[],
  find: (problem: string) => void,
): Promise<number> {
  const { rows, bad } = await verifyLedger(ledger, { noted })
  if (bad !== undefined) {
    const problem = describeBroken(bad)
    find(problem)
    await sendBrokenChain(io, problem)
  }
  return rows
}

/** Reports whether both layouts of a record are valid JSON. */
function canBeShown(parcel: StoredParcel): boolean {
  try {
    JSON.parse(renderParcel(parcel, 'nested'))
    JSON.parse(renderParcel(parcel, 'flat'))
    return true
  } catch {
    return false
  }
}

/** A backup without its secret looks complete but rejects every key. */
export function checkSecrets(config: Config, keysBySecret: ReadonlyMap<string, number>): string[] {
  const { data, keySecret } = config
  // `loadSecrets` would create one.
  const missing = keySecret === null && !existsSync(secretPath(data))
  const ids = new Set((missing ? [] : loadSecrets(data, keySecret)).map(({ id }) => id))
  const lost = [...keysBySecret].filter(([id]) => !ids.has(id))
  const keys = lost.reduce((sum, [, count]) => sum + count, 0)
  if (keys === 0) return []
  return [`${keys} valid keys are hashed under a secret that is not there; they answer 401`]
}

function showProgress(io: CommandIo, line: string): void {
  if (io.terminal) io.report(line)
}

/** An unreachable server is reported as a finding. */
async function checkDatabases(io: CommandIo, url: string): Promise<Report> {
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
  // The check of a data folder does not load what PostgreSQL needs.
  const rolls = await import('../../../store/postgres/check/rolls.ts')
  const { describeServer } = await import('../../../store/postgres/pool/connection.ts')
  const where = describeServer(url)
  const find = (where: string) => (problem: string) => void report.findings.push({ where, problem })
  try {
    const checked = await rolls.checkRolls(url, {
      readLastId: () => rolls.readLastParcelId(url),
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
    const noted = own === undefined ? [] : [own]
    report.ledgerRows = await checkLedger(io, accounts.ledger, noted, find(where))
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

function describePlaces(places: RollPlace[]): string[] {
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
