/** One page of a property search. */
import type { ParcelFilter, ParcelPage } from '../store/store.ts'
import type { PausingContext } from './operation.ts'
import { pageOfArea } from './places/area-page.ts'
import type { Circle } from './places/circle.ts'

/**
 * What is searched: `filter` is `undefined` when nothing can match; `circle` where the filter does
 * not hold it already.
 */
export type Search = {
  filter: ParcelFilter | undefined
  circle: Circle | undefined
  /** What the answer tells of the circle. */
  told: object
}

/**
 * The header of an empty result that would not be empty with `includeUnassignedAddress`: rolls
 * without situs addresses are served, and a caller should learn why a search of one finds nothing.
 */
export async function tellUnassigned(
  search: Search,
  context: PausingContext,
): Promise<Record<string, string>> {
  const { filter } = search
  if (filter?.assignedOnly !== true) return {}
  const wider = { ...search, filter: { ...filter, assignedOnly: false } }
  const page = await readPage(wider, 0, 0, 1, context)
  return page.parcels.length === 0 ? {} : { 'x-unassigned-address': 'excluded' }
}

const NOTHING: ParcelPage = { parcels: [], lastId: 0, done: true, outOfTime: false }

export async function readPage(
  { filter, circle }: Search,
  afterId: number,
  skip: number,
  limit: number,
  context: PausingContext,
): Promise<ParcelPage> {
  if (filter === undefined) return NOTHING
  const { parcels, startedAt, searchTimeMs } = context
  if (circle === undefined) {
    return parcels.page(filter, afterId, skip, limit, startedAt + searchTimeMs)
  }
  const page = await pageOfArea({ area: circle, filter, afterId, skip, limit }, context)
  const done = page.nextId === undefined
  return { parcels: page.parcels, lastId: page.nextId ?? 0, done, outOfTime: page.outOfTime }
}
