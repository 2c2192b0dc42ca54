/**
 * `platbook restore`: replaces a damaged data folder by a backup, and keeps later changes that must
 * not be undone.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { withAccounts } from '../../../accounts/accounts-data.ts'
import { CommandError } from '../../../base/errors.ts'
import { makePrivateFolder } from '../../../base/private-files.ts'
import { copiesPath } from '../../../privacy/copies.ts'
import { enforce } from '../../../privacy/suppress.ts'
import { accountsPath, parcelsPath } from '../../../store/data-folder.ts'
import {
  headsPath,
  headsPlaces,
  type KeptHeads,
  readHeads,
  writeHeads,
} from '../../../store/heads.ts'
import { secretPath } from '../../../store/key-secret.ts'
import { syncPath } from '../../../store/sqlite/copy.ts'
import { suppressionSecretPath } from '../../../store/suppressions.ts'
import { need, refuseMore } from '../../accounts-data.ts'
import type { Command, CommandIo } from '../../command.ts'
import { copyAccounts, copyParcels, copySecret, copySuppressionSecret } from './backup.ts'
import { ID_GAP, readDamaged, type Salvage } from './salvage.ts'

type Report = {
  from: string
  /** Where the damaged files were moved; null when there were none. */
  damaged: string | null
  revokedKeys: string[]
  suspendedAccounts: string[]
  /** Number of suppressions added or ended after the backup. */
  suppressions: number
  /** Record IDs up to this one are not assigned again. */
  newestId: number | null
  /** Sentences on later changes that cannot be known. */
  unknown: string[]
}

/** `restore`: makes a backup the data folder; refuses when the folder is in use. */
export const restoreCommand: Command = {
  name: 'restore',
  usage: 'DIR',
  summary: 'puts a backup into the data folder; what was revoked or suspended since stays so',
  example: 'platbook restore /backups/platbook-2026-03-10 --data ./data',
  options: {},
  more: `Stop the service first. The files of the data folder are moved to a folder damaged-… in
it, and what is readable there is kept: keys revoked, accounts suspended and people suppressed
after the backup stay so, and no record ID is assigned twice. Charges, accounts and keys made
after the backup are lost; they are listed. Import the rolls again to get later parcels back.`,
  async run({ positionals }, io) {
    const folder = need(positionals, 0, 'restore DIR')
    refuseMore(positionals, 1, 'restore DIR')
    const report = await restore(folder, io)
    if (io.json) io.print(JSON.stringify(report))
    else for (const line of describe(report)) io.print(line)
  },
}

async function restore(folder: string, io: CommandIo): Promise<Report> {
  const { config } = io
  if (config.databaseUrl !== null) {
    throw new CommandError('restore is of the embedded store; pg_restore is PostgreSQL’s', 2)
  }
  if (!existsSync(accountsPath(folder)) && !existsSync(parcelsPath(folder))) {
    throw new CommandError(`there is no backup in ${folder}`)
  }
  makePrivateFolder(config.data)
  const noted = await readHeads(headsPath(config)).catch(() => undefined)
  refuseRunning(config.data)
  const damaged = moveAside(config.data, io.now())
  const salvage = damaged === null ? undefined : readDamaged(damaged)
  const backup = { ...io, config: { ...config, data: folder } }
  const copied: string[] = []
  try {
    for (const copy of [copyParcels, copyAccounts, copySecret, copySuppressionSecret]) {
      await copy(config.data, backup, (path) => copied.push(path))
    }
  } catch (error) {
    for (const path of copied) rmSync(path, { force: true })
    if (damaged !== null) moveBack(damaged, config.data)
    throw error
  }
  // The backup has no secret file when the secret is in a setting.
  if (damaged !== null && !existsSync(secretPath(config.data)) && existsSync(secretPath(damaged))) {
    renameSync(secretPath(damaged), secretPath(config.data))
  }
  keepSuppressionSecret(config.data, damaged)
  if (damaged !== null && existsSync(copiesPath(damaged))) {
    copyFileSync(copiesPath(damaged), copiesPath(config.data))
  }
  const report: Report = {
    ...{ from: folder, damaged, revokedKeys: [], suspendedAccounts: [], suppressions: 0 },
    newestId: keepIds(config.data, salvage),
    unknown: salvage?.unread ?? [],
  }
  if (existsSync(accountsPath(config.data))) {
    await takeOver(io, report, salvage, noted)
    const all = await withAccounts(io, ({ admin }) => admin.suppressions())
    // The parcels of the backup are older than some suppressions of the damaged folder.
    if (report.suppressions > 0) await enforce(config, all, io.now())
  }
  syncPath(config.data)
  return report
}

/** Copies the damaged folder's secret when the backup is older than the first suppression. */
function keepSuppressionSecret(data: string, damaged: string | null): void {
  if (damaged === null) return
  const [own, old] = [suppressionSecretPath(data), suppressionSecretPath(damaged)]
  if (!existsSync(own) && existsSync(old)) renameSync(old, own)
}

/** Requests exclusive access, which fails while another process has the file open. */
function refuseRunning(data: string): void {
  const path = accountsPath(data)
  if (!existsSync(path)) return
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(path, { timeout: 0 })
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; ROLLBACK')
  } catch (error) {
    const busy = ((error as { errcode?: number }).errcode ?? 0) & 0xff
    // A file too damaged to be locked is not in use either.
    if (busy === 5) throw new CommandError(`${path} is in use: stop the service first`, 1, error)
  } finally {
    db?.close()
  }
}

/**
 * Moves all files of the data folder to a subfolder; files of imports and earlier restores stay.
 */
function moveAside(data: string, now: number): string | null {
  const files = readdirSync(data, { withFileTypes: true }).filter((entry) => entry.isFile())
  if (files.length === 0) return null
  const folder = join(data, `damaged-${new Date(now).toISOString().replace(/[:.]/g, '-')}`)
  mkdirSync(folder, { mode: 0o700 })
  for (const { name } of files) renameSync(join(data, name), join(folder, name))
  return folder
}

function moveBack(damaged: string, data: string): void {
  for (const name of readdirSync(damaged)) renameSync(join(damaged, name), join(data, name))
  rmSync(damaged, { recursive: true })
}

/**
 * Callers' cursors may contain ids assigned after the backup, which must not lead to other parcels.
 */
function keepIds(data: string, salvage: Salvage | undefined): number | null {
  const path = parcelsPath(data)
  if (!existsSync(path)) return null
  const db = new DatabaseSync(path)
  try {
    const [row] = db.prepare("SELECT value FROM counters WHERE name = 'parcel'").all()
    const own = Number(row?.value ?? 0)
    const given = salvage === undefined ? own : (salvage.newestId ?? own + ID_GAP)
    const newest = Math.max(own, given)
    db.prepare("UPDATE counters SET value = ? WHERE name = 'parcel'").run(newest)
    return newest
  } finally {
    db.close()
  }
}

async function takeOver(
  io: CommandIo,
  report: Report,
  salvage: Salvage | undefined,
  noted: KeptHeads | undefined,
): Promise<void> {
  await withAccounts(io, async ({ admin, ledger }) => {
    for (const [id, at] of salvage?.revoked ?? []) {
      const key = await admin.key(id)
      if (key === undefined || (key.revokedAt !== null && key.revokedAt <= at)) continue
      await admin.revokeKey(id, at)
      report.revokedKeys.push(id)
    }
    for (const id of salvage?.suspended ?? []) {
      if ((await admin.account(id))?.facts.suspended !== false) continue
      await admin.changeFacts(id, (facts) => ({ ...facts, suspended: true }))
      report.suspendedAccounts.push(id)
    }
    const known = new Map((await admin.suppressions()).map((one) => [one.id, one]))
    const missing = (salvage?.suppressions ?? []).filter((one) => {
      const kept = known.get(one.id)
      return kept === undefined || kept.endedAt !== one.endedAt
    })
    if (missing.length > 0) await admin.putSuppressions(missing)
    report.suppressions = missing.length
    const newest = await ledger.newest()
    report.unknown.push(...describeMissing(newest.ledger.id, salvage, noted))
    await admin.noteLoss('restored from a backup', JSON.stringify(report))
    const heads = { at: io.now(), ...(await ledger.newest()) }
    for (const place of headsPlaces(io.config)) await writeHeads(place, heads)
  })
}

function describeMissing(
  newestId: number,
  salvage: Salvage | undefined,
  noted: KeptHeads | undefined,
): string[] {
  const last = Math.max(noted?.ledger.id ?? 0, salvage?.ledgerRows ?? 0)
  if (last <= newestId) return []
  return [`charges and corrections ${newestId + 1} to ${last} of the ledger are not in the backup`]
}

function describe(report: Report): string[] {
  const { from, damaged, revokedKeys, suspendedAccounts, suppressions, newestId, unknown } = report
  return [
    `restored from ${from}`,
    ...(damaged === null ? [] : [`what was there is in ${damaged}`]),
    `revoked again: ${revokedKeys.join(', ') || 'no key'}`,
    `suspended again: ${suspendedAccounts.join(', ') || 'no account'}`,
    `suppressed again: ${suppressions === 0 ? 'nothing' : suppressions}`,
    ...(newestId === null ? [] : [`record IDs up to ${newestId} are not given again`]),
    ...unknown.map((sentence) => `not known: ${sentence}`),
  ]
}
