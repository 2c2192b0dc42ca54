/** Asks what an address holds without loading it: HTTP headers, columns, number of rows. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TEXT_PREFIX } from '../readers/coded.ts'
import { readSource } from '../source.ts'
import { makeTemporary } from '../temporary.ts'
import {
  describeLayer,
  digestFields,
  isLayerAddress,
  isServiceAddress,
  listLayers,
} from './arcgis/layer.ts'
import { RefusedQuery } from './arcgis/query.ts'
import { countAll, makeQuestion } from './arcgis/question.ts'
import { findCkanFile, isCkanAddress } from './ckan.ts'
import { explainFailed, refuseBusy, retry } from './retry.ts'
import { describeSocrata, isSocrataAddress } from './socrata.ts'
import { ask, PassingFault, showAddress, type Web, type WebAnswer } from './web.ts'
import { refuseStatus } from './web-file.ts'

/** What an address says about its content; `null`: unknown. */
export type Look = {
  /** The address without possible secrets. */
  address: string
  etag: string | null
  lastModified: string | null
  /** Size of a file in bytes. */
  bytes: number | null
  /** Time of the last edit of a layer or dataset, epoch milliseconds. */
  edited: number | null
  rows: number | null
  columns: string[] | null
  /** For a layer: a digest of its columns and their types. */
  schema: string | null
}

/** Requests an address's headers, and with `header` a text's columns. Throws `CommandError`. */
export function lookAt(web: Web, source: string, header: boolean): Promise<Look> {
  const [address = ''] = source.split('!')
  const shown = showAddress(source)
  const look = async () => {
    if (isLayerAddress(address)) return await lookAtLayer(web, address)
    if (isServiceAddress(address)) return await lookAtService(web, address)
    if (isSocrataAddress(address)) {
      return { ...nothing(shown), ...(await describeSocrata(web, address)) }
    }
    const file = isCkanAddress(address) ? await findCkanFile(web, address) : address
    return { ...nothing(shown), ...(await lookAtFile(web, file, header)) }
  }
  return explainFailed(`the request to ${shown} failed`, look, [PassingFault, RefusedQuery])
}

/**
 * Reports whether two looks show the same content: the same ETag, else the same time and length,
 * else the same edit time, rows and columns. Without any of these the content counts as changed.
 */
export function isSameLook(before: Look | undefined, now: Look): boolean {
  if (before === undefined || before.address !== now.address) return false
  if (now.etag !== null || before.etag !== null) return now.etag === before.etag
  if (now.lastModified !== null) {
    return now.lastModified === before.lastModified && now.bytes === before.bytes
  }
  if (now.edited === null) return false
  return now.edited === before.edited && now.rows === before.rows && now.schema === before.schema
}

function nothing(address: string): Look {
  const file = { etag: null, lastModified: null, bytes: null }
  return { address, ...file, edited: null, rows: null, columns: null, schema: null }
}

async function lookAtLayer(web: Web, address: string): Promise<Look> {
  const layer = await describeLayer(web, address)
  const rows = await countAll(makeQuestion(web, layer, false))
  return {
    ...nothing(showAddress(address)),
    edited: layer.lastEdited,
    rows,
    // As in a download: a column of texts next to each column of codes.
    columns: layer.fields.flatMap(({ name, codes }) =>
      codes.size === 0 ? [name] : [name, TEXT_PREFIX + name],
    ),
    schema: digestFields(layer.fields),
  }
}

/** Combines all layers of a service: newest edit time, sum of rows, all columns. */
async function lookAtService(web: Web, address: string): Promise<Look> {
  const looks: Look[] = []
  for (const { url } of await listLayers(web, address)) looks.push(await lookAtLayer(web, url))
  const numbers = (of: (look: Look) => number | null) => {
    const known = looks.map(of).filter((value) => value !== null)
    return known.length === looks.length ? known : undefined
  }
  const edits = numbers(({ edited }) => edited)
  return {
    ...nothing(showAddress(address)),
    edited: edits === undefined ? null : Math.max(...edits),
    rows: numbers(({ rows }) => rows)?.reduce((sum, rows) => sum + rows, 0) ?? null,
    columns: [...new Set(looks.flatMap(({ columns }) => columns ?? []))],
    schema: looks.map(({ schema }) => schema).join(' '),
  }
}

async function lookAtFile(web: Web, address: string, header: boolean): Promise<Partial<Look>> {
  return retry(web, async () => {
    const answer = await askHead(web, address)
    const { headers } = answer
    const length = headers['content-length']
    const columns = header ? await readHeader(web, address) : null
    return {
      etag: headers.etag ?? null,
      lastModified: headers['last-modified'] ?? null,
      bytes: length === undefined ? null : Number(length),
      columns,
    }
  })
}

/** Requests a file's headers; if the server rejects HEAD, the file, without its body. */
async function askHead(web: Web, address: string): Promise<WebAnswer> {
  let answer = await ask(web, { url: address, method: 'HEAD', plain: true })
  answer.body.destroy()
  if (answer.status >= 400) {
    answer = await ask(web, { url: address, plain: true })
    refuseBusy(answer, web.now())
    answer.body.destroy()
  }
  refuseStatus(answer, address)
  return answer
}

/** Bytes that contain a header line and some rows. */
const START_BYTES = 262_144

/** The columns, or `null` when the first bytes do not show them, as of an archive. */
async function readHeader(web: Web, address: string): Promise<string[] | null> {
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
    for await (const { columns } of readSource([path], { geometry: false })) {
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
