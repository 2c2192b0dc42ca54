/** Writes a file that only gets its name when it is complete. */
import { existsSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CommandError } from '../base/errors.ts'
import { isDiskFull, putInPlace } from '../base/safe-files.ts'

export type NewFile = {
  write(bytes: Uint8Array | string): Promise<void>
  /** Syncs the file to disk and gives it its name. Resolves with its size. */
  finish(): Promise<number>
  /** Deletes what was written. Does nothing after `finish`. */
  discard(): Promise<void>
}

/**
 * Starts a file as `path.part`. Throws `CommandError` when `path` exists without `overwrite`, or
 * the disk refuses, also later.
 */
export async function beginFile(path: string, overwrite: boolean): Promise<NewFile> {
  const part = `${path}.part`
  refuseExisting(path, overwrite)
  const handle = await open(part, 'wx').catch((error: unknown) => {
    throw explain(error, path, part)
  })
  let size = 0
  let isOpen = true
  const close = async () => {
    if (isOpen) await handle.close()
    isOpen = false
  }
  return {
    async write(bytes) {
      const buffer = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
      size += buffer.length
      try {
        await writeAll(handle, buffer)
      } catch (error) {
        throw explain(error, path, part)
      }
    },
    async finish() {
      try {
        await close()
        refuseExisting(path, overwrite)
        putInPlace(part, path)
        return size
      } catch (error) {
        throw explain(error, path, part)
      }
    },
    async discard() {
      await close()
      rmSync(part, { force: true })
    },
  }
}

async function writeAll(handle: FileHandle, buffer: Uint8Array): Promise<void> {
  for (let at = 0; at < buffer.length; ) {
    const { bytesWritten } = await handle.write(buffer, at)
    at += bytesWritten
  }
}

function refuseExisting(path: string, overwrite: boolean): void {
  if (overwrite || !existsSync(path)) return
  throw new CommandError(`${path} is there already; --overwrite replaces it`)
}

function explain(error: unknown, path: string, part: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EEXIST') {
    return new CommandError(
      `${part} is there: another export writes it, or one was killed. Remove it, and export again.`,
      1,
      error,
    )
  }
  if (code === 'ENOENT')
    return new CommandError(`the folder ${dirname(path)} does not exist`, 1, error)
  if (isDiskFull(error)) {
    return new CommandError(`no room on the disk of ${path}: nothing was exported`, 1, error)
  }
  if (code !== undefined) return new CommandError(`${path} cannot be written: ${message}`, 1, error)
  return error
}
