/** Reads the columns of a text file on the web from its first bytes. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSource } from '../source.ts'
import { makeTemporary } from '../temporary.ts'
import { ask, type Web } from './web.ts'

/** Bytes that contain a header line and some rows. */
const START_BYTES = 262_144

/** The columns, or `null` when the first bytes do not show them, as of an archive. */
export async function readHeader(web: Web, address: string): Promise<string[] | null> {
  const range = `bytes=0-${START_BYTES - 1}`
  const { status, body } = await ask(web, { url: address, plain: true, headers: { range } })
  if (status !== 200 && status !== 206) {
    body.destroy()
    return null
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= START_BYTES) break
  }
  return readColumns(Buffer.concat(chunks).subarray(0, START_BYTES))
}

async function readColumns(start: Buffer): Promise<string[] | null> {
  // Binary tables and archives contain NULs; text does so only in UTF-16.
  if (start.length === 0 || start.includes(0)) return null
  const folder = makeTemporary()
  try {
    const path = join(folder.path, 'start.txt')
    // The last line may be incomplete.
    const end = start.lastIndexOf(10)
    writeFileSync(path, end > 0 ? start.subarray(0, end + 1) : start)
    const options = { fits: () => true, geometry: false, onBytes: () => {} }
    for await (const { columns } of readSource([path], options)) {
      return [...columns]
    }
    return null
  } catch {
    // A truncated JSON document or archive cannot be parsed.
    return null
  } finally {
    folder.remove()
  }
}
