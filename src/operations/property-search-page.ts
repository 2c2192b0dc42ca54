import type { PageRange, ParcelFilter, ParcelPage } from '../store/store.ts'
import type { PausingContext } from './operation.ts'
import type { Circle } from './places/area.ts'
import { pageOfArea } from './places/area-page.ts'

/** The search. `filter` undefined: nothing can match. `circle`: set if the filter lacks it. */
export type Search = {
  filter: ParcelFilter | undefined
  circle: Circle | undefined
  /** The circle's members of the answer's metadata; empty without a circle. */
  details: object
}

/** Returns the header of an empty result that `includeUnassignedAddress` would fill. */
export async function explainUnassigned(
  search: Search,
  context: PausingContext,
): Promise<Record<string, string>> {
  const { filter } = search
  if (filter?.assignedOnly !== true) return {}
  const wider = { ...search, filter: { ...filter, assignedOnly: false } }
  const page = await readPage(wider, { afterId: 0, skip: 0, limit: 1 }, context)
  return page.parcels.length === 0 ? {} : { 'x-unassigned-address': 'excluded' }
}

const NOTHING: ParcelPage = { parcels: [], lastId: 0, done: true, outOfTime: false }

export async function readPage(
  { filter, circle }: Search,
  range: PageRange,
  context: PausingContext,
): Promise<ParcelPage> {
  if (filter === undefined) return NOTHING
  const { parcels, startedAt, searchTimeMs } = context
  if (circle === undefined) return parcels.page(filter, range, startedAt + searchTimeMs)
  const page = await pageOfArea({ area: circle, filter, ...range }, context)
  const done = page.nextId === undefined
  return { parcels: page.parcels, lastId: page.nextId ?? 0, done, outOfTime: page.outOfTime }
}
