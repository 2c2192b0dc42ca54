/** Reads the versions of parcels while a roll is written. */
import type { RollSql } from '../rolls/roll-sql.ts'
import { openSideReader } from '../rolls/side-reader.ts'

/** Reads the version rows of ids, newest first, and their present records. */
export async function readChains(sql: RollSql, state: string, ids: readonly number[]) {
  const reader = openSideReader(sql, sql.dialect)
  const byId = Map.groupBy(await reader.versionsOf(state, [...ids]), ({ id }) => id)
  const forms = new Map(
    (await reader.formsOf(state, [...ids])).map(({ id, fieldValues, keys, geometry }) => [
      id,
      { fieldValues, keys, geometry },
    ]),
  )
  return (id: number) => ({ id, rows: byId.get(id) ?? [], present: forms.get(id) })
}
