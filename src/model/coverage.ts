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

/**
 * Which counties are wanted: of these states, or whose points may lie in one of these boxes.
 * `partial`: those that cannot be asked for now are left out.
 */
export type CoverageAsked = { states?: string[]; boxes?: DegreeBox[]; partial?: boolean }

/** Bounds in degrees. */
export type DegreeBox = { west: number; south: number; east: number; north: number }

/** A database that cannot be asked now. `where`: its name for operators, never for callers. */
export type UnreachedDatabase = { states: string[]; where: string }
