/** Questions about the facts of parcels: their parameters, and a page of their answer. */
import { hash } from 'node:crypto'
import { refuse } from '../../base/errors.ts'
import { foldCity } from '../../base/fold.ts'
import { boxInUnits } from '../../base/model/geometry.ts'
import { type Box, meetsAny } from '../../geo/sphere.ts'
import type { FactName } from '../../record/facts.ts'
import type { FilterValues } from '../../store/columns.ts'
import { FactsChanged, type FactTable, openFactTable } from '../../store/facts/table.ts'
import type { PlaceFilter } from '../../store/places.ts'
import type { StoredParcel } from '../../store/store.ts'
import { decodePlaceCursor, decodeRank, encodePlaceCursor, encodeRank } from '../cursor.ts'
import { FACT_FILTERS, readFactTests } from '../find/fact-filters.ts'
import type { PausingContext, Reply } from '../operation.ts'
import type { Values } from '../parameters.ts'
import type { Area } from '../places/area.ts'
import { readHits } from '../places/place-parameters.ts'
import { param } from '../shared-parameters.ts'
import { countHidden, hidesAny } from './hidden.ts'
import { type Order, type PickAsked, type Picked, pickParcels, type Ranked } from './pick.ts'
import type { FactTest, Selection } from './select.ts'

const SORTED: readonly FactName[] = [
  ...(['acres', 'marketValue', 'assessedValue', 'salePrice', 'saleDate'] as const),
  ...(['yearBuilt', 'sqft'] as const),
]

const SORTS = ['id', ...SORTED].flatMap((name) => [name, `-${name}`])

export const QUESTION = {
  ...FACT_FILTERS,
  sort: param.oneOf(SORTS),
  countOnly: param.flag,
  includeTotal: param.flag,
} as const

export type Question = {
  tests: FactTest[]
  /** `undefined`: the operation's own order. */
  order: Order | undefined
  countOnly: boolean
  includeTotal: boolean
  /** Identifies filters and order in a cursor; `undefined`: cursors are those of plain pages. */
  name: string | undefined
}

/** Parcels before a page in an order of facts, which are sorted to skip them. */
const SKIPPED_MAX = 5000

/** Throws *bad request* for a page so deep in an order that only a cursor finds it cheaply. */
export function checkDepth(question: Question | undefined, offset: number): void {
  const order = question?.order
  if (order === undefined || (order.by === 'id' && !order.descending)) return
  if (offset <= SKIPPED_MAX) return
  throw refuse.badRequest(`offset must be ${SKIPPED_MAX} or less with sort; use cursor`)
}

/** Parameters that do not change which parcels follow a cursor. */
export const PAGING = new Set(['cursor', 'offset', 'limit', 'includeTotal', 'countOnly', 'fields'])

/** The question; `undefined` when it asks for nothing new, as the contract has it. */
export function readQuestion(
  values: Values<typeof QUESTION> & Record<string, unknown>,
): Question | undefined {
  const tests = readFactTests(values)
  const { sort, countOnly, includeTotal } = values
  if (tests.length === 0 && sort === undefined && !countOnly && !includeTotal) return undefined
  const asked = Object.entries(values).filter(
    ([name, value]) => value !== undefined && !PAGING.has(name),
  )
  const isPlain = tests.length === 0 && sort === undefined
  const name = isPlain ? undefined : hash('sha256', JSON.stringify(asked)).slice(0, 12)
  return { tests, order: readOrder(sort), countOnly, includeTotal, name }
}

function readOrder(sort: string | undefined): Order | undefined {
  if (sort === undefined) return undefined
  const descending = sort.startsWith('-')
  const fact = SORTED.find((one) => one === sort.replace('-', ''))
  return fact === undefined ? { by: 'id', descending } : { by: 'fact', fact, descending }
}

/** Decodes a cursor. `own`: the operation's order. Throws *bad request* for another one's. */
export function readAfter(
  { name }: Question,
  cursor: string | undefined,
  own: 'id' | 'distance' = 'id',
): Ranked | undefined {
  if (cursor === undefined || cursor === '') return undefined
  if (name !== undefined || own === 'id') return decodeRank(cursor, name)
  const { id = 0, distanceMiles = 0 } = decodePlaceCursor(cursor) ?? {}
  return { id, key: distanceMiles }
}

function encodeAfter(last: Ranked, { name }: Question, order: Order): string {
  const isByPlace = name === undefined && order.by === 'point'
  if (isByPlace) return encodePlaceCursor({ id: last.id, distanceMiles: last.key })
  return encodeRank(last, name)
}

export type Scope = {
  states: readonly string[]
  filter: FilterValues
  /** Only these ids, from an address or a text. */
  ids?: readonly number[] | undefined
  /** Whether more than these ids belong to the question. */
  isCut?: boolean
  area?: Pick<Area, 'boxes' | 'holds'> | undefined
}

/** Where nothing is found. */
export const NOWHERE: Scope = { states: [], filter: { assignedOnly: false } }

export const ID_ORDER: Order = { by: 'id', descending: false }

/** A page of a question: `after` a parcel, then `skip` of them. */
type Paging = Omit<PickAsked, 'selection' | 'total'> & {
  /** Whether a page by ascending ID may end early at the deadline: the next one goes on there. */
  mayEnd?: boolean
}

export type QuestionPage = {
  parcels: StoredParcel[]
  ranked: Ranked[]
  nextCursor: string | null
  /** Of the answer's metadata. */
  totals: { total?: number; totalIs?: 'exact' | 'atLeast' }
}

/** Returns the states of a place: the one asked for, or those that may have parcels there. */
async function statesOf(
  state: string | undefined,
  { boxes }: Pick<Area, 'boxes'>,
  { parcels }: Pick<PausingContext, 'parcels'>,
): Promise<string[]> {
  if (state !== undefined) return [state]
  const counties = await parcels.coverage({ boxes })
  const near = counties.filter(({ bounds }) => meetsAny(bounds, boxes))
  return [...new Set(near.map((one) => one.state))].sort()
}

export async function scopeOf(
  filter: PlaceFilter | undefined,
  area: NonNullable<Scope['area']>,
  context: Pick<PausingContext, 'parcels'>,
): Promise<Scope> {
  if (filter === undefined) return NOWHERE
  const { state, ...others } = filter
  return { states: await statesOf(state, area, context), filter: others, area }
}

/** Throws *unavailable* at the deadline, unless the page is known or only counted. */
export async function askPage(
  question: Question,
  scope: Scope,
  paging: Paging,
  context: PausingContext,
): Promise<QuestionPage> {
  const { countOnly, includeTotal } = question
  const wanted = {
    ...paging,
    limit: countOnly ? 0 : paging.limit,
    total: countOnly || includeTotal,
  }
  const selection = selectionOf(scope, question.tests)
  return withTables(scope.states, context, async (tables) => {
    const limits = { pause: context.pause, deadline: context.startedAt + context.searchTimeMs }
    const all: (Picked & { state: string })[] = []
    // A page of several states may be of any one of them.
    const skip = tables.size > 1 ? wanted.skip : 0
    const reach = wanted.limit === 0 ? 0 : skip + wanted.limit
    for (const [state, table] of tables) {
      const asked = { ...wanted, selection, skip: wanted.skip - skip, limit: reach }
      let picked = await pickParcels(table, asked, limits)
      // Where the time went to counting what is before the cursor, the page is still found.
      if (paging.mayEnd === true && wanted.total && picked.reached <= (paging.after?.id ?? 0)) {
        const { total } = picked
        picked = { ...(await pickParcels(table, { ...asked, total: false }, limits)), total }
        picked.outOfTime = true
      }
      const hidden = wanted.total
        ? await countHidden([state, table], selection, context.parcels, limits)
        : 0
      all.push({ ...picked, total: picked.total - hidden, state })
    }
    const reached = Math.min(...all.map((one) => one.reached))
    const isWhole = reached === Number.POSITIVE_INFINITY
    const goesOn = paging.mayEnd === true && reached > (paging.after?.id ?? 0)
    if (!isWhole && !goesOn && !countOnly) {
      throw refuse.unavailable('The search took too long; ask for less')
    }
    const merged = all
      .flatMap(({ page, state }) => page.map((one) => ({ ...one, state })))
      .filter(({ id }) => id <= reached)
      .sort((a, b) => a.key - b.key || a.id - b.id)
    const page = merged.slice(skip, skip + wanted.limit)
    const more = merged.length > skip + wanted.limit || all.some((one) => one.more)
    const isFull = more && page.length === wanted.limit
    const last = isFull ? page.at(-1) : isWhole ? undefined : { id: reached, key: 0 }
    const isLess = scope.isCut === true || all.some((one) => one.outOfTime)
    const total = all.reduce((sum, one) => sum + one.total, 0)
    return {
      parcels: await readShown(page, { ...question, tests: selection.tests }, context),
      ranked: page,
      nextCursor: last === undefined ? null : encodeAfter(last, question, paging.order),
      totals: wanted.total ? { total, totalIs: isLess ? 'atLeast' : 'exact' } : {},
    }
  })
}

export function showCount({ totals }: Pick<QuestionPage, 'totals'>): Reply {
  return { body: JSON.stringify({ properties: [], metadata: totals }), headers: {} }
}

/** Attempts at a question during which imports may commit. */
const ATTEMPTS = 3

/** Runs `work` on the facts of states as they are at one time. Throws *unavailable*. */
export async function withTables<Result>(
  states: readonly string[],
  { parcels }: Pick<PausingContext, 'parcels'>,
  work: (tables: ReadonlyMap<string, FactTable>) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const tables = new Map<string, FactTable>()
    for (const state of states) tables.set(state, await openFactTable(parcels, state))
    try {
      const result = await work(tables)
      const current = await Promise.all([...tables.values()].map((table) => table.isCurrent()))
      if (current.every((one) => one)) return result
    } catch (error) {
      if (!(error instanceof FactsChanged)) throw error
    }
  }
  throw refuse.unavailable('The data changed during the search; try again')
}

/** Leaves out parcels whose tested facts are hidden by a suppression that is not in effect yet. */
async function readShown(
  page: readonly (Ranked & { state: string })[],
  { tests, order }: Pick<Selection, 'tests'> & Pick<Question, 'order'>,
  { parcels }: PausingContext,
): Promise<StoredParcel[]> {
  const found = await readHits(parcels, page)
  const facts = [...tests.map(({ fact }) => fact), ...(order?.by === 'fact' ? [order.fact] : [])]
  return found.filter((parcel) => !hidesAny(parcel, facts))
}

export function selectionOf(scope: Scope, tests: readonly FactTest[]): Selection {
  const { filter, ids, area } = scope
  const [box, ...others] = area?.boxes ?? []
  const inBox = box === undefined || others.length > 0 ? [] : testsOfBox(box)
  return {
    tests: [...testsOf(filter), ...inBox, ...tests],
    holds: area?.holds,
    ids: ids === undefined ? undefined : new Set(ids),
  }
}

function testsOfBox(box: Box): FactTest[] {
  const { west, south, east, north } = boxInUnits(box)
  return [
    { fact: 'x', from: west, to: east },
    { fact: 'y', from: south, to: north },
  ]
}

/** Returns the filters of the contract as tests of facts. */
function testsOf(filter: FilterValues): FactTest[] {
  const { fips, city, zip, unit, units, useCode, residential } = filter
  const { useCodes, localUse, localUses, localUseFrom, localUseTo = '' } = filter
  const { transferredFrom, assignedOnly } = filter
  const tests: (FactTest | false)[] = [
    fips !== undefined && { fact: 'county', from: fips, to: fips },
    zip !== undefined && { fact: 'zip', is: (word) => word === zip },
    city !== undefined && { fact: 'city', is: (word) => foldCity(word) === city },
    unit !== undefined && { fact: 'unit', is: (word) => word === unit },
    units !== undefined && { fact: 'unit', is: (word) => units.includes(`\n${word}\n`) },
    useCode !== undefined && { fact: 'useCode', is: (word) => word === useCode },
    useCodes !== undefined && { fact: 'useCode', is: (word) => useCodes.includes(`${word},`) },
    localUse !== undefined && { fact: 'localUse', is: (word) => word === localUse },
    localUses !== undefined && {
      fact: 'localUse',
      is: (word) => localUses.includes(`\n${word}\n`),
    },
    localUseFrom !== undefined && {
      fact: 'localUse',
      is: (word) => word >= localUseFrom && word <= localUseTo,
    },
    residential !== undefined && {
      fact: 'residential',
      from: Number(residential),
      to: Number(residential),
    },
    transferredFrom !== undefined && { fact: 'transferDay', from: transferredFrom },
    assignedOnly && { fact: 'hasSitus', from: 1, to: 1 },
  ]
  return tests.filter((one) => one !== false)
}
