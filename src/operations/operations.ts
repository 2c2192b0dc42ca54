import { addressLookup } from './address-lookup.ts'
import { changes } from './changes.ts'
import { coverage } from './coverage.ts'
import type { Operation } from './operation.ts'
import { ownerSearch, premiumOwnerSearch } from './owner-search.ts'
import { parcelIdLookup } from './parcel-id-lookup.ts'
import { abutterSearch } from './places/abutter-search.ts'
import { locationSearch } from './places/location-search.ts'
import { pointLookup } from './places/point-lookup.ts'
import { shapeSearch } from './places/shape-search.ts'
import { tile } from './places/tile.ts'
import { tileJson } from './places/tile-json.ts'
import { portfolio } from './portfolio.ts'
import { propertySearch } from './property-search.ts'
import { ownerNetwork } from './questions/network.ts'
import { suggest } from './questions/suggest.ts'
import { propertySummary } from './questions/summary.ts'
import { quality } from './rolls/quality.ts'
import { comparables } from './sales/comparables.ts'
import { ratioStudy } from './sales/ratio-study.ts'
import { propertyHistory } from './time/property-history.ts'
import { propertyLineage } from './time/property-lineage.ts'
import { usage } from './usage.ts'

/** All operations, from which routes, OpenAPI, the client's types and MCP tools are derived. */
export const OPERATIONS: readonly Operation[] = [
  premiumOwnerSearch,
  addressLookup,
  parcelIdLookup,
  propertySearch,
  propertySummary,
  suggest,
  ownerNetwork,
  ownerSearch,
  locationSearch,
  pointLookup,
  shapeSearch,
  abutterSearch,
  coverage,
  quality,
  tile,
  tileJson,
  changes,
  propertyHistory,
  propertyLineage,
  comparables,
  ratioStudy,
  portfolio,
  usage,
]
