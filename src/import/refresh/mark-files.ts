/**
 * Marks of earlier imports as files in the folder `refresh` of the data folder.
 *
 * They are a cache: where a file is missing, damaged or out of date, every row is read. A file
 * belongs to a token that the store keeps of each scope until anything changes the scope.
 */
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { makePrivateFolder } from '../../private-files.ts'
import type { RollScope } from '../../store/history.ts'
import { MARK_WORDS } from './mark-table.ts'

/** What a file of marks says of itself. */
type MarkHead = {
  token: string
  /** Digest of all that decides what a row becomes. */
  context: string
  /** `YYYY-MM-DD` of the import. */
  today: string
  /** The earliest date that counted as a century ahead; empty: none did. */
  horizon: string
  scopes: RollScope[]
  count: number
  crc: number
}

const TOKEN = /^[0-9a-f]{24}$/
const WRITE_MARKS = 65_536

/** Heads of the files that are there. */
export function listMarkHeads(dataDir: string): MarkHead[] {
  const folder = join(dataDir, 'refresh')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json') && TOKEN.test(name.slice(0, -5)))
    .flatMap((name) => {
      try {
        return [JSON.parse(readFileSync(join(folder, name), 'utf8')) as MarkHead]
      } catch {
        return []
      }
    })
}

/** The words of a file's marks; `undefined` where the file is not what its head says. */
export function readMarks(
  dataDir: string,
  { token, count, crc }: MarkHead,
): Uint32Array | undefined {
  const path = join(dataDir, 'refresh', `${token}.marks`)
  const size = count * MARK_WORDS * 4
  if (!TOKEN.test(token) || !existsSync(path) || statSync(path).size !== size) return undefined
  const bytes = readFileSync(path)
  if (crc32(bytes) !== crc) return undefined
  // A copy where the bytes do not begin at a word.
  const { buffer, byteOffset } = byteOffsetIsWhole(bytes) ? bytes : Buffer.from(bytes)
  return new Uint32Array(buffer, byteOffset, count * MARK_WORDS)
}

const byteOffsetIsWhole = ({ byteOffset }: Buffer) => byteOffset % 4 === 0

/** Writes marks and their head; the head comes last, under its name when both are whole. */
export async function writeMarks(
  dataDir: string,
  head: Omit<MarkHead, 'count' | 'crc'>,
  marks: AsyncIterable<Uint32Array>,
): Promise<void> {
  const folder = join(dataDir, 'refresh')
  makePrivateFolder(folder)
  const path = join(folder, `${head.token}.marks`)
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
  const told: MarkHead = { ...head, count, crc }
  const part = join(folder, `${head.token}.part`)
  writeFileSync(part, JSON.stringify(told), { mode: 0o600 })
  renameSync(part, join(folder, `${head.token}.json`))
}

/** Removes files whose token no scope has any more. */
export function sweepMarks(dataDir: string, kept: ReadonlySet<string>): void {
  const folder = join(dataDir, 'refresh')
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    const token = name.replace(/\.\w+$/, '')
    if (TOKEN.test(token) && !kept.has(token)) rmSync(join(folder, name), { force: true })
  }
}
