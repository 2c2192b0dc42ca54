/** Downloads a file: resumes by range, checks the length, skips one that has not changed. */
import { closeSync, existsSync, openSync, rmSync, statSync, write as writeBytes } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { promisify } from 'node:util'
import { CommandError } from '../../base/errors.ts'
import {
  freeBytes,
  isDiskFull,
  needRoom,
  putInPlace,
  readJson,
  replaceFile,
} from '../../base/safe-files.ts'
import { explainFailed, refuseBusy, refuseStopped, retry } from './retry.ts'
import { ask, PassingFault, showAddress, type Web, type WebAnswer } from './web.ts'

const write = promisify(writeBytes)

type FileMark = { etag: string | null; lastModified: string | null; length: number | null }

type Kept = FileMark & { name: string; complete: boolean }

/** Bytes left free on the disk. */
const SPARE = 67_108_864
/** A file of which fewer bytes come in these milliseconds never ends. */
const SLOW = { bytes: 65_536, ms: 600_000 }
/** Most attempts that each received some bytes. */
const PARTS_MAX = 100

/** Downloads a file, or the rest of it; returns its path. Throws `CommandError` if incomplete. */
export async function downloadFile(web: Web, address: string, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return explainFailed(`${showAddress(address)} cannot be downloaded`, async () => {
    for (let part = 0; part < PARTS_MAX; part += 1) {
      const before = sizeAt(join(folder, 'body'))
      try {
        return await retry(web, () => fetchRest(web, address, folder), 1)
      } catch (error) {
        const hasGrown = sizeAt(join(folder, 'body')) > before
        if (!(error instanceof PassingFault)) throw error
        if (!hasGrown) return await retry(web, () => fetchRest(web, address, folder))
      }
    }
    throw new PassingFault(`it broke off ${PARTS_MAX} times`)
  })
}

async function fetchRest(web: Web, address: string, folder: string): Promise<string> {
  refuseStopped(web)
  const body = join(folder, 'body')
  const kept = readKept(folder)
  const have = kept === undefined ? 0 : sizeAt(body)
  const mark = kept?.complete === true ? kept : undefined
  const answer = await ask(web, {
    url: address,
    plain: true,
    headers: have > 0 && kept?.complete === false ? rangeHeaders(have, kept) : unlessSame(mark),
  })
  refuseBusy(answer, web.now())
  if (answer.status === 304 && mark !== undefined) {
    answer.body.destroy()
    return join(folder, mark.name)
  }
  if (answer.status === 416) {
    rmSync(body, { force: true })
    throw new PassingFault('the server does not go on where it was')
  }
  refuseStatus(answer, address)
  const from = answer.status === 206 ? startOf(answer) : 0
  if (answer.status === 206 && from !== have)
    throw new PassingFault('the server gives other bytes than asked for')
  const now: Kept = { ...markOf(answer, from), name: nameOf(address, answer), complete: false }
  // No `await` before the body is read: bytes that arrived meanwhile would be lost if the
  // connection broke.
  replaceFile(join(folder, 'file.json'), JSON.stringify(now))
  needRoom(folder, Math.min(now.length ?? 0, web.fileMax) - from + SPARE, showAddress(address))
  const most = now.length ?? Math.min(web.unsizedMax, (freeBytes(folder) + from) / 2)
  const bound = boundBody(web, showAddress(address), Math.min(most, web.fileMax) - from)
  await writeBody(answer, body, from, bound)
  const size = sizeAt(body)
  if (now.length !== null && size !== now.length) {
    if (size > now.length) rmSync(body)
    throw new PassingFault(`${size} of ${now.length} bytes came`)
  }
  const path = join(folder, now.name)
  putInPlace(body, path)
  replaceFile(join(folder, 'file.json'), JSON.stringify({ ...now, complete: true }))
  return path
}

/** Writes the body as it arrives, so that a next attempt continues after these bytes. */
async function writeBody(
  answer: WebAnswer,
  path: string,
  from: number,
  bound: (bytes: number) => void,
): Promise<void> {
  const file = openSync(path, from > 0 ? 'a' : 'w', 0o600)
  try {
    for await (const part of answer.body) {
      bound(part.length)
      await writeWhole(file, part)
    }
  } catch (cause) {
    if (cause instanceof CommandError) {
      rmSync(path)
      throw cause
    }
    const { code } = cause as NodeJS.ErrnoException
    if (isDiskFull(cause) || code === 'EACCES') throw cause
    throw new PassingFault(`it broke off: ${(cause as Error).message}`, { cause })
  } finally {
    closeSync(file)
  }
}

/**
 * Returns a function that counts arrived bytes. It throws `CommandError` for more than `most`, as
 * they would fill the disk, and for a file that comes too slowly ever to end.
 */
function boundBody(web: Web, shown: string, most: number): (bytes: number) => void {
  let [all, recent, since] = [0, 0, web.now()]
  return (bytes) => {
    all += bytes
    recent += bytes
    if (all > most) {
      const size = `${Math.ceil(most / 1e6).toLocaleString('en-US')} MB`
      throw new CommandError(`${shown} cannot be downloaded: it has more than ${size}`)
    }
    const now = web.now()
    if (now - since < SLOW.ms) return
    if (recent < SLOW.bytes) {
      throw new CommandError(`${shown} cannot be downloaded: less than 64 KB came in 10 minutes`)
    }
    recent = 0
    since = now
  }
}

async function writeWhole(file: number, part: Buffer): Promise<void> {
  let done = 0
  while (done < part.length) done += (await write(file, part, done)).bytesWritten
}

/** A server that ignores the range, or whose file has changed, sends the whole file. */
function rangeHeaders(have: number, { etag, lastModified }: FileMark): Record<string, string> {
  const condition = etag !== null && !etag.startsWith('W/') ? etag : lastModified
  return condition === null ? {} : { range: `bytes=${have}-`, 'if-range': condition }
}

function unlessSame(mark: FileMark | undefined): Record<string, string> {
  if (mark?.etag != null) return { 'if-none-match': mark.etag }
  return mark?.lastModified == null ? {} : { 'if-modified-since': mark.lastModified }
}

/** Throws for an answer that is not the file: another status, or a web page in its place. */
export function refuseStatus({ status, headers, body }: WebAnswer, address: string): void {
  if (status === 200 || status === 206) {
    const isPage = /^text\/html\b/i.test(headers['content-type'] ?? '')
    if (!isPage || /\.html?$/i.test(new URL(address).pathname)) return
    body.destroy()
    throw new PassingFault('the server answers a web page instead of a file')
  }
  body.destroy()
  throw new CommandError(
    `${showAddress(address)} cannot be downloaded: the server answers ${status}`,
  )
}

function startOf({ headers }: WebAnswer): number {
  return Number(/^bytes (\d+)-/.exec(headers['content-range'] ?? '')?.[1] ?? Number.NaN)
}

function markOf({ headers }: WebAnswer, from: number): FileMark {
  const length = headers['content-length']
  return {
    etag: headers.etag ?? null,
    lastModified: headers['last-modified'] ?? null,
    length: length === undefined ? null : Number(length) + from,
  }
}

/** File extension by media type, for names without a known extension. */
const ENDINGS: Record<string, string> = {
  'text/csv': '.csv',
  'text/tab-separated-values': '.tsv',
  'application/json': '.json',
  'application/geo+json': '.geojson',
  'application/x-ndjson': '.ndjson',
  'application/zip': '.zip',
  'application/x-zip-compressed': '.zip',
  'application/gzip': '.gz',
  'application/geopackage+sqlite3': '.gpkg',
  'application/vnd.apache.parquet': '.parquet',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': '.xlsx',
}
const KNOWN_ENDING = new RegExp(
  String.raw`\.(?:csv|tsv|txt|tab|psv|json|geojson|geojsonl|geojsons|ndjson|jsonl|zip|gz|gpkg` +
    '|parquet|pq|xlsx|dbf|shp)$',
  'i',
)

/** The server's file name, else the address's, in characters that every file system allows. */
function nameOf(address: string, { headers, url }: WebAnswer): string {
  const named = /filename\*?=(?:UTF-8'')?"?([^";]+)"?/i.exec(
    headers['content-disposition'] ?? '',
  )?.[1]
  const paths = [url, address].map((one) => basename(new URL(one).pathname))
  const names = [named ?? '', ...paths].map((name) =>
    name
      .replace(/^.*[\\/]/, '')
      .replace(/[^\w.-]+/g, '_')
      .slice(-100),
  )
  const known = names.find((name) => KNOWN_ENDING.test(name))
  if (known !== undefined) return `file-${known}`
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return `file${ENDINGS[type] ?? extname(names[0] ?? '')}`
}

function readKept(folder: string): Kept | undefined {
  const kept = readJson<Kept>(join(folder, 'file.json'))
  return kept?.complete && !existsSync(join(folder, kept.name)) ? undefined : kept
}

function sizeAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
