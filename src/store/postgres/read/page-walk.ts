/** How property search reads PostgreSQL; `walk/page-walk.ts` walks. */
import type { FilterName } from '../../columns.ts'
import { listConditions } from '../../rows.ts'
import type { ParcelFilter, StoredParcel } from '../../store.ts'
import { type Counted, DRIVEN, type Drive, type PageSource } from '../../walk/page-walk.ts'
import { EXAMINE } from '../../walk/walk-ids.ts'
import type { Ask } from '../pool/lookup-queue.ts'
import { countStatement, idsStatement, pageStatement, SQL, type Statement } from './statements.ts'

/** Returns the source of a slice, which has a connection of its own. */
export function openPage(filter: ParcelFilter, drive: Drive): (ask: Ask) => PageSource {
  const conditions = listConditions(filter, DRIVEN[drive])
  const paging = pageStatement(drive, conditions)
  const counting = countStatement(drive, conditions)
  return (ask) => {
    const read = <Row>({ text, values }: Statement, own: Record<string, number>) =>
      ask<Row>(text, valuesOf(filter, values, { examine: EXAMINE, ...own }))
    return {
      page: (after, limit, skip) => read<StoredParcel>(paging, { after, limit, skip }),
      async count(after) {
        const [row] = await read<Counted>(counting, { after })
        return row ?? { examined: 0, lastId: 0, matched: 0 }
      },
    }
  }
}

/** Counts transfers from a day on, as far as `chooseDrive` needs. */
export function countRange(ask: Ask, { state }: ParcelFilter) {
  return async (from: number) => {
    const [row] = await ask<{ n: number }>(SQL.transferCount, [state, from])
    return Number(row?.n)
  }
}

/** Returns the records of ids that meet a filter, in the given order. */
export function readMatching(ask: Ask, filter: ParcelFilter, ids: number[]) {
  const { text, values } = idsStatement(listConditions(filter, undefined))
  return ask<StoredParcel>(text, valuesOf(filter, values, { ids }))
}

/** Returns the values that a statement names, from the filter or `own`. */
function valuesOf(
  filter: ParcelFilter,
  names: string[],
  own: Record<string, number | number[]>,
): unknown[] {
  return names.map((name) => own[name] ?? filter[name as FilterName | 'state'])
}
