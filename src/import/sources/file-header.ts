/** The columns of a text file on the web, from its beginning. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSource } from '../source.ts'
import { ask, type Web } from './web.ts'

/** Bytes that hold a header line and some rows. */
const START_BYTES = 262_144

/**
 * The columns; `null` where the beginning does not tell them: an archive, a binary table, a file
 * without a header.
 */
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
  // A NUL stands in binary tables and archives, and in no text but UTF-16.
  if (start.length === 0 || start.includes(0)) return null
  const folder = mkdtempSync(join(tmpdir(), 'platbook-look-'))
  try {
    const path = join(folder, 'start.txt')
    // The last line may be cut.
    const end = start.lastIndexOf(10)
    writeFileSync(path, end > 0 ? start.subarray(0, end + 1) : start)
    const options = { fits: () => true, geometry: false, onBytes: () => {} }
    for await (const { columns } of readSource([path], options)) {
      return [...columns]
    }
    return null
  } catch {
    // The beginning of a JSON document or of an archive is no whole file.
    return null
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
