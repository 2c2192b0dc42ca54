/** Reads the versions of parcels while a roll is written. */
import type { Client } from 'pg'
import { VERSION_KINDS, type VersionForm, type VersionRow } from '../../versions/versions.ts'
import { KEYS, unpackKeys } from '../pack/records.ts'

/** Reads the version rows of ids, newest first, and their present records. */
export async function readChains(client: Client, state: string, ids: number[]) {
  const { rows } = await client.query<Omit<VersionRow, 'what'> & { what: number }>(
    `SELECT id, day, import, what, loaded_at AS "loadedAt", difference FROM versions
      WHERE state = $1 AND id = ANY($2::bigint[]) ORDER BY id, day DESC, import DESC`,
    [state, ids],
  )
  const read = rows.map(
    (row): VersionRow => ({
      ...{ ...row, id: Number(row.id), import: Number(row.import), loadedAt: Number(row.loadedAt) },
      what: VERSION_KINDS[row.what] ?? 'changed',
    }),
  )
  const byId = Map.groupBy(read, ({ id }) => id)
  const present = await client.query<VersionForm & { id: number }>(
    `SELECT r.id, r.field_values AS "fieldValues", ${KEYS}, g.geojson AS geometry
      FROM records r LEFT JOIN geometries g ON g.state = $1 AND g.id = r.id
      WHERE r.state = $1 AND r.id = ANY($2::bigint[])`,
    [state, ids],
  )
  const forms = new Map(
    present.rows.map(({ id, fieldValues, keys, geometry }) => [
      Number(id),
      { fieldValues, keys: unpackKeys(keys, fieldValues), geometry },
    ]),
  )
  return (id: number) => ({ rows: byId.get(id) ?? [], present: forms.get(id) })
}
