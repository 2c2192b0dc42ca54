/**
 * Searches by place over the GiST indexes of PostgreSQL. On a cluster each question is sent to the
 * shards of the states that have parcels in the box; elsewhere one statement is for all states.
 */
import type { DegreeBox } from '../../../base/model/coverage.ts'
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
import type { LookupQueue } from '../pool/lookup-queue.ts'
import { BY_IDS, PLACES } from './place-statements.ts'
import type { SpreadStates } from './spread-states.ts'
import { pointsStatement } from './statements.ts'

/** Opens the reader of places. */
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
