/**
 * What all compared servers share: the key check and the reading of a cursor, each in its simplest
 * correct form.
 */
import { createHash } from 'node:crypto'

/** The order that the bench sends to a server before it starts. */
export type Order = { database: string; keyHash: string }

/**
 * Keys are kept as hashes in memory. A real service would read them from a table, which is slower.
 */
export function makeKeyCheck(keyHash: string): (authorization: string | undefined) => boolean {
  const known = new Set([keyHash])
  return (authorization) =>
    authorization !== undefined &&
    known.has(createHash('sha256').update(authorization).digest('hex'))
}

export function idOfCursor(cursor: string): number {
  const { lastId } = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as { lastId: string }
  return Number.parseInt(lastId, 16)
}

export function cursorOfId(id: number): string {
  return Buffer.from(`{"lastId":"${id.toString(16).padStart(24, '0')}"}`).toString('base64url')
}

/**
 * Records are JSON text already; a user who parses them and writes them again pays for that too.
 */
export function showList(records: string[], metadata: Record<string, unknown>): string {
  return `{"properties":[${records.join(',')}],"metadata":${JSON.stringify(metadata)}}`
}

export const JSON_TYPE = 'application/json; charset=utf-8'
