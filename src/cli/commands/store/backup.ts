/** `platbook backup`: a copy of the data folder, made while the service runs. */
import { copyFileSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { CommandError } from '../../../errors.ts'
import { noteCopy } from '../../../privacy/copies.ts'
import { makePrivateFolder } from '../../../private-files.ts'
import { accountsPath, parcelsPath } from '../../../store/data-folder.ts'
import { secretPath } from '../../../store/key-secret.ts'
import { type DatabaseKind, openDatabase } from '../../../store/sqlite/connection.ts'
import { copyDatabase, syncPath } from '../../../store/sqlite/copy.ts'
import { sumsPath, writeSumsOfCopy } from '../../../store/sqlite/page-sums.ts'
import { suppressionSecretPath } from '../../../store/suppressions.ts'
import { need, refuseMore } from '../../accounts-data.ts'
import type { Command, CommandIo } from '../../command.ts'

type Copied = { name: string; bytes: number }

/** `backup`: a copy of the data folder that is whole at one moment, while the service runs. */
export const backupCommand: Command = {
  name: 'backup',
  usage: 'DIR',
  summary: 'copies the data folder into a new or empty one; the service may be running',
  example: 'platbook backup /backups/platbook-$(date +%F)',
  options: {},
  more: `Copied are parcels.db, accounts.db, the secret of suppressions and the server secret, without which no key of accounts.db
is valid: keep the copy as closed as the data folder itself. Each database is copied as it stands at one moment, the accounts last.
To restore, stop the service and run platbook restore DIR. Rejected rows of imports are not copied.`,
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
      io.print('the server secret stands in PLATBOOK_KEY_SECRET and was not copied: keep it too')
    }
  },
}

/** Whole or not at all: what was copied before a failure is taken away again. */
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

/** Backing up changes the first page, so that the copy needs checksums of its own. */
const sumParcels: Copy = async (folder, _io, begin) => {
  if (!existsSync(parcelsPath(folder))) return undefined
  begin(sumsPath(parcelsPath(folder)))
  return writeSumsOfCopy(parcelsPath(folder))
}

export const copyAccounts: Copy = (folder, io, begin) =>
  copyStore('accounts', accountsPath(io.config.data), accountsPath(folder), io, begin)

/** Last, so that no key of the copied accounts is hashed under a secret that came after it. */
export const copySecret: Copy = async (folder, io, begin) => {
  const source = secretPath(io.config.data)
  if (io.config.keySecret !== null || !existsSync(source)) return undefined
  const target = secretPath(folder)
  begin(target)
  // Keeps the mode: only its owner may read it.
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

/**
 * Either database may not be there yet: the first import makes one, the first account the other.
 */
async function copyStore(
  kind: DatabaseKind,
  source: string,
  target: string,
  io: CommandIo,
  begin: (target: string) => void,
): Promise<string | undefined> {
  if (!existsSync(source)) return undefined
  const db = openDatabase(source, { migrations: kind, synchronous: 'FULL', readOnly: true })
  try {
    begin(target)
    let told = 0
    await copyDatabase(db, target, (share) => {
      const tenth = Math.floor(share * 10)
      if (io.terminal && tenth > told) io.report(`${basename(target)}, ${tenth * 10} %`)
      told = tenth
    })
    return target
  } finally {
    db.close()
  }
}

/** Whether the folder was made here; throws when something is in it. */
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
