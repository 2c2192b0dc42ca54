/** A page of the parcels in an area, by ascending record id. */

import { refuse } from '../../errors.ts'
import { readAll } from '../../geo/nearest.ts'
import { boxesMeet } from '../../geo/sphere.ts'
import { UNITS_PER_DEGREE } from '../../model/geometry.ts'
import { slotOf, splitFields } from '../../record/stored.ts'
import { boxInUnits, type PlaceFilter, type PointHit, type UnitBox } from '../../store/places.ts'
import type { ParcelPage, ParcelReader, StoredParcel } from '../../store/store.ts'
import type { RequestContext } from '../operation.ts'
import { readHits } from '../place-parameters.ts'
import type { Area } from './area.ts'

/** Points that are gathered and sorted for a page; an area with more is walked by record id. */
const GATHERED_MAX = 8000

type AreaPage = {
  parcels: StoredParcel[]
  /** Where the next page goes on; `undefined`: this is the last one. */
  nextId: number | undefined
}

type Context = Pick<RequestContext, 'parcels' | 'startedAt' | 'searchTimeMs'>

/** Throws *unavailable* when the time is up before anything was found. */
export async function pageOfArea(
  area: Area,
  filter: PlaceFilter,
  afterId: number,
  limit: number,
  context: Context,
): Promise<AreaPage> {
  const hits = await gather(area, filter, context)
  if (hits === undefined) return walk(area, filter, afterId, limit, context)
  const after = hits.filter(({ id }) => id > afterId).sort((a, b) => a.id - b.id)
  const page = after.slice(0, limit)
  const nextId = after.length > limit ? page.at(-1)?.id : undefined
  return { parcels: await readHits(context.parcels, page), nextId }
}

/** The points of an area; `undefined`: its boxes hold more than are gathered. */
async function gather(
  area: Area,
  filter: PlaceFilter,
  { parcels }: Context,
): Promise<PointHit[] | undefined> {
  const found: PointHit[] = []
  let seen = 0
  for (const box of area.boxes) {
    const read = (part: UnitBox, limit: number) => parcels.pointsIn(filter, part, limit)
    for await (const hits of readAll(read, boxInUnits(box))) {
      seen += hits.length
      if (seen > GATHERED_MAX) return undefined
      found.push(
        ...hits.filter(({ x, y }) => area.holds([x / UNITS_PER_DEGREE, y / UNITS_PER_DEGREE])),
      )
      await new Promise(setImmediate)
    }
  }
  return found
}

/**
 * Walks the counties that the area meets by record id. The page ends at the last id that every county was read up to,
 * so that pages after each other miss nothing.
 */
async function walk(
  area: Area,
  filter: PlaceFilter,
  afterId: number,
  limit: number,
  { parcels, startedAt, searchTimeMs }: Context,
): Promise<AreaPage> {
  const deadline = startedAt + searchTimeMs
  const counties = await findCounties(area, filter, parcels)
  const pages: ParcelPage[] = []
  for (const { state, fips } of counties) {
    for (const box of area.boxes.map(boxInUnits)) {
      const asked = { ...filter, state, fips, ...boundsFilter(box) }
      pages.push(await parcels.page(asked, afterId, 0, limit + 1, deadline))
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
  const found = read.filter(({ leaves }) => area.holds(pointOfRecord(leaves)))
  const page = found.slice(0, limit)
  const nextId = found.length > limit ? page.at(-1)?.id : open.length === 0 ? undefined : end
  return { parcels: page, nextId }
}

async function findCounties(area: Area, filter: PlaceFilter, parcels: ParcelReader) {
  return (await parcels.coverage()).filter(({ state, fips, bounds }) => {
    if (filter.state !== undefined && filter.state !== state) return false
    if (filter.fips !== undefined && filter.fips !== fips) return false
    if (bounds === null) return false
    const [west, south, east, north] = bounds
    return area.boxes.some((box) => boxesMeet(box, { west, south, east, north }))
  })
}

function boundsFilter({ west, south, east, north }: UnitBox) {
  return { westFrom: west, eastTo: east, southFrom: south, northTo: north }
}

function pointOfRecord(leaves: string): [number, number] {
  const texts = splitFields(leaves)
  return [Number(texts[LONGITUDE]), Number(texts[LATITUDE])]
}

const [LONGITUDE, LATITUDE] = [slotOf('longitude'), slotOf('latitude')]
