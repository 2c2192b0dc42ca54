/**
 * The access log: a JSON line per request, to standard output or to a file with rotation.
 *
 * It contains names of declared parameters and the id of the key, but never a value, a key or an
 * undeclared name, because any of them could be a person's name.
 */
import {
  closeSync,
  fstatSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  write as writeFile,
  writeSync,
} from 'node:fs'
import type { IncomingMessage } from 'node:http'
import type { Operation } from '../operations/operation.ts'

/** Longest time in milliseconds, and most bytes, that lines are buffered. */
const FLUSH_MS = 500
const FLUSH_BYTES = 65_536
/** Bytes buffered while the disk is slow; further lines are dropped and counted. */
const KEPT_MAX = 4_194_304
/** Files beside the current one: `.1` is the newest. */
const OLD_FILES = 5
const FILE_MODE = 0o600

/** Writes a line per request, without API key, query or owner name. */
export type AccessLog = {
  note(answered: LoggedRequest): void
  /** Writes the buffered lines. */
  close(): void
}

/** An answered request. */
type LoggedRequest = {
  request: { raw: IncomingMessage; id: string }
  /** `undefined`: no operation has the path. */
  operation: Operation | undefined
  keyId: string | undefined
  status: number
  /** Milliseconds until the answer. */
  ms: number
}

type AccessLogOptions = {
  /** A file, or `-` for standard output. */
  target: string
  /** Size above which the file is rotated. */
  maxBytes: number
  /** Epoch milliseconds. */
  now(): number
  /** Called when a write has failed. */
  fail(error: unknown): void
}

/**
 * Opens the log. Throws when the file cannot be opened. Several processes may write to one file.
 */
export function openAccessLog({ target, maxBytes, now, fail }: AccessLogOptions): AccessLog {
  const isFile = target !== '-'
  let descriptor = isFile ? openSync(target, 'a', FILE_MODE) : 1
  let kept: string[] = []
  let keptBytes = 0
  let dropped = 0
  let isWriting = false
  let isClosed = false

  function flush(): void {
    if (isWriting || kept.length === 0) return
    const text = takeKept()
    isWriting = true
    writeFile(descriptor, text, null, 'utf8', (error) => {
      isWriting = false
      if (error !== null) fail(error)
      if (isClosed) closeFile()
      else if (isFile) keepToSize()
    })
  }

  function takeKept(): string {
    const text = kept.join('')
    kept = []
    keptBytes = 0
    return text
  }

  /** Another process, or an operator's tool, may have rotated the file. */
  function keepToSize(): void {
    try {
      const current = statSync(target, { throwIfNoEntry: false })
      const own = fstatSync(descriptor)
      if (current === undefined || current.ino !== own.ino) reopen()
      else if (current.size > maxBytes && rotate(target, own.ino)) reopen()
    } catch (error) {
      fail(error)
    }
  }

  function reopen(): void {
    const next = openSync(target, 'a', FILE_MODE)
    closeSync(descriptor)
    descriptor = next
  }

  function closeFile(): void {
    if (isFile) closeSync(descriptor)
  }

  const flushing = setInterval(flush, FLUSH_MS).unref()
  return {
    note({ request: { raw, id }, operation, keyId, status, ms }) {
      if (keptBytes > KEPT_MAX) {
        dropped += 1
        return
      }
      const line = `${JSON.stringify({
        at: new Date(now()).toISOString(),
        requestId: id,
        method: raw.method,
        route: operation?.path ?? null,
        status,
        ms: Math.round(ms * 1000) / 1000,
        keyId: keyId ?? null,
        parameters: operation === undefined ? [] : givenNames(operation, raw.url ?? ''),
        ...(dropped > 0 && { droppedBefore: dropped }),
      })}\n`
      dropped = 0
      kept.push(line)
      keptBytes += line.length
      if (keptBytes > FLUSH_BYTES) flush()
    },
    close() {
      clearInterval(flushing)
      isClosed = true
      try {
        if (kept.length > 0) writeSync(descriptor, takeKept())
        // A write under way needs the open file.
        if (!isWriting) closeFile()
      } catch (error) {
        fail(error)
      }
    },
  }
}

/** Returns the declared parameters of a request, by the names used. */
function givenNames({ parameters }: Operation, url: string): string[] {
  const mark = url.indexOf('?')
  if (mark === -1) return []
  const declared = Object.entries(parameters).flatMap(([name, { aliases }]) => [
    name,
    ...(aliases ?? []),
  ])
  const given = new Set(new URLSearchParams(url.slice(mark + 1)).keys())
  return declared.filter((name) => given.has(name))
}

/**
 * Renames `file` to `file.1` and so on. Returns false when another process is rotating it or has
 * just done so.
 */
function rotate(file: string, inode: number): boolean {
  const lock = `${file}.rotating`
  try {
    closeSync(openSync(lock, 'wx', FILE_MODE))
  } catch {
    removeStale(lock)
    return false
  }
  try {
    if (statSync(file).ino !== inode) return false
    for (let number = OLD_FILES - 1; number >= 1; number -= 1) {
      const older = statSync(`${file}.${number}`, { throwIfNoEntry: false })
      if (older !== undefined) renameSync(`${file}.${number}`, `${file}.${number + 1}`)
    }
    renameSync(file, `${file}.1`)
    return true
  } finally {
    rmSync(lock, { force: true })
  }
}

/** Removes the lock of a process that was killed while rotating. */
function removeStale(lock: string): void {
  const found = statSync(lock, { throwIfNoEntry: false })
  if (found !== undefined && Date.now() - found.mtimeMs > 60_000) rmSync(lock, { force: true })
}
