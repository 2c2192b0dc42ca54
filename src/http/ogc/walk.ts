/** Reads the parcels that `items` shows, some hundred at a time. */
import { boxInUnits, type UnitBox } from '../../base/model/geometry.ts'
import { type ExportShape, shapeOf } from '../../export/shape.ts'
import { readAll } from '../../geo/nearest.ts'
import type { Box } from '../../geo/sphere.ts'
import type { Pause, PausingContext, RequestContext } from '../../operations/operation.ts'
import { splitByCounts } from '../../operations/places/split-box.ts'
import type { Ranked } from '../../operations/questions/pick.ts'
import { askPage, ID_ORDER } from '../../operations/questions/question.ts'
import type { StoredParcel } from '../../store/store.ts'
import { type Placed, placeOf } from './cql2/shapes.ts'
import { EVERYTHING, readValues } from './fields.ts'
import type { ItemQuery } from './item-query.ts'

/** Parcels read at a time: few at first, so that the answer begins soon. */
const [FIRST_ROWS, NEXT_ROWS] = [100, 200]

/** Milliseconds of tests after which other requests have their turn. */
const TURN_MS = 3

/** Most parcels in the boxes of a question that are found by the index of places. */
const PLACES_MAX = 40_000

export type Item = {
  parcel: StoredParcel
  values: readonly unknown[]
  shape: ExportShape | undefined
}

/** Some items in order. `next`: where a further page continues; set with the last ones. */
export type ItemChunk = { items: Item[]; next?: Ranked }

type Asked = ItemQuery & { state: string }

/**
 * Reads up to `limit` items. A page ends early when it has taken the time of a search. Each chunk
 * waits in the search queue, and nothing is held while the caller reads.
 */
export async function* readItems(
  asked: Asked,
  context: RequestContext,
): AsyncGenerator<ItemChunk, void> {
  const read = await openReads(asked, context)
  let { after, limit: left } = asked
  let leftMs = context.searchTimeMs
  let rows = FIRST_ROWS
  for (;;) {
    const started = performance.now()
    const size = asked.test === undefined ? Math.min(rows, left + 1) : rows
    const until = started + leftMs
    const { page, items, tested } = await context.queueSearch(async (pause) => {
      const timed = { ...context, pause, startedAt: started, searchTimeMs: leftMs }
      const found = await read(after, size, timed)
      return { page: found, ...(await testItems(found.parcels, asked, until, pause)) }
    })
    leftMs = until - performance.now()
    if (items.length > left) {
      const shown = items.slice(0, left)
      const last = shown.at(-1)?.parcel.id
      const next = page.ranked.find(({ id }) => id === last) ?? after
      yield { items: shown, ...(next !== undefined && { next }) }
      return
    }
    if (tested < page.parcels.length) {
      const last = page.parcels[tested - 1]?.id
      const next = page.ranked.find(({ id }) => id === last) ?? after
      yield { items, ...(next !== undefined && { next }) }
      return
    }
    left -= items.length
    after = page.last
    if (page.done) {
      yield { items }
      return
    }
    if (leftMs <= 0) {
      yield { items, next: page.last }
      return
    }
    yield { items }
    rows = NEXT_ROWS
  }
}

/** Tests parcels until a time, at least one; then others have their turn. `tested`: how many. */
async function testItems(
  parcels: readonly StoredParcel[],
  asked: Asked,
  until: number,
  pause: Pause,
): Promise<{ items: Item[]; tested: number }> {
  const items: Item[] = []
  let turn = performance.now()
  for (const [at, parcel] of parcels.entries()) {
    items.push(...makeItem(parcel, asked))
    const now = performance.now()
    if (now > until) return { items, tested: at + 1 }
    if (now - turn < TURN_MS) continue
    await pause()
    turn = performance.now()
  }
  return { items, tested: parcels.length }
}

function makeItem(parcel: StoredParcel, { test }: Pick<Asked, 'test'>): Item[] {
  const values = readValues(parcel)
  const [latitude, longitude] = POINT.map((at) => (values[at] ?? null) as number | null)
  const shape = shapeOf(parcel, latitude ?? null, longitude ?? null)
  const tested = { values, shape: shape && lazily(shape) }
  return test === undefined || test(tested) === true ? [{ parcel, values, shape }] : []
}

const POINT = ['latitude', 'longitude'].map(
  (name) => EVERYTHING.fields.find((field) => field.name === name)?.at ?? -1,
)

/** Few tests come to the corners of a shape: its box decides. */
function lazily({ type, text, box }: ExportShape): Placed {
  let placed: Placed | undefined
  const get = () => {
    placed ??= placeOf(type, text, box)
    return placed
  }
  return {
    box,
    get shape() {
      return get().shape
    },
    get point() {
      return get().point
    },
  }
}

type Read = (
  after: Ranked | undefined,
  rows: number,
  context: PausingContext,
) => Promise<{ parcels: StoredParcel[]; ranked: Ranked[]; last: Ranked; done: boolean }>

/** By the facts where there are conditions on them or an order, by places, or by all ids. */
async function openReads(asked: Asked, context: RequestContext): Promise<Read> {
  const { state, facts, boxes, order } = asked
  const ids = boxes === undefined ? undefined : await findIds(boxes, state, context)
  if (facts.length > 0 || order !== undefined) return (...page) => readByFacts(asked, ids, ...page)
  const filter = { assignedOnly: false, state }
  return async (after, rows, { parcels, startedAt, searchTimeMs }) => {
    const afterId = after?.id ?? 0
    if (ids === undefined) {
      const page = await parcels.page(
        filter,
        { afterId, skip: 0, limit: rows },
        startedAt + searchTimeMs,
      )
      const ranked = page.parcels.map(rankOf)
      return { parcels: page.parcels, ranked, last: { id: page.lastId, key: 0 }, done: page.done }
    }
    const from = ids.findIndex((id) => id > afterId)
    const some = from === -1 ? [] : ids.slice(from, from + rows)
    const found = await parcels.byIds(state, some)
    const last = { id: some.at(-1) ?? afterId, key: 0 }
    const done = from === -1 || from + rows >= ids.length
    return { parcels: found, ranked: found.map(rankOf), last, done }
  }
}

const rankOf = ({ id }: StoredParcel): Ranked => ({ id, key: 0 })

async function readByFacts(
  { state, facts, order = ID_ORDER, name }: Asked,
  ids: readonly number[] | undefined,
  ...[after, limit, context]: Parameters<Read>
): ReturnType<Read> {
  const tests = [...facts]
  const question = { tests, order, countOnly: false, includeTotal: false, name }
  const scope = { states: [state], filter: { assignedOnly: false }, ids }
  const page = await askPage(question, scope, { after, skip: 0, limit, order }, context)
  const { parcels, ranked, nextCursor } = page
  return { parcels, ranked, last: ranked.at(-1) ?? FIRST, done: nextCursor === null }
}

const FIRST: Ranked = { id: 0, key: 0 }

/** A state's parcels that may meet the boxes, ascending. `undefined`: so many that all are read. */
async function findIds(
  boxes: readonly Box[],
  state: string,
  context: RequestContext,
): Promise<number[] | undefined> {
  const { parcels } = context
  const found = new Set<number>()
  return context.queueSearch(async (pause) => {
    for (const box of boxes) {
      const { points, parts } = await splitByCounts(box, parcels)
      if (points + found.size > PLACES_MAX) return undefined
      const shapes = await parcels.shapesIn(boxInUnits(box), PLACES_MAX)
      if (shapes.length >= PLACES_MAX) return undefined
      for (const hit of shapes) if (hit.state === state) found.add(hit.id)
      const filter = { state, assignedOnly: false }
      const read = (part: UnitBox, limit: number) => parcels.pointsIn(filter, part, limit)
      for (const part of parts) {
        for await (const hits of readAll(read, part)) for (const { id } of hits) found.add(id)
        await pause()
      }
    }
    return [...found].sort((a, b) => a - b)
  })
}
