/** Packs records that are written, and those that an earlier version stored as texts. */
import type { Client } from 'pg'
import { cleanText } from '../write/copy-in.ts'
import { pack } from './pack.ts'

/** Records per statement. */
const SLICE = 2000

/** Returns the bytes of a record's `leaves`. */
export function packLeaves(leaves: string): Buffer {
  return pack(cleanText(leaves))
}

/**
 * Packs the stored records of a state that are not packed yet, without changing when they were
 * loaded. The caller has locked the state. An interrupted run continues with the next slice.
 */
export async function packRawRecords(client: Client, state: string): Promise<void> {
  const { rows } = await client.query('SELECT packed_to FROM raw_records WHERE state = $1', [state])
  if (rows.length === 0) return
  for (let after = Number(rows[0]?.packed_to); ; ) {
    const slice = await client.query<{ id: number; leaves: string }>(
      `SELECT id, leaves FROM records WHERE state = $1 AND id > $2 ORDER BY id LIMIT ${SLICE}`,
      [state, after],
    )
    const last = slice.rows.at(-1)
    if (last === undefined) break
    after = last.id
    await client.query(
      `UPDATE records r SET leaves = v.leaves FROM unnest($2::bigint[], $3::bytea[]) v (id, leaves)
      WHERE r.state = $1 AND r.id = v.id`,
      [state, slice.rows.map(({ id }) => id), slice.rows.map(({ leaves }) => packLeaves(leaves))],
    )
    const text = 'UPDATE raw_records SET packed_to = $2 WHERE state = $1'
    await client.query(text, [state, after])
  }
  await client.query('DELETE FROM raw_records WHERE state = $1', [state])
}
