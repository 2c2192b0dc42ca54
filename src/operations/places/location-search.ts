/** `GET /public/property/location/`: the parcels nearest to a point. */
import { refuse } from '../../base/errors.ts'
import { decodePlaceCursor, encodePlaceCursor } from '../cursor.ts'
import { defineOperation, type Pause, type RequestContext, showList } from '../operation.ts'
import { CURSOR, LIMIT, OFFSET } from '../shared-parameters.ts'
import { UNSUPPORTED_FILTERS } from '../unsupported-filters.ts'
import { pageNearest } from './nearest-records.ts'
import {
  centerSchema,
  LATITUDE,
  LONGITUDE,
  listSchema,
  makePlaceFilter,
  PLACE_FILTERS,
  pointOf,
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
  searchCenter: centerSchema('The requested point.'),
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
    'record ID. If nothing is found, 200 with an empty list.',
  parameters: PARAMETERS,
  tokenCost: 0,
  answers: {
    schema: listSchema(METADATA, [
      ...['limit', 'count', 'searchCenter', 'radiusMiles', 'distancesMiles'],
    ]),
  },
  refusals: [400, 503],
  unsupported: UNSUPPORTED_FILTERS,
  check: (values) => ({
    values,
    after: values.cursor === undefined ? undefined : decodePlaceCursor(values.cursor),
  }),
  find: ({ values, after }, context) =>
    context.queueSearch(async (pause) => {
      const { limit, offset, radius, cursor } = values
      const byCursor = cursor !== undefined
      const filter = makePlaceFilter(values, context)
      const asked = { center: pointOf(values), radiusMiles: radius, after, limit }
      const paging = { skip: byCursor ? 0 : offset, wantsNext: byCursor }
      const { records, next } =
        filter === undefined
          ? NOTHING
          : await pageNearest(
              { ...asked, ...paging, filter },
              context.parcels,
              limitReads(context, pause),
            )
      return showList(
        records.map(({ parcel }) => parcel),
        context.layout,
        {
          limit,
          ...(byCursor ? {} : { offset }),
          count: records.length,
          ...(byCursor && { nextCursor: next ? encodePlaceCursor(next) : null }),
          searchCenter: { longitude: values.longitude, latitude: values.latitude },
          radiusMiles: radius,
          // In whole millionths of a mile: a sixteenth of an inch.
          distancesMiles: records.map(({ distanceMiles }) => distanceMiles),
        },
      )
    }),
})

const NOTHING = { records: [], next: undefined }

/** Each read takes at most a few milliseconds; other requests are answered in between. */
function limitReads(context: RequestContext, pause: Pause): () => Promise<void> {
  const deadline = context.startedAt + context.searchTimeMs
  let reads = 0
  return async () => {
    reads += 1
    if (reads > 1) await pause()
    if (performance.now() > deadline) {
      throw refuse.unavailable('The search took too long; ask for a smaller radius')
    }
  }
}
