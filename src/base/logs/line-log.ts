/** A log of lines: standard output, or a rotated file that several processes may write. */
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
import { atEnd } from '../at-end.ts'

/** Longest time in milliseconds, and most bytes, that lines are buffered. */
const FLUSH_MS = 500
const FLUSH_BYTES = 65_536
/** Bytes buffered while the disk is slow; further lines are dropped and counted. */
const KEPT_MAX = 4_194_304
const FILE_MODE = 0o600

export type LineLog = ReturnType<typeof openLineLog>

export type LineLogOptions = {
  /** A file, or `-` for standard output. */
  target: string
  /** Size above which the file is rotated. */
  maxBytes: number
  /** Number of older files that are kept; `.1` is the newest of them. */
  oldFiles: number
  fail(error: unknown): void
}

/** Opens the log. Throws when the file cannot be opened. */
export function openLineLog({ target, maxBytes, oldFiles, fail }: LineLogOptions) {
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
    if (isFile) followTarget()
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

  /** Another process may have moved the file away. Returns the size of the present one. */
  function followTarget(): number {
    try {
      const current = statSync(target, { throwIfNoEntry: false })
      if (current?.ino === fstatSync(descriptor).ino) return current.size
      reopen()
    } catch (error) {
      fail(error)
    }
    return 0
  }

  function keepToSize(): void {
    if (followTarget() <= maxBytes) return
    try {
      if (rotate(target, fstatSync(descriptor).ino, oldFiles)) reopen()
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
    /** Adds a line. `droppedBefore`: lines dropped before it, because the disk was slow. */
    write(makeLine: (droppedBefore: number) => string) {
      if (keptBytes > KEPT_MAX) {
        dropped += 1
        return
      }
      const line = `${makeLine(dropped)}\n`
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

/** Renames `file` to `file.1` and so on; false when another process does so or has just done so. */
function rotate(file: string, inode: number, oldFiles: number): boolean {
  const lock = `${file}.rotating`
  try {
    closeSync(openSync(lock, 'wx', FILE_MODE))
  } catch {
    removeStale(lock)
    return false
  }
  using _end = atEnd(() => rmSync(lock, { force: true }))
  if (statSync(file).ino !== inode) return false
  for (let number = oldFiles - 1; number >= 1; number -= 1) {
    const older = statSync(`${file}.${number}`, { throwIfNoEntry: false })
    if (older !== undefined) renameSync(`${file}.${number}`, `${file}.${number + 1}`)
  }
  renameSync(file, `${file}.1`)
  return true
}

/** Removes the lock of a process that was killed while rotating. */
function removeStale(lock: string): void {
  const found = statSync(lock, { throwIfNoEntry: false })
  if (found !== undefined && Date.now() - found.mtimeMs > 60_000) rmSync(lock, { force: true })
}
