/** Sentences for errors that a person at the command line can do something about. */
import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { CommandError, DamagedData, Refusal } from '../base/errors.ts'
import { isDiskFull } from '../base/safe-files.ts'
import { readTable } from '../base/tables.ts'

/** Sentences for system errors on files and folders, for commands without a better one. */
const FILE_FAULTS = new Map(
  readTable('file-faults.tsv').map((line) => line.split('\t') as [string, string]),
)

/**
 * Turns a file-system error into a sentence that names the file. Returns other errors unchanged.
 * `values`: of the command, because the error of reading a folder does not name it.
 */
export function explainFiles(error: unknown, values: readonly string[] = []): unknown {
  const { code, path: named, syscall } = (error ?? {}) as NodeJS.ErrnoException
  const path = named ?? (code === 'EISDIR' ? findFolder(values) : undefined)
  const fault = FILE_FAULTS.get(isDiskFull(error) ? 'ENOSPC' : (code ?? ''))
  if (isDiskFull(error) && path === undefined) {
    return new CommandError('the disk is full: make room, and run the command again', 1, error)
  }
  if (!(error instanceof Error) || fault === undefined || syscall === undefined) return error
  if (code === 'ENOENT' && path !== undefined && !existsSync(dirname(path))) {
    return new CommandError(`the folder ${dirname(path)} does not exist`, 1, error)
  }
  return new CommandError(path === undefined ? error.message : `${path} ${fault}`, 1, error)
}

/** The last one: `sources add FOLDER` may be run where a folder is called `sources`. */
function findFolder(values: readonly string[]): string | undefined {
  return values.findLast((word) => existsSync(word) && statSync(word).isDirectory())
}

/** Turns refusals into sentences, damaged data into instructions; returns others unchanged. */
export function explainRefusal(error: unknown): unknown {
  if (error instanceof DamagedData) {
    const next = 'platbook check says where, platbook restore puts a backup in its place'
    return new CommandError(`${error.message}; ${next}`, 1, error)
  }
  if (!(error instanceof Refusal)) return error
  const { cause } = error
  const [said] = cause instanceof Error ? cause.message.split('\n', 1) : []
  return new CommandError(
    said === undefined ? error.message : `${error.message}: ${said}`,
    1,
    error,
  )
}
