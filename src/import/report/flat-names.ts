/** Mapping names of stored properties, as reports show them. */
import { BUILDING_FIELDS, type Fields, TRANSFER_FIELDS } from '../../record/fields.ts'
import { ITEM_PROPERTIES, PARCEL_FIELDS, STORED_FIELDS } from '../../record/parcel.ts'
import { slotOf } from '../../record/stored.ts'
import { mappingName } from '../mapping/fields.ts'

function namesOf(fields: Fields): Map<string, string> {
  const stored = Object.entries(fields).filter(([, { slot }]) => slot !== undefined)
  return new Map(stored.map(([property, field]) => [property, mappingName(property, field)]))
}

const FLAT: ReadonlyMap<string, string> = namesOf(PARCEL_FIELDS)
const FLAT_BUILDING: ReadonlyMap<string, string> = namesOf(BUILDING_FIELDS)
const FLAT_TRANSFER: ReadonlyMap<string, string> = namesOf(TRANSFER_FIELDS)

/** Where a field's values are in a parcel's split text: its slot, and place in a list's items. */
export type FieldPlace = {
  field: string
  property: string
  type: string
  slot: number
  item: number | undefined
}

/** Every stored field of parcels, buildings and transfers except the lists themselves. */
export const FIELD_PLACES: readonly FieldPlace[] = [
  ...STORED_FIELDS.filter(([, { type }]) => type !== 'items' && type !== 'object').map(
    ([property, { type }]) => ({
      field: FLAT.get(property) ?? property,
      property,
      type,
      slot: slotOf(property),
      item: undefined,
    }),
  ),
  ...placesIn('buildings', FLAT_BUILDING, BUILDING_FIELDS),
  ...placesIn('transfers', FLAT_TRANSFER, TRANSFER_FIELDS),
]

function placesIn(
  list: 'buildings' | 'transfers',
  names: ReadonlyMap<string, string>,
  fields: Fields,
): FieldPlace[] {
  return ITEM_PROPERTIES[list].map((property, item) => ({
    field: names.get(property) ?? property,
    property,
    type: fields[property]?.type ?? 'text',
    slot: slotOf(list),
    item,
  }))
}
