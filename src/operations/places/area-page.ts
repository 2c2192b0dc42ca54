/** A page of the parcels in an area, by ascending record ID. */
import { refuse } from '../../base/errors.ts'
import { boxInUnits, UNITS_PER_DEGREE, type UnitBox } from '../../base/model/geometry.ts'
import { readAll } from '../../geo/nearest.ts'
import { meetsAny } from '../../geo/sphere.ts'
import { slotOf, splitFields } from '../../record/stored.ts'
import { type PlaceFilter, type PointHit, toUnits } from '../../store/places.ts'
import type { ParcelPage, ParcelReader, StoredParcel } from '../../store/store.ts'
import type { Pause, RequestContext } from '../operation.ts'
import type { Area } from './area.ts'
import { readHits } from './place-parameters.ts'
import { splitByCounts } from './split-box.ts'

/** Most points in an area's boxes read for a page; a larger area is walked by record ID. */
const POINTS_MAX = 40_000

type AreaPage = {
  parcels: StoredParcel[]
  /** Where the next page continues; `undefined` for the last page. */
  nextId: number | undefined
  /** Whether the page ended because of its deadline. */
  outOfTime: boolean
}

type Context = Pick<RequestContext, 'parcels' | 'startedAt' | 'searchTimeMs'> & { pause: Pause }

/** An area, the filters and where the page begins. */
export type AreaQuestion = {
  area: Pick<Area, 'boxes' | 'holds'>
  filter: PlaceFilter
  /** Leaves out parcels up to this id, and `skip` of the others. */
  afterId: number
  skip: number
  limit: number
}

/** Throws *unavailable* when the deadline passes before any hit. `pointsMax`: see `POINTS_MAX`. */
export async function pageOfArea(
  asked: AreaQuestion,
  context: Context,
  pointsMax = POINTS_MAX,
): Promise<AreaPage> {
  const { afterId, skip, limit } = asked
  const hits = await gather(asked, context, pointsMax)
  if (hits === undefined) return walkOn(asked, context)
  const after = hits.filter(({ id }) => id > afterId).sort((a, b) => a.id - b.id)
  const page = after.slice(skip, skip + limit)
  const nextId = after.length > skip + limit ? page.at(-1)?.id : undefined
  return { parcels: await readHits(context.parcels, page), nextId, outOfTime: false }
}

/** Reads the points of an area; `undefined` when its boxes hold too many. */
async function gather(
  { area, filter }: Pick<AreaQuestion, 'area' | 'filter'>,
  { parcels, pause }: Context,
  pointsMax: number,
): Promise<PointHit[] | undefined> {
  const found: PointHit[] = []
  const parts: UnitBox[] = []
  let points = 0
  for (const box of area.boxes) {
    const listed = await splitByCounts(box, parcels)
    points += listed.points
    if (points > pointsMax) return undefined
    parts.push(...listed.parts)
  }
  for (const part of parts) {
    const read = (smaller: UnitBox, limit: number) => parcels.pointsIn(filter, smaller, limit)
    for await (const hits of readAll(read, part)) {
      found.push(
        ...hits.filter(({ x, y }) => area.holds([x / UNITS_PER_DEGREE, y / UNITS_PER_DEGREE])),
      )
      await pause()
    }
  }
  return found
}

/** Continues a walk page by page until a page is full or the deadline passes. */
async function walkOn(
  { area, filter, afterId, skip, limit }: AreaQuestion,
  context: Context,
): Promise<AreaPage> {
  const deadline = context.startedAt + context.searchTimeMs
  const found: StoredParcel[] = []
  let left = skip
  let from = afterId
  for (;;) {
    const page = await walk({ area, filter, afterId: from, limit }, context)
    const own = page.parcels.slice(left)
    left -= page.parcels.length - own.length
    found.push(...own)
    const parcels = found.slice(0, limit)
    if (found.length > limit) return { parcels, nextId: parcels.at(-1)?.id, outOfTime: false }
    if (page.nextId === undefined) return { parcels, nextId: undefined, outOfTime: false }
    from = page.nextId
    if (found.length === limit) return { parcels, nextId: from, outOfTime: false }
    if (performance.now() > deadline) return { parcels, nextId: from, outOfTime: true }
  }
}

/**
 * Walks the counties that the area intersects by record ID. The page ends at the last id up to
 * which every county was read, so that successive pages miss nothing.
 */
async function walk(
  { area, filter, afterId, limit }: Omit<AreaQuestion, 'skip'>,
  { parcels, startedAt, searchTimeMs }: Context,
): Promise<Omit<AreaPage, 'outOfTime'>> {
  const deadline = startedAt + searchTimeMs
  const counties = await findCounties(area, filter, parcels)
  const pages: ParcelPage[] = []
  for (const { state, fips } of counties) {
    for (const { west, south, east, north } of area.boxes.map(boxInUnits)) {
      const sides = { westFrom: west, eastTo: east, southFrom: south, northTo: north }
      const asked = { ...filter, state, fips, ...sides }
      pages.push(await parcels.page(asked, { afterId, skip: 0, limit: limit + 1 }, deadline))
    }
  }
  const open = pages.filter(({ done }) => !done).map(({ lastId }) => Math.max(afterId, lastId))
  const end = open.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...open)
  if (end === afterId) {
    throw refuse.unavailable('The search took too long; ask for a smaller area')
  }
  const read = pages
    .flatMap((page) => page.parcels)
    .filter(({ id }) => id <= end)
    .sort((a, b) => a.id - b.id)
  const inside = read.filter(({ fieldValues }) => area.holds(pointOfRecord(fieldValues)))
  const page = inside.slice(0, limit)
  const nextId = inside.length > limit ? page.at(-1)?.id : open.length === 0 ? undefined : end
  return { parcels: page, nextId }
}

async function findCounties(
  area: AreaQuestion['area'],
  filter: PlaceFilter,
  parcels: ParcelReader,
) {
  const asked = filter.state === undefined ? { boxes: area.boxes } : { states: [filter.state] }
  return (await parcels.coverage(asked)).filter(({ state, fips, bounds }) => {
    if (filter.state !== undefined && filter.state !== state) return false
    if (filter.fips !== undefined && filter.fips !== fips) return false
    return meetsAny(bounds, area.boxes)
  })
}

/** Returns the point of a record, rounded as in the index. Throws when the record is damaged. */
export function pointOfRecord(fieldValues: string): [number, number] {
  const texts = splitFields(fieldValues)
  return [roundDegrees(texts[LONGITUDE]), roundDegrees(texts[LATITUDE])]
}

/** `NaN` without a point, which is in no area. */
function roundDegrees(text: string | undefined): number {
  return text ? toUnits(Number(text)) / UNITS_PER_DEGREE : Number.NaN
}

const [LONGITUDE, LATITUDE] = [slotOf('longitude'), slotOf('latitude')]
