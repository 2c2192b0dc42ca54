/** How property search reads `parcels.db`; `walk/page-walk.ts` walks. */
import type { SQLInputValue } from 'node:sqlite'
import type { FilterName, FilterValues } from '../../columns.ts'
import { listConditions } from '../../rows.ts'
import type { ParcelFilter } from '../../store.ts'
import { DRIVEN, type Drive, type PageSource } from '../../walk/page-walk.ts'
import { EXAMINE } from '../../walk/walk-ids.ts'
import type { Prepare } from './prepare.ts'
import { type RecordColumns, readRecord } from './read-rows.ts'
import { countSql, idsSql, pageSql, SQL } from './statements.ts'

type CountColumns = [examined: number, lastId: number, matched: number]

export function openPage(prepare: Prepare, filter: ParcelFilter, drive: Drive): PageSource {
  const conditions = listConditions(filter, DRIVEN[drive])
  const driven = drivenValues(filter, drive)
  const tested = testedValues(filter, conditions)
  return {
    page(after, limit, skip) {
      const values = [...driven, after, EXAMINE, ...tested, limit, skip]
      const statement = prepare(pageSql({ drive, conditions }))
      return statement.all<RecordColumns>(...values).map(readRecord)
    },
    count(after) {
      const values = [...driven, after, EXAMINE, ...tested]
      const counted = prepare(countSql(drive, conditions)).get<CountColumns>(...values)
      const [examined, lastId, matched] = counted as CountColumns
      return { examined, lastId, matched }
    },
  }
}

/** Counts transfers from a day on, as far as `chooseDrive` needs. */
export function countRange(prepare: Prepare, { state }: ParcelFilter) {
  return (from: number) => prepare(SQL.transferCount).get<[n: number]>(state, from)?.[0] ?? 0
}

/** Returns the records of ids that meet a filter, in the given order. */
export function readMatching(prepare: Prepare, filter: ParcelFilter, ids: number[]) {
  const conditions = listConditions(filter, undefined)
  const values = [JSON.stringify(ids), ...testedValues(filter, conditions)]
  return prepare(idsSql(conditions))
    .all<RecordColumns>(...values)
    .map(readRecord)
}

/** Returns the values that the index walk fixes, in column order. */
function drivenValues(filter: ParcelFilter, drive: Drive): SQLInputValue[] {
  const driven = DRIVEN[drive]
  if (driven === undefined) return [filter.state]
  const value = boundValue(filter, driven)
  return drive === 'county' ? [value] : [filter.state, value]
}

export function testedValues(filter: FilterValues, conditions: FilterName[]): SQLInputValue[] {
  return conditions.filter((one) => one !== 'assignedOnly').map((one) => boundValue(filter, one))
}

function boundValue(filter: FilterValues, condition: FilterName): SQLInputValue {
  const value = filter[condition]
  return typeof value === 'boolean' ? Number(value) : (value ?? null)
}
