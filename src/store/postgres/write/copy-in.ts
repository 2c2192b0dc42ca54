/** Writes rows by COPY, which is five times as fast as INSERT. */
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import type { Client } from 'pg'
import { from } from 'pg-copy-streams'

export type CopyValue = string | number | boolean | null | Buffer

/** Characters sent at once. */
const CHUNK = 65_536

/** Appends rows to a table; all of them, or none when it throws. */
export async function copyIn(
  client: Client,
  target: string,
  rows: Iterable<readonly CopyValue[]>,
): Promise<void> {
  const stream = client.query(from(`COPY ${target} FROM STDIN`))
  const done = finished(stream)
  done.catch(() => undefined)
  let chunk = ''
  for (const row of rows) {
    chunk += `${row.map(escapeValue).join('\t')}\n`
    if (chunk.length < CHUNK) continue
    if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), done])
    chunk = ''
  }
  stream.end(chunk)
  await done
}

/** Runs a COPY statement with all of its bytes. */
export async function copyBytes(client: Client, text: string, bytes: Buffer): Promise<void> {
  const stream = client.query(from(text))
  stream.end(bytes)
  await finished(stream)
}

/** COPY's text format: https://www.postgresql.org/docs/current/sql-copy.html */
function escapeValue(value: CopyValue): string {
  if (value === null) return '\\N'
  if (typeof value === 'object') return `\\\\x${value.toString('hex')}`
  if (typeof value !== 'string') return String(value)
  if (PLAIN.test(value)) return value
  return cleanText(value).replace(/[\\\t\n\r]/g, (found) => ESCAPES[found] ?? found)
}

/** Removes characters that PostgreSQL texts cannot hold: NUL and lone surrogates. */
export function cleanText(value: string): string {
  return value.toWellFormed().replaceAll('\0', '')
}

const PLAIN = /^[^\\\t\n\r\0\ud800-\udfff]*$/
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
