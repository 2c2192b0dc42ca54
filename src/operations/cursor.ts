/** Cursors: stateless, portable, opaque to clients. docs/decisions/property-search.md. */
import { refuse } from '../base/errors.ts'
import { showId } from '../base/model/record-id.ts'
import type { Ranked } from './questions/pick.ts'

const CURSOR_MAX = 512

/** Encodes a cursor that continues after a record ID. */
export function encodeCursor(lastId: number): string {
  return Buffer.from(`{"lastId":"${showId(lastId)}"}`).toString('base64url')
}

/**
 * Returns the id after which a cursor continues; 0 for the empty one. Throws *bad request* `Invalid
 * cursor` for what `encodeCursor` does not make. Ids that do not exist are allowed.
 */
export function decodeCursor(cursor: string): number {
  if (cursor === '') return 0
  const match = /^\{"lastId":"([0-9a-f]{24})"\}$/.exec(decodeText(cursor))
  return readId(match?.[1])
}

/** Encodes the cursor of a search by distance: the last parcel shown. */
export function encodePlaceCursor({ id, distanceMiles }: PlaceCursor): string {
  const text = `{"lastId":"${showId(id)}","lastDistance":${distanceMiles}}`
  return Buffer.from(text).toString('base64url')
}

/** Decodes a cursor by distance; `undefined` for the empty one. Throws *bad request*. */
export function decodePlaceCursor(cursor: string): PlaceCursor | undefined {
  if (cursor === '') return undefined
  const text = decodeText(cursor)
  const match = /^\{"lastId":"([0-9a-f]{24})","lastDistance":([\d.e-]{1,25})\}$/.exec(text)
  const distanceMiles = readNumber(match?.[2])
  if (distanceMiles < 0 || distanceMiles > RADIUS_MAX_MILES) throw invalidCursor()
  return { id: readId(match?.[1]), distanceMiles }
}

/** Largest radius of a search by distance. */
export const RADIUS_MAX_MILES = 2

type PlaceCursor = { id: number; distanceMiles: number }

/** Decodes the text of a cursor; throws unless `encode…` would write it so. */
function decodeText(cursor: string): string {
  const bare = cursor.replace(/={1,2}$/, '')
  if (cursor.length > CURSOR_MAX || !/^[A-Za-z0-9_-]+$/.test(bare)) throw invalidCursor()
  const bytes = Buffer.from(bare, 'base64url')
  if (bytes.toString('base64url') !== bare) throw invalidCursor()
  return bytes.toString('latin1')
}

function invalidCursor() {
  return refuse.badRequest('Invalid cursor')
}

/** `name`: identifies filters and order, so that a cursor fits no other question. */
export function encodeRank({ id, key }: Ranked, name: string): string {
  const last = Number.isFinite(key) ? key : null
  const text = JSON.stringify({ lastId: showId(id), lastKey: last, of: name })
  return Buffer.from(text).toString('base64url')
}

/** Throws *bad request* `Invalid cursor`. */
export function decodeRank(cursor: string, name: string): Ranked {
  const text = decodeText(cursor)
  const match = /^\{"lastId":"([0-9a-f]{24})","lastKey":(null|[\d.e+-]{1,30}),"of":"(\w{1,20})"\}$/
  const [, hex, key, of] = match.exec(text) ?? []
  if (of !== name) throw invalidCursor()
  return { id: readId(hex), key: key === 'null' ? Number.POSITIVE_INFINITY : readNumber(key) }
}

/** Reads an id of hexadecimal digits. Ids that no record has are allowed. */
function readId(hex: string | undefined): number {
  if (hex === undefined) throw invalidCursor()
  return Math.min(Number.parseInt(hex, 16), Number.MAX_SAFE_INTEGER)
}

/** Reads a number in the only spelling that `encode…` writes: not `0.10` or `1e2`. */
function readNumber(text: string | undefined): number {
  const number = Number(text)
  if (String(number) !== text) throw invalidCursor()
  return number
}
