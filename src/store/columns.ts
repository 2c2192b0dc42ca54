/**
 * The columns of `parcels` except its id, defined once for both stores. Imports use them to stage,
 * transfer between threads, compare, write and copy parcels; property search uses them as filters.
 * A new column also goes into the baseline of each store, in `parcels` and `import_images`.
 */
import { COVERAGE_FIELDS } from '../base/model/coverage.ts'

type Column = {
  property: string
  /** Texts are never null: the empty string means unknown. */
  /** `long`: an integer of more than 32 bits. */
  type: 'text' | 'integer' | 'long' | 'flag'
  nullable?: true
  /** A refresh rewrites parcels in which it changed; others are identity, or compared apart. */
  compared?: true
}

/** By SQL name, in the order of the tables. */
const PARCEL_COLUMNS = {
  state: { property: 'state', type: 'text' },
  /** Five-digit county FIPS code. */
  fips: { property: 'fips', type: 'integer' },
  /** Municipality of the roll scope, folded; empty when the scope is the county. */
  municipality: { property: 'municipality', type: 'text' },
  /** Parcel ID, A–Z and 0–9 only. */
  stripped_key: { property: 'strippedKey', type: 'text' },
  /** Recorded parcel ID in upper case, trimmed; used by exact lookups. */
  parcel_key: { property: 'parcelKey', type: 'text' },
  /** Folded by `foldCity`. */
  city: { property: 'city', type: 'text', compared: true },
  zip: { property: 'zip', type: 'text', compared: true },
  /** Unit key of the first situs address. */
  unit: { property: 'unit', type: 'text', compared: true },
  /** A code of `record/use-codes.ts`. */
  use_code: { property: 'useCode', type: 'text', compared: true },
  residential: { property: 'residential', type: 'flag', nullable: true, compared: true },
  /** Days since 1970-01-01 of the newest transfer. */
  transfer_day: { property: 'transferDay', type: 'integer', nullable: true, compared: true },
  /** Whether it has a street number and name. */
  assigned: { property: 'assigned', type: 'flag', compared: true },
  roll_year: { property: 'rollYear', type: 'integer', nullable: true, compared: true },
  /** The parcel's coverage fields, one bit each in the order of `COVERAGE_FIELDS`. */
  filled: { property: 'filled', type: 'integer', compared: true },
  /** The roll's own use code, folded by `foldUseCode`. */
  local_use: { property: 'localUse', type: 'text', compared: true },
  /** The point in ten-millionths of a degree, and its tile at zoom 14. */
  x: { property: 'x', type: 'integer', nullable: true, compared: true },
  y: { property: 'y', type: 'integer', nullable: true, compared: true },
  cell: { property: 'cell', type: 'integer', nullable: true },
  /** Canonical owner number of `ownerInState`; 0 without an owner. */
  owner: { property: 'owner', type: 'long' },
} as const satisfies Record<string, Column>

type ColumnName = keyof typeof PARCEL_COLUMNS

/** The filters of property search except the state, each a condition on one column. */
export const FILTERS = {
  /** Only parcels with a street number and name. */
  assignedOnly: { column: 'assigned', test: 'is true' },
  fips: { column: 'fips', test: '=' },
  city: { column: 'city', test: '=' },
  zip: { column: 'zip', test: '=' },
  /** In the form of `canonicalUnit`. */
  unit: { column: 'unit', test: '=' },
  /** Unit keys, each between line feeds; matches any of them. */
  units: { column: 'unit', test: 'is a line of' },
  useCode: { column: 'use_code', test: '=' },
  /** Four-digit codes, each followed by a comma; matches any of them. */
  useCodes: { column: 'use_code', test: 'is one of' },
  localUse: { column: 'local_use', test: '=' },
  /** Folded codes, each between line feeds; matches any of them. */
  localUses: { column: 'local_use', test: 'is a line of' },
  /** First and last text of a range, both included. */
  localUseFrom: { column: 'local_use', test: '>=' },
  localUseTo: { column: 'local_use', test: '<=' },
  residential: { column: 'residential', test: '=' },
  /** Days since 1970-01-01; the newest transfer must be on or after it. */
  transferredFrom: { column: 'transfer_day', test: '>=' },
  /** A box in ten-millionths of a degree, sides included, that contains the parcel's point. */
  westFrom: { column: 'x', test: '>=' },
  eastTo: { column: 'x', test: '<=' },
  southFrom: { column: 'y', test: '>=' },
  northTo: { column: 'y', test: '<=' },
} as const satisfies Record<
  string,
  { column: ColumnName; test: '=' | '>=' | '<=' | 'is true' | 'is one of' | 'is a line of' }
>

export type FilterName = keyof typeof FILTERS

/** The values of the columns as imports stage them. */
export type ColumnValues = {
  -readonly [Name in ColumnName as (typeof PARCEL_COLUMNS)[Name]['property']]: ValueOf<
    (typeof PARCEL_COLUMNS)[Name]
  >
}

/** The requested filters; all must hold. */
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

/** SQL names of the columns, in the order of the tables. */
export const COLUMN_NAMES = Object.keys(PARCEL_COLUMNS) as ColumnName[]

/** The columns in the order of the tables. */
export const COLUMNS: readonly (Column & { name: ColumnName; property: keyof ColumnValues })[] =
  COLUMN_NAMES.map((name) => ({ name, ...PARCEL_COLUMNS[name] }))

/** Returns a staged parcel's values in the order of the tables. */
export function columnValues(parcel: ColumnValues): (string | number | boolean | null)[] {
  return COLUMNS.map(({ property }) => parcel[property])
}

/**
 * The bit of `filled` for a polygon, which a refresh without polygons takes from the stored row.
 */
const POLYGON_BIT = 2 ** COVERAGE_FIELDS.indexOf('geometry')

/**
 * Returns SQL that compares the compared columns of a staged row `s` and the stored row `p`.
 * `isDistinct`: the comparison in which null equals null.
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

/** SQL that updates a stored row from the staged row `s`, whose roll may have no polygons. */
export function updateSql(names: readonly string[], kept: string): string {
  return names
    .map((name) =>
      name === 'filled'
        ? `filled = s.filled
            | CASE WHEN s.geometry IS NULL THEN ${kept}.filled & ${POLYGON_BIT} ELSE 0 END`
        : `${name} = s.${name}`,
    )
    .join(', ')
}

/** SQL that counts an owner's parcels `p`: all, residential, known not to be; `-` subtracts. */
export function countOwnersSql(sign: '' | '-'): string {
  const kinds = ['true', 'false'].map(
    (kind) => `${sign}count(CASE WHEN p.residential = ${kind} THEN 1 END)`,
  )
  return [`${sign}count(*)`, ...kinds].join(', ')
}
