/**
 * The fields that a mapping may fill, by their names in a mapping, and how each text is read.
 * Derived from the record's table of fields.
 */
import {
  BUILDING_FIELDS,
  type Field,
  type Fields,
  type GROUPS,
  MAPPING_INPUTS,
  type Reading,
  TRANSFER_FIELDS,
} from '../../record/fields.ts'
import { type Building, PARCEL_FIELDS, type Parcel, type Transfer } from '../../record/parcel.ts'

export type MappedField<Owner> = { property: keyof Owner; reading: Reading }

/**
 * Fields that need more than reading one text (owners, addresses, identity). `import/rows/` reads
 * them; docs/import.md describes each.
 */
export type SpecialField =
  | SpecialName<(typeof GROUPS)[number]['fields']>
  | keyof typeof MAPPING_INPUTS

type SpecialName<Table> = Table extends unknown
  ? { [Name in keyof Table]: NameIfSpecial<Table[Name], Name> }[keyof Table]
  : never

type NameIfSpecial<Spec, Name> = Spec extends { reads: 'special' }
  ? Spec extends { mapping: infer Own extends string }
    ? Own
    : Spec extends { flat: infer Own extends string }
      ? Own
      : Name
  : never

export const MAPPED_PARCEL = mapFields<Parcel>(PARCEL_FIELDS)
export const MAPPED_BUILDING = mapFields<Building>(BUILDING_FIELDS)
export const MAPPED_TRANSFER = mapFields<Transfer>(TRANSFER_FIELDS)

/** Name and meaning of each field, for the mapping schema. */
export const MAPPING_NAMES = {
  fields: { ...describeNames(PARCEL_FIELDS), ...MAPPING_INPUTS },
  buildings: describeNames(BUILDING_FIELDS),
  transfers: describeNames(TRANSFER_FIELDS),
} satisfies Record<string, Record<string, string>>

export function mappingName(property: string, { mapping, flat }: Field): string {
  return mapping ?? flat ?? property
}

function mapFields<Owner>(table: Fields): Record<string, MappedField<Owner>> {
  const entries = Object.entries(table).flatMap(([property, field]) => {
    const { reads } = field
    if (reads === undefined || reads === 'special') return []
    return [[mappingName(property, field), { property, reading: reads }]]
  })
  return Object.fromEntries(entries)
}

function describeNames(table: Fields): Record<string, string> {
  const entries = Object.entries(table).flatMap(([property, field]) =>
    field.reads === undefined ? [] : [[mappingName(property, field), field.about]],
  )
  return Object.fromEntries(entries)
}
