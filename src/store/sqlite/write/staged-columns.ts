/** A staged parcel's values as both ways of writing a roll bind them. */
import { COLUMN_NAMES, type ColumnValues, columnValues } from '../../columns.ts'
import type { StagedParcel } from '../../store.ts'

/** Columns of `parcels` behind the id; `parcelValues` gives their values. */
export const PARCEL_COLUMNS = COLUMN_NAMES.join(', ')

/** SQLite has no type for flags: 0 and 1 stand for them. */
export function parcelValues(parcel: ColumnValues): (string | number | null)[] {
  return columnValues(parcel).map((value) => (typeof value === 'boolean' ? Number(value) : value))
}

/**
 * What tells a parcel from others with its letters and digits; `''`: nothing, as for nearly all.
 */
export function variantOf({ identity, strippedKey }: StagedParcel): string {
  return identity === strippedKey ? '' : identity
}
