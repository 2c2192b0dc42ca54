/** Property search: pages along one index, slice by slice. */
import type { SQLInputValue } from 'node:sqlite'
import type { FilterName } from '../../columns.ts'
import { listConditions } from '../../rows.ts'
import type { ParcelFilter, ParcelPage, StoredParcel } from '../../store.ts'
import { DRIVEN, type Drive, narrowestDrive } from '../../walk/walk-ids.ts'
import type { Prepare } from './prepare.ts'
import { type RecordColumns, readRecord } from './read-rows.ts'
import { countSql, EXAMINE, idsSql, pageSql, RANGE_IDS, SQL } from './statements.ts'

type CountColumns = [examined: number, lastId: number, matched: number]

/** Collects a page slice by slice along one index. */
export class PageWalk {
  readonly #prepare: Prepare
  readonly #drive: Drive
  readonly #conditions: FilterName[]
  readonly #driven: SQLInputValue[]
  readonly #tested: SQLInputValue[]
  readonly #limit: number
  readonly #parcels: StoredParcel[] = []
  #after: number
  #skip: number
  /** Large offsets are counted slice by slice; small ones are part of the page's statement. */
  #counting: boolean

  constructor(
    prepare: Prepare,
    filter: ParcelFilter,
    afterId: number,
    skip: number,
    limit: number,
  ) {
    this.#prepare = prepare
    this.#drive = chooseDrive(prepare, filter)
    this.#conditions = listConditions(filter, DRIVEN[this.#drive])
    this.#driven = drivenValues(filter, this.#drive)
    this.#tested = testedValues(filter, this.#conditions)
    this.#after = afterId
    this.#skip = skip
    this.#limit = limit
    this.#counting = skip > EXAMINE / 2
  }

  slice(): ParcelPage | undefined {
    if (this.#counting) return this.#countDown()
    const want = this.#limit - this.#parcels.length
    const rows = this.#prepare(pageSql(this.#drive, this.#conditions)).all<RecordColumns>(
      ...this.#driven,
      this.#after,
      EXAMINE,
      ...this.#tested,
      want,
      this.#skip,
    )
    for (const row of rows) this.#parcels.push(readRecord(row))
    const last = this.#parcels.at(-1)
    if (last !== undefined && rows.length === want) return this.#finish(last.id, false)
    const { examined, lastId, matched } = this.#count()
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

  #countDown(): ParcelPage | undefined {
    const { examined, lastId, matched } = this.#count()
    if (matched > this.#skip) {
      this.#counting = false
      return undefined
    }
    this.#skip -= matched
    this.#after = Math.max(this.#after, lastId)
    return examined < EXAMINE ? this.#finish(this.#after, true) : undefined
  }

  #count(): { examined: number; lastId: number; matched: number } {
    const counted = this.#prepare(countSql(this.#drive, this.#conditions)).get<CountColumns>(
      ...this.#driven,
      this.#after,
      EXAMINE,
      ...this.#tested,
    )
    const [examined, lastId, matched] = counted as CountColumns
    return { examined, lastId, matched }
  }

  #finish(lastId: number, done: boolean): ParcelPage {
    return { parcels: this.#parcels, lastId, done, outOfTime: false }
  }
}

/**
 * Chooses the index of the narrowest filter. A rare range is read from its own index; a common one
 * is a condition.
 */
function chooseDrive(prepare: Prepare, filter: ParcelFilter): Drive {
  if (filter.transferredFrom !== undefined) {
    const row = prepare(SQL.transferCount).get<[n: number]>(filter.state, filter.transferredFrom)
    if (row !== undefined && row[0] <= RANGE_IDS) return 'transfer'
  }
  return narrowestDrive(filter)
}

/** Returns the values that the index walk fixes, in column order. */
function drivenValues(filter: ParcelFilter, drive: Drive): SQLInputValue[] {
  const driven = DRIVEN[drive]
  if (driven === undefined) return [filter.state]
  const value = boundValue(filter, driven)
  return drive === 'county' ? [value] : [filter.state, value]
}

function testedValues(filter: ParcelFilter, conditions: FilterName[]): SQLInputValue[] {
  return conditions.filter((one) => one !== 'assignedOnly').map((one) => boundValue(filter, one))
}

function boundValue(filter: ParcelFilter, condition: FilterName): SQLInputValue {
  const value = filter[condition]
  return typeof value === 'boolean' ? Number(value) : (value ?? null)
}

/** Returns the page of parcels whose ids are known, ascending. */
export function pageOfIds(
  prepare: Prepare,
  filter: ParcelFilter,
  ids: number[],
  { afterId, skip, limit }: { afterId: number; skip: number; limit: number },
): ParcelPage {
  const conditions = listConditions(filter, undefined)
  const after = ids.filter((id) => id > afterId)
  const found = prepare(idsSql(conditions)).all<RecordColumns>(
    JSON.stringify(after),
    ...testedValues(filter, conditions),
  )
  const parcels = found.slice(skip, skip + limit).map(readRecord)
  const done = found.length <= skip + limit
  return { parcels, lastId: parcels.at(-1)?.id ?? afterId, done, outOfTime: false }
}
