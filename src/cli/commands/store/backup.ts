/** `platbook backup`: copies the data folder while the service runs. */
import { chmodSync, copyFileSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { readAccounts } from '../../../accounts/accounts-data.ts'
import { CommandError } from '../../../base/errors.ts'
import { makePrivateFolder } from '../../../base/private-files.ts'
import { beginChange, type FolderChange, needRoom, sizeOfFiles } from '../../../base/safe-files.ts'
import { noteCopy } from '../../../privacy/copies.ts'
import { suppressionSecretPath } from '../../../privacy/rules.ts'
import { accountsPath, checkFolder, consolePath, parcelsPath } from '../../../store/data-folder.ts'
import { headsPath } from '../../../store/heads.ts'
import { secretPath } from '../../../store/key-secret.ts'
import { shrinkLog } from '../../../store/sqlite/checkpoint.ts'
import { type DatabaseKind, openDatabase, refuseLost } from '../../../store/sqlite/connection.ts'
import { copyDatabase } from '../../../store/sqlite/copy.ts'
import { writeSumsOfCopy } from '../../../store/sqlite/page-sums.ts'
import { type CommandIo, command, givenFolder } from '../../command.ts'
import { printResult } from '../../table.ts'

type Copied = { name: string; bytes: number }

export const backupCommand = command('backup', async ({ positionals }, io) => {
  const folder = givenFolder('backup', positionals[0])
  const files = await backUp(folder, io)
  noteCopy(io.config.data, 'backup', folder, io.now())
  const secret = 'the server secret is set by PLATBOOK_KEY_SECRET and was not copied: keep it too'
  printResult(io, { folder, files }, [
    ...files.map(({ name, bytes }) => `${name}  ${bytes.toLocaleString('en-US')} bytes`),
    `the copy is in ${folder}`,
    ...(io.config.keySecret === null ? [] : [secret]),
  ])
})

/** Copies everything or nothing: the files get their names together, at the end. */
async function backUp(folder: string, io: CommandIo): Promise<Copied[]> {
  const { data, databaseUrl } = io.config
  if (databaseUrl !== null) {
    throw new CommandError(
      'backup is of the embedded store; pg_dump --schema=platbook copies what is in PostgreSQL',
      2,
    )
  }
  if (existsSync(data)) checkFolder(io.config)
  if (![parcelsPath(data), accountsPath(data)].some((path) => existsSync(path))) {
    throw new CommandError(`there is no data in ${data} to copy`)
  }
  // A copy without the accounts or rolls that once were there would replace the copy that has them.
  if (existsSync(headsPath(io.config))) await readAccounts(io, async () => {})
  refuseLost(parcelsPath(data))
  needRoom(folder, sizeOfStores(data), 'the backup')
  const made = makeFolder(folder)
  let change: FolderChange | undefined
  try {
    change = beginChange(folder)
    const parcels = parcelsPath(change.draft)
    const paths = await copyFolder(data, change.draft, io)
    // The copying changes the first page, so the copy needs its own checksums.
    const all = paths.flatMap((path) => (path === parcels ? [path, writeSumsOfCopy(path)] : path))
    const files = all.map((path) => ({ name: basename(path), bytes: statSync(path).size }))
    change.commit()
    return files
  } catch (error) {
    if (made) rmSync(folder, { recursive: true, force: true })
    else change?.discard()
    throw explain(error, folder)
  }
}

const STORES = [
  { kind: 'parcels', pathIn: parcelsPath },
  { kind: 'accounts', pathIn: accountsPath },
  { kind: 'console', pathIn: consolePath },
] as const

/** Bytes of the databases of a folder with their logs, which a copy takes at most. */
export function sizeOfStores(folder: string): number {
  const paths = STORES.map(({ pathIn }) => pathIn(folder))
  return sizeOfFiles(paths.flatMap((path) => [path, `${path}-wal`]))
}

/** Copies databases and secrets from one folder to another; returns the paths that it wrote. */
export async function copyFolder(from: string, to: string, io: CommandIo): Promise<string[]> {
  const copied: string[] = []
  for (const { kind, pathIn } of STORES) {
    copied.push(...(await copyStore(kind, pathIn(from), pathIn(to), io)))
  }
  return [...copied, ...copySecrets(from, to, io)]
}

/** Copied last: every copied key has its secret. Without theirs, suppressions match nobody. */
function copySecrets(from: string, to: string, { config }: CommandIo): string[] {
  const own = config.keySecret === null ? [secretPath] : []
  return [...own, suppressionSecretPath].flatMap((pathIn) => {
    if (!existsSync(pathIn(from))) return []
    copyFileSync(pathIn(from), pathIn(to))
    // A backup that went over another disk may have lost the mode.
    chmodSync(pathIn(to), 0o600)
    return [pathIn(to)]
  })
}

/** Any database may be missing: the first import creates one, the first account another. */
async function copyStore(
  kind: DatabaseKind,
  source: string,
  target: string,
  io: CommandIo,
): Promise<string[]> {
  if (!existsSync(source)) return []
  const db = openDatabase(source, { kind, synchronous: 'FULL', readOnly: true })
  try {
    let reportedTenth = 0
    await copyDatabase(db, target, (share) => {
      const tenth = Math.floor(share * 10)
      if (io.terminal && tenth > reportedTenth) io.report(`${basename(target)}, ${tenth * 10} %`)
      reportedTenth = tenth
    })
    return [target]
  } finally {
    db.close()
    shrinkLog(source, kind)
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
    const { code, message } = error as NodeJS.ErrnoException
    const why = code === 'ENOTDIR' ? 'it is a file, and no folder' : message
    throw new CommandError(`${folder} cannot be used: ${why}`, 1, error)
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
