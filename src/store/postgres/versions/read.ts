/** Reads earlier versions of parcels. */
import { VERSION_KINDS, type VersionReader, type VersionRow } from '../../versions/versions.ts'
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

type Form = Awaited<ReturnType<VersionReader['formsOf']>>[number]

export function openVersionReader({ ask }: Pick<LookupQueue, 'ask'>): VersionReader {
  return {
    async versionsOf(state, ids) {
      type Row = Omit<VersionRow, 'what'> & { what: number }
      const rows = await ask<Row>(VERSIONS.ofParcels, [state, ids])
      return rows.map((row) => ({ ...row, what: VERSION_KINDS[row.what] ?? 'changed' }))
    },
    vintages: (state, fips) => ask(VERSIONS.vintages, [state, fips ?? null]),
    async pastIds(state, keys) {
      return (await ask<{ id: number }>(VERSIONS.past, [state, keys])).map(({ id }) => id)
    },
    async pastKeys(state, start, limit) {
      const values = [state, start, `${start}\uffff`, limit]
      return (await ask<{ key: string }>(VERSIONS.keys, values)).map(({ key }) => key)
    },
    lineageOf: (state, ids) => ask(VERSIONS.lineage, [state, ids]),
    async formsOf(state, ids) {
      const rows = await ask<Form>(VERSIONS.forms, [state, ids])
      return rows.map((row) => ({ ...row, keys: unpackKeys(row.keys, row.fieldValues) }))
    },
  }
}
