/**
 * Owner search over postings. The rarest condition drives the walks, all in one statement to save
 * round trips; the others are tested for each slot found. A test compares it with
 * `test/owner-meets.ts`, which has the conditions without an index.
 */
import type { OwnerQuestion } from '../../../base/model/owner.ts'
import type { FoundOwners, OwnerPage, OwnerSearch, StoredParcel } from '../../store.ts'
import { ANY_KIND, type CountEntries, type Head, planWalks } from '../../walk/owner-plan.ts'
import { askInRounds, type OwnerRounds } from '../../walk/owner-rounds.ts'
import {
  addIds,
  EXAMINE,
  firstOf,
  type OwnerWalk,
  readNumbers,
  sizeNextSlice,
} from '../../walk/walk-ids.ts'
import type { Ask } from '../pool/lookup-queue.ts'
import type { WalkQueue } from '../pool/walk-queue.ts'
import { isPlain, type OwnerShape, ownerStatement } from './owner-statements.ts'
import { SQL } from './statements.ts'

/** Returns matching parcels, exact ones first, with those of `search.page` if in one slice. */
export async function searchOwners(
  { ask, walks }: { ask: Ask; walks: WalkQueue },
  search: OwnerSearch,
): Promise<FoundOwners> {
  const { state, fips, skip, deadline, page } = search
  let shown: StoredParcel[] | undefined
  const count = countKeys(ask, state)
  const rounds: OwnerRounds = {
    async collect(asked, want, known) {
      const plan = await planStatements(asked, count, fips)
      const isFirst = page !== undefined && known.size === 0
      const wanted = isFirst ? { ...page, from: skip + page.from } : undefined
      const union = new WalkUnion({ state, plan, want, known, page: wanted })
      const found = await walks.walk(
        (askSlice) => union.slice(askSlice),
        deadline,
        (): Found => ({ ids: [], complete: false }),
        union.isBrief() ? ask : undefined,
      )
      shown = found.shown
      return found
    },
    async wordsWith(forms) {
      const rows = await ask<{ word: string }>(SQL.wordsNear, [state, forms])
      return rows.map(({ word }) => word)
    },
  }
  const found = await askInRounds(search, rounds)
  return shown === undefined ? found : { ...found, shown }
}

/** Counts the entries of heads and of words in a state, at most 1,000 each. */
export function countKeys(ask: Ask, state: string) {
  const count = async (text: string, keys: string[]) => {
    const rows = keys.length === 0 ? [] : await ask<{ n: number }>(text, [state, keys])
    return rows.map(({ n }) => Number(n))
  }
  return async (names: string[], words: string[]) => ({
    names: await count(SQL.headCounts, names),
    words: await count(SQL.wordCounts, words),
  })
}

/** Most walks advanced by one statement, and most entries that it examines for all of them. */
const WALKS_MAX = 500
/** Fewest entries that a slice reads of each walk, whatever is wanted. */
const SLICE_MIN = 64
/** Twice what is wanted: couples have a name in both slots, and a second statement costs more. */
const SLOTS = 2
/** A slice examines at most this many times the entries of the slice before it. */
const GROWTH = 8

/** Most ids of a slice that is sent along with lookups: two windows of a search. */
const BRIEF_IDS = 500

type Found = { ids: number[]; complete: boolean; shown?: StoredParcel[] }

/** The walks of a statement, and the values of the other conditions on each slot. */
type Plan = { shape: Omit<OwnerShape, 'page' | 'several'>; driving: Head[]; tests: unknown[] }

async function planStatements(
  question: OwnerQuestion,
  count: CountEntries,
  fips: number | undefined,
): Promise<Plan> {
  const { byHead, driving, words, heads } = await planWalks(question, count)
  const county = fips !== undefined
  return {
    shape: {
      ...{ drive: byHead ? 'head' : 'word', county, words: words.length, heads: heads.length > 0 },
      kinds: byHead && driving.some(({ kind }) => kind !== ANY_KIND),
      rest: byHead && driving.some(({ given, start }) => given !== '' || start !== ''),
    },
    driving,
    tests: [...(county ? [fips] : []), ...words, ...(heads.length > 0 ? columnsOf(heads) : [])],
  }
}

/** One array for each value of the heads, as statements take them. */
function columnsOf(heads: Head[]) {
  const names = ['head', 'kind', 'given', 'start'] as const
  return names.map((name) => heads.map((one) => one[name]))
}

type Walk = OwnerWalk & { head: Head }

/**
 * What a slice reads of a walk, in the columns of a record. `id`: number of the walk, from 1.
 * `geometry`: what `#note` reads. `loadedAt` is null, which no record has.
 */
type WalkRow = { id: number; loadedAt: null; geometry: string | null }

/** `page`: the range of the ids whose records the first slice reads too. */
type Union = {
  state: string
  plan: Plan
  want: number
  known: ReadonlySet<number>
  page: OwnerPage | undefined
}

/** Merges walks: the first `want` ids of their union, ascending, without the known ones. */
class WalkUnion {
  readonly #asked: Union
  readonly #walks: Walk[]
  #slices = 0
  #shown: StoredParcel[] | undefined

  constructor(asked: Union) {
    this.#asked = asked
    this.#walks = asked.plan.driving.map((head) => {
      return { head, nextId: 0, ids: [], examined: 0, matched: 0, done: false }
    })
  }

  /** Reports whether the first slice reads as little as a lookup. */
  isBrief(): boolean {
    const isOne = this.#walks.length === 1 && isPlain(this.#asked.plan.shape)
    return isOne && this.#sizePlain(this.#walks) <= BRIEF_IDS
  }

  async slice(ask: Ask): Promise<Found | undefined> {
    const open = this.#listOpen().slice(0, WALKS_MAX)
    if (open.length > 0) await this.#advance(ask, open)
    const ids = firstOf(
      this.#walks.map((walk) => walk.ids),
      this.#asked.want,
    )
    // Ids after the last one wanted are not part of the answer.
    const last = ids.length < this.#asked.want ? undefined : ids.at(-1)
    if (last !== undefined) {
      for (const walk of this.#walks) walk.done ||= walk.nextId > last
    }
    if (this.#listOpen().length > 0) return undefined
    const shown = this.#slices === 1 ? this.#shown : undefined
    return { ids, complete: true, ...(shown && { shown }) }
  }

  #listOpen(): Walk[] {
    return this.#walks.filter(({ done, ids }) => !done && ids.length < this.#asked.want)
  }

  async #advance(ask: Ask, open: Walk[]): Promise<void> {
    const { shape } = this.#asked.plan
    const page = this.#slices === 0 ? this.#asked.page : undefined
    const size = isPlain(shape) ? this.#sizePlain(open) : this.#sizeTested(open)
    const several = open.length > 1
    const text = ownerStatement({ ...shape, several, page: page !== undefined })
    const values = [...this.#values(open, size), ...(page ? [page.from, page.count] : [])]
    const shown: StoredParcel[] = []
    for (const row of await ask<StoredParcel | WalkRow>(text, values)) {
      if (row.loadedAt === null) this.#note(open[row.id - 1] as Walk, row.geometry ?? '', size)
      else shown.push(row)
    }
    this.#slices += 1
    if (page !== undefined) this.#shown = shown.sort((a, b) => a.id - b.id)
  }

  /** Ids that a slice without further conditions returns of each walk. */
  #sizePlain(open: Walk[]): number {
    const share = Math.ceil(EXAMINE / SLOTS / open.length)
    return Math.min(this.#asked.want + this.#asked.known.size, Math.max(SLICE_MIN, share))
  }

  /** Entries that a slice examines of each walk. */
  #sizeTested(open: Walk[]): number {
    const likely = open.map((walk) =>
      walk.examined === 0
        ? SLOTS * (this.#asked.want + this.#asked.known.size + 1)
        : sizeNextSlice(walk, this.#asked.want - walk.ids.length, GROWTH),
    )
    const share = Math.ceil(EXAMINE / open.length)
    return Math.max(SLICE_MIN, Math.min(share, Math.max(...likely)))
  }

  #values(open: Walk[], size: number): unknown[] {
    const { shape, tests } = this.#asked.plan
    const [heads = [], kinds, givens, starts] = columnsOf(open.map(({ head }) => head))
    const firsts = open.map(({ nextId }) => nextId)
    if (isPlain(shape) && open.length === 1) return [this.#asked.state, size, heads[0], firsts[0]]
    const own = shape.drive === 'head' && !isPlain(shape) ? [kinds, givens, starts] : []
    return [this.#asked.state, size, heads, firsts, ...own, ...tests]
  }

  /** Adds what a slice found of a walk: `read` as in `ownerStatement`. */
  #note(walk: Walk, read: string, size: number): void {
    let ids = readNumbers(read)
    if (isPlain(this.#asked.plan.shape)) {
      walk.nextId = (ids.at(-1) ?? 0) + 1
      walk.done = ids.length < size
    } else {
      const [examined = 0, lastId = 0] = ids
      ids = ids.slice(2)
      // A slice may end between a parcel's two slots: it is read again, and counted once.
      walk.nextId = lastId
      walk.done = examined < size
    }
    addIds(walk, ids, size, this.#asked.known)
  }
}
