/** Reads earlier versions of parcels. */
import { type LineageRow, VERSION_KINDS, type VersionReader } from '../../versions/versions.ts'
import { KEYS, unpackKeys } from '../pack/records.ts'
import type { LookupQueue } from '../pool/lookup-queue.ts'

const VERSIONS = {
  ofParcels: `SELECT id, day, import, what, loaded_at AS "loadedAt", difference FROM versions
    WHERE state = $1 AND id = ANY($2::bigint[]) ORDER BY id, day DESC, import DESC`,
  vintages: `SELECT state, fips, municipality, day, import, roll_year AS "rollYear", source,
      loaded_at AS "loadedAt"
    FROM vintages WHERE state = $1 AND fips = coalesce($2::integer, fips)
    ORDER BY fips, municipality, day, import`,
  past: `SELECT DISTINCT id FROM past_keys WHERE state = $1 AND key = ANY($2::text[]) ORDER BY id`,
  keys: `SELECT DISTINCT key FROM past_keys WHERE state = $1 AND key >= $2 AND key < $3
    ORDER BY key LIMIT $4`,
  lineage: `SELECT parent, child, day, import, kind, parent_share AS "shareOfParent",
      child_share AS "shareOfChild", evidence
    FROM lineage WHERE state = $1 AND (parent = ANY($2::bigint[]) OR child = ANY($2::bigint[]))
    ORDER BY day DESC, import DESC, parent, child`,
  forms: `SELECT r.id, r.loaded_at AS "loadedAt", r.field_values AS "fieldValues", ${KEYS},
      g.geojson AS geometry
    FROM records r LEFT JOIN geometries g ON g.state = $1 AND g.id = r.id
    WHERE r.state = $1 AND r.id = ANY($2::bigint[])`,
} as const

type Form = {
  id: number
  loadedAt: number
  fieldValues: string
  keys: string
  geometry: string | null
}
type Vintage = Awaited<ReturnType<VersionReader['vintages']>>[number]
type Version = Awaited<ReturnType<VersionReader['versionsOf']>>[number]

export function openVersionReader({ ask }: Pick<LookupQueue, 'ask'>): VersionReader {
  return {
    async versionsOf(state, ids) {
      const rows = await ask<Omit<Version, 'what'> & { what: number }>(VERSIONS.ofParcels, [
        state,
        ids,
      ])
      return rows.map((row) => ({
        ...{ id: Number(row.id), day: row.day, import: Number(row.import) },
        ...{ what: VERSION_KINDS[row.what] ?? 'changed', loadedAt: Number(row.loadedAt) },
        difference: row.difference,
      }))
    },
    async vintages(state, fips) {
      const rows = await ask<Vintage>(VERSIONS.vintages, [state, fips ?? null])
      return rows.map((row) => ({
        ...{ ...row, import: Number(row.import), loadedAt: Number(row.loadedAt) },
      }))
    },
    async pastIds(state, keys) {
      return (await ask<{ id: number }>(VERSIONS.past, [state, keys])).map(({ id }) => Number(id))
    },
    async pastKeys(state, start, limit) {
      const values = [state, start, `${start}\uffff`, limit]
      return (await ask<{ key: string }>(VERSIONS.keys, values)).map(({ key }) => key)
    },
    async lineageOf(state, ids) {
      const rows = await ask<LineageRow>(VERSIONS.lineage, [state, ids])
      return rows.map((row) => ({
        ...{ ...row, parent: Number(row.parent), child: Number(row.child) },
        import: Number(row.import),
      }))
    },
    async formsOf(state, ids) {
      const rows = await ask<Form>(VERSIONS.forms, [state, ids])
      return rows.map(({ id, loadedAt, fieldValues, keys, geometry }) => ({
        ...{ id: Number(id), loadedAt: Number(loadedAt), fieldValues, geometry },
        keys: unpackKeys(keys, fieldValues),
      }))
    },
  }
}
