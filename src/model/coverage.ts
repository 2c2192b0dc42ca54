/** The fields whose fill `coverage` tells. Stored as bits in this order: only ever appended to. */
export const COVERAGE_FIELDS = [
  'owner',
  'address',
  'coordinates',
  'mailingAddress',
  'city',
  'zipCode',
  'useCode',
  'residential',
  'assessedValue',
  'marketValue',
  'taxAmount',
  'saleDate',
  'salePrice',
  'yearBuilt',
  'buildingArea',
  'acres',
  'legalDescription',
  'geometry',
] as const

/** A field whose share of parcels `coverage` tells. */
export type CoverageField = (typeof COVERAGE_FIELDS)[number]
