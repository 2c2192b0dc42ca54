/**
 * Searches by place over the GiST indexes of PostgreSQL. On a cluster each question is sent to the
 * shards of the states that have parcels in the box. Elsewhere one statement is for all states.
 */
import type { CoverageAsked, DegreeBox } from '../../../base/model/coverage.ts'
import { tileTextOf } from '../../../record/tile-text.ts'
import {
  boundsOfTiles,
  boxInDegrees,
  boxText,
  type CellCount,
  type PlaceFilter,
  type PlaceReader,
  type PointHit,
  type ShapeHit,
} from '../../places.ts'
import { listConditions } from '../../rows.ts'
import type { StoredParcel } from '../../store.ts'
import type { NodeWatch } from '../cluster/node-watch.ts'
import { EVERYWHERE } from '../cluster/state-places.ts'
import type { Ask, LookupQueue } from '../pool/lookup-queue.ts'
import { idsStatement, pointsStatement } from './statements.ts'

export function openPlaceReader(
  { ask }: Pick<LookupQueue, 'ask'>,
  spread: SpreadStates,
  { guard }: Pick<NodeWatch, 'guard'>,
): PlaceReader {
  /** `question` gets one state, or `undefined` for all of them. */
  async function askWithin<Hit>(
    box: DegreeBox,
    limit: number,
    question: (state?: string) => Promise<Hit[]>,
  ): Promise<Hit[]> {
    const states = await spread.within(box)
    if (states === undefined) return question()
    const found = await Promise.all(states.map((state) => guard(state, () => question(state))))
    return found.flat().slice(0, limit)
  }

  return {
    async pointsIn(filter, box, limit) {
      const conditions = listConditions(filter, undefined)
      const pointsOf = (state?: string) => {
        const { text, values } = pointsStatement(conditions, state !== undefined)
        const known: Record<string, unknown> = { ...filter, state, box: boxText(box), limit }
        return ask<PointHit>(
          text,
          values.map((name) => known[name as keyof PlaceFilter] ?? null),
        )
      }
      if (filter.state !== undefined) return pointsOf(filter.state)
      return askWithin(boxInDegrees(box), limit, pointsOf)
    },
    async salesIn(sinceDay, box, limit) {
      const asked = [boxText(box), sinceDay, limit]
      return askWithin(boxInDegrees(box), limit, (state) =>
        state === undefined
          ? ask<PointHit>(PLACES.sales, asked)
          : ask<PointHit>(PLACES.salesOfState, [...asked, state]),
      )
    },
    async shapesIn(box, limit) {
      const asked = [boxText(box), limit]
      return askWithin(boxInDegrees(box), limit, (state) =>
        state === undefined
          ? ask<ShapeHit>(PLACES.shapes, asked)
          : ask<ShapeHit>(PLACES.shapesOfState, [...asked, state]),
      )
    },
    async tileRows(state, ids) {
      const records = await ask<StoredParcel>(BY_IDS.text, [state, [...ids]])
      return records.map(({ id, fieldValues, geometry }) => ({
        id,
        text: tileTextOf(fieldValues),
        geometry,
      }))
    },
    async countsIn(cells) {
      const { x0, x1, y0, y1, shift } = cells
      const asked = [shift, x0 * 16_384, x1 * 16_384 + 16_383, y0, y1]
      return askWithin(boundsOfTiles(cells), Number.POSITIVE_INFINITY, (state) =>
        state === undefined
          ? ask<CellCount>(PLACES.counts, asked)
          : ask<CellCount>(PLACES.countsOfState, [...asked, state]),
      )
    },
  }
}

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

/**
 * Chooses how a query over several states is sent to a cluster: one statement per state and shard.
 * Each returns `undefined` where one statement is for all states.
 */
type SpreadStates = ReturnType<typeof openSpreadStates>

/** Whether the rolls are distributed is read once. */
export function openSpreadStates(ask: Ask) {
  let isSpread: boolean | undefined

  async function list(text: string, values: unknown[]): Promise<string[]> {
    return (await ask<{ state: string }>(text, values)).map(({ state }) => state)
  }

  async function within({ west, south, east, north }: DegreeBox): Promise<string[] | undefined> {
    if (!(await readSpread())) return undefined
    return list(PLACES.states, [west, east, south, north].map(Math.floor))
  }

  async function readSpread(): Promise<boolean> {
    isSpread ??= (await ask<{ spread: boolean }>(PLACES.spread, []))[0]?.spread === true
    return isSpread
  }

  return {
    /** States with points or polygons in a box, and perhaps others. */
    within,
    /** States of a question about coverage, and perhaps others. */
    async covering({ states, boxes }: CoverageAsked) {
      if (!(await readSpread())) return undefined
      if (states !== undefined) return [...new Set(states)]
      if (boxes === undefined) return list(PLACES.loaded, [])
      const found = await Promise.all(boxes.map(within))
      return [...new Set(found.flatMap((one) => one ?? []))]
    },
  }
}
