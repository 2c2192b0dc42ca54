/** The values of a staged parcel as both ways of writing a roll bind them. */
import { COLUMN_NAMES, COLUMNS, type ColumnValues } from '../../columns.ts'
import type { StagedParcel } from '../../store.ts'

/** Columns of `parcels` after the id; `parcelValues` returns their values. */
export const PARCEL_COLUMNS = COLUMN_NAMES.join(', ')

/** SQLite has no boolean type: 0 and 1 are used. */
export function parcelValues(parcel: ColumnValues): (string | number | null)[] {
  const values: (string | number | null)[] = []
  for (const { property } of COLUMNS) {
    const value = parcel[property]
    values.push(typeof value === 'boolean' ? Number(value) : value)
  }
  return values
}

/**
 * Returns what distinguishes a parcel from others with the same letters and digits; `''` for nearly
 * all.
 */
export function variantOf({ identity, strippedKey }: StagedParcel): string {
  return identity === strippedKey ? '' : identity
}
