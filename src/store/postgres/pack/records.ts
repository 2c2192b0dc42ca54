/** Packs records that are written, and those that an earlier version stored as texts. */
import type { Client } from 'pg'
import { cleanText } from '../write/copy-in.ts'
import { pack, packBoth } from './pack.ts'
import { unpackHex } from './unpack.ts'

/** Records per statement. */
const SLICE = 2000

/** Returns the bytes of a record's `fieldValues`. */
export function packFieldValues(fieldValues: string): Buffer {
  return pack(cleanText(fieldValues))
}

/** Returns the bytes of a record's `fieldValues`, and of its keys, which are packed after them. */
export function packRecord(fieldValues: string, keys: string): [fieldValues: Buffer, keys: Buffer] {
  return packBoth(cleanText(fieldValues), cleanText(keys))
}

/** Returns keys whose bytes were read as hex digits: `encode(keys, 'hex')`. */
export function unpackKeys(hex: string, fieldValues: string): string {
  return unpackHex(hex, fieldValues)
}

/** SQL for the keys of a record `r`, which `unpackKeys` reads. */
export const KEYS = "encode(r.keys, 'hex') AS keys"

/**
 * Packs the stored records of a state that are not packed yet, without changing when they were
 * loaded. The caller has locked the state. An interrupted run continues with the next slice.
 */
export async function packRawRecords(client: Client, state: string): Promise<void> {
  const { rows } = await client.query('SELECT packed_to FROM raw_records WHERE state = $1', [state])
  if (rows.length === 0) return
  for (let after = Number(rows[0]?.packed_to); ; ) {
    const slice = await client.query<{ id: number; fieldValues: string; keys: string }>(
      `SELECT r.id, r.field_values AS "fieldValues", ${KEYS} FROM records r
      WHERE r.state = $1 AND r.id > $2 ORDER BY r.id LIMIT ${SLICE}`,
      [state, after],
    )
    const last = slice.rows.at(-1)
    if (last === undefined) break
    after = last.id
    const packed = slice.rows.map(({ fieldValues, keys }) =>
      packRecord(fieldValues, unpackKeys(keys, fieldValues)),
    )
    await client.query(
      `UPDATE records r SET field_values = v.field_values, keys = v.keys
      FROM unnest($2::bigint[], $3::bytea[], $4::bytea[]) v (id, field_values, keys)
      WHERE r.state = $1 AND r.id = v.id`,
      [
        state,
        slice.rows.map(({ id }) => id),
        packed.map(([fieldValues]) => fieldValues),
        packed.map(([, keys]) => keys),
      ],
    )
    const text = 'UPDATE raw_records SET packed_to = $2 WHERE state = $1'
    await client.query(text, [state, after])
  }
  await client.query('DELETE FROM raw_records WHERE state = $1', [state])
}
