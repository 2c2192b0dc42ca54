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
  type PlaceReader,
  type PointHit,
} from '../../places.ts'
import { listConditions } from '../../rows.ts'
import type { StoredParcel } from '../../store.ts'
import type { NodeWatch } from '../cluster/node-watch.ts'
import { EVERYWHERE } from '../cluster/state-places.ts'
import type { Ask, LookupQueue } from '../pool/lookup-queue.ts'
import { idsStatement, pointsStatement } from './statements.ts'

/** Writes a statement with a condition on the state, which is empty for all states. */
type InState = (inState: string) => string

export function openPlaceReader(
  { ask }: Pick<LookupQueue, 'ask'>,
  spread: SpreadStates,
  { guard }: Pick<NodeWatch, 'guard'>,
): PlaceReader {
  /** Asks for all states, or for one, which is the last value. */
  function askOf<Hit>(write: InState, values: unknown[], state?: string): Promise<Hit[]> {
    if (state === undefined) return ask<Hit>(write(''), values)
    return ask<Hit>(write(`state = $${values.length + 1} AND`), [...values, state])
  }

  async function askWithin<Hit>(
    box: DegreeBox,
    limit: number,
    write: InState,
    values: unknown[],
  ): Promise<Hit[]> {
    const states = await spread.within(box)
    if (states === undefined) return askOf(write, values)
    const found = await Promise.all(
      states.map((state) => guard(state, () => askOf<Hit>(write, values, state))),
    )
    return found.flat().slice(0, limit)
  }

  return {
    async pointsIn(filter, box, limit) {
      const conditions = listConditions(filter, undefined)
      const write: InState = (inState) => pointsStatement(conditions, inState).text
      const known: Record<string, unknown> = { ...filter, box: boxText(box), limit }
      const values = pointsStatement(conditions, '').values.map((name) => known[name] ?? null)
      if (filter.state !== undefined) return askOf<PointHit>(write, values, filter.state)
      return askWithin(boxInDegrees(box), limit, write, values)
    },
    salesIn: (sinceDay, box, limit) =>
      askWithin(boxInDegrees(box), limit, PLACES.sales, [boxText(box), sinceDay, limit]),
    shapesIn: (box, limit) =>
      askWithin(boxInDegrees(box), limit, PLACES.shapes, [boxText(box), limit]),
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
      return askWithin(boundsOfTiles(cells), Number.POSITIVE_INFINITY, PLACES.counts, asked)
    },
  }
}

/** Records of ids, in the order of the ids. */
export const BY_IDS = idsStatement([])

export const PLACES = {
  // The bit of `salePrice` in `filled`, as in the index `parcels_by_sale`.
  sales: (inState: string) => `SELECT id, state, x, y FROM parcels WHERE ${inState} x IS NOT NULL
    AND transfer_day IS NOT NULL AND filled & 4096 <> 0 AND point(x, y) <@ $1::box
    AND transfer_day >= $2 LIMIT $3`,
  shapes: (inState: string) =>
    `SELECT id, state FROM shapes WHERE ${inState} bounds && $1::box LIMIT $2`,
  counts: (inState: string) => `SELECT (cell >> 14) >> $1::integer AS x,
      (cell & 16383) >> $1::integer AS y, sum(parcels)::bigint AS parcels
    FROM point_counts WHERE ${inState} cell BETWEEN $2 AND $3
      AND (cell & 16383) BETWEEN $4 AND $5 GROUP BY 1, 2`,
  // States with parcels in some cells; `cluster/state-places.ts`.
  states: `SELECT state FROM place_cells WHERE x BETWEEN $1 AND $2 AND y BETWEEN $3 AND $4
    UNION SELECT state FROM place_cells WHERE x = ${EVERYWHERE}`,
  loaded: 'SELECT state FROM state_versions',
  spread: "SELECT to_regclass('pg_dist_partition') IS NOT NULL AS spread",
} as const

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
