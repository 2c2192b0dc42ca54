/**
 * Writes files so that a full disk, a kill or a power failure leaves the old ones or the new ones:
 * new bytes are synced under another name, and a rename is the last step.
 */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { atEnd } from './at-end.ts'
import { CommandError } from './errors.ts'
import { takeLock } from './lock.ts'
import { makePrivateFile, makePrivateFolder } from './private-files.ts'

/** Bytes left free beyond what is needed: logs, journals and the service go on writing. */
const SPARE = 4 * 1_048_576

/** Reads a JSON file that may be absent or damaged: then `undefined`. */
export function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T
  } catch {
    return undefined
  }
}

/** Throws `CommandError` when the disk has too little room. `what`: begins the sentence. */
export function needRoom(
  folder: string,
  bytes: number,
  what: string,
  free = freeBytes(folder),
): void {
  if (free >= bytes + SPARE) return
  throw new CommandError(
    `${what} needs about ${showMegabytes(bytes + SPARE)}, and the disk of ${folder} has ` +
      `${showMegabytes(free)} free; nothing was changed`,
  )
}

export function freeBytes(folder: string): number {
  let there = resolve(folder)
  while (!existsSync(there) && there !== dirname(there)) there = dirname(there)
  const disk = statfsSync(there)
  return disk.bavail * disk.bsize
}

/** Writes bytes as whole megabytes, rounded up: `1,204 MB`. */
function showMegabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6).toLocaleString('en-US')} MB`
}

/** Result codes of SQLite for a full disk: SQLITE_FULL and SQLITE_IOERR_SHMSIZE. */
const SQLITE_FULL = [13, 4874]

/** Reports whether an error says that a disk, a quota or a file is full. */
export function isDiskFull(error: unknown): boolean {
  const { errcode, code } = (error ?? {}) as { errcode?: number; code?: string }
  return ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code ?? '') || SQLITE_FULL.includes(errcode ?? 0)
}

/** Returns the bytes of some files together; missing ones count nothing. */
export function sizeOfFiles(paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + (existsSync(path) ? statSync(path).size : 0), 0)
}

/** Creates or replaces a file. It is on disk when this returns, with mode 0600 unless given. */
export function replaceFile(path: string, bytes: string | Uint8Array, mode = 0o600): void {
  const draft = writeDraft(path, bytes, mode)
  try {
    rename(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
  syncFolder(dirname(path))
}

/** Renames; a device or a pipe of that name would be gone for every program. */
function rename(draft: string, path: string): void {
  const old = statSync(path, { throwIfNoEntry: false })
  if (old?.isFile() === false) {
    const kind = old.isDirectory() ? 'a folder' : 'a device or a pipe'
    throw new CommandError(`${path} is ${kind}, which no file replaces`)
  }
  renameSync(draft, path)
}

/** Creates a file; never replaces one that another process has created meanwhile. */
export function createFile(path: string, bytes: string | Uint8Array): void {
  const draft = writeDraft(path, bytes, 0o600)
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  syncFolder(dirname(path))
}

/** Gives a written file its name: syncs it, renames it, and syncs the folder. */
export function putInPlace(draft: string, path: string): void {
  syncFile(draft)
  rename(draft, path)
  syncFolder(dirname(path))
}

/** The name is unique, because two processes may write at once. */
function writeDraft(path: string, bytes: string | Uint8Array, mode: number): string {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  const file = openSync(draft, 'wx', mode)
  try {
    const buffer = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
    for (let at = 0; at < buffer.length; ) at += writeSync(file, buffer, at)
    fsyncSync(file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
  return draft
}

export function syncFile(path: string): void {
  const handle = openSync(path, 'r+')
  using _end = atEnd(() => closeSync(handle))
  fsyncSync(handle)
}

/** Syncs the names in a folder to disk. Does nothing on Windows, which cannot. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(path, 'r')
  using _end = atEnd(() => closeSync(handle))
  fsyncSync(handle)
}

/** Files of a folder that are replaced together. */
export type FolderChange = ReturnType<typeof beginChange>

const DRAFT = '.draft'
/** A committed draft. Its rename is the moment at which the new files count. */
const COMMITTED = '.committed'
const MOVES = 'moves.json'
const LOCK = 'lock'
/** Begins the name of an empty file that identifies a draft. */
const NAME = '.of-'
const isName = (name: string) => name.startsWith(NAME)

type Moves = { aside: string | null; old: string[]; new: string[] }

/** Begins a change, one at a time per folder; continues a killed draft of `name`, drops others. */
export function beginChange(folder: string, name = '') {
  finishChange(folder)
  const draft = join(folder, DRAFT)
  const [kept] = existsSync(draft) ? readdirSync(draft).filter(isName) : []
  if (name === '' || kept !== `${NAME}${name}`) rmSync(draft, { recursive: true, force: true })
  makePrivateFolder(draft)
  if (name !== '') writeFileSync(join(draft, `${NAME}${name}`), '')
  return {
    /** A folder for the new files; nothing reads it before the commit. */
    draft,
    /** Puts the new files in place. `old`: the files that they replace, which move to `aside`. */
    commit(old: readonly string[] = [], aside?: string) {
      for (const one of readdirSync(draft).filter(isName)) rmSync(join(draft, one))
      const moves: Moves = { aside: aside ?? null, old: [...old], new: readdirSync(draft) }
      for (const name of moves.new) syncFile(join(draft, name))
      // What the moves need exists before they begin: a full disk must not stop them half way.
      makePrivateFile(join(draft, LOCK))
      replaceFile(join(draft, MOVES), JSON.stringify(moves))
      if (aside !== undefined) mkdirSync(aside, { mode: 0o700 })
      try {
        renameSync(draft, join(folder, COMMITTED))
      } catch (error) {
        if (aside !== undefined) rmdirSync(aside)
        throw error
      }
      syncFolder(folder)
      finishChange(folder)
    },
    /** Removes the draft. Does nothing after the commit. */
    discard: () => rmSync(draft, { recursive: true, force: true }),
  }
}

/** Finishes a killed commit before a folder is opened. Waits up to 10 s for another process. */
export function finishChange(folder: string): void {
  const committed = join(folder, COMMITTED)
  if (!existsSync(join(committed, MOVES))) return
  const unlock = takeLock(join(committed, LOCK), LOCK_MS)
  if (unlock === undefined) throw new CommandError(`another process changes the files of ${folder}`)
  using _end = atEnd(unlock)
  // The other process has finished it meanwhile.
  if (!existsSync(join(committed, MOVES))) return
  moveFiles(folder, JSON.parse(readFileSync(join(committed, MOVES), 'utf8')))
}

const LOCK_MS = 10_000

/** Each step may have been done before. */
function moveFiles(folder: string, { aside, old, new: made }: Moves): void {
  const committed = join(folder, COMMITTED)
  if (aside !== null) {
    for (const name of old) {
      const [from, to] = [join(folder, name), join(aside, name)]
      // A file of this name in the folder is the new one when the old one has moved already.
      if (!existsSync(to) && existsSync(from)) renameSync(from, to)
    }
    syncFolder(aside)
  }
  for (const name of made) {
    const from = join(committed, name)
    if (existsSync(from)) renameSync(from, join(folder, name))
  }
  syncFolder(folder)
  // Without the list of moves the rest is only a folder to remove.
  rmSync(join(committed, MOVES))
  syncFolder(committed)
  rmSync(committed, { recursive: true, force: true })
}
