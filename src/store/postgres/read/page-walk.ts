/** Property search: pages along one index, slice by slice. */
import type { FilterName } from '../../columns.ts'
import { listConditions } from '../../rows.ts'
import type { ParcelFilter, ParcelPage, StoredParcel } from '../../store.ts'
import { DRIVEN, type Drive, narrowestDrive } from '../../walk/walk-ids.ts'
import type { Ask } from '../pool/lookup-queue.ts'
import {
  countStatement,
  EXAMINE,
  idsStatement,
  pageStatement,
  RANGE_IDS,
  SQL,
  type Statement,
} from './statements.ts'

/** Collects a page slice by slice along one index. */
export class PageWalk {
  readonly #filter: ParcelFilter
  readonly #page: Statement
  readonly #count: Statement
  readonly #limit: number
  readonly #parcels: StoredParcel[] = []
  #after: number
  #skip: number
  /** Large offsets are counted slice by slice; small ones are part of the page's statement. */
  #counting: boolean

  constructor(drive: Drive, filter: ParcelFilter, afterId: number, skip: number, limit: number) {
    const conditions = listConditions(filter, DRIVEN[drive])
    this.#filter = filter
    this.#page = pageStatement(drive, conditions)
    this.#count = countStatement(drive, conditions)
    this.#after = afterId
    this.#skip = skip
    this.#limit = limit
    this.#counting = skip > EXAMINE / 2
  }

  async slice(ask: Ask): Promise<ParcelPage | undefined> {
    if (this.#counting) return this.#countDown(ask)
    const want = this.#limit - this.#parcels.length
    const found = await this.#ask<StoredParcel>(ask, this.#page, want)
    this.#parcels.push(...found)
    const last = found.at(-1)
    if (last !== undefined && found.length === want) return this.#finish(last.id, false)
    const { examined, lastId, matched } = await this.#countSlice(ask)
    this.#skip = Math.max(0, this.#skip - matched)
    this.#after = Math.max(this.#after, lastId)
    return examined < EXAMINE ? this.#finish(this.#after, true) : undefined
  }

  /**
   * Returns the page so far when time is up. The next page continues after the last id examined.
   */
  expire(): ParcelPage {
    return { ...this.#finish(this.#after, false), outOfTime: true }
  }

  async #countDown(ask: Ask): Promise<ParcelPage | undefined> {
    const { examined, lastId, matched } = await this.#countSlice(ask)
    if (matched > this.#skip) {
      this.#counting = false
      return undefined
    }
    this.#skip -= matched
    this.#after = Math.max(this.#after, lastId)
    return examined < EXAMINE ? this.#finish(this.#after, true) : undefined
  }

  async #countSlice(ask: Ask): Promise<Counted> {
    const [row] = await this.#ask<Counted>(ask, this.#count, 0)
    return row ?? { examined: 0, lastId: 0, matched: 0 }
  }

  #ask<Row>(ask: Ask, { text, values }: Statement, want: number): Promise<Row[]> {
    const own = { after: this.#after, examine: EXAMINE, limit: want, skip: this.#skip }
    return ask<Row>(text, valuesOf(this.#filter, values, own))
  }

  #finish(lastId: number, done: boolean): ParcelPage {
    return { parcels: this.#parcels, lastId, done, outOfTime: false }
  }
}

type Counted = { examined: number; lastId: number; matched: number }

/**
 * Chooses the index of the narrowest filter. A rare range is read from its own index; a common one
 * is a condition.
 */
export async function chooseDrive(ask: Ask, filter: ParcelFilter): Promise<Drive> {
  if (filter.transferredFrom !== undefined) {
    const values = [filter.state, filter.transferredFrom]
    const [row] = await ask<{ n: number }>(SQL.transferCount, values)
    if (Number(row?.n) <= RANGE_IDS) return 'transfer'
  }
  return narrowestDrive(filter)
}

/** Returns the page of parcels whose ids are known, ascending. */
export async function pageOfIds(
  ask: Ask,
  filter: ParcelFilter,
  ids: number[],
  { afterId, skip, limit }: { afterId: number; skip: number; limit: number },
): Promise<ParcelPage> {
  const { text, values } = idsStatement(listConditions(filter, undefined))
  const after = ids.filter((id) => id > afterId)
  const found = await ask<StoredParcel>(text, valuesOf(filter, values, { ids: after }))
  const parcels = found.slice(skip, skip + limit)
  const done = found.length <= skip + limit
  return { parcels, lastId: parcels.at(-1)?.id ?? afterId, done, outOfTime: false }
}

/** Returns the values that a statement names, from the filter or `others`. */
function valuesOf(
  filter: ParcelFilter,
  names: string[],
  own: Record<string, number | number[]>,
): unknown[] {
  return names.map((name) => own[name] ?? filter[name as FilterName | 'state'])
}
