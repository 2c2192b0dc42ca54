/** Searches by place over the grid of points and the R-tree of polygons in `parcels.db`. */
import type { UnitBox } from '../../../base/model/geometry.ts'
import { tileTextOf } from '../../../record/tile-text.ts'
import type { NearbyReads, PlaceReader, PointHit, ShownParcel } from '../../places.ts'
import { listConditions } from '../../rows.ts'
import type { StoredParcel } from '../../store.ts'
import { readPoints } from '../grid.ts'
import { testedValues } from './page-walk.ts'
import type { Prepare } from './prepare.ts'
import { type RecordColumns, readRecord } from './read-rows.ts'
import { pointsSql, RECORD, RECORD_JOIN, recordsSql, tileRowsSql } from './statements.ts'

type ShapeColumns = [id: number, state: string]
type TileColumns = [
  id: number,
  text: string | null,
  geometry: string | null,
  fieldValues: string | null,
]
type CountColumns = [x: number, y: number, parcels: number]

type Sooner<Ask> = Ask extends (...args: infer Args) => Promise<infer Answer>
  ? (...args: Args) => Answer | Promise<Answer>
  : Ask
/** A reader whose answers may be there at once. */
export type AtOnce<Reader> = { [Name in keyof Reader]: Sooner<Reader[Name]> }

export function openPlaceReader(prepare: Prepare): AtOnce<PlaceReader & NearbyReads<StoredParcel>> {
  // An entry begins before the box ends, and ends after the box begins.
  const inBox = <Row extends unknown[]>(sql: string, box: UnitBox, limit: number) =>
    prepare(sql).all<Row>(box.west, box.east, box.south, box.north, limit)
  return {
    pointsIn(filter, box, limit) {
      const { state, assignedOnly } = filter
      const only = { box, state, assignedOnly }
      const conditions = listConditions(filter, 'assignedOnly')
      if (conditions.length === 0) return [...readPoints(prepare, { ...only, limit })].flat()
      const found: PointHit[] = []
      const values = testedValues(filter, conditions)
      for (const points of readPoints(prepare, only)) {
        for (let at = 0; at < points.length; at += TESTED) {
          const some = points.slice(at, at + TESTED)
          const met = testPoints(prepare, { conditions, values }, some)
          found.push(...met.slice(0, limit - found.length))
          if (found.length === limit) return found
        }
      }
      return found
    },
    salesIn: (sinceDay, box, limit) => [...readPoints(prepare, { box, limit, sinceDay })].flat(),
    shapesIn: (box, limit) =>
      inBox<ShapeColumns>(PLACES.shapes, box, limit).map(([id, state]) => ({ id, state })),
    shapeIdsIn: (box, limit) => inBox<[id: number]>(PLACES.shapeIds, box, limit).map(([id]) => id),
    recordsOver: (box, limit) =>
      inBox<RecordColumns>(PLACES.recordsOver, box, limit).map(readRecord),
    tileRows(_state, ids) {
      if (ids.length === 0) return []
      return prepare(tileRowsSql(ids.length))
        .all<TileColumns>(...ids)
        .flatMap(readTileRow)
    },
    countsIn({ x0, x1, y0, y1, shift }) {
      return prepare(PLACES.counts)
        .all<CountColumns>(shift, shift, x0 * 16_384, x1 * 16_384 + 16_383, y0, y1)
        .map(([x, y, parcels]) => ({ x, y, parcels }))
    },
  }
}

/** Returns records in the order of their ids. */
export function readRecords(prepare: Prepare, ids: readonly number[]) {
  if (ids.length === 0) return []
  return prepare(recordsSql(ids.length))
    .all<RecordColumns>(...ids)
    .map(readRecord)
}

/** Most points that a statement tests. */
const TESTED = 128

type Tests = {
  conditions: ReturnType<typeof listConditions>
  values: ReturnType<typeof testedValues>
}

/** Returns those of some points that meet the conditions of a filter. */
function testPoints(
  prepare: Prepare,
  { conditions, values }: Tests,
  points: PointHit[],
): PointHit[] {
  // Few statements serve all numbers of points.
  const count = 2 ** Math.ceil(Math.log2(points.length))
  const ids = Array.from({ length: count }, (_, at) => points[at]?.id ?? null)
  const rows = prepare(pointsSql({ conditions, count })).all<[id: number]>(...ids, ...values)
  const met = new Set(rows.map(([id]) => id))
  return points.filter(({ id }) => met.has(id))
}

function readTileRow([id, text, geometry, fieldValues]: TileColumns): ShownParcel[] {
  if (text !== null) return [{ id, text, geometry }]
  return fieldValues === null ? [] : [{ id, text: tileTextOf(fieldValues), geometry }]
}

/** Texts that are constant. Values, if not said otherwise: the box, the limit. */
export const PLACES = {
  shapes: `SELECT c.id, p.state FROM (SELECT id FROM shapes
      WHERE east >= ? AND west <= ? AND north >= ? AND south <= ?) c
    CROSS JOIN parcels p ON p.id = c.id LIMIT +?`,
  shapeIds: `SELECT id FROM shapes
    WHERE east >= ? AND west <= ? AND north >= ? AND south <= ? LIMIT +?`,
  recordsOver: `SELECT ${RECORD} FROM (SELECT id FROM shapes
      WHERE east >= ? AND west <= ? AND north >= ? AND south <= ? LIMIT +?) c ${RECORD_JOIN}`,
  counts: `SELECT (cell >> 14) >> ? AS x, (cell & 16383) >> ? AS y, sum(parcels) FROM point_counts
    WHERE cell >= ? AND cell <= ? AND (cell & 16383) BETWEEN ? AND ? GROUP BY x, y`,
} as const
