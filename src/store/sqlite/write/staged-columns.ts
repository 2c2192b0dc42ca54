/** A staged parcel's values as both ways of writing a roll bind them. */
import type { StagedParcel } from '../../store.ts'

/** Columns of `parcels` behind the id; `parcelValues` gives their values. */
export const PARCEL_COLUMNS = `state, fips, municipality, stripped_key, parcel_key, city, zip,
  unit, use_code, residential, transfer_day, assigned, roll_year, filled`

export function parcelValues(parcel: StagedParcel) {
  return [
    parcel.state,
    parcel.fips,
    parcel.municipality,
    parcel.strippedKey,
    parcel.parcelKey,
    parcel.city,
    parcel.zip,
    parcel.unit,
    parcel.useCode,
    parcel.residential === null ? null : Number(parcel.residential),
    parcel.transferDay,
    Number(parcel.assigned),
    parcel.rollYear,
    parcel.filled,
  ] as const
}

/** What tells a parcel from others with its letters and digits; `''`: nothing, as for nearly all. */
export function variantOf({ identity, strippedKey }: StagedParcel): string {
  return identity === strippedKey ? '' : identity
}
