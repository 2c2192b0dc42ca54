/** `GET /public/property/point/`: the parcels whose polygon contains a point. */
import { refuse } from '../../base/errors.ts'
import { boxInUnits } from '../../base/model/geometry.ts'
import { findNearest } from '../../geo/nearest.ts'
import type { Point } from '../../geo/sphere.ts'
import { textHolds } from '../../geo/text-holds.ts'
import type { PointHit } from '../../store/places.ts'
import type { ParcelReader, StoredParcel } from '../../store/store.ts'
import { defineOperation, describeMatch, showList } from '../operation.ts'
import { FIELDS, param } from '../shared-parameters.ts'
import { AS_OF } from '../time/as-of.ts'
import { LATITUDE, LONGITUDE, listSchema, pointOf, readHits } from './place-parameters.ts'

const METERS_PER_MILE = 1609.344

/** Most parcels at one point; more than any answer shows. */
const STACKED_MAX = 1000

const PARAMETERS = {
  latitude: { ...LATITUDE, required: true },
  longitude: { ...LONGITUDE, required: true },
  tolerance: {
    type: 'number',
    minimum: 0,
    maximum: 100,
    default: 0,
  },
  fields: FIELDS,
  asOf: AS_OF,
  limit: param.upTo(100, 100),
} as const

export const pointLookup = defineOperation({
  operationId: 'pointLookup',
  path: '/public/property/point/',
  parameters: PARAMETERS,
  answers: { schema: listSchema('pointLookup') },
  check: (values) => values,
  async find({ limit, tolerance, ...asked }, { parcels, layout }) {
    const point = pointOf(asked)
    const held = await findHolding(parcels, point)
    const found = held.length > 0 ? held : await findNear(parcels, point, tolerance)
    if (found.length === 0) throw refuse.notFound('Property not found')
    const shown = found.slice(0, limit)
    return showList(
      shown,
      layout,
      { limit, count: shown.length },
      describeMatch(held.length > 0 ? 'polygon' : 'nearest', found.length, 1),
    )
  },
})

/** Ascending ids. */
async function findHolding(parcels: ParcelReader, point: Point): Promise<StoredParcel[]> {
  const [x, y] = point
  const box = boxInUnits({ west: x, south: y, east: x, north: y })
  const records =
    (await parcels.recordsOver?.(box, STACKED_MAX)) ??
    (await readHits(parcels, await parcels.shapesIn(box, STACKED_MAX)))
  const held = records.filter(({ geometry }) => geometry !== null && textHolds(geometry, point))
  return held.sort((a, b) => a.id - b.id)
}

async function findNear(
  parcels: ParcelReader,
  point: Point,
  toleranceMeters: number,
): Promise<StoredParcel[]> {
  if (toleranceMeters === 0) return []
  const anywhere = { assignedOnly: false }
  const [nearest] = await findNearest<PointHit>(
    (box, limit) => parcels.pointsIn(anywhere, box, limit),
    { center: point, radiusMiles: toleranceMeters / METERS_PER_MILE },
    1,
  )
  return nearest === undefined ? [] : readHits(parcels, [nearest.hit])
}
