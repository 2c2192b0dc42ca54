/** `platbook backup`: copies the data folder while the service runs. */
import { copyFileSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { CommandError } from '../../../base/errors.ts'
import { makePrivateFolder } from '../../../base/private-files.ts'
import { noteCopy } from '../../../privacy/copies.ts'
import { accountsPath, parcelsPath } from '../../../store/data-folder.ts'
import { secretPath } from '../../../store/key-secret.ts'
import { type DatabaseKind, openDatabase } from '../../../store/sqlite/connection.ts'
import { copyDatabase, syncPath } from '../../../store/sqlite/copy.ts'
import { sumsPath, writeSumsOfCopy } from '../../../store/sqlite/page-sums.ts'
import { suppressionSecretPath } from '../../../store/suppressions.ts'
import { need, refuseMore } from '../../accounts-data.ts'
import type { Command, CommandIo } from '../../command.ts'

type Copied = { name: string; bytes: number }

/** `backup`: makes a consistent copy of the data folder while the service runs. */
export const backupCommand: Command = {
  name: 'backup',
  usage: 'DIR',
  summary: 'copies the data folder into a new or empty one; the service may be running',
  example: 'platbook backup /backups/platbook-$(date +%F)',
  options: {},
  more: `Copies parcels.db, accounts.db, the secret of suppressions, and the server secret,
without which no key in accounts.db is valid: protect the copy like the data folder. Each database
is copied as a snapshot, accounts.db last. To restore, stop the service and run platbook restore
DIR. Rejected rows of imports are not copied.`,
  async run({ positionals }, io) {
    const folder = need(positionals, 0, 'backup DIR')
    refuseMore(positionals, 1, 'backup DIR')
    const files = await backUp(folder, io)
    noteCopy(io.config.data, 'backup', folder, io.now())
    if (io.json) {
      io.print(JSON.stringify({ folder, files }))
      return
    }
    for (const { name, bytes } of files) io.print(`${name}  ${bytes.toLocaleString('en-US')} bytes`)
    io.print(`the copy is in ${folder}`)
    if (io.config.keySecret !== null) {
      io.print('the server secret is set by PLATBOOK_KEY_SECRET and was not copied: keep it too')
    }
  },
}

/** Copies everything or nothing: after a failure the partial copy is removed. */
async function backUp(folder: string, io: CommandIo): Promise<Copied[]> {
  const { data, databaseUrl } = io.config
  if (databaseUrl !== null) {
    throw new CommandError(
      'backup is of the embedded store; pg_dump --schema=platbook copies what is in PostgreSQL',
      2,
    )
  }
  if (![parcelsPath(data), accountsPath(data)].some((path) => existsSync(path))) {
    throw new CommandError(`there is no data in ${data} to copy`)
  }
  const made = makeFolder(folder)
  const copied: string[] = []
  try {
    const files: Copied[] = []
    for (const copy of [
      ...[copyParcels, sumParcels, copyAccounts, copySecret, copySuppressionSecret],
    ]) {
      const path = await copy(folder, io, (target) => copied.push(target))
      if (path !== undefined) files.push({ name: basename(path), bytes: statSync(path).size })
    }
    if (process.platform !== 'win32') syncPath(folder)
    return files
  } catch (error) {
    for (const path of copied) rmSync(path, { force: true })
    if (made) rmSync(folder, { recursive: true, force: true })
    throw explain(error, folder)
  }
}

type Copy = (
  folder: string,
  io: CommandIo,
  begin: (target: string) => void,
) => Promise<string | undefined>

export const copyParcels: Copy = (folder, io, begin) =>
  copyStore('parcels', parcelsPath(io.config.data), parcelsPath(folder), io, begin)

/** The copying changes the first page, so the copy needs its own checksums. */
const sumParcels: Copy = async (folder, _io, begin) => {
  if (!existsSync(parcelsPath(folder))) return undefined
  begin(sumsPath(parcelsPath(folder)))
  return writeSumsOfCopy(parcelsPath(folder))
}

export const copyAccounts: Copy = (folder, io, begin) =>
  copyStore('accounts', accountsPath(io.config.data), accountsPath(folder), io, begin)

/** Copied last, so that every key in the copied accounts has its secret. */
export const copySecret: Copy = async (folder, io, begin) => {
  const source = secretPath(io.config.data)
  if (io.config.keySecret !== null || !existsSync(source)) return undefined
  const target = secretPath(folder)
  begin(target)
  // Keeps the mode, so that only the owner may read it.
  copyFileSync(source, target)
  syncPath(target)
  return target
}

/** Without this secret the copied suppressions match no parcel. */
export const copySuppressionSecret: Copy = async (folder, io, begin) => {
  const source = suppressionSecretPath(io.config.data)
  if (!existsSync(source)) return undefined
  const target = suppressionSecretPath(folder)
  begin(target)
  copyFileSync(source, target)
  syncPath(target)
  return target
}

/** Either database may be missing: the first import creates one, the first account the other. */
async function copyStore(
  kind: DatabaseKind,
  source: string,
  target: string,
  io: CommandIo,
  begin: (target: string) => void,
): Promise<string | undefined> {
  if (!existsSync(source)) return undefined
  const db = openDatabase(source, { kind: kind, synchronous: 'FULL', readOnly: true })
  try {
    begin(target)
    let reportedTenth = 0
    await copyDatabase(db, target, (share) => {
      const tenth = Math.floor(share * 10)
      if (io.terminal && tenth > reportedTenth) io.report(`${basename(target)}, ${tenth * 10} %`)
      reportedTenth = tenth
    })
    return target
  } finally {
    db.close()
  }
}

/** Reports whether it created the folder; throws when the folder is not empty. */
function makeFolder(folder: string): boolean {
  try {
    if (!existsSync(folder)) {
      makePrivateFolder(folder)
      return true
    }
    if (readdirSync(folder).length === 0) return false
  } catch (error) {
    throw new CommandError(`${folder} cannot be used: ${(error as Error).message}`, 1, error)
  }
  throw new CommandError(`${folder} is not empty; a backup needs a new or empty folder`)
}

function explain(error: unknown, folder: string): unknown {
  if (error instanceof CommandError) return error
  return new CommandError(
    `nothing was copied into ${folder}: ${(error as Error).message}`,
    1,
    error,
  )
}
