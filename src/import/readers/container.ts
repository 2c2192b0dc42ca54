/** Unpacks what a file is wrapped in: gzip. */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { createGunzip } from 'node:zlib'
import type { SourceOptions } from '../source.ts'

/** One file, out of its wrapping. */
export type Part = {
  /** As shown to the person. */
  shown: string
  /** Name without the wrapping's ending: `roll.csv` of `roll.csv.gz`. */
  name: string
  bytes: AsyncIterable<Buffer>
}

const CHUNK = 1_048_576

/** The files within a file: itself, or what it wraps. */
export async function* unpack(path: string, options: SourceOptions): AsyncGenerator<Part> {
  const magic = await readStart(path, 4)
  const stream = createReadStream(path, { highWaterMark: CHUNK })
  stream.on('data', (chunk) => options.onBytes(chunk.length))
  stream.pause()
  if (magic[0] === 0x1f && magic[1] === 0x8b) {
    const gunzip = createGunzip({ chunkSize: CHUNK })
    stream.on('error', (error) => gunzip.destroy(error))
    yield { shown: path, name: basename(path).replace(/\.gz$/i, ''), bytes: stream.pipe(gunzip) }
    return
  }
  yield { shown: path, name: basename(path), bytes: stream as AsyncIterable<Buffer> }
}

async function readStart(path: string, length: number): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
