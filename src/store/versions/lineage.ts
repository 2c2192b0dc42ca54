/** Writes links between parcels before a roll and after it. */
import type { RollScope } from '../history.ts'
import { RollLinker } from '../lineage/link-rolls.ts'
import { type RollSql, slicesOf } from '../rolls/roll-sql.ts'
import { openSideReader } from '../rolls/side-reader.ts'
import { pairAt } from './splice.ts'
import type { Place } from './versions.ts'

const AT = 'state = $1 AND fips = $2 AND municipality = $3 AND day = $4 AND import = $5'

export function writeLinks(
  sql: RollSql,
  { state, fips, municipality }: RollScope,
  at: Place,
  linker: RollLinker,
): Promise<void> {
  return sql.insert(
    'lineage',
    `state, parent, child, day, import, fips, municipality, kind, parent_share, child_share,
      evidence`,
    linker
      .link()
      .map(({ parent, child, kind, shareOfParent, shareOfChild, evidence }) => [
        ...[state, parent, child, at.day, at.import, fips, municipality],
        ...[kind, shareOfParent, shareOfChild, evidence],
      ]),
  )
}

/** The parcels that a roll of a scope changed, in slices, with all their versions. */
export async function* walkChanged(sql: RollSql, scope: RollScope, at: Place) {
  const values = [scope.state, scope.fips, scope.municipality, at.day, at.import]
  const rows = await sql.ask<{ id: number }>(
    `SELECT id FROM versions WHERE ${AT} ORDER BY id`,
    values,
  )
  for (const slice of slicesOf(rows.map(({ id }) => id))) {
    const chains = await readChains(sql, scope.state, slice)
    yield slice.map(chains)
  }
}

/** Links the parcels of a scope again, of which a roll has another one before or after it. */
export async function relinkRoll(sql: RollSql, scope: RollScope, at: Place): Promise<void> {
  const values = [scope.state, scope.fips, scope.municipality, at.day, at.import]
  await sql.run(`DELETE FROM lineage WHERE ${AT}`, values)
  const linker = new RollLinker()
  for await (const slice of walkChanged(sql, scope, at)) {
    for (const kept of slice) linker.add(pairAt(kept, at))
  }
  await writeLinks(sql, scope, at, linker)
}

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
