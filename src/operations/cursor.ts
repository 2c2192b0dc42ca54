/** Cursors: stateless, portable, opaque to clients. docs/decisions/property-search.md. */
import { refuse } from '../base/errors.ts'
import { showId } from '../base/model/record-id.ts'
import type { Ranked } from './questions/pick.ts'

const CURSOR_MAX = 512
/** Largest radius of a search by distance. */
export const RADIUS_MAX_MILES = 2

/** Encodes a cursor that continues after a record ID. */
export function encodeCursor(lastId: number): string {
  return encode({ lastId: showId(lastId) })
}

/** Returns the id after which a cursor continues; 0 for the empty one. Throws *bad request*. */
export function decodeCursor(cursor: string): number {
  return cursor === '' ? 0 : decode(cursor, 'lastId').id
}

/** Reads the cursor of a list of numbered entries; 0 for the empty one. Throws *bad request*. */
export function readEntryCursor(cursor: string): number {
  if (!/^(?:0|[1-9]\d{0,14})?$/.test(cursor)) throw invalidCursor()
  return Number(cursor)
}

type PlaceCursor = { id: number; distanceMiles: number }

/** Encodes the cursor of a search by distance: the last parcel shown. */
export function encodePlaceCursor({ id, distanceMiles }: PlaceCursor): string {
  return encode({ lastId: showId(id), lastDistance: distanceMiles })
}

/** Decodes a cursor by distance; `undefined` for the empty one. Throws *bad request*. */
export function decodePlaceCursor(cursor: string): PlaceCursor | undefined {
  if (cursor === '') return undefined
  const { id, lastDistance: distanceMiles } = decode(cursor, 'lastId,lastDistance')
  const isInside = typeof distanceMiles === 'number' && distanceMiles >= 0
  if (!isInside || distanceMiles > RADIUS_MAX_MILES) throw invalidCursor()
  return { id, distanceMiles }
}

/** `name`: identifies filters and order, so that a cursor fits no other question. */
export function encodeRank({ id, key }: Ranked, name: string | undefined): string {
  if (name === undefined) return encodeCursor(id)
  return encode({ lastId: showId(id), lastKey: Number.isFinite(key) ? key : null, of: name })
}

export function decodeRank(cursor: string, name: string | undefined): Ranked {
  if (name === undefined) return { id: decodeCursor(cursor), key: 0 }
  const { id, lastKey, of } = decode(cursor, 'lastId,lastKey,of')
  if (of !== name || (lastKey !== null && typeof lastKey !== 'number')) throw invalidCursor()
  return { id, key: lastKey ?? Number.POSITIVE_INFINITY }
}

const encode = (fields: object) => Buffer.from(JSON.stringify(fields)).toString('base64url')

/**
 * Decodes a cursor of these fields; throws unless `encode` would write it so, with or without
 * padding. Ids that no record has are allowed.
 */
function decode(cursor: string, names: string): Record<string, unknown> & { id: number } {
  const text = cursor.replace(/={1,2}$/, '')
  const fields = parse(Buffer.from(text, 'base64url').toString())
  const { lastId } = fields
  const isWritten = cursor.length <= CURSOR_MAX && encode(fields) === text
  const isId = typeof lastId === 'string' && /^[0-9a-f]{24}$/.test(lastId)
  if (!isWritten || !isId || Object.keys(fields).join() !== names) throw invalidCursor()
  return { ...fields, id: Math.min(Number.parseInt(lastId, 16), Number.MAX_SAFE_INTEGER) }
}

function parse(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text))
  } catch {
    throw invalidCursor()
  }
}

function invalidCursor() {
  return refuse.badRequest('Invalid cursor')
}
