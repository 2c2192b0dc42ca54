/** Writes a sample to disk, completely or not at all. */
import { createWriteStream, rmSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CommandError } from '../base/errors.ts'
import { putInPlace } from '../base/safe-files.ts'
import { type SampleOptions, sampleCsv } from './generate.ts'

/** Writes the CSV to a stream with backpressure; the stream stays open. */
export async function writeSample(
  options: SampleOptions,
  to: NodeJS.WritableStream,
): Promise<void> {
  await pipeline(Readable.from(sampleCsv(options)), to, { end: false })
}

/**
 * Writes the CSV to a temporary file and renames it. Throws `CommandError` for a missing or
 * read-only folder, and for a full disk.
 */
export async function writeSampleFile(options: SampleOptions, path: string): Promise<void> {
  const part = `${path}.${process.pid}.part`
  try {
    await pipeline(Readable.from(sampleCsv(options)), createWriteStream(part))
    putInPlace(part, path)
  } catch (error) {
    rmSync(part, { force: true })
    const reason = REASONS[(error as NodeJS.ErrnoException).code ?? '']
    if (reason === undefined) throw error
    throw new CommandError(`${path} cannot be written: ${reason}`, 1, error)
  }
}

const REASONS: Record<string, string> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder is a file',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full; nothing is left of it',
}
