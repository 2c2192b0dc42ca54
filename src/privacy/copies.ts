/**
 * Finds files of a data folder that may still contain a suppressed name, address or ID. These are
 * uploads, rejected rows, downloads, drafts, and what restores set aside.
 */
import { isAscii } from 'node:buffer'
import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { atEnd } from '../base/at-end.ts'
import { makePrivateFile } from '../base/private-files.ts'
import { readWords } from '../owner/words.ts'

/** Entries of a data folder that contain no file of a person. A killed import leaves `staging`. */
const OURS = new RegExp(
  '^(?:(?:parcels|accounts|console)[.-].*|refresh|sandbox|notices|ledger|secret|basemap' +
    '|release-key\\.pem|refused.*\\.log(?:\\.1)?|.*\\.(?:lock|secret|jsonl|heads))$',
)

/**
 * Returns the folders that restores set aside, and the files in which two words of `text` occur
 * near each other. Compressed files and UTF-16 are returned unread. Without `text`, all files.
 */
export function findCopies(dataDir: string, text: string | undefined): string[] {
  if (!existsSync(dataDir)) return []
  const words = text === undefined ? [] : cluesOf(text)
  return readdirSync(dataDir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dataDir, entry.name)
    if (entry.name.startsWith('damaged-')) return [path]
    if (OURS.test(entry.name)) return []
    return listFiles(path).filter((file) => mayHold(file, words))
  })
}

export function mayContain(path: string, text: string | undefined): boolean {
  if (!existsSync(path) || !statSync(path).isFile()) return existsSync(path)
  return mayHold(path, text === undefined ? [] : cluesOf(text))
}

/** Reports whether a short text may contain another one. */
export function mentions(short: string, text: string): boolean {
  return hasNear(fold(Buffer.from(short)), cluesOf(text))
}

function listFiles(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
}

/** Returns the words by which a text is found, longest first; a number counts as the longest. */
function cluesOf(text: string): string[] {
  // The ID after the county of a propertyId.
  const id = /^\d{5}-(.*)$/s.exec(text.trim())?.[1]
  if (id !== undefined) return [id.toUpperCase()]
  const words = readWords(text).map((word) => word.toUpperCase().replace(/[^A-Z0-9]/g, ''))
  const known = [...new Set(words)].filter((word) => word.length > 1 || /\d/.test(word))
  return known.sort((one, other) => other.length - one.length)
}

const CHUNK_BYTES = 1_048_576
/** Characters between two words of one name, and in one line. */
const NEAR = 300
const NEAR_IN_LINE = 4000
/** First bytes of zip, gzip, Parquet, zstd, bzip2, 7z, xz, and UTF-16. */
const UNREADABLE = '504b0304 1f8b 50415231 28b52ffd 425a68 377abcaf fd377a58 fffe feff'.split(' ')

function mayHold(path: string, words: readonly string[]): boolean {
  if (words.length === 0) return true
  const handle = openSync(path, 'r')
  using _end = atEnd(() => closeSync(handle))
  const buffer = Buffer.alloc(CHUNK_BYTES)
  let before = ''
  for (let at = 0; ; ) {
    const read = readSync(handle, buffer, 0, CHUNK_BYTES, at)
    if (read === 0) return false
    const bytes = buffer.subarray(0, read)
    if (at === 0 && isUnreadable(bytes)) return true
    const text = before + fold(bytes)
    if (hasNear(text, words)) return true
    before = text.slice(-2 * NEAR_IN_LINE)
    at += read
  }
}

/** UTF-16 of names has a zero in every second byte. A database has some, too. */
function isUnreadable(bytes: Buffer): boolean {
  if (UNREADABLE.some((start) => startsWith(bytes, start))) return true
  const first = bytes.subarray(0, 64)
  const zeros = [0, 1].map((odd) => first.filter((byte, at) => at % 2 === odd && byte === 0).length)
  return first.length > 3 && zeros.some((count) => count > 0.45 * first.length)
}

function startsWith(bytes: Buffer, hex: string): boolean {
  return bytes.subarray(0, hex.length / 2).toString('hex') === hex
}

function fold(bytes: Buffer): string {
  if (isAscii(bytes)) {
    const ascii = bytes.toString('latin1')
    return ascii.includes('\\u') ? stripMarks(ascii) : ascii.toUpperCase()
  }
  const utf8 = bytes.toString('utf8')
  const text = utf8.includes('\ufffd') ? `${utf8}\n${bytes.toString('latin1')}` : utf8
  return stripMarks(text)
}

/** JSON may write a letter as `\u00c9`. */
function stripMarks(text: string): string {
  const read = text.replace(/\\u([0-9a-f]{4})/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return read.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase()
}

/** Reports whether the longest word occurs, with another one near it if there are several. */
function hasNear(text: string, [first = '', ...others]: readonly string[]): boolean {
  for (let at = text.indexOf(first); at !== -1; at = text.indexOf(first, at + 1)) {
    if (others.length === 0) return true
    const around = surroundingsOf(text, at, at + first.length)
    if (others.some((word) => around.includes(word))) return true
  }
  return false
}

/** A line's surname and given name may be columns far from each other. */
function surroundingsOf(text: string, from: number, to: number): string {
  const before = text.slice(Math.max(0, from - NEAR_IN_LINE), from)
  const after = text.slice(to, to + NEAR_IN_LINE)
  const inLine = after.indexOf('\n')
  return (
    before.slice(Math.min(before.lastIndexOf('\n') + 1, Math.max(0, before.length - NEAR))) +
    after.slice(0, inLine < 0 ? undefined : Math.max(inLine, NEAR))
  )
}

/**
 * Lists where backups, exports and enriched lists of a data folder were written, as lines of JSON
 * in `copies.jsonl`. An operator deletes or renews them after a suppression.
 */
type CopyKind = 'backup' | 'export' | 'enrich' | 'draft'
type NotedCopy = { kind: CopyKind; path: string; at: number }

export function copiesPath(dataFolder: string): string {
  return join(dataFolder, 'copies.jsonl')
}

/** Records a copy. `now`: epoch milliseconds. Does nothing without a data folder. */
export function noteCopy(dataFolder: string, kind: CopyKind, path: string, now: number): void {
  if (!existsSync(dataFolder)) return
  const file = copiesPath(dataFolder)
  makePrivateFile(file)
  const noted: NotedCopy = { kind, path: resolve(path), at: now }
  appendFileSync(file, `${JSON.stringify(noted)}\n`, { flush: true })
}

/** When the newest backup was made, in epoch milliseconds; `undefined` without one. */
export function newestBackup(dataFolder: string): number | undefined {
  const backups = readNoted(dataFolder).filter(({ kind }) => kind === 'backup')
  return backups.length === 0 ? undefined : Math.max(...backups.map(({ at }) => at))
}

/** Returns copies that still exist, once each; drafts of mappings only if they may have `text`. */
export function listCopies(dataFolder: string, text: string | undefined): string[] {
  const kept = readNoted(dataFolder).filter(
    ({ kind, path }) => kind !== 'draft' || mayContain(path, text),
  )
  return [...new Set(kept.map(({ path }) => path))].filter((path) => existsSync(path))
}

function readNoted(dataFolder: string): NotedCopy[] {
  const file = copiesPath(dataFolder)
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as NotedCopy]
      } catch {
        return []
      }
    })
}
