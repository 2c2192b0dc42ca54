/** Stores a download: part files of NDJSON, and the state that allows continuing after a kill. */
import { createReadStream, existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { type FileHandle, open, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { readJson, replaceFile } from '../../base/safe-files.ts'
import { refuseStopped } from './retry.ts'
import type { Web } from './web.ts'

/** Bytes after which the next part begins. */
const PART_MAX = 134_217_728

/** Written after every page. `sizes`: bytes of whole pages in each part. */
type DownloadState = {
  /** Digest of the request; a state with another digest is not continued. */
  digest: string
  pages: number
  rows: number
  lost: number
  sizes: number[]
  complete: boolean
  /** Epoch milliseconds of the last page. */
  at: number
}

export class PartFiles {
  readonly folder: string
  state: DownloadState
  #handle: FileHandle | undefined

  private constructor(folder: string, state: DownloadState) {
    this.folder = folder
    this.state = state
  }

  /** Continues with the existing files if their digest is the same; otherwise starts again. */
  static async open(folder: string, digest: string): Promise<PartFiles> {
    const state = readState(folder)
    const isSame =
      state?.digest === digest && state.sizes.every((size, at) => hasBytes(folder, at, size))
    if (state !== undefined && isSame) {
      for (const [at, size] of state.sizes.entries()) await truncate(partPath(folder, at), size)
      return new PartFiles(folder, state)
    }
    clearFolder(folder)
    return new PartFiles(folder, {
      ...{ digest, pages: 0, rows: 0, lost: 0, sizes: [], complete: false, at: 0 },
    })
  }

  get paths(): string[] {
    return this.state.sizes.map((_, at) => partPath(this.folder, at))
  }

  async add(lines: string[], lost: number, at: number): Promise<void> {
    const text = Buffer.from(lines.map((line) => `${line}\n`).join(''))
    const { state } = this
    const last = state.sizes.length - 1
    if (last < 0 || (state.sizes[last] ?? 0) >= PART_MAX) {
      await this.close()
      state.sizes.push(0)
    }
    const part = state.sizes.length - 1
    this.#handle ??= await open(partPath(this.folder, part), 'a', 0o600)
    await this.#handle.appendFile(text)
    state.sizes[part] = (state.sizes[part] ?? 0) + text.length
    state.pages += 1
    state.rows += lines.length
    state.lost += lost
    state.at = at
    this.#save()
  }

  async complete(): Promise<void> {
    await this.close()
    this.state.complete = true
    this.#save()
  }

  /** Yields the lines received so far. */
  async *lines(): AsyncGenerator<string> {
    for (const path of this.paths) yield* createInterface({ input: createReadStream(path) })
  }

  async discard(): Promise<void> {
    await this.close()
    clearFolder(this.folder)
  }

  async close(): Promise<void> {
    await this.#handle?.close()
    this.#handle = undefined
  }

  #save(): void {
    replaceFile(join(this.folder, 'state.json'), JSON.stringify(this.state))
  }
}

/** Reads the state of a folder; `undefined` when there is none or it is unreadable. */
export function readState(folder: string): DownloadState | undefined {
  return readJson(join(folder, 'state.json'))
}

function partPath(folder: string, at: number): string {
  return join(folder, `part-${String(at + 1).padStart(4, '0')}.ndjson`)
}

/** Removes the parts and the state; keeps other files in the folder. */
function clearFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (let at = 0; existsSync(partPath(folder, at)); at += 1) rmSync(partPath(folder, at))
  rmSync(join(folder, 'state.json'), { force: true })
}

function hasBytes(folder: string, at: number, size: number): boolean {
  const path = partPath(folder, at)
  return existsSync(path) && statSync(path).size >= size
}

type Page = { lines: string[]; lost: number; last?: boolean | undefined }

/** A paged download. `count`: of pages; `undefined` when only the last one shows the end. */
type Paged = {
  count: number | undefined
  /** Total number of rows, for the progress display. */
  rows: number | null
  fetch(page: number): Promise<Page>
}

const REPORT_EVERY_MS = 5000

/** Downloads the missing pages, a few at once, and writes them in order. */
export async function fetchPages(web: Web, parts: PartFiles, paged: Paged): Promise<void> {
  const report = makeReporter(web, paged.rows)
  const underWay: Promise<Page>[] = []
  let next = parts.state.pages
  const width = paged.count === undefined ? 1 : web.concurrency
  try {
    for (let isLast = false; !isLast; ) {
      while (underWay.length < width && next < (paged.count ?? Number.POSITIVE_INFINITY)) {
        const page = paged.fetch(next)
        page.catch(() => {})
        underWay.push(page)
        next += 1
      }
      refuseStopped(web)
      const oldest = underWay.shift()
      if (oldest === undefined) break
      const { lines, lost, last } = await oldest
      isLast = last === true
      await parts.add(lines, lost, web.now())
      report(parts.state.rows)
    }
  } finally {
    // Waits for the other pages before failing, so that no request is left running.
    await Promise.allSettled(underWay)
    await parts.close()
  }
}

function makeReporter(web: Web, count: number | null) {
  let reportedAt = web.now()
  return (rows: number) => {
    if (web.now() - reportedAt < REPORT_EVERY_MS) return
    reportedAt = web.now()
    const of = count === null ? '' : ` of ${count.toLocaleString('en-US')}`
    web.report(`downloaded ${rows.toLocaleString('en-US')}${of} rows`)
  }
}
