/** Creates files and folders that only their owner may use, whatever the process's umask. */
import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CommandError } from './errors.ts'

const FOLDER_MODE = 0o700
const FILE_MODE = 0o600
/** Permission bits of group and others. */
const OTHERS = 0o077

/** Folders of the kernel; making one in `/proc` never ends in Node 26. */
const KERNELS = ['/proc/', '/sys/', '/dev/']
/** A file system of its own, in memory. */
const MEMORY = '/dev/shm/'

/** Makes a folder and missing ones above it with mode 0700; one that is there keeps its mode. */
export function makePrivateFolder(path: string): void {
  const whole = `${resolve(path)}/`
  const root = KERNELS.find((one) => whole.startsWith(one) && !whole.startsWith(MEMORY))
  if (root !== undefined && process.platform === 'linux') {
    throw new CommandError(
      `${path} lies in ${root} of the kernel, which keeps no files: name another`,
    )
  }
  const first = mkdirSync(path, { recursive: true, mode: FOLDER_MODE })
  // A umask may have removed the owner's own permissions.
  if (first !== undefined) chmodSync(path, FOLDER_MODE)
}

/** Creates an empty file with mode 0600 unless it exists; returns whether it was created. */
export function makePrivateFile(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx', FILE_MODE))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
  chmodSync(path, FILE_MODE)
  return true
}

/**
 * Lists what other users may access in a data folder and its folders: one sentence per path, with
 * the command that repairs it. Empty on Windows.
 */
export function findWideRights(folder: string): string[] {
  if (process.platform === 'win32') return []
  const paths = [folder, ...listEntries(folder)]
  const wide = paths.flatMap((path) => {
    const mode = modeOf(path)
    if (mode === undefined || (mode & OTHERS) === 0) return []
    return [`${path} may be used by other users (mode ${mode.toString(8).padStart(4, '0')})`]
  })
  if (wide.length === 0) return []
  return [...wide, `to close the data folder to others: chmod -R go= ${folder}`]
}

function listEntries(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name)
      if (!entry.isDirectory()) return [path]
      return [path, ...readdirSync(path).map((name) => join(path, name))]
    })
  } catch {
    return []
  }
}

/** Reads the mode of the entry itself; a link's own mode means nothing, so it counts as closed. */
function modeOf(path: string): number | undefined {
  try {
    const stat = lstatSync(path)
    return stat.isSymbolicLink() ? undefined : stat.mode & 0o777
  } catch {
    return undefined
  }
}
