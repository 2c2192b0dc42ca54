/** Names a parcel in an answer without showing its record. */
import { renderParcel } from '../../render/render.ts'
import type { StoredParcel } from '../../store/store.ts'

type NamedParcel = {
  propertyId: string
  address: string | null
  city: string | null
  county: string | null
  zipCode: string | null
}

/** Returns the parcel's ID and place. Throws when the stored record is damaged. */
export function nameParcel(parcel: StoredParcel): NamedParcel {
  const { propertyId, address, city, county, zipCode } = JSON.parse(renderParcel(parcel, 'flat'))
  return { propertyId, address, city, county, zipCode }
}

/** The same in one line: `55025-0709-1 (100 MAIN ST, MADISON 53703)`. */
export function describeParcel(parcel: StoredParcel): string {
  const { propertyId, address, city, zipCode } = nameParcel(parcel)
  const place = [city, zipCode].filter(Boolean).join(' ')
  const shown = [address, place].filter(Boolean).join(', ')
  return shown === '' ? propertyId : `${propertyId} (${shown})`
}
