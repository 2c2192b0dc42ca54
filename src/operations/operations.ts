/** Every operation of the API. */
import { abutterSearch } from './abutter-search.ts'
import { addressLookup } from './address-lookup.ts'
import { changes } from './changes.ts'
import { comparables } from './comparables.ts'
import { coverage } from './coverage.ts'
import { locationSearch } from './location-search.ts'
import type { Operation } from './operation.ts'
import { ownerSearch, premiumOwnerSearch } from './owner-search.ts'
import { parcelIdLookup } from './parcel-id-lookup.ts'
import { pointLookup } from './point-lookup.ts'
import { portfolio } from './portfolio.ts'
import { propertySearch } from './property-search.ts'
import { shapeSearch } from './shape-search.ts'
import { tile } from './tile.ts'
import { tileJson } from './tile-json.ts'
import { usage } from './usage.ts'

export const OPERATIONS: readonly Operation[] = [
  premiumOwnerSearch,
  addressLookup,
  parcelIdLookup,
  propertySearch,
  ownerSearch,
  locationSearch,
  pointLookup,
  shapeSearch,
  abutterSearch,
  coverage,
  tile,
  tileJson,
  changes,
  comparables,
  portfolio,
  usage,
]
