/** Mapping names of stored properties, as reports show them. */
import { BUILDING_FIELDS, type Field, TRANSFER_FIELDS } from '../../record/fields.ts'
import { ITEM_PROPERTIES, STORED_FIELDS } from '../../record/parcel.ts'
import { slotOf } from '../../record/stored.ts'
import { mappingName } from '../mapping/fields.ts'

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
    ([property, field]) => placeOf(property, field, property),
  ),
  ...placesIn('buildings', BUILDING_FIELDS),
  ...placesIn('transfers', TRANSFER_FIELDS),
]

function placesIn(list: 'buildings' | 'transfers', fields: Record<string, Field>): FieldPlace[] {
  return ITEM_PROPERTIES[list].map((property, item) => ({
    ...placeOf(property, fields[property] as Field, list),
    item,
  }))
}

function placeOf(property: string, field: Field, stored: string): FieldPlace {
  const { type } = field
  return {
    field: mappingName(property, field),
    property,
    type,
    slot: slotOf(stored),
    item: undefined,
  }
}
