/** Writes a file that only gets its name when it is complete. */
import { existsSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CommandError } from '../base/errors.ts'
import { takeLock } from '../base/lock.ts'
import { isDiskFull, putInPlace } from '../base/safe-files.ts'

export type NewFile = {
  write(bytes: Uint8Array | string): Promise<void>
  /** Syncs the file to disk and gives it its name. Resolves with its size. */
  finish(): Promise<number>
  /** Deletes what was written. Does nothing after `finish`. */
  discard(): Promise<void>
}

/**
 * Starts a file as `path.part`, over that of a killed command. Throws `CommandError` when `path`
 * exists without `overwrite`, another command writes it, or the disk refuses, also later.
 */
export async function beginFile(path: string, overwrite: boolean): Promise<NewFile> {
  const part = `${path}.part`
  const explained = <Result>(work: Promise<Result>) =>
    work.catch((error: unknown) => {
      throw explain(error, path)
    })
  refuseExisting(path, overwrite)
  const { handle, release } = await explained(openPart(part))
  let size = 0
  let isNamed = false
  async function finish() {
    await handle.close()
    refuseExisting(path, overwrite)
    putInPlace(part, path)
    isNamed = true
    release()
    return size
  }
  return {
    async write(bytes) {
      const buffer = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
      size += buffer.length
      await explained(handle.writeFile(buffer))
    },
    finish: () => explained(finish()),
    async discard() {
      if (isNamed) return
      await handle.close()
      rmSync(part, { force: true })
      release()
    },
  }
}

/** Opens a part under a lock. A lock without a holder and its part are of a killed command. */
async function openPart(part: string) {
  const lock = `${part}.lock`
  const isLeft = existsSync(lock)
  const unlock = takeLock(lock)
  if (unlock === undefined) throw new CommandError(`another command writes ${part}`)
  // A lock that is removed while it is held is nobody else's.
  const release = () => {
    rmSync(lock, { force: true })
    unlock()
  }
  try {
    return { handle: await open(part, isLeft ? 'w' : 'wx'), release }
  } catch (error) {
    release()
    throw error
  }
}

function refuseExisting(path: string, overwrite: boolean): void {
  if (overwrite || !existsSync(path)) return
  throw new CommandError(`${path} is there already; --overwrite replaces it`)
}

function explain(error: unknown, path: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EEXIST') {
    return new CommandError(`${path}.part is another program's; remove it first`, 1, error)
  }
  if (code === 'ENOENT')
    return new CommandError(`the folder ${dirname(path)} does not exist`, 1, error)
  if (isDiskFull(error)) {
    return new CommandError(`no room on the disk of ${path}: nothing was exported`, 1, error)
  }
  if (code !== undefined) return new CommandError(`${path} cannot be written: ${message}`, 1, error)
  return error
}
