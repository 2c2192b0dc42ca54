/** `platbook restore`: replaces a damaged folder by a backup; keeps changes that must stay. */
import { copyFileSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { withAccounts } from '../../../accounts/accounts-data.ts'
import { atEnd } from '../../../base/at-end.ts'
import { CommandError } from '../../../base/errors.ts'
import { makePrivateFolder } from '../../../base/private-files.ts'
import { beginChange, finishChange, needRoom, sizeOfFiles } from '../../../base/safe-files.ts'
import { copiesPath } from '../../../privacy/copies.ts'
import { suppressionSecretPath } from '../../../privacy/rules.ts'
import { enforce } from '../../../privacy/suppress.ts'
import { accountsPath, consolePath, lockImport, parcelsPath } from '../../../store/data-folder.ts'
import {
  headsPath,
  headsPlaces,
  type KeptHeads,
  readHeads,
  writeHeads,
} from '../../../store/heads.ts'
import { secretPath } from '../../../store/key-secret.ts'
import { checkpoint } from '../../../store/sqlite/checkpoint.ts'
import { openDatabase } from '../../../store/sqlite/connection.ts'
import { copyDatabase } from '../../../store/sqlite/copy.ts'
import { findChangedPages, renewPageSums, stampWritten } from '../../../store/sqlite/page-sums.ts'
import { type CommandIo, command, givenFolder } from '../../command.ts'
import { printResult } from '../../table.ts'
import { copyFolder, sizeOfStores } from './backup.ts'
import { checkSecrets } from './check.ts'
import { explainFull, ID_GAP, readDamaged, refuseFull, type Salvage } from './salvage.ts'

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

export const restoreCommand = command('restore', async ({ positionals }, io) => {
  const folder = givenFolder('restore', positionals[0])
  const report = await restore(folder, io)
  printResult(io, report, describe(report))
})

async function restore(folder: string, io: CommandIo): Promise<Report> {
  const { config } = io
  if (config.databaseUrl !== null) {
    throw new CommandError('restore is of the embedded store; pg_restore is PostgreSQL’s', 2)
  }
  finishChange(folder)
  if (!existsSync(accountsPath(folder)) && !existsSync(parcelsPath(folder))) {
    throw new CommandError(`there is no backup in ${folder}`)
  }
  makePrivateFolder(config.data)
  const unlock = lockImport(config.data)
  using _end = atEnd(unlock)
  refuseRunning(config.data)
  needRoom(config.data, sizeOfStores(folder) + sizeOfFiles([consolePath(config.data)]), 'restore')
  return await replaceStores(folder, io)
}

/** Makes the new files in a draft of the data folder; what is there stays until the last step. */
async function replaceStores(folder: string, io: CommandIo): Promise<Report> {
  const { data } = io.config
  const noted = await readHeads(headsPath(io.config)).catch(() => undefined)
  const old = listFiles(data)
  const time = new Date(io.now()).toISOString().replace(/[:.]/g, '-')
  const damaged = old.length === 0 ? null : join(data, `damaged-${time}`)
  const salvage = damaged === null ? undefined : readDamaged(data)
  const change = beginChange(data)
  try {
    const draft = { ...io, config: { ...io.config, data: change.draft } }
    const unknown = findDamage(folder)
    await copyFolder(folder, change.draft, io)
    await keepOwn(data, draft, unknown)
    const report: Report = {
      ...{ from: folder, damaged, revokedKeys: [], suspendedAccounts: [], suppressions: 0 },
      newestId: keepIds(change.draft, salvage),
      unknown: [...findMissing(folder, old), ...unknown, ...(salvage?.unread ?? [])],
    }
    const heads = await takeOver(draft, report, salvage, noted)
    closeStores(change.draft, unknown.length === 0)
    refuseRunning(data)
    change.commit(old, damaged ?? undefined)
    if (heads !== undefined) for (const at of headsPlaces(io.config)) await writeHeads(at, heads)
    return report
  } catch (error) {
    change.discard()
    // The draft is gone; what is wrong is in the backup.
    const { message } = error as Error
    if (error instanceof CommandError) error.message = message.replaceAll(change.draft, folder)
    throw explainFull(error, data)
  }
}

/** A backup of accounts alone lacks no rolls; an import always makes both stores. */
function findMissing(folder: string, old: readonly string[]): string[] {
  const hadRolls = [...readdirSync(folder), ...old].some((name) =>
    /^parcels\.(db|sums)$/.test(name),
  )
  const paths = [...(hadRolls ? [parcelsPath(folder)] : []), accountsPath(folder)]
  return paths.filter((path) => !existsSync(path)).map((path) => `${path} is missing`)
}

/** Compares the backup with its own checksums. */
function findDamage(folder: string): string[] {
  const path = parcelsPath(folder)
  if (!existsSync(path)) return []
  using db = openDatabase(path, { kind: 'parcels', synchronous: 'FULL', readOnly: true })
  const pages = findChangedPages(db)?.length
  if (pages === 0) return []
  if (pages === undefined)
    return [`${path} has no valid parcels.sums, so its pages were not checked`]
  return [`${pages} pages of ${path} changed after the backup: use another, or import again`]
}

/** Keeps what belongs to the folder and not to its rolls and accounts. */
async function keepOwn(data: string, draft: CommandIo, unknown: string[]): Promise<void> {
  const into = draft.config.data
  // The backup has no secret file when the secret is in a setting. It has no secret of suppressions
  // when it is older than the first one.
  for (const pathIn of [secretPath, suppressionSecretPath]) {
    const isMissing = existsSync(pathIn(data)) && !existsSync(pathIn(into))
    if (isMissing) copyFileSync(pathIn(data), pathIn(into))
  }
  if (existsSync(copiesPath(data))) copyFileSync(copiesPath(data), copiesPath(into))
  if (!existsSync(consolePath(data))) return
  const kept = `${consolePath(into)}.kept`
  try {
    const own = { kind: 'console', synchronous: 'FULL', readOnly: true } as const
    using db = openDatabase(consolePath(data), own)
    await copyDatabase(db, kept)
    renameSync(kept, consolePath(into))
  } catch (error) {
    refuseFull(error, data)
    rmSync(kept, { force: true })
    unknown.push(`who may use the console: ${(error as Error).message}`)
  }
}

/** Removes logs next to the databases, and restores the backup's checksums of pages. */
function closeStores(draft: string, isWhole: boolean): void {
  for (const path of [parcelsPath(draft), accountsPath(draft), consolePath(draft)]) {
    if (!existsSync(path)) continue
    const db = new DatabaseSync(path)
    try {
      if (path === parcelsPath(draft) && isWhole) {
        stampWritten(db)
        renewPageSums(db)
      } else checkpoint(db)
    } finally {
      db.close()
    }
    for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true })
  }
}

/** Requests exclusive access, which fails while another process has the file open. */
function refuseRunning(data: string): void {
  const path = accountsPath(data)
  if (!existsSync(path)) return
  try {
    using db = new DatabaseSync(path, { timeout: 0 })
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; ROLLBACK')
  } catch (error) {
    const busy = ((error as { errcode?: number }).errcode ?? 0) & 0xff
    // A file too damaged to be locked is not in use either.
    if (busy === 5) throw new CommandError(`${path} is in use: stop the service first`, 1, error)
  }
}

/** Names of the files that a restore replaces; locks, and folders of imports, stay. */
function listFiles(data: string): string[] {
  return readdirSync(data, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.lock'))
    .map(({ name }) => name)
}

/** Callers' cursors may have ids assigned after the backup: they must not lead elsewhere. */
function keepIds(data: string, salvage: Salvage | undefined): number | null {
  const path = parcelsPath(data)
  if (!existsSync(path)) return null
  using db = new DatabaseSync(path)
  const [row] = db.prepare("SELECT value FROM counters WHERE name = 'parcel'").all()
  const own = Number(row?.value ?? 0)
  const given = salvage === undefined ? own : (salvage.newestId ?? own + ID_GAP)
  const newest = Math.max(own, given)
  db.prepare("UPDATE counters SET value = ? WHERE name = 'parcel'").run(newest)
  return newest
}

/** Repeats later changes on the copy. Returns its newest rows; `undefined` without accounts. */
async function takeOver(
  io: CommandIo,
  report: Report,
  salvage: Salvage | undefined,
  noted: KeptHeads | undefined,
) {
  if (!existsSync(accountsPath(io.config.data))) return undefined
  const found = await withAccounts(io, async ({ admin, ledger }) => {
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
    report.unknown.push(...checkSecrets(io.config, await admin.keysBySecret(io.now())))
    await admin.noteLoss('restored from a backup', JSON.stringify(report))
    const heads = { at: io.now(), ...(await ledger.newest()) }
    return { heads, suppressions: await admin.suppressions() }
  })
  await writeHeads(headsPath(io.config), found.heads)
  // The parcels of the backup are older than some suppressions of the damaged folder.
  if (report.suppressions > 0) await enforce(io.config, found.suppressions, io.now())
  return found.heads
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
