/** Pairs parcels that a staged roll has under other IDs with the stored ones. */
import type { DatabaseSync } from 'node:sqlite'
import { RollLinker } from '../../lineage/link-rolls.ts'
import { mayBeRenumbered, pairRenumbered } from '../../lineage/renumber.ts'
import type { VersionForm } from '../../versions/versions.ts'

type Row = VersionForm & { at: number }
type Leaving = { fips: number; municipality: string; before: number; removed: number }

/** Scopes that parcels leave. */
const LEAVING = `SELECT p.fips, p.municipality, count(*) AS removed,
    (SELECT z.parcels FROM main.scopes z
      WHERE z.fips = p.fips AND z.municipality = p.municipality) AS before
  FROM staging.change c JOIN main.parcels p ON p.id = c.id
  WHERE c.what = 'removed' GROUP BY p.fips, p.municipality`

/** Turns removed and new parcels of renumbered scopes in `staging.change` into changed ones. */
export function renumberStaged(db: DatabaseSync): void {
  const scopes = db.prepare(LEAVING).all() as Leaving[]
  const removed = db.prepare(`SELECT c.id AS at, r.field_values AS fieldValues, r.keys,
      g.geojson AS geometry
    FROM staging.change c JOIN main.parcels p ON p.id = c.id JOIN main.records r ON r.id = c.id
    LEFT JOIN main.geometries g ON g.id = c.id
    WHERE c.what = 'removed' AND p.fips = ? AND p.municipality = ?`)
  const added = `FROM staging.change c JOIN staging.staged s ON s.seq = c.seq
    WHERE c.what = 'new' AND s.fips = ? AND s.municipality = ?`
  const count = db.prepare(`SELECT count(*) AS n ${added}`)
  const come = db.prepare(
    `SELECT c.seq AS at, s.field_values AS fieldValues, s.keys, s.geometry ${added}`,
  )
  const forget = db.prepare("DELETE FROM staging.change WHERE id = ? AND what = 'removed'")
  const change = db.prepare("UPDATE staging.change SET id = ?, what = 'keys' WHERE seq = ?")
  for (const { fips, municipality, before, removed: gone } of scopes) {
    const own = Number(count.get(fips, municipality)?.n)
    if (!mayBeRenumbered({ before, removed: gone, added: own })) continue
    const linker = new RollLinker()
    for (const { at, ...form } of removed.iterate(fips, municipality) as Iterable<Row>) {
      linker.add({ id: at, before: form, after: undefined })
    }
    for (const { at, ...form } of come.iterate(fips, municipality) as Iterable<Row>) {
      linker.add({ id: -at, before: undefined, after: form })
    }
    for (const [id, seq] of pairRenumbered(linker, gone)) {
      forget.run(id)
      change.run(id, -seq)
    }
  }
}
