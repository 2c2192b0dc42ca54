/** Searches by place over the GiST indexes of PostgreSQL. */
import { refuse } from '../../../errors.ts'
import { tileTextOf } from '../../../record/tile-text.ts'
import {
  boxText,
  type CellCount,
  type PlaceFilter,
  type PlaceReader,
  type PointHit,
  type ShapeHit,
} from '../../places.ts'
import { listConditions } from '../../rows.ts'
import type { StoredParcel } from '../../store.ts'
import type { LookupQueue } from '../pool/lookup-queue.ts'
import { BY_IDS, PLACES } from './place-statements.ts'
import { pointsStatement } from './statements.ts'

/**
 * Opens the reader of places. In an older store they are available once all records were processed.
 */
export function openPlaceReader({ ask }: Pick<LookupQueue, 'ask'>): PlaceReader {
  let isReady = false
  const checkReady = async () => {
    if (isReady) return
    const [row] = await ask<{ left: string }>(PLACES.ready, [])
    isReady = Number(row?.left) === 0
    if (!isReady) throw refuse.unavailable('Places are still being indexed; try again later')
  }
  return {
    async pointsIn(filter, box, limit) {
      await checkReady()
      const { text, values } = pointsStatement(
        listConditions(filter, undefined),
        filter.state !== undefined,
      )
      const known: Record<string, unknown> = { ...filter, box: boxText(box), limit }
      return ask<PointHit>(
        text,
        values.map((name) => known[name as keyof PlaceFilter] ?? null),
      )
    },
    async salesIn(sinceDay, box, limit) {
      await checkReady()
      return ask<PointHit>(PLACES.sales, [boxText(box), sinceDay, limit])
    },
    async shapesIn(box, limit) {
      await checkReady()
      return ask<ShapeHit>(PLACES.shapes, [boxText(box), limit])
    },
    async tileRows(state, ids) {
      const records = await ask<StoredParcel>(BY_IDS.text, [state, [...ids]])
      return records.map(({ id, leaves, geometry }) => ({ id, text: tileTextOf(leaves), geometry }))
    },
    async countsIn({ x0, x1, y0, y1, shift }) {
      await checkReady()
      return ask<CellCount>(PLACES.counts, [shift, x0 * 16_384, x1 * 16_384 + 16_383, y0, y1])
    },
  }
}
