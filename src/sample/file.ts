/** Writes a sample to disk, completely or not at all. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { beginFile } from '../export/new-file.ts'
import { type SampleOptions, sampleCsv } from './generate.ts'

/** Writes the CSV to a stream with backpressure; the stream stays open. */
export async function writeSample(
  options: SampleOptions,
  to: NodeJS.WritableStream,
): Promise<void> {
  await pipeline(Readable.from(sampleCsv(options)), to, { end: false })
}

/** Writes the CSV to a new file or over an old one. Throws `CommandError` when the disk refuses. */
export async function writeSampleFile(options: SampleOptions, path: string): Promise<void> {
  const file = await beginFile(path, true)
  try {
    for (const lines of sampleCsv(options)) await file.write(lines)
    await file.finish()
  } finally {
    await file.discard()
  }
}
