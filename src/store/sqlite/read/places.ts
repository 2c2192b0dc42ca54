/** Searches by place over the R-trees of `parcels.db`. */
import type { SQLInputValue } from 'node:sqlite'
import type { UnitBox } from '../../../base/model/geometry.ts'
import { tileTextOf } from '../../../record/tile-text.ts'
import type { NearbyReads, PlaceReader, PointHit, ShownParcel } from '../../places.ts'
import { listConditions } from '../../rows.ts'
import type { StoredParcel } from '../../store.ts'
import { testedValues } from './page-walk.ts'
import type { Prepare } from './prepare.ts'
import { type RecordColumns, readRecord } from './read-rows.ts'
import { pointsSql, RECORD, RECORD_JOIN, recordsSql, tileRowsSql } from './statements.ts'

type PointColumns = [id: number, state: string, x: number, y: number]
type SpotColumns = [id: number, x: number, y: number]
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
  const inBox = <Row extends unknown[]>(sql: string, box: UnitBox, ...more: SQLInputValue[]) =>
    prepare(sql).all<Row>(...boxValues(box), ...more)
  return {
    pointsIn(filter, box, limit) {
      const conditions = listConditions(filter, undefined)
      const sql = pointsSql({ conditions, inState: filter.state !== undefined })
      const state = filter.state === undefined ? [] : [filter.state]
      const values = testedValues(filter, conditions)
      return inBox<PointColumns>(sql, box, ...state, ...values, limit).map(readPoint)
    },
    salesIn: (sinceDay, box, limit) =>
      inBox<PointColumns>(PLACES.sales, box, sinceDay, limit).map(readPoint),
    shapesIn: (box, limit) =>
      inBox<ShapeColumns>(PLACES.shapes, box, limit).map(([id, state]) => ({ id, state })),
    shapeIdsIn: (box, limit) => inBox<[id: number]>(PLACES.shapeIds, box, limit).map(([id]) => id),
    spotsIn: (box, limit) =>
      inBox<SpotColumns>(PLACES.spots, box, limit).map(([id, x, y]) => ({ id, x, y })),
    recordsOfSpots: (ids, assignedOnly) => readRecords(prepare, ids, assignedOnly),
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

/** Returns records in the order of their ids, with `assignedOnly` those with an address. */
export function readRecords(prepare: Prepare, ids: readonly number[], assignedOnly: boolean) {
  if (ids.length === 0) return []
  const statement = prepare(recordsSql({ count: ids.length, assignedOnly }))
  return statement.all<RecordColumns>(...ids).map(readRecord)
}

/** Order of the statements: an entry begins before the box ends, and ends after the box begins. */
function boxValues({ west, south, east, north }: UnitBox): number[] {
  return [west, east, south, north]
}

function readPoint([id, state, x, y]: PointColumns): PointHit {
  return { id, state, x, y }
}

function readTileRow([id, text, geometry, fieldValues]: TileColumns): ShownParcel[] {
  if (text !== null) return [{ id, text, geometry }]
  return fieldValues === null ? [] : [{ id, text: tileTextOf(fieldValues), geometry }]
}

/** Texts that are constant. Values, if not said otherwise: those of `boxValues`, the limit. */
export const PLACES = {
  // Values: the box, the first day, the limit.
  sales: `SELECT c.id, p.state, p.x, p.y FROM (SELECT id FROM sales
      WHERE west >= ? AND west <= ? AND south >= ? AND south <= ? AND day >= ?) c
    CROSS JOIN parcels p ON p.id = c.id LIMIT +?`,
  shapes: `SELECT c.id, p.state FROM (SELECT id FROM shapes
      WHERE east >= ? AND west <= ? AND north >= ? AND south <= ?) c
    CROSS JOIN parcels p ON p.id = c.id LIMIT +?`,
  spots: `SELECT id, west, south FROM points
    WHERE west >= ? AND west <= ? AND south >= ? AND south <= ? LIMIT +?`,
  shapeIds: `SELECT id FROM shapes
    WHERE east >= ? AND west <= ? AND north >= ? AND south <= ? LIMIT +?`,
  recordsOver: `SELECT ${RECORD} FROM (SELECT id FROM shapes
      WHERE east >= ? AND west <= ? AND north >= ? AND south <= ? LIMIT +?) c ${RECORD_JOIN}`,
  counts: `SELECT (cell >> 14) >> ? AS x, (cell & 16383) >> ? AS y, sum(parcels) FROM point_counts
    WHERE cell >= ? AND cell <= ? AND (cell & 16383) BETWEEN ? AND ? GROUP BY x, y`,
} as const
