/** Property search, for both stores: pages along one index, slice by slice. */
import type { FilterName } from '../columns.ts'
import type { PageRange, ParcelFilter, ParcelPage, StoredParcel } from '../store.ts'
import { EXAMINE } from './walk-ids.ts'

/** Columns that an index walk fixes. */
export type Drive = 'state' | 'county' | 'city' | 'zip' | 'use' | 'transfer'

/** The condition that an index fixes. */
export const DRIVEN: Record<Drive, FilterName | undefined> = {
  state: undefined,
  county: 'fips',
  city: 'city',
  zip: 'zip',
  use: 'useCode',
  transfer: 'transferredFrom',
}

/** Most ids that a range filter reads from its own index; a larger range is walked by id. */
export const RANGE_IDS = 10_000

/** Chooses the index of the narrowest filter. `countRange`: from a day, up to `RANGE_IDS` + 1. */
export async function chooseDrive(
  filter: ParcelFilter,
  countRange: (from: number) => number | Promise<number>,
): Promise<Drive> {
  const { transferredFrom } = filter
  const narrowest = narrowestDrive(filter)
  if (transferredFrom === undefined) return narrowest
  return (await countRange(transferredFrom)) <= RANGE_IDS ? 'transfer' : narrowest
}

function narrowestDrive(filter: ParcelFilter): Drive {
  if (filter.zip !== undefined) return 'zip'
  if (filter.city !== undefined) return 'city'
  if (filter.useCode !== undefined) return 'use'
  return filter.fips === undefined ? 'state' : 'county'
}

/** Entries that a slice after an id examined, the last id among them, and those that match. */
export type Counted = { examined: number; lastId: number; matched: number }

/** How a store reads a slice of at most `EXAMINE` entries after an id. SQLite answers at once. */
export type PageSource = {
  page(after: number, limit: number, skip: number): StoredParcel[] | Promise<StoredParcel[]>
  count(after: number): Counted | Promise<Counted>
}

/** Collects a page slice by slice along one index. */
export class PageWalk {
  readonly #limit: number
  readonly #parcels: StoredParcel[] = []
  #after: number
  #skip: number
  /** Large offsets are counted slice by slice; small ones are part of the page's statement. */
  #counting: boolean

  constructor({ afterId, skip, limit }: PageRange) {
    this.#after = afterId
    this.#skip = skip
    this.#limit = limit
    this.#counting = skip > EXAMINE / 2
  }

  async slice(source: PageSource): Promise<ParcelPage | undefined> {
    if (this.#counting) return this.#countDown(source)
    const want = this.#limit - this.#parcels.length
    const found = await source.page(this.#after, want, this.#skip)
    this.#parcels.push(...found)
    const last = found.at(-1)
    if (last !== undefined && found.length === want) return this.#finish(last.id, false)
    const { examined, lastId, matched } = await source.count(this.#after)
    this.#skip = Math.max(0, this.#skip - matched)
    this.#after = Math.max(this.#after, lastId)
    return examined < EXAMINE ? this.#finish(this.#after, true) : undefined
  }

  /** Returns the page so far, when time is up; the next continues after the last id examined. */
  expire(): ParcelPage {
    return { ...this.#finish(this.#after, false), outOfTime: true }
  }

  async #countDown(source: PageSource): Promise<ParcelPage | undefined> {
    const { examined, lastId, matched } = await source.count(this.#after)
    if (matched > this.#skip) {
      this.#counting = false
      return undefined
    }
    this.#skip -= matched
    this.#after = Math.max(this.#after, lastId)
    return examined < EXAMINE ? this.#finish(this.#after, true) : undefined
  }

  #finish(lastId: number, done: boolean): ParcelPage {
    return { parcels: this.#parcels, lastId, done, outOfTime: false }
  }
}

/** Returns the page of parcels whose ids are known, ascending. `read`: those that match of them. */
export async function pageOfIds(
  ids: number[],
  { afterId, skip, limit }: PageRange,
  read: (ids: number[]) => StoredParcel[] | Promise<StoredParcel[]>,
): Promise<ParcelPage> {
  const found = await read(ids.filter((id) => id > afterId))
  const parcels = found.slice(skip, skip + limit)
  const done = found.length <= skip + limit
  return { parcels, lastId: parcels.at(-1)?.id ?? afterId, done, outOfTime: false }
}
