/** Writes links between parcels before a roll and after it. */
import type { DatabaseSync } from 'node:sqlite'
import type { RollScope } from '../../history.ts'
import { RollLinker } from '../../lineage/link-rolls.ts'
import { pairAt } from '../../versions/splice.ts'
import type { Vintage } from '../../versions/versions.ts'
import { openChains } from './chains.ts'

type Place = Pick<Vintage, 'day' | 'import'>

/** Writes the links that a roll of a scope makes. */
export function writeLinks(
  db: DatabaseSync,
  { state, fips, municipality }: RollScope,
  { day, import: importId }: Place,
  linker: RollLinker,
): void {
  const insert = db.prepare(`INSERT OR REPLACE INTO main.lineage (state, parent, child, day, import,
      fips, municipality, kind, parent_share, child_share, evidence)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  for (const { parent, child, kind, shareOfParent, shareOfChild, evidence } of linker.link()) {
    insert.run(
      ...[state, parent, child, day, importId, fips, municipality],
      ...[kind, shareOfParent, shareOfChild, evidence],
    )
  }
}

/** Links the parcels of a scope again, of which a roll has another one before or after it. */
export function relinkRoll(db: DatabaseSync, scope: RollScope, at: Place): void {
  const { state, fips, municipality } = scope
  const where = 'state = ? AND fips = ? AND municipality = ? AND day = ? AND import = ?'
  const place = [state, fips, municipality, at.day, at.import]
  db.prepare(`DELETE FROM main.lineage WHERE ${where}`).run(...place)
  const { versionsOf, formOf } = openChains(db)
  const linker = new RollLinker()
  for (const row of db.prepare(`SELECT id FROM main.versions WHERE ${where}`).all(...place)) {
    const id = Number(row.id)
    linker.add(pairAt({ id, present: formOf(id), rows: versionsOf(state, id) }, at))
  }
  writeLinks(db, scope, at, linker)
}
