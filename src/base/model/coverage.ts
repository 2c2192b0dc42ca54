/** The fields whose share `coverage` reports, as bits in this order; new ones are appended. */
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
  'localUse',
] as const

export type CoverageField = (typeof COVERAGE_FIELDS)[number]

/** Selects counties: of states, or perhaps in boxes. `partial`: without unreachable databases. */
export type CoverageAsked = { states?: string[]; boxes?: DegreeBox[]; partial?: boolean }

export type DegreeBox = { west: number; south: number; east: number; north: number }

/** An unreachable database. `where`: its name for operators, never for callers. */
export type UnreachedDatabase = { states: string[]; where: string }

/** Groups of fields: counts the parcels with any of them. */
const COVERAGE_GROUPS = {
  building: ['yearBuilt', 'buildingArea'],
  value: ['assessedValue', 'marketValue'],
  sale: ['saleDate', 'salePrice'],
} as const satisfies Record<string, readonly CoverageField[]>

/** A field or a group of fields whose share of parcels `coverage` reports. */
export type CoverageName = CoverageField | keyof typeof COVERAGE_GROUPS

/** The bit of a field in `parcels.filled`. */
export const coverageBit = (field: CoverageField) => 2 ** COVERAGE_FIELDS.indexOf(field)

/** Every name with its bits of `filled`, any of which counts, in display order. */
export const COVERAGE_COUNTS: readonly { name: CoverageName; bits: number }[] = [
  ...COVERAGE_FIELDS.map((name) => ({ name, bits: coverageBit(name) })),
  ...Object.entries(COVERAGE_GROUPS).map(([name, fields]) => ({
    name: name as keyof typeof COVERAGE_GROUPS,
    bits: fields.reduce((sum, field) => sum + coverageBit(field), 0),
  })),
]
