/** Picks a page of the parcels that meet a selection, in an order, and counts all of them. */
import type { Point } from '../../geo/sphere.ts'
import type { FactName } from '../../record/facts.ts'
import { type Column, numberAt } from '../../store/facts/chunk.ts'
import type { FactBlock, FactTable } from '../../store/facts/table.ts'
import type { Pause } from '../operation.ts'
import { factsOf, pointAt, type Selection, selectBlock } from './select.ts'

/** A fact, record IDs, or a number by the point in degrees. Unknown ones are last, ties by id. */
export type Order =
  | { by: 'fact'; fact: FactName; descending: boolean }
  | { by: 'id'; descending: boolean }
  | { by: 'point'; rank(point: Point): number }

/** A parcel's place in an order: `key` ascends, and is infinite when the fact is unknown. */
export type Ranked = { id: number; key: number }

export type PickAsked = {
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
  /** The ID up to which the page is known: infinite for all of it, 0 for nothing. */
  reached: number
}

/** Limits of a question: `deadline` by `performance.now()`; blocks before `fromId` are left out. */
export type Limits = { pause: Pause; deadline: number; fromId?: number }

/** Longest work between two pauses, in milliseconds. */
export const TURN_MS = 3

/** Throws `FactsChanged` when an import commits meanwhile. */
export async function pickParcels(
  table: FactTable,
  asked: PickAsked,
  limits: Limits,
): Promise<Picked> {
  const { selection, order, skip, limit, after } = asked
  const facts = [...factsOf(selection), ...factsOfOrder(order)]
  const size = limit === 0 ? 0 : limit + 1
  const isInOrder = order.by === 'id' && !order.descending
  const fromId = isInOrder && !asked.total ? (after?.id ?? 0) : 0
  const first = isInOrder ? new FirstOf(size, skip, after) : undefined
  const best = new BestOf(isInOrder || size === 0 ? 0 : skip + size, after)
  const show = (total: number, outOfTime: boolean) => {
    const found = first?.list() ?? best.list().slice(skip)
    const isWhole = !outOfTime || first?.isFull === true
    const reached = isWhole ? Number.POSITIVE_INFINITY : isInOrder ? lastId : 0
    return { page: found.slice(0, limit), more: found.length > limit, total, outOfTime, reached }
  }
  let [total, lastId] = [0, 0]
  for await (const places of eachBlock(table, selection, facts, { ...limits, fromId })) {
    if (places === undefined) return show(total, true)
    const { block, list, length } = places
    lastId = lastIdOf(block)
    total += length
    const own = list.subarray(0, length)
    first?.add(block, own)
    if (best.size > 0) takeRanked(best, block, own, openRank(block, order))
    if (!asked.total && first?.isFull === true) break
  }
  return show(total, false)
}

/** A block and the places of its parcels that meet the selection. */
export type Selected = { block: FactBlock; list: Uint16Array; length: number }

/** Parcels of a block that are yielded at once. */
const PART = 4096

const lastIdOf = ({ ids }: FactBlock) => ids.at(-1) ?? 0

/** Yields parts of blocks with what they hold of a selection; `undefined` past the deadline. */
export async function* eachBlock(
  table: FactTable,
  selection: Selection,
  facts: readonly FactName[],
  { pause, deadline, fromId = 0 }: Limits,
): AsyncGenerator<Selected | undefined> {
  const places = { list: new Uint16Array(65_536), length: 0 }
  let turn = performance.now()
  for await (const block of table.read([...new Set(facts)], fromId)) {
    selectBlock(block, selection, places)
    // Some sums of a whole block would take longer than a turn.
    for (let at = 0; at === 0 || at < places.length; at += PART) {
      const length = Math.min(PART, places.length - at)
      yield { block, list: places.list.subarray(at), length }
      const now = performance.now()
      if (now - turn < TURN_MS) continue
      const isLast = at + length === places.length
      if (now > deadline && isLast && lastIdOf(block) > fromId) {
        yield undefined
        return
      }
      await pause()
      turn = performance.now()
    }
  }
}

/** The first parcels by ascending id: blocks come in this order. */
class FirstOf {
  readonly size: number
  readonly #afterId: number
  #skip: number
  readonly #list: Ranked[] = []

  constructor(size: number, skip: number, after: Ranked | undefined) {
    this.size = size
    this.#afterId = after?.id ?? -1
    this.#skip = skip
  }

  get isFull(): boolean {
    return this.#list.length >= this.size
  }

  list(): Ranked[] {
    return this.#list
  }

  add({ ids }: FactBlock, places: Uint16Array): void {
    for (const place of places) {
      if (this.isFull) return
      const id = ids[place] as number
      if (id <= this.#afterId) continue
      if (this.#skip > 0) this.#skip -= 1
      else this.#list.push({ id, key: 0 })
    }
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

type Placed = Ranked & { of: number }

/** The first parcels of an order after `after`: a heap with the last of them on top. */
export class BestOf {
  readonly size: number
  readonly #after: Ranked | undefined
  readonly #heap: Placed[] = []
  /** Greatest key that may still enter. */
  worst = Number.POSITIVE_INFINITY

  constructor(size: number, after: Ranked | undefined) {
    this.size = size
    this.#after = after
  }

  get isFull(): boolean {
    return this.#heap.length >= this.size
  }

  list(): Placed[] {
    return this.#heap.sort((a, b) => a.key - b.key || a.id - b.id)
  }

  /** `of`: something else of it, kept for the caller. */
  add(key: number, id: number, of = 0): void {
    if (this.#after !== undefined && !isAfter({ key, id }, this.#after)) return
    const heap = this.#heap
    const one = { id, key, of }
    if (!this.isFull) {
      heap.push(one)
      this.#raise(heap.length - 1)
    } else if (isAfter(heap[0] as Ranked, one)) {
      heap[0] = one
      this.#sink()
    }
    if (this.isFull) this.worst = (heap[0] as Ranked).key
  }

  #raise(start: number): void {
    const heap = this.#heap
    for (let at = start; at > 0; ) {
      const parent = (at - 1) >> 1
      if (!isAfter(heap[at] as Ranked, heap[parent] as Ranked)) return
      swap(heap, at, parent)
      at = parent
    }
  }

  #sink(): void {
    const heap = this.#heap
    for (let at = 0; ; ) {
      let child = at * 2 + 1
      if (child >= heap.length) return
      const other = child + 1
      if (other < heap.length && isAfter(heap[other] as Ranked, heap[child] as Ranked))
        child = other
      if (!isAfter(heap[child] as Ranked, heap[at] as Ranked)) return
      swap(heap, at, child)
      at = child
    }
  }
}

function swap(list: Placed[], at: number, other: number): void {
  const one = list[at] as Placed
  list[at] = list[other] as Placed
  list[other] = one
}

function isAfter(one: Ranked, other: Ranked): boolean {
  return one.key > other.key || (one.key === other.key && one.id > other.id)
}
