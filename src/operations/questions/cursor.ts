/** Cursors of questions: the last parcel shown, its place in the order, and the question's name. */
import { showId } from '../../base/model/record-id.ts'
import { decodeText, invalidCursor } from '../cursor.ts'
import type { Ranked } from './pick.ts'

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
  if (hex === undefined || of !== name) throw invalidCursor()
  const number = key === 'null' ? Number.POSITIVE_INFINITY : Number(key)
  if (Number.isNaN(number)) throw invalidCursor()
  return { id: Math.min(Number.parseInt(hex, 16), Number.MAX_SAFE_INTEGER), key: number }
}
