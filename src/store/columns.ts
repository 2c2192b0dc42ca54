/**
 * The columns of `parcels` behind its id, told once: what an import stages, hands from thread to
 * thread, compares, writes and copies, and what property search filters by, in both stores. A new
 * column also needs a migration in each store, for `parcels` and `import_images`.
 */

import { COVERAGE_FIELDS } from '../model/coverage.ts'

type Column = {
  /** Property of a staged parcel. */
  property: string
  /** Texts are never null: the empty string is unknown. */
  /** `long`: a whole number of more than 32 bits. */
  type: 'text' | 'integer' | 'long' | 'flag'
  nullable?: true
  /**
   * A refresh rewrites a parcel of which it changed. The others are its identity, or compared on
   * their own.
   */
  compared?: true
}

/** By their names in SQL, in the order of the tables. */
const PARCEL_COLUMNS = {
  state: { property: 'state', type: 'text' },
  /** Five-digit county FIPS code. */
  fips: { property: 'fips', type: 'integer' },
  /** Municipality part of the roll scope, folded; empty where the scope is the county. */
  municipality: { property: 'municipality', type: 'text' },
  /** Parcel ID, A–Z and 0–9 only. */
  stripped_key: { property: 'strippedKey', type: 'text' },
  /** Recorded parcel ID, upper-cased and trimmed: what an exact lookup asks. */
  parcel_key: { property: 'parcelKey', type: 'text' },
  /** Folded by `foldCity`. */
  city: { property: 'city', type: 'text', compared: true },
  zip: { property: 'zip', type: 'text', compared: true },
  /** Unit key of its first situs address. */
  unit: { property: 'unit', type: 'text', compared: true },
  /** Folded by `foldUseCode`. */
  use_code: { property: 'useCode', type: 'text', compared: true },
  residential: { property: 'residential', type: 'flag', nullable: true, compared: true },
  /** Days since 1970-01-01 of the newest transfer. */
  transfer_day: { property: 'transferDay', type: 'integer', nullable: true, compared: true },
  /** Whether it has a street number and name. */
  assigned: { property: 'assigned', type: 'flag', compared: true },
  roll_year: { property: 'rollYear', type: 'integer', nullable: true, compared: true },
  /** The coverage fields that it has, a bit each in the order of `COVERAGE_FIELDS`. */
  filled: { property: 'filled', type: 'integer', compared: true },
  /** Use in common codes, as `record/land-use.ts` tells them. */
  common_use: { property: 'commonUse', type: 'text', compared: true },
  /** Its point in ten millionths of a degree, and the tile of zoom 14 that holds it. */
  x: { property: 'x', type: 'integer', nullable: true, compared: true },
  y: { property: 'y', type: 'integer', nullable: true, compared: true },
  cell: { property: 'cell', type: 'integer', nullable: true },
  /** Its canonical owner, as `ownerInState` tells; 0: nobody. */
  owner: { property: 'owner', type: 'long' },
} as const satisfies Record<string, Column>

type ColumnName = keyof typeof PARCEL_COLUMNS

/** The filters of property search beside the state, each a condition on one column. */
export const FILTERS = {
  /** Only parcels with a street number and name. */
  assignedOnly: { column: 'assigned', test: 'is true' },
  fips: { column: 'fips', test: '=' },
  city: { column: 'city', test: '=' },
  zip: { column: 'zip', test: '=' },
  /** As `canonicalUnit` writes it. */
  unit: { column: 'unit', test: '=' },
  /** Keys of units, each with a line end before and behind it: any of them. */
  units: { column: 'unit', test: 'is a line of' },
  useCode: { column: 'use_code', test: '=' },
  residential: { column: 'residential', test: '=' },
  commonUse: { column: 'common_use', test: '=' },
  /** Codes of four digits, each with a comma behind it: any of them. */
  commonUses: { column: 'common_use', test: 'is one of' },
  /** Days since 1970-01-01: the newest transfer is on or after it. */
  transferredFrom: { column: 'transfer_day', test: '>=' },
  /** A box of ten millionths of a degree that holds the parcel's point, its sides included. */
  westFrom: { column: 'x', test: '>=' },
  eastTo: { column: 'x', test: '<=' },
  southFrom: { column: 'y', test: '>=' },
  northTo: { column: 'y', test: '<=' },
} as const satisfies Record<
  string,
  { column: ColumnName; test: '=' | '>=' | '<=' | 'is true' | 'is one of' | 'is a line of' }
>

export type FilterName = keyof typeof FILTERS

/** The values of the columns, as an import stages them. */
export type ColumnValues = {
  -readonly [Name in ColumnName as (typeof PARCEL_COLUMNS)[Name]['property']]: ValueOf<
    (typeof PARCEL_COLUMNS)[Name]
  >
}

/** The filters that are asked; all of them hold. */
export type FilterValues = {
  [Name in Exclude<FilterName, 'assignedOnly'>]?: NonNullable<
    ValueOf<(typeof PARCEL_COLUMNS)[(typeof FILTERS)[Name]['column']]>
  >
} & { assignedOnly: boolean }

type Types = { text: string; integer: number; long: number; flag: boolean }
type ValueOf<Own> = Own extends { type: infer Type extends keyof Types }
  ? Own extends { nullable: true }
    ? Types[Type] | null
    : Types[Type]
  : never

/** Names of the columns in SQL, in the order of the tables. */
export const COLUMN_NAMES = Object.keys(PARCEL_COLUMNS) as ColumnName[]

/** The columns in the order of the tables. */
export const COLUMNS: readonly (Column & { name: ColumnName; property: keyof ColumnValues })[] =
  COLUMN_NAMES.map((name) => ({ name, ...PARCEL_COLUMNS[name] }))

/** Values of a staged parcel in the order of the tables. */
export function columnValues(parcel: ColumnValues): (string | number | boolean | null)[] {
  return COLUMNS.map(({ property }) => parcel[property])
}

/**
 * The bit of `filled` that says that the parcel has a polygon. A refresh without polygons leaves
 * those that are kept, so the kept row tells it then.
 */
const POLYGON_BIT = 2 ** COVERAGE_FIELDS.indexOf('geometry')

/**
 * Whether a staged row `s` differs from the kept row `p` in a compared column, in SQL. Polygons
 * themselves are compared elsewhere. `isDistinct`: the dialect's comparison in which null equals
 * null.
 */
export function differsSql(isDistinct: string): string {
  const compared = COLUMNS.filter((column) => column.compared)
  const shown = (row: string, name: string) =>
    name === 'filled' ? `(${row}.filled | ${POLYGON_BIT})` : `${row}.${name}`
  return compared
    .map(({ name, nullable }) => {
      const [kept, staged] = [shown('p', name), shown('s', name)]
      return `${kept} ${nullable ? isDistinct : '<>'} ${staged}`
    })
    .join(' OR ')
}

/**
 * What columns of a kept row get from the staged row `s`, in SQL. `kept`: the name of its table.
 * `restores`: the staged row comes back as it is; otherwise a kept polygon stays.
 */
export function updateSql(names: readonly string[], kept: string, restores: boolean): string {
  return names
    .map((name) =>
      name === 'filled' && !restores
        ? `filled = s.filled | (${kept}.filled & ${POLYGON_BIT})`
        : `${name} = s.${name}`,
    )
    .join(', ')
}

/**
 * Counts of the parcels `p` of an owner in SQL: all, residential, and known not to be.
 * `sign`: `-` takes them away.
 */
export function countOwnersSql(sign: '' | '-'): string {
  const kinds = ['true', 'false'].map(
    (kind) => `${sign}count(CASE WHEN p.residential = ${kind} THEN 1 END)`,
  )
  return [`${sign}count(*)`, ...kinds].join(', ')
}
