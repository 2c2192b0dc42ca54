/** What an export reads: a consistent snapshot of the rolls, whatever imports do meanwhile. */
import type { RollSql } from './rolls/roll-sql.ts'
import type { StoredParcel } from './store.ts'

export type ExportScope = {
  /** Two letters. */
  state: string
  /** Five-digit county FIPS code; `undefined` for the whole state. */
  fips: number | undefined
  /** Epoch seconds: only parcels whose record changed since; `undefined` for all. */
  changedSince: number | undefined
}

/** A parcel's id and its point in ten-millionths of a degree; `null` without a point. */
type ExportPlace = { id: number; x: number | null; y: number | null }

export type ExportReader = ReturnType<typeof createExportReader>

const SLICE = 10_000

type Keyed = ExportPlace & { stripped: string; municipality: string; parcel: string }

/** Reads a snapshot that the connection holds; `close` ends it. */
export function createExportReader(sql: RollSql, close: () => Promise<void>) {
  const { of, isIn } = sql.dialect
  return {
    /** Ids and points of the parcels in the order of their identity, some thousand at a time. */
    async *places({ state, fips, changedSince }: ExportScope): AsyncGenerator<ExportPlace[]> {
      const counties = await sql.ask<{ fips: number }>(
        'SELECT DISTINCT fips FROM scopes WHERE state = $1 ORDER BY fips',
        [state],
      )
      const changed = `JOIN records r ON ${of('r')} r.id = p.id AND r.loaded_at >= $6`
      // In the order of the index `parcels_identity`.
      const text = `SELECT p.id, p.x, p.y, p.stripped_key AS stripped, p.municipality,
          p.parcel_key AS parcel
        FROM parcels p ${changedSince === undefined ? '' : changed}
        WHERE ${of('p')} p.fips = $2
          AND (p.stripped_key, p.municipality, p.parcel_key) > ($3, $4, $5)
        ORDER BY p.stripped_key, p.municipality, p.parcel_key LIMIT ${SLICE}`
      for (const county of counties) {
        if (fips !== undefined && county.fips !== fips) continue
        for (let after = ['', '', '']; ; ) {
          const since = changedSince === undefined ? [] : [changedSince]
          const rows = await sql.ask<Keyed>(text, [state, county.fips, ...after, ...since])
          if (rows.length > 0) yield rows
          const last = rows.at(-1)
          if (last === undefined || rows.length < SLICE) break
          after = [last.stripped, last.municipality, last.parcel]
        }
      }
    },
    /** The parcels with these ids in one state, in the given order. Throws when one is missing. */
    async records(state: string, ids: readonly number[]) {
      const found = await sql.ask<StoredParcel>(
        `SELECT r.id, r.loaded_at AS "loadedAt", r.field_values AS "fieldValues",
          g.geojson AS geometry
        FROM records r LEFT JOIN geometries g ON ${of('g')} g.id = r.id
        WHERE ${of('r')} r.id ${isIn('$2', 'bigint')}`,
        [state, ids],
      )
      const byId = new Map(found.map((parcel) => [parcel.id, parcel]))
      return ids.map((id) => {
        const parcel = byId.get(id)
        if (parcel === undefined) throw new Error(`the record ${id} is missing`)
        return parcel
      })
    },
    close,
  }
}
