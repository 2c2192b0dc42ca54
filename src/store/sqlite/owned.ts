/**
 * `records.owned`: the columns of `parcels` that showing a record needs, in one number next to it,
 * which saves an index descent and often a page (docs/decisions/sqlite-reads.md). It is the owner's
 * number, times four, plus the residential flag (2: unknown).
 */
import type { ColumnValues } from '../columns.ts'
import type { OwnedParcels } from '../store.ts'

const UNKNOWN = 2
const KINDS = 4

/** Returns SQL for the number, from the columns of a row of `parcels` or of a staged parcel. */
export function packOwnedSql(row: string): string {
  return `(${row}.owner * ${KINDS} + coalesce(${row}.residential, ${UNKNOWN}))`
}

export function packOwned({ owner, residential }: ColumnValues): number {
  return owner * KINDS + (residential === null ? UNKNOWN : Number(residential))
}

/** Joins the counts of an owner of several parcels as `o` to the record `r`. */
export const OWNED_JOIN = 'LEFT JOIN shared_owners o ON o.owner = r.owned >> 2'

/** The columns of `OWNED_JOIN`: the number, and the counts; `readOwned` reads them. */
export const OWNED = 'r.owned, o.parcels, o.residential, o.other'

/** Returns the counts of the parcel's owner; null when nobody is named. */
export function readOwned(
  packed: number,
  parcels: number | null,
  residential: number | null,
  other: number | null,
): OwnedParcels | null {
  if (packed < KINDS) return null
  if (parcels !== null) return { parcels, residential: residential ?? 0, other: other ?? 0 }
  const kind = packed % KINDS
  return { parcels: 1, residential: kind === 1 ? 1 : 0, other: kind === 0 ? 1 : 0 }
}
