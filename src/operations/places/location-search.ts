/** `GET /public/property/location/`: the parcels nearest to a point. */
import { refuse } from '../../errors.ts'
import { type After, findNearest, type Near } from '../../geo/nearest.ts'
import type { PointHit } from '../../store/places.ts'
import { decodePlaceCursor, encodePlaceCursor } from '../cursor.ts'
import { defineOperation, type Pause, type RequestContext, showList } from '../operation.ts'
import type { Values } from '../parameters.ts'
import { CURSOR, LIMIT, OFFSET } from '../shared-parameters.ts'
import { UNHONOURED_BY_PLACE } from '../unhonoured.ts'
import {
  centerSchema,
  LATITUDE,
  LONGITUDE,
  listSchema,
  makePlaceFilter,
  PLACE_FILTERS,
  pointOf,
  readHits,
  roundTo,
} from './place-parameters.ts'

/** Largest offset; a cursor costs the same on every page. */
const OFFSET_MAX = 5000

const PARAMETERS = {
  latitude: { ...LATITUDE, required: true },
  longitude: { ...LONGITUDE, required: true },
  radius: {
    type: 'number',
    minimum: 0,
    above: true,
    maximum: 2,
    cap: true,
    default: 1,
    about: 'Miles around the point; larger values are capped at 2.',
    example: 0.5,
  },
  ...PLACE_FILTERS,
  limit: { ...LIMIT, example: 10 },
  cursor: CURSOR,
  offset: { ...OFFSET, maximum: OFFSET_MAX, unless: 'cursor' },
} as const

const METADATA = {
  limit: { type: 'integer', description: 'Applied page size.' },
  offset: { type: 'integer', description: 'Applied number of parcels skipped; offset mode only.' },
  count: { type: 'integer', description: 'Number of properties in this answer.' },
  nextCursor: {
    type: ['string', 'null'],
    description: 'Opaque token for the next page, null on the last; cursor mode only.',
  },
  searchCenter: centerSchema('The point asked for.'),
  radiusMiles: { type: 'number', description: 'Applied radius in miles.' },
  distancesMiles: {
    type: 'array',
    items: { type: 'number' },
    description:
      'Great-circle distance of each property, in their order, in miles on a sphere of ' +
      '3,958.7613 miles: within 0.3 % of the ellipsoid at US latitudes.',
  },
}

export const locationSearch = defineOperation({
  operationId: 'locationSearch',
  path: '/public/property/location/',
  summary: 'Location search',
  description:
    'The parcels whose point lies within a radius of a point, nearest first, ties by ' +
    'record id. Nothing there is a 200 with an empty list.',
  parameters: PARAMETERS,
  tokenCost: 0,
  answers: {
    schema: listSchema(METADATA, [
      ...['limit', 'count', 'searchCenter', 'radiusMiles', 'distancesMiles'],
    ]),
  },
  refusals: [400, 503],
  unhonoured: UNHONOURED_BY_PLACE,
  check: (values) => ({
    values,
    after: values.cursor === undefined ? undefined : decodePlaceCursor(values.cursor),
  }),
  find: ({ values, after }, context) =>
    context.queueSearch(async (pause) => {
      const { limit, offset, radius, cursor } = values
      const byCursor = cursor !== undefined
      const wanted = byCursor ? limit + 1 : offset + limit
      const near = await findAround(values, wanted, after, context, pause)
      const page = byCursor ? near.slice(0, limit) : near.slice(offset, offset + limit)
      const last = page.at(-1)
      const more = near.length > limit && last !== undefined
      const place = last && { distanceMiles: last.distanceMiles, id: last.hit.id }
      const parcels = await readHits(
        context.parcels,
        page.map(({ hit }) => hit),
      )
      return showList(parcels, context.layout, {
        limit,
        ...(byCursor ? {} : { offset }),
        count: parcels.length,
        ...(byCursor && { nextCursor: more && place ? encodePlaceCursor(place) : null }),
        searchCenter: { longitude: values.longitude, latitude: values.latitude },
        radiusMiles: radius,
        distancesMiles: distancesOf(page, parcels),
      })
    }),
})

async function findAround(
  values: Values<typeof PARAMETERS>,
  wanted: number,
  after: After | undefined,
  context: RequestContext,
  pause: Pause,
): Promise<Near<PointHit>[]> {
  const filter = makePlaceFilter(values, context)
  if (filter === undefined) return []
  const deadline = context.startedAt + context.searchTimeMs
  let reads = 0
  return findNearest<PointHit>(
    async (box, limit) => {
      reads += 1
      // Each read takes at most a few milliseconds; other requests are answered in between.
      if (reads > 1) await pause()
      if (performance.now() > deadline) {
        throw refuse.unavailable('The search took too long; ask for a smaller radius')
      }
      return context.parcels.pointsIn(filter, box, limit)
    },
    pointOf(values),
    values.radius,
    wanted,
    after,
  )
}

/** Returns the distances of the parcels read, rounded to a hundredth of a foot. */
function distancesOf(
  page: readonly Near<PointHit>[],
  parcels: readonly { id: number }[],
): number[] {
  const byId = new Map(page.map(({ hit, distanceMiles }) => [hit.id, distanceMiles]))
  return parcels.map(({ id }) => roundTo(byId.get(id) ?? 0, 6))
}
