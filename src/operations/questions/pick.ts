/** Picks a page of the parcels that meet a selection, in an order, and counts all of them. */
import type { Point } from '../../geo/sphere.ts'
import type { FactName } from '../../record/facts.ts'
import { type Column, numberAt } from '../../store/facts/chunk.ts'
import type { FactBlock, FactTable } from '../../store/facts/table.ts'
import type { Pause } from '../operation.ts'
import { factsOf, openPlaces, pointAt, type Selection, selectBlock } from './select.ts'

/**
 * The order of a fact, parcels without it last; of record IDs; or of a number by the point, in
 * degrees. Ties are by id.
 */
export type Order =
  | { by: 'fact'; fact: FactName; descending: boolean }
  | { by: 'id'; descending: boolean }
  | { by: 'point'; rank(point: Point): number }

/** A parcel's place in an order: `key` ascends, and is infinite when the fact is unknown. */
export type Ranked = { id: number; key: number }

type PickAsked = {
  selection: Selection
  order: Order
  /** Leaves out what is not after this one, and `skip` of the rest. */
  after: Ranked | undefined
  skip: number
  /** 0: only counts. */
  limit: number
  /** Whether to count all parcels. */
  total: boolean
}

export type Picked = {
  page: Ranked[]
  /** Whether parcels follow the page. */
  more: boolean
  /** Number of parcels that meet the selection, as far as they were counted. */
  total: number
  /** Whether the deadline came before all parcels were seen. */
  outOfTime: boolean
}

/** Limits of a question: `deadline` by `performance.now()`. */
export type Limits = { pause: Pause; deadline: number }

/** Longest work between two pauses, in milliseconds. */
const TURN_MS = 3

/** Throws `FactsChanged` when an import commits meanwhile. */
export async function pickParcels(
  table: FactTable,
  asked: PickAsked,
  limits: Limits,
): Promise<Picked> {
  const { selection, order, skip, limit } = asked
  const facts = [...factsOf(selection), ...factsOfOrder(order)]
  const best = new BestOf(limit === 0 ? 0 : skip + limit + 1, asked.after)
  const isInOrder = order.by === 'id' && !order.descending
  let total = 0
  for await (const places of eachBlock(table, selection, facts, limits)) {
    if (places === undefined) return finish(best, asked, total, true)
    const { block, list, length } = places
    total += length
    if (best.size > 0) {
      const own = list.subarray(0, length)
      if (isInOrder) takeInOrder(best, block, own)
      else takeRanked(best, block, own, openRank(block, order))
    }
    if (!asked.total && isInOrder && best.isFull) break
  }
  return finish(best, asked, total, false)
}

/** A block and the places of its parcels that meet the selection. */
export type Selected = { block: FactBlock; list: Uint16Array; length: number }

/** Yields the blocks with what they hold of a selection; `undefined` at the deadline. */
export async function* eachBlock(
  table: FactTable,
  selection: Selection,
  facts: readonly FactName[],
  { pause, deadline }: Limits,
): AsyncGenerator<Selected | undefined> {
  const places = openPlaces()
  let turn = performance.now()
  for await (const block of table.read([...new Set(facts)])) {
    selectBlock(block, selection, places)
    if (places.length > 0) yield { block, list: places.list, length: places.length }
    const now = performance.now()
    if (now - turn < TURN_MS) continue
    if (now > deadline) {
      yield undefined
      return
    }
    await pause()
    turn = performance.now()
  }
}

function finish(
  best: BestOf,
  { skip, limit }: PickAsked,
  total: number,
  outOfTime: boolean,
): Picked {
  const found = best.list.slice(skip)
  return { page: found.slice(0, limit), more: found.length > limit, total, outOfTime }
}

/** Blocks come in the order of ids, so that the first ones are the best. */
function takeInOrder(best: BestOf, block: FactBlock, list: Uint16Array): void {
  for (const place of list) {
    if (best.isFull) return
    best.add(0, block.ids[place] as number)
  }
}

function takeRanked(
  best: BestOf,
  block: FactBlock,
  list: Uint16Array,
  keyAt: (place: number) => number,
): void {
  for (const place of list) {
    const value = keyAt(place)
    const key = Number.isNaN(value) ? Number.POSITIVE_INFINITY : value
    if (key <= best.worst) best.add(key, block.ids[place] as number)
  }
}

function factsOfOrder(order: Order): FactName[] {
  if (order.by === 'id') return []
  return order.by === 'point' ? ['x', 'y'] : [order.fact]
}

/** Returns a function from a place to its key; NaN when unknown. */
function openRank({ ids, columns }: FactBlock, order: Order): (place: number) => number {
  if (order.by === 'id') return (place) => -(ids[place] as number)
  if (order.by === 'point') {
    const [x, y] = [columns.x as Column, columns.y as Column]
    return (place) => order.rank(pointAt(x, y, place))
  }
  const column = columns[order.fact] as Column
  const sign = order.descending ? -1 : 1
  return (place) => sign * numberAt(column, place)
}

/** The first parcels of an order, sorted. */
class BestOf {
  readonly list: Ranked[] = []
  readonly size: number
  readonly #after: Ranked | undefined
  /** Greatest key that may still enter. */
  worst = Number.POSITIVE_INFINITY

  constructor(size: number, after: Ranked | undefined) {
    this.size = size
    this.#after = after
  }

  get isFull(): boolean {
    return this.list.length >= this.size
  }

  add(key: number, id: number): void {
    const after = this.#after
    if (after !== undefined && (key < after.key || (key === after.key && id <= after.id))) return
    const { list } = this
    let [from, to] = [0, list.length]
    while (from < to) {
      const middle = (from + to) >> 1
      const one = list[middle] as Ranked
      if (one.key < key || (one.key === key && one.id < id)) from = middle + 1
      else to = middle
    }
    if (from >= this.size) return
    list.splice(from, 0, { id, key })
    if (list.length > this.size) list.pop()
    if (this.isFull) this.worst = (list.at(-1) as Ranked).key
  }
}
