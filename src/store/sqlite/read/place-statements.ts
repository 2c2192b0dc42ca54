/** Statements about places. */
import { IS_ASSIGNED, OWNED_JOIN } from '../owned.ts'
import { RECORD, RECORD_JOIN, remember } from './statements.ts'

/** Texts that are constant. Values of a box: see `boxValues` in `places.ts`. */
export const PLACES = {
  // Values: the box, the first day, the limit.
  sales: `SELECT c.id, p.state, p.x, p.y FROM (SELECT id FROM sales
      WHERE west >= ? AND west <= ? AND south >= ? AND south <= ? AND day >= ?) c
    CROSS JOIN parcels p ON p.id = c.id LIMIT +?`,
  shapes: `SELECT c.id, p.state FROM (SELECT id FROM shapes
      WHERE east >= ? AND west <= ? AND north >= ? AND south <= ?) c
    CROSS JOIN parcels p ON p.id = c.id LIMIT +?`,
  /** Values: the box, the limit. */
  spots: `SELECT id, west, south FROM points
    WHERE west >= ? AND west <= ? AND south >= ? AND south <= ? LIMIT +?`,
  /** Values: the box, the limit. */
  shapeIds: `SELECT id FROM shapes
    WHERE east >= ? AND west <= ? AND north >= ? AND south <= ? LIMIT +?`,
  /** Values: the box, the limit. */
  recordsOver: `SELECT ${RECORD} FROM (SELECT id FROM shapes
      WHERE east >= ? AND west <= ? AND north >= ? AND south <= ? LIMIT +?) c ${RECORD_JOIN}`,
  counts: `SELECT (cell >> 14) >> ? AS x, (cell & 16383) >> ? AS y, sum(parcels) FROM point_counts
    WHERE cell >= ? AND cell <= ? AND (cell & 16383) BETWEEN ? AND ? GROUP BY x, y`,
} as const

/**
 * Returns SQL for the records of a number of parcels with a street number and name, in the order of
 * their ids.
 */
export const assignedRecordsSql = remember<number>(
  String,
  (count) => `WITH c(id) AS (VALUES ${Array(count).fill('(?)').join(', ')})
    SELECT ${RECORD} FROM c CROSS JOIN records r ON r.id = c.id ${OWNED_JOIN}
    LEFT JOIN geometries g ON g.id = c.id WHERE ${IS_ASSIGNED}`,
)
