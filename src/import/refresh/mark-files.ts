/** Stores marks of earlier imports in `refresh` of the data folder: a cache, by scopes' tokens. */
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { makePrivateFolder } from '../../base/private-files.ts'
import { readJson, replaceFile } from '../../base/safe-files.ts'
import type { RollScope } from '../../store/history.ts'
import { MARK_WORDS } from './mark-table.ts'

type MarkHeader = {
  token: string
  /** Digest of everything except the row that determines the stored parcel. */
  context: string
  /** Date of the import, `YYYY-MM-DD`. */
  today: string
  /**
   * The earliest date that lay too far ahead and was read as a century before, or empty. Later it
   * is read as it is, so the marks end then.
   */
  horizon: string
  scopes: RollScope[]
  count: number
  crc: number
}

const TOKEN = /^[0-9a-f]{24}$/
const WRITE_MARKS = 4096

export function listMarkHeaders(dataDir: string): MarkHeader[] {
  const folder = join(dataDir, 'refresh')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json') && TOKEN.test(name.slice(0, -5)))
    .flatMap((name) => readJson<MarkHeader>(join(folder, name)) ?? [])
}

/** Reads the words of a file's marks; `undefined` when they do not match the header. */
export function readMarks(
  dataDir: string,
  { token, count, crc }: MarkHeader,
): Uint32Array | undefined {
  const path = join(dataDir, 'refresh', `${token}.marks`)
  const size = count * MARK_WORDS * 4
  if (!TOKEN.test(token) || !existsSync(path) || statSync(path).size !== size) return undefined
  const bytes = readFileSync(path)
  if (crc32(bytes) !== crc) return undefined
  // Copies the bytes when they are not aligned to 32-bit words.
  const { buffer, byteOffset } = byteOffsetIsWhole(bytes) ? bytes : Buffer.from(bytes)
  return new Uint32Array(buffer, byteOffset, count * MARK_WORDS)
}

const byteOffsetIsWhole = ({ byteOffset }: Buffer) => byteOffset % 4 === 0

/** Writes the marks, then their header under its final name, when both are complete. */
export async function writeMarks(
  dataDir: string,
  header: Omit<MarkHeader, 'count' | 'crc'>,
  marks: AsyncIterable<Uint32Array>,
): Promise<void> {
  const folder = join(dataDir, 'refresh')
  makePrivateFolder(folder)
  const path = join(folder, `${header.token}.marks`)
  const file = openSync(path, 'w', 0o600)
  const block = new Uint32Array(WRITE_MARKS * MARK_WORDS)
  let [held, count, crc] = [0, 0, 0]
  const flush = () => {
    const bytes = Buffer.from(block.buffer, 0, held * MARK_WORDS * 4)
    crc = crc32(bytes, crc)
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
    held = 0
  }
  try {
    for await (const words of marks) {
      block.set(words, held * MARK_WORDS)
      held += 1
      count += 1
      if (held === WRITE_MARKS) flush()
    }
    flush()
  } finally {
    closeSync(file)
  }
  const fullHeader: MarkHeader = { ...header, count, crc }
  replaceFile(join(folder, `${header.token}.json`), JSON.stringify(fullHeader))
}

/** Removes the files whose token no scope has any more. */
export function sweepMarks(dataDir: string, kept: ReadonlySet<string>): void {
  const folder = join(dataDir, 'refresh')
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    const token = name.replace(/\.\w+$/, '')
    if (TOKEN.test(token) && !kept.has(token)) rmSync(join(folder, name), { force: true })
  }
}
