/** Reads the versions of parcels while a roll is written. */
import type { RollSql } from '../rolls/roll-sql.ts'
import { VERSION_KINDS, type VersionForm, type VersionRow } from './versions.ts'

/** Reads the version rows of ids, newest first, and their present records. */
export async function readChains(sql: RollSql, state: string, ids: readonly number[]) {
  const { of, isIn, keys, readKeys } = sql.dialect
  const rows = await sql.ask<Omit<VersionRow, 'what'> & { what: number }>(
    `SELECT id, day, import, what, loaded_at AS "loadedAt", difference FROM versions
      WHERE state = $1 AND id ${isIn('$2', 'bigint')} ORDER BY id, day DESC, import DESC`,
    [state, ids],
  )
  const read = rows.map(
    (row): VersionRow => ({ ...row, what: VERSION_KINDS[row.what] ?? 'changed' }),
  )
  const byId = Map.groupBy(read, ({ id }) => id)
  const present = await sql.ask<VersionForm & { id: number }>(
    `SELECT r.id, r.field_values AS "fieldValues", ${keys} AS keys, g.geojson AS geometry
      FROM records r LEFT JOIN geometries g ON ${of('g')} g.id = r.id
      WHERE ${of('r')} r.id ${isIn('$2', 'bigint')}`,
    [state, ids],
  )
  const forms = new Map(
    present.map(({ id, fieldValues, keys: own, geometry }) => [
      id,
      { fieldValues, keys: readKeys(own, fieldValues), geometry },
    ]),
  )
  return (id: number) => ({ id, rows: byId.get(id) ?? [], present: forms.get(id) })
}
