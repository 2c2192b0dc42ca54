/** `GET /public/property/location/`: the parcels nearest to a point. */
import { refuse } from '../../base/errors.ts'
import { type After, findNearest, type ReadBox, roundMiles } from '../../geo/nearest.ts'
import { boxesAround, measureMiles, type Point } from '../../geo/sphere.ts'
import type { PlaceFilter, PointHit } from '../../store/places.ts'
import { decodePlaceCursor, encodePlaceCursor, RADIUS_MAX_MILES } from '../cursor.ts'
import { defineOperation, type PausingContext, showList } from '../operation.ts'
import type { Ranked } from '../questions/pick.ts'
import {
  askPage,
  QUESTION,
  type Question,
  type QuestionPage,
  readAfter,
  readQuestion,
  scopeOf,
  showCount,
} from '../questions/question.ts'
import { CURSOR, FIELDS, LIMIT, OFFSET, param } from '../shared-parameters.ts'
import { UNSUPPORTED_FILTERS } from '../unsupported-filters.ts'
import { pointOfRecord } from './area-page.ts'
import {
  LATITUDE,
  LONGITUDE,
  listSchema,
  makePlaceFilter,
  PLACE_FILTERS,
  pointOf,
  readHits,
} from './place-parameters.ts'

/** Largest offset; a cursor costs the same on every page. */
const OFFSET_MAX = 5000

const PARAMETERS = {
  latitude: { ...LATITUDE, required: true },
  longitude: { ...LONGITUDE, required: true },
  radius: param.miles(RADIUS_MAX_MILES),
  ...PLACE_FILTERS,
  ...QUESTION,
  fields: FIELDS,
  limit: LIMIT,
  cursor: CURSOR,
  offset: { ...OFFSET, maximum: OFFSET_MAX, unless: 'cursor' },
} as const

export const locationSearch = defineOperation({
  operationId: 'locationSearch',
  path: '/public/property/location/',
  parameters: PARAMETERS,
  freeWith: 'countOnly',
  answers: { schema: listSchema('locationSearch') },
  refusals: [400, 503],
  unsupported: UNSUPPORTED_FILTERS,
  check(values) {
    const question = readQuestion(values)
    const { cursor } = values
    const isPlain = cursor !== undefined && question === undefined
    return {
      values,
      question: question && { ...question, from: readAfter(question, cursor, 'distance') },
      after: isPlain ? decodePlaceCursor(cursor) : undefined,
    }
  },
  find: ({ values, question, after }, context) =>
    context.queueSearch(async (pause) => {
      const { cursor, limit, offset, radius } = values
      const byCursor = cursor !== undefined
      const near = { center: pointOf(values), radiusMiles: radius }
      const paging = { skip: byCursor ? 0 : offset, limit }
      const filter = makePlaceFilter(values, context)
      const asked = { ...near, ...paging, after, wantsNext: byCursor }
      const paused = { ...context, pause }
      const page =
        question === undefined
          ? await findNear(filter, asked, paused)
          : await askNear(filter, asked, question, paused)
      if (question?.countOnly) return showCount(page)
      return showList(page.parcels, context.layout, {
        limit,
        ...(byCursor ? {} : { offset }),
        count: page.parcels.length,
        ...(byCursor && { nextCursor: page.nextCursor }),
        searchCenter: { longitude: values.longitude, latitude: values.latitude },
        radiusMiles: radius,
        // In whole millionths of a mile: a sixteenth of an inch.
        distancesMiles: page.distances,
        ...page.totals,
      })
    }),
})

type Near = { center: Point; radiusMiles: number; skip: number; limit: number }
/** `wantsNext`: whether a cursor is wanted, which needs a look at one parcel more. */
type NearQuestion = Near & { after: After | undefined; wantsNext: boolean }
type NearPage = Omit<QuestionPage, 'ranked'> & { distances: number[] }
type Limits = Pick<PausingContext, 'parcels' | 'startedAt' | 'searchTimeMs' | 'pause'>

/** A page of the parcels nearest to a point, ties by id. `after`: continues behind this hit. */
export async function findNear(
  filter: PlaceFilter | undefined,
  { center, radiusMiles, skip, limit, after, wantsNext }: NearQuestion,
  context: Limits,
): Promise<NearPage> {
  if (filter === undefined) return { parcels: [], distances: [], nextCursor: null, totals: {} }
  const { parcels } = context
  const beforeRead = limitReads(context)
  const read: ReadBox<PointHit> = async (box, most) => {
    await beforeRead()
    return parcels.pointsIn(filter, box, most)
  }
  const wanted = skip + limit + Number(wantsNext)
  const near = await findNearest(read, { center, radiusMiles, after }, wanted)
  const page = near.slice(skip, skip + limit)
  const last = near.length > skip + limit ? page.at(-1) : undefined
  const milesOf = new Map(page.map(({ hit, distanceMiles }) => [hit.id, distanceMiles]))
  const found = await readHits(
    parcels,
    page.map(({ hit }) => hit),
  )
  return {
    parcels: found,
    distances: found.map(({ id }) => milesOf.get(id) as number),
    nextCursor: last ? encodePlaceCursor({ ...last, id: last.hit.id }) : null,
    totals: {},
  }
}

/** As `findNear`, by the facts of parcels, in the asked order or by distance. */
async function askNear(
  filter: PlaceFilter | undefined,
  { center, radiusMiles, skip, limit }: Near,
  question: Question & { from: Ranked | undefined },
  context: PausingContext,
): Promise<NearPage> {
  const rank = (point: Point) => roundMiles(measureMiles(center, point))
  const holds = (point: Point) => measureMiles(center, point) <= radiusMiles
  const scope = await scopeOf(filter, { boxes: boxesAround(center, radiusMiles), holds }, context)
  const order = question.order ?? { by: 'point' as const, rank }
  const page = await askPage(question, scope, { after: question.from, skip, limit, order }, context)
  const distances = page.parcels.map(({ fieldValues }) => rank(pointOfRecord(fieldValues)))
  return { ...page, distances }
}

/** Each read takes at most a few milliseconds; other requests are answered in between. */
function limitReads({ startedAt, searchTimeMs, pause }: Limits): () => Promise<void> {
  const deadline = startedAt + searchTimeMs
  let reads = 0
  return async () => {
    reads += 1
    if (reads > 1) await pause()
    if (performance.now() > deadline) {
      throw refuse.unavailable('The search took too long; ask for a smaller radius')
    }
  }
}
