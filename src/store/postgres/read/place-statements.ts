/** Statements about places, and for records by id. */
import { EVERYWHERE } from '../cluster/state-places.ts'
import { idsStatement } from './statements.ts'

/** Records of ids, in the order of the ids. */
export const BY_IDS = idsStatement([])

export const PLACES = {
  // The bit of `salePrice` in `filled`, as in the index `parcels_by_sale`.
  sales: sales(''),
  salesOfState: sales('state = $4 AND'),
  shapes: shapes(''),
  shapesOfState: shapes('state = $3 AND'),
  counts: counts(''),
  countsOfState: counts('state = $6 AND'),
  // States with parcels in some cells; `cluster/state-places.ts`.
  states: `SELECT state FROM place_cells WHERE x BETWEEN $1 AND $2 AND y BETWEEN $3 AND $4
    UNION SELECT state FROM place_cells WHERE x = ${EVERYWHERE}`,
  loaded: 'SELECT state FROM state_versions',
  spread: "SELECT to_regclass('pg_dist_partition') IS NOT NULL AS spread",
} as const

function sales(state: string): string {
  return `SELECT id, state, x, y FROM parcels WHERE ${state} x IS NOT NULL
    AND transfer_day IS NOT NULL AND filled & 4096 <> 0 AND point(x, y) <@ $1::box
    AND transfer_day >= $2 LIMIT $3`
}

function shapes(state: string): string {
  return `SELECT id, state FROM shapes WHERE ${state} bounds && $1::box LIMIT $2`
}

function counts(state: string): string {
  return `SELECT (cell >> 14) >> $1::integer AS x, (cell & 16383) >> $1::integer AS y,
      sum(parcels)::bigint AS parcels
    FROM point_counts WHERE ${state} cell BETWEEN $2 AND $3
      AND (cell & 16383) BETWEEN $4 AND $5 GROUP BY 1, 2`
}
