/** The source of each field in a layout: stored, derived, or written by a function. */
import type { AccountFacts } from '../base/model/account.ts'
import { TRANSFER_FIELDS } from '../record/fields.ts'
import {
  type Layout,
  listItemKeys,
  listShown,
  listV2Keys,
  type ShownField,
} from '../record/layout.ts'
import {
  addressFormal,
  dateObject,
  flatDate,
  fullAddress,
  join,
  makeGeometry,
  makeMultiPolygon,
  makeStreetTypeWord,
  point,
  propertyId,
  show,
  siteId,
  stateParcelId,
  stateStrippedId,
} from './derived.ts'
import { type ItemKey, showBuilding, showTransfer, writeList } from './lists.ts'
import { trimmed } from './program.ts'
import type { Source, TemplateField } from './template.ts'

/** What an account's layout depends on. */
type Vocabulary = Pick<AccountFacts, 'useCodes' | 'dataReads' | 'emptyFields'>

const PLAIN: Vocabulary = { useCodes: 'contract', dataReads: 'v3', emptyFields: 'null' }

/** Returns the fields of a layout in display order, each with its source. */
export function listSources(
  layout: Layout,
  { useCodes, dataReads, emptyFields }: Vocabulary = PLAIN,
): TemplateField[] {
  return listNamed(layout, { useCodes, dataReads }).map((shown) => ({
    path: shown.path,
    source: sourceOf(shown, layout, emptyFields === 'omit'),
  }))
}

/** Returns the fields of a layout in display order, each with the property that it shows. */
export function listNamed(
  layout: Layout,
  { useCodes, dataReads }: Omit<Vocabulary, 'emptyFields'>,
): ShownField[] {
  const recorded = useCodes === 'recorded' ? RECORDED : {}
  const older = layout === 'flat' && dataReads === 'v2' ? listV2Keys() : []
  return [...listShown(layout), ...older].map((shown) => ({
    ...shown,
    name: recorded[shown.path.at(-1) as string] ?? shown.name,
  }))
}

/** The fields behind keys of both layouts that show codes as recorded. */
const RECORDED: Record<string, string> = {
  propertyUseCode: 'localUseCode',
  useCode: 'localUseCode',
  localUseCode: 'localUseCode2',
  useCodeLocal: 'localUseCode2',
}

function sourceOf(shown: ShownField, layout: Layout, omit: boolean): Source {
  const { name, field, of } = shown
  if (of === 'buildings') return showBuilding(name)
  if (of !== undefined) return showTransfer(of, name, itemKey(shown, layout))
  if (name in PURCHASE) return showTransfer('purchase', name, PURCHASE[name] as ItemKey)
  switch (field.type) {
    case 'null':
      return { fixed: 'null' }
    case 'empty':
      return { fixed: '[]' }
    case 'items': {
      const keys = listItemKeys(layout, name).map((key) => itemKey(key, layout))
      return { write: writeList(name, keys, omit), needs: name }
    }
    case 'texts':
      return { stored: name, empty: '[]' }
    case 'object':
      return { stored: name, empty: '{}' }
  }
  if (name === 'geometry' && layout === 'flat') {
    return { compose: show('geometry'), prepare: makeMultiPolygon }
  }
  if (field.slot === undefined) return derivedSource(name)
  if (name === 'ownerZipCodePlusFour' && layout === 'nested') return FOUR_DIGITS
  return field.type === 'date' && layout === 'flat'
    ? { compose: (find) => flatDate(find(name)) }
    : { stored: name, empty: 'null' }
}

function itemKey({ path, name, field }: ShownField, layout: Layout): ItemKey {
  const key = path[0] as string
  if (name === 'transferDateObject') return { key, slot: TRANSFER_DATE, show: dateObject }
  const show = field.type === 'date' && layout === 'flat' ? flatDate : undefined
  return { key, slot: field.slot ?? -1, show }
}

/** `"53703-1234"` as `"1234"`. */
const FOUR_DIGITS: Source = {
  compose: (find) => {
    const zip = find('ownerZipCodePlusFour')
    return zip === null ? null : ['"', trimmed(zip.span, '"53703-'.length, 0)]
  },
}

const TRANSFER_DATE = TRANSFER_FIELDS.transferDate.slot

/** Dates of the newest transfer with a price. */
const PURCHASE: Record<string, ItemKey> = {
  purchaseSaleDate: { key: '', slot: TRANSFER_DATE, show: flatDate },
  purchaseRecordingDate: { key: '', slot: TRANSFER_FIELDS.recordingDate.slot, show: flatDate },
}

function derivedSource(name: string): Source {
  const source = DERIVED[name]
  if (source === undefined) throw new Error(`${name} is neither stored nor derived`)
  return source
}

/** Fields that are not stored but derived from others. */
const DERIVED: Record<string, Source> = {
  id: { compose: show('id') },
  propertyId: { compose: propertyId },
  siteId: { compose: siteId },
  stateParcelId: { compose: stateParcelId },
  stateParcelIdStandard: { compose: stateStrippedId },
  parcelIdNormalized: { compose: show('strippedParcelId') },
  state: { compose: show('state') },
  county: { compose: show('county') },
  fipsState: { compose: show('fipsState') },
  fipsCounty: { compose: show('fipsCounty') },
  ownerNames: { compose: join('; ', ['ownerName', 'ownerName2']) },
  ownerAddressFull: {
    compose: fullAddress(['ownerStreet'], 'ownerCity', 'ownerState', 'ownerZipCode'),
  },
  addressUnit: {
    compose: join(' ', ['address', 'unitType', 'unitNumberStripped'], { needs: 'address' }),
  },
  addressFull: {
    compose: fullAddress(
      ['address', 'unitType', 'unitNumberStripped'],
      'city',
      undefined,
      'zipCode',
    ),
  },
  addressFormal: { compose: addressFormal, prepare: makeStreetTypeWord },
  street: {
    compose: join(
      ' ',
      ['streetDirectionPrefix', 'streetName', 'streetType', 'streetDirectionSuffix'],
      { needs: 'streetName' },
    ),
  },
  unitNumber: { compose: join(' ', ['unitType', 'unitNumberStripped']) },
  location: { compose: point },
  geometry: { compose: show('geometry'), prepare: makeGeometry },
  ownerParcelCount: { compose: show('ownerParcels') },
  ownerResCount: { compose: show('ownerResidential') },
  ownerComCount: { compose: show('ownerOther') },
  secTwnRng: { compose: join('-', ['section', 'township', 'range']) },
  loadedAt: { compose: show('loadedAt') },
}
