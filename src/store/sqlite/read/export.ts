/** Reads a snapshot of the embedded store for an export. */
import type { DatabaseSync } from 'node:sqlite'
import { type ExportPlace, type ExportReader, type ExportScope, inOrder } from '../../export.ts'
import type { StoredParcel } from '../../store.ts'
import { shrinkLog } from '../checkpoint.ts'

/** Parcels passed on at a time. */
const SLICE = 10_000

/** Reads within one transaction of a connection; `close` ends both. */
export function openExportReader(db: DatabaseSync): ExportReader {
  db.exec('BEGIN')
  // A deferred transaction takes its snapshot at the first read.
  db.prepare('SELECT count(*) FROM scopes').get()
  const select = db.prepare(`SELECT r.id, r.loaded_at AS loadedAt,
      r.field_values AS fieldValues, g.geojson AS geometry
    FROM records r LEFT JOIN geometries g ON g.id = r.id WHERE r.id = ?`)
  return {
    places: (scope) => readPlaces(db, scope),
    async records(_state, ids) {
      const found = ids.flatMap((id) => (select.get(id) as StoredParcel | undefined) ?? [])
      return inOrder(found, ids)
    },
    async close() {
      const path = db.location()
      db.close()
      if (path !== null) shrinkLog(path, 'parcels')
    },
  }
}

async function* readPlaces(db: DatabaseSync, scope: ExportScope): AsyncGenerator<ExportPlace[]> {
  const { state, fips, changedSince } = scope
  const counties = db
    .prepare(
      `SELECT DISTINCT fips FROM scopes WHERE state = :state ${
        fips === undefined ? '' : 'AND fips = :fips'
      } ORDER BY fips`,
    )
    .all({ state, ...(fips !== undefined && { fips }) })
  const statement = db.prepare(`SELECT p.id, p.x, p.y FROM parcels p
    ${changedSince === undefined ? '' : 'JOIN records r ON r.id = p.id AND r.loaded_at >= :since'}
    WHERE p.fips = :county ORDER BY p.stripped_key, p.municipality, p.parcel_key`)
  let slice: ExportPlace[] = []
  for (const { fips: county } of counties) {
    const asked = { county, ...(changedSince !== undefined && { since: changedSince }) }
    for (const row of statement.iterate(asked as { county: number })) {
      slice.push(row as ExportPlace)
      if (slice.length < SLICE) continue
      yield slice
      slice = []
    }
  }
  if (slice.length > 0) yield slice
}
