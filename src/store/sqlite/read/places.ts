/** Searches by place over the R-trees of `parcels.db`. */
import type { SQLInputValue } from 'node:sqlite'
import type { UnitBox } from '../../../base/model/geometry.ts'
import { tileTextOf } from '../../../record/tile-text.ts'
import type { NearbyReads, PlaceFilter, PlaceReader, PointHit, ShownParcel } from '../../places.ts'
import { listConditions } from '../../rows.ts'
import type { StoredParcel } from '../../store.ts'
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

export function openPlaceReader(prepare: Prepare): PlaceReader & NearbyReads<StoredParcel> {
  return {
    async pointsIn(filter, box, limit) {
      const conditions = listConditions(filter, undefined)
      const sql = pointsSql({ conditions, inState: filter.state !== undefined })
      const values = [...boxValues(box), ...filterValues(filter, conditions), limit]
      return prepare(sql)
        .all<PointColumns>(...values)
        .map(readPoint)
    },
    async salesIn(sinceDay, box, limit) {
      return prepare(PLACES.sales)
        .all<PointColumns>(...boxValues(box), sinceDay, limit)
        .map(readPoint)
    },
    async shapesIn(box, limit) {
      return prepare(PLACES.shapes)
        .all<ShapeColumns>(...boxValues(box), limit)
        .map(([id, state]) => ({ id, state }))
    },
    async shapeIdsIn(box, limit) {
      return prepare(PLACES.shapeIds)
        .all<[id: number]>(...boxValues(box), limit)
        .map(([id]) => id)
    },
    async spotsIn(box, limit) {
      return prepare(PLACES.spots)
        .all<SpotColumns>(...boxValues(box), limit)
        .map(([id, x, y]) => ({ id, x, y }))
    },
    recordsOfSpots: async (ids, assignedOnly) => readRecords(prepare, ids, assignedOnly),
    async recordsOver(box, limit) {
      return prepare(PLACES.recordsOver)
        .all<RecordColumns>(...boxValues(box), limit)
        .map(readRecord)
    },
    async tileRows(_state, ids) {
      if (ids.length === 0) return []
      return prepare(tileRowsSql(ids.length))
        .all<TileColumns>(...ids)
        .flatMap(readTileRow)
    },
    async countsIn({ x0, x1, y0, y1, shift }) {
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

function filterValues(
  filter: PlaceFilter,
  conditions: ReturnType<typeof listConditions>,
): SQLInputValue[] {
  const asked = conditions
    .filter((one) => one !== 'assignedOnly')
    .map((one) => filter[one as keyof PlaceFilter] ?? null)
    .map((value) => (typeof value === 'boolean' ? Number(value) : value))
  return filter.state === undefined ? asked : [filter.state, ...asked]
}

function readPoint([id, state, x, y]: PointColumns): PointHit {
  return { id, state, x, y }
}

function readTileRow([id, text, geometry, fieldValues]: TileColumns): ShownParcel[] {
  if (text !== null) return [{ id, text, geometry }]
  return fieldValues === null ? [] : [{ id, text: tileTextOf(fieldValues), geometry }]
}

/** Texts that are constant. Values of a box: see `boxValues`. */
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
