/** Which index a page of property search walks, for both stores. */
import type { FilterName } from '../columns.ts'
import type { ParcelFilter } from '../store.ts'

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

/** Returns the index of the narrowest filter, without the one of transfers. */
export function narrowestDrive(filter: ParcelFilter): Exclude<Drive, 'transfer'> {
  if (filter.zip !== undefined) return 'zip'
  if (filter.city !== undefined) return 'city'
  if (filter.useCode !== undefined) return 'use'
  return filter.fips === undefined ? 'state' : 'county'
}
