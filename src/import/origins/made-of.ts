/** Which fields of a mapping fill each property of a parcel, and the rule when we make it. */
import { PARCEL_FIELDS } from '../../record/parcel.ts'
import { mappingName } from '../mapping/fields.ts'

/**
 * Fields of a mapping, by their names. A name with `@` is another part of the mapping: `@point`,
 * `@transfers.transferDate`, `@buildings`, `@alternateParcelIds`; `@shape` is the row's own shape.
 */
export type Inputs = readonly string[]

export type MadeOf = {
  /** Groups of fields; the first with a known value counts. */
  groups: readonly Inputs[]
  /** What we make of them; absent when the value is read as it is. */
  rule?: string
  /** The rule is only for values of the further groups. */
  isDefault?: true
  /** Of a group, only those texts count that have the value in them. */
  isCut?: true
  /** Further fields that merged rows of one parcel put into the value. */
  merged?: Inputs
}

const SITUS = ['streetNumber', 'streetDirectionPrefix', 'streetName', 'streetType']
const PARTS = [...SITUS, 'streetDirectionSuffix']
const UNIT = ['unitType', 'unitNumberStripped']
const MAILING = ['ownerAddressLine1', 'ownerCity', 'ownerState', 'ownerZipCode', 'ownerAddressFull']
const OWNER_PLACE = ['ownerAddressFull', 'ownerCityStateZip']
const USE = ['useCode', 'useDescription']
const DATES = ['@transfers.transferDate', '@transfers.recordingDate']

const STANDARD = 'standardized as Publication 28 writes it'
const STANDARDIZED: MadeOf = {
  groups: [['address'], ['addressFull'], PARTS],
  rule: STANDARD,
}
const BY_USE = { groups: [[...USE, 'residential']], rule: 'by the table of national use codes' }
const OF_YEAR = { rule: 'the year of the roll', isDefault: true } as const

/** Properties that are not read from their own field alone. */
const MADE: Record<string, MadeOf> = {
  fips: { groups: [['county', 'state']], rule: 'by the list of counties' },
  municipality: { groups: [['municipality']] },
  alternateParcelIds: { groups: [['@alternateParcelIds']], isCut: true },
  ownerName: { groups: [['ownerName1']], isCut: true, merged: ['ownerName2'] },
  ownerName2: { groups: [['ownerName2', 'ownerName1']], isCut: true },
  ownerType: {
    groups: [['ownerType'], ['ownerName1', 'ownerName2']],
    ...{ rule: 'by the words of the name', isDefault: true },
  },
  careOf: {
    groups: [['ownerCareOf'], ['ownerName1', 'ownerName2', 'ownerAddressLine1']],
    ...{ isCut: true, rule: 'the name after C/O, ATTN or %', isDefault: true },
  },
  ownerOccupied: {
    groups: [['ownerOccupied'], [...MAILING, 'address', 'addressFull', ...PARTS, ...UNIT]],
    ...{ rule: 'mailing and situs address compared', isDefault: true },
  },
  ownershipStartDate: {
    groups: [['ownershipStartDate'], DATES],
    ...{ rule: 'the date of the newest transfer', isDefault: true },
  },
  ownerFirstName: { groups: [['ownerName1']], rule: 'the given name of the first owner' },
  ownerLastName: { groups: [['ownerName1']], rule: 'the surname of the first owner' },
  ownerStreet: { groups: [['ownerAddressLine1'], ['ownerAddressFull']] },
  ownerCity: { groups: [['ownerCity'], OWNER_PLACE], isCut: true },
  ownerState: { groups: [['ownerState'], OWNER_PLACE], isCut: true },
  ownerZipCode: { groups: [['ownerZipCode'], ['ownerZipCodePlusFour'], OWNER_PLACE] },
  ownerZipCodePlusFour: { groups: [['ownerZipCode', 'ownerZipCodePlusFour'], OWNER_PLACE] },
  address: STANDARDIZED,
  addressRaw: { groups: [['addressRaw'], ['address'], ['addressFull'], PARTS] },
  alternateAddresses: { groups: [['@furtherAddresses', 'address', ...PARTS]], rule: STANDARD },
  streetNumber: STANDARDIZED,
  streetNumberHigh: STANDARDIZED,
  streetDirectionPrefix: STANDARDIZED,
  streetName: STANDARDIZED,
  streetType: STANDARDIZED,
  streetDirectionSuffix: STANDARDIZED,
  unitType: { groups: [UNIT, ['address'], ['addressFull'], PARTS], rule: STANDARD },
  unitNumberStripped: { groups: [UNIT, ['address'], ['addressFull'], PARTS], rule: STANDARD },
  city: { groups: [['city'], ['addressFull', 'cityStateZip']], isCut: true },
  zipCode: { groups: [['zipCode'], ['zipCodePlusFour'], ['addressFull', 'cityStateZip']] },
  zipCodePlusFour: {
    groups: [
      ['zipCode', 'zipCodePlusFour'],
      ['addressFull', 'cityStateZip'],
    ],
  },
  addressAssigned: { ...STANDARDIZED, rule: 'whether it has a street number and a street name' },
  latitude: { groups: [['latitude', 'longitude'], ['@point'], ['@shape']], rule: 'WGS84 degrees' },
  longitude: { groups: [['longitude', 'latitude'], ['@point'], ['@shape']], rule: 'WGS84 degrees' },
  censusTract: { groups: [['siteCensusTract']], rule: 'completed with the county' },
  propertyUseCode: { groups: [USE], rule: 'by the table of national use codes' },
  localUseCode: { groups: [['useCodeLocal'], ['useCode']] },
  residential: BY_USE,
  useStandardDescription: { ...BY_USE, groups: [USE] },
  condominium: { ...BY_USE, groups: [[...USE, ...UNIT]] },
  buildingCount: {
    groups: [['buildingCount'], ['@buildings']],
    ...{ rule: 'the number of buildings', isDefault: true },
  },
  acres: {
    groups: [['acres'], ['landArea']],
    rule: 'computed of the square feet',
    isDefault: true,
  },
  landArea: { groups: [['landArea'], ['acres']], rule: 'computed of the acres', isDefault: true },
  calculatedAcres: { groups: [['@shape']], rule: 'the area of the polygon' },
  assessedYear: { groups: [['assessedYear'], ['sourceRollYear']], ...OF_YEAR },
  marketValueYear: { groups: [['marketValueYear'], ['sourceRollYear']], ...OF_YEAR },
  taxYear: { groups: [['taxYear'], ['sourceRollYear']], ...OF_YEAR },
}

/** Returns what fills a property: its own field, unless it is one of those above. */
export function madeOf(property: string): MadeOf {
  const field = PARCEL_FIELDS[property]
  if (field === undefined) return { groups: [] }
  return MADE[property] ?? { groups: [[mappingName(property, field)]] }
}

/** Stored properties of which each derived value is made. */
export const DERIVED_OF: Record<string, readonly string[]> = {
  propertyId: ['fips', 'municipality', 'parcelId'],
  parcelIdNormalized: ['parcelId'],
  stateParcelId: ['fips', 'parcelId'],
  stateParcelIdStandard: ['fips', 'parcelId'],
  state: ['fips'],
  county: ['fips'],
  fipsState: ['fips'],
  fipsCounty: ['fips'],
  ownerNames: ['ownerName', 'ownerName2'],
  ownerAddressFull: ['ownerStreet', 'ownerCity', 'ownerState', 'ownerZipCode'],
  addressUnit: ['address', 'unitType', 'unitNumberStripped'],
  addressFull: ['address', 'unitType', 'unitNumberStripped', 'city', 'zipCode'],
  addressFormal: ['address'],
  street: ['address'],
  unitNumber: ['unitType', 'unitNumberStripped'],
  location: ['longitude', 'latitude'],
  geometry: ['calculatedAcres'],
  secTwnRng: ['section', 'township', 'range'],
}
