/** `GET /public/property/search/`: pages through a state. docs/decisions/property-search.md. */
import { findAtAddress } from '../address/lookup.ts'
import { shownUnitKeys } from '../address/unit-keys.ts'
import { refuse } from '../base/errors.ts'
import { findCounty, similarCounties } from '../regions/counties.ts'
import type { PageRange, ParcelFilter, ParcelPage, StoredParcel } from '../store/store.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { PARCEL_FILTERS, readFilters } from './find/filters.ts'
import { findByText, readStateOf, TEXT_MAX } from './find/free-text.ts'
import {
  defineOperation,
  type PausingContext,
  type Reply,
  type RequestContext,
  showList,
} from './operation.ts'
import type { Values } from './parameters.ts'
import { CIRCLE, type Circle, readCircle } from './places/area.ts'
import { pageOfArea, pointOfRecord } from './places/area-page.ts'
import type { Ranked } from './questions/pick.ts'
import {
  askPage,
  checkDepth,
  ID_ORDER,
  NOWHERE,
  QUESTION,
  type Question,
  readAfter,
  readQuestion,
  showCount,
} from './questions/question.ts'
import { CURSOR, FIELDS, LIMIT, OFFSET, param, STATE } from './shared-parameters.ts'
import { AS_OF } from './time/as-of.ts'
import { UNSUPPORTED_FILTERS } from './unsupported-filters.ts'

const NOTICE =
  'Offset paging is deprecated; use the cursor parameter, whose cost per page does not grow'

/** The parameters; the filters among them also say what a watch hears of. */
export const SEARCH_PARAMETERS = {
  state: {
    ...STATE,
    required: false,
  },
  ...PARCEL_FILTERS,
  ...QUESTION,
  address: param.text,
  query: param.text,
  unitNumberStripped: { type: 'string', aliases: ['unit'] },
  ...CIRCLE,
  includeUnassignedAddress: param.flag,
  fields: FIELDS,
  asOf: AS_OF,
  limit: LIMIT,
  cursor: CURSOR,
  offset: {
    ...OFFSET,
    deprecated: true,
    unless: 'cursor',
  },
} as const

export const propertySearch = defineOperation({
  operationId: 'propertySearch',
  path: '/public/property/search/',
  parameters: SEARCH_PARAMETERS,
  freeWith: 'countOnly',
  answers: 'list',
  unsupported: UNSUPPORTED_FILTERS,
  check(values) {
    const question = readQuestion(values)
    if (values.asOf !== undefined && values.county === undefined) {
      throw refuse.badRequest('county is required with asOf')
    }
    if (values.asOf !== undefined && question !== undefined) {
      throw refuse.badRequest('asOf cannot be combined with counts, order or ranges')
    }
    const { cursor } = values
    if (cursor === undefined) checkDepth(question, values.offset)
    return {
      values: { ...values, state: readState(values) },
      circle: readCircle(values),
      question: question && { ...question, after: readAfter(question, cursor) },
      afterId: cursor === undefined || question !== undefined ? undefined : decodeCursor(cursor),
    }
  },
  find: ({ values, circle, question, afterId }, context) =>
    context.queueSearch(async (pause) => {
      const search = await makeSearch(values, circle, context)
      const reply = await answerPage(search, { values, question, afterId }, { ...context, pause })
      return { ...reply, headers: { ...reply.headers, ...explainCounty(values) } }
    }),
})

type AskedPage = {
  values: Asked
  question: (Question & { after: Ranked | undefined }) | undefined
  afterId: number | undefined
}

function answerPage(
  search: Search,
  { values, question, afterId }: AskedPage,
  context: PausingContext,
): Promise<Reply> {
  if (question !== undefined) return pageByFacts(search, values, question, context)
  return afterId === undefined
    ? pageByOffset(search, values, context)
    : pageByCursor(search, values.limit, afterId, context)
}

function explainCounty({ state, county }: Asked): Record<string, string> {
  if (county === undefined || findCounty(state, county) !== undefined) return {}
  return { 'x-unknown-county': similarCounties(state, county).join(', ') || 'none' }
}

type Asked = Values<typeof SEARCH_PARAMETERS> & { state: string }

/** Reads the state to search. Throws *bad request*. */
function readState({ state, query, address }: Values<typeof SEARCH_PARAMETERS>): string {
  if (query !== undefined && address !== undefined) {
    throw refuse.badRequest('query and address exclude each other; send one of them')
  }
  const found = state ?? (query && readStateOf(query))
  if (found === undefined || found === '') throw refuse.badRequest('state is required')
  return found
}

/** The search. `filter` undefined: nothing can match. `circle`: set if the filter lacks it. */
type Search = {
  filter: ParcelFilter | undefined
  circle: Circle | undefined
  /** The circle's members of the answer's metadata; empty without a circle. */
  details: object
}

async function makeSearch(
  values: Asked,
  circle: Circle | undefined,
  context: RequestContext,
): Promise<Search> {
  const filter = await makeFilter(values, context)
  if (circle === undefined) return { filter, circle, details: {} }
  const [longitude, latitude] = circle.center
  const details = { searchCenter: { longitude, latitude }, radiusMiles: circle.radiusMiles }
  if (filter?.ids === undefined) return { filter, circle, details }
  const found = await context.parcels.byIds(filter.state, filter.ids)
  const inside = found.filter(({ fieldValues }) => circle.holds(pointOfRecord(fieldValues)))
  return { filter: { ...filter, ids: inside.map(({ id }) => id) }, circle: undefined, details }
}

/** Returns the filters for the store; `undefined` when nothing can match. */
async function makeFilter(
  values: Asked,
  context: RequestContext,
): Promise<ParcelFilter | undefined> {
  const { state, address } = values
  const filter = readSearchFilter(values, context)
  if (filter === undefined) return undefined
  const { fips } = filter
  if (address !== undefined) {
    const asked = { state, address, unit: undefined, fips, city: filter.city }
    const hits = await findAtAddress(asked, context.parcels)
    filter.ids = hits.map(({ id }) => id)
  }
  if (values.query !== undefined) {
    filter.ids = await findByText(values.query, { state, fips, city: filter.city }, context)
  }
  return filter
}

/** Returns the filters without address and text; `undefined` when nothing can match. */
export function readSearchFilter(
  values: Asked,
  asking: Parameters<typeof readFilters>[1],
): ParcelFilter | undefined {
  const { state, address, query } = values
  const found = readFilters(values, asking)
  if (found === undefined) return undefined
  const filter: ParcelFilter = {
    ...found,
    state,
    assignedOnly: !values.includeUnassignedAddress && address === undefined && query === undefined,
  }
  if (values.unitNumberStripped !== undefined) {
    const [unit = '', ...others] = shownUnitKeys(values.unitNumberStripped)
    if (others.length === 0) filter.unit = unit
    else filter.units = `\n${[unit, ...others].join('\n')}\n`
  }
  // A unit text that folds to nothing matches nothing, not parcels without a unit.
  return filter.unit === '' ? undefined : filter
}

async function pageByFacts(
  search: Search,
  { state, limit, offset, cursor, query }: Asked,
  question: Question & { after: Ranked | undefined },
  context: PausingContext,
): Promise<Reply> {
  const { circle, details } = search
  const order = question.order ?? ID_ORDER
  const skip = cursor === undefined ? offset : 0
  const paging = { after: question.after, skip, limit, order, mayEnd: cursor !== undefined }
  const ask = ({ filter }: Pick<Search, 'filter'>) => {
    if (filter === undefined) return askPage(question, NOWHERE, paging, context)
    const { ids, state: _, ...others } = filter
    const isCut = query !== undefined && (ids?.length ?? 0) > TEXT_MAX
    const scope = { states: [state], filter: others, ids, isCut, area: circle }
    return askPage(question, scope, paging, context)
  }
  const page = await ask(search)
  if (question.countOnly) return showCount(page)
  const { filter } = search
  const count = page.parcels.length
  const isFirst = skip === 0 && question.after === undefined
  const hides = count === 0 && isFirst && filter?.assignedOnly === true
  const wider = hides ? await ask({ filter: { ...filter, assignedOnly: false } }) : page
  const headers = wider.parcels.length > count ? { 'x-unassigned-address': 'excluded' } : {}
  const place = cursor === undefined ? { offset } : {}
  const next = cursor === undefined ? {} : { nextCursor: page.nextCursor }
  const metadata = { limit, ...place, count, ...next, ...details, ...page.totals }
  if (skip > 0) return showDeprecated(page.parcels, metadata, context)
  return showList(page.parcels, context.layout, metadata, headers)
}

async function pageByCursor(
  search: Search,
  limit: number,
  afterId: number,
  context: PausingContext,
): Promise<Reply> {
  // Reads one parcel more, which shows whether there is a next page.
  const page = await readPage(search, { afterId, skip: 0, limit: limit + 1 }, context)
  const parcels = page.parcels.slice(0, limit)
  const last = parcels.at(-1)
  const more = page.parcels.length > limit && last !== undefined
  const nextId = more ? last.id : page.done ? undefined : Math.max(afterId, page.lastId)
  const nextCursor = nextId === undefined ? null : encodeCursor(nextId)
  const metadata = { limit, count: parcels.length, nextCursor, ...search.details }
  const isEmpty = parcels.length === 0 && nextCursor === null && afterId === 0
  const headers = isEmpty ? await explainUnassigned(search, context) : {}
  return showList(parcels, context.layout, metadata, headers)
}

async function pageByOffset(
  search: Search,
  { limit, offset }: { limit: number; offset: number },
  context: PausingContext,
): Promise<Reply> {
  const page = await readPage(search, { afterId: 0, skip: offset, limit }, context)
  if (page.outOfTime) {
    throw refuse.unavailable('The search took too long; use the cursor parameter instead of offset')
  }
  const metadata = { limit, offset, count: page.parcels.length, ...search.details }
  if (offset > 0) return showDeprecated(page.parcels, metadata, context)
  const headers = page.parcels.length === 0 ? await explainUnassigned(search, context) : {}
  return showList(page.parcels, context.layout, metadata, headers)
}

/** Returns the header of an empty result that `includeUnassignedAddress` would fill. */
async function explainUnassigned(
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

async function readPage(
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

/** Shows a page by offset. */
function showDeprecated(
  parcels: StoredParcel[],
  metadata: object,
  { layout, publicUrl }: RequestContext,
): Reply {
  const link = `<${publicUrl ?? ''}/openapi.json>; rel="deprecation"`
  const told = { ...metadata, deprecationNotice: NOTICE }
  return showList(parcels, layout, told, { deprecation: 'true', link })
}
