/** Reads a snapshot of the embedded store for an export. */
import type { DatabaseSync } from 'node:sqlite'
import type { ExportPlace, ExportReader, ExportScope } from '../../export.ts'
import { shrinkLog } from '../checkpoint.ts'

type RecordColumns = [loadedAt: number, fieldValues: string, geometry: string | null]

/** Parcels passed on at a time. */
const SLICE = 10_000

/** Reads within one transaction of a connection; `close` ends both. */
export function openExportReader(db: DatabaseSync): ExportReader {
  db.exec('BEGIN')
  // A deferred transaction takes its snapshot at the first read.
  db.prepare('SELECT count(*) FROM scopes').get()
  const select = db.prepare(`SELECT r.loaded_at, r.field_values, g.geojson
    FROM records r LEFT JOIN geometries g ON g.id = r.id WHERE r.id = ?`)
  select.setReturnArrays(true)
  return {
    places: (scope) => readPlaces(db, scope),
    async records(_state, ids) {
      return ids.map((id) => {
        const row = select.get(id) as unknown as RecordColumns | undefined
        if (row === undefined) throw new Error(`the record ${id} is missing`)
        return { id, loadedAt: row[0], fieldValues: row[1], geometry: row[2] }
      })
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
  statement.setReturnArrays(true)
  let slice: ExportPlace[] = []
  for (const { fips: county } of counties) {
    const asked = { county, ...(changedSince !== undefined && { since: changedSince }) }
    for (const row of statement.iterate(asked as { county: number })) {
      const [id, x, y] = row as unknown as [number, number | null, number | null]
      slice.push({ id, x, y })
      if (slice.length < SLICE) continue
      yield slice
      slice = []
    }
  }
  if (slice.length > 0) yield slice
}
