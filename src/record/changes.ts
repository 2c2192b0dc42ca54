/** Compares two stored forms of a parcel, by groups of fields that callers watch. */

import { type ChangeGroup, groupBit } from '../model/changes.ts'
import { type Parcel, STORED_FIELDS } from './parcel.ts'
import { slotOf, splitFields } from './stored.ts'

/** The group of each stored field. A new field does not compile until it has one. */
const FIELD_GROUPS: Record<keyof Parcel, ChangeGroup> = {
  parcelId: 'other',
  alternateParcelIds: 'other',
  taxAccountNumber: 'other',
  jurisdiction: 'address',
  formerParcelIds: 'other',
  fips: 'other',
  municipality: 'address',
  ownerName: 'owner',
  ownerName2: 'owner',
  ownerType: 'owner',
  careOf: 'owner',
  ownerOccupied: 'owner',
  ownershipStartDate: 'owner',
  ownerStreet: 'owner',
  ownerCity: 'owner',
  ownerState: 'owner',
  ownerZipCode: 'owner',
  ownerZipCodePlusFour: 'owner',
  ownerCountry: 'owner',
  address: 'address',
  addressRaw: 'address',
  alternateAddresses: 'address',
  streetNumber: 'address',
  streetNumberHigh: 'address',
  streetDirectionPrefix: 'address',
  streetName: 'address',
  streetType: 'address',
  streetDirectionSuffix: 'address',
  unitType: 'address',
  unitNumberStripped: 'address',
  city: 'address',
  zipCode: 'address',
  zipCodePlusFour: 'address',
  addressAssigned: 'address',
  latitude: 'geometry',
  longitude: 'geometry',
  censusTract: 'land',
  neighborhood: 'land',
  ward: 'land',
  district: 'land',
  propertyUseCode: 'land',
  propertyUseDescription: 'land',
  localUseCode: 'land',
  residential: 'land',
  useStandardCode: 'land',
  useStandardDescription: 'land',
  condominium: 'building',
  buildingCount: 'building',
  unitCount: 'building',
  totalUnitCount: 'building',
  residentialArea: 'building',
  commercialArea: 'building',
  retailArea: 'building',
  officeArea: 'building',
  buildings: 'building',
  acres: 'land',
  calculatedAcres: 'land',
  landArea: 'land',
  frontage: 'land',
  depth: 'land',
  legalDescription: 'land',
  subdivision: 'land',
  block: 'land',
  lot: 'land',
  section: 'land',
  township: 'land',
  range: 'land',
  zoningCode: 'land',
  zoningDescription: 'land',
  furtherZoning: 'land',
  historicDistrict: 'land',
  landmark: 'land',
  builtFloorAreaRatio: 'land',
  residentialFloorAreaRatio: 'land',
  commercialFloorAreaRatio: 'land',
  facilityFloorAreaRatio: 'land',
  assessedYear: 'value',
  assessedLandValue: 'value',
  assessedBuildingValue: 'value',
  totalAssessedValue: 'value',
  taxableValue: 'value',
  exemptionAmount: 'value',
  homesteadExemption: 'value',
  marketValueYear: 'value',
  totalLandValue: 'value',
  totalBuildingValue: 'value',
  totalMarketValue: 'value',
  valueType: 'value',
  taxYear: 'value',
  taxAmount: 'value',
  taxRateCodeArea: 'value',
  schoolDistrict: 'land',
  transfers: 'sale',
  assessments: 'value',
  sourceName: 'other',
  sourceLicense: 'other',
  rollYear: 'other',
  extra: 'other',
  suppressed: 'other',
}

/** The bit of each slot's group. */
const BITS = STORED_FIELDS.map(([name]) => groupBit(FIELD_GROUPS[name]))

/** Fields that change with each import and say nothing about the parcel. */
const IGNORED_FIELDS = new Set(['sourceName', 'sourceLicense'].map(slotOf))

/**
 * Returns the groups whose stored fields differ, as a sum of bits; `other` when only data beside
 * the fields differs.
 *
 * Bits are in the order of `CHANGE_GROUPS`; the first one is 1.
 */
export function compareGroups(before: string, after: string, isMoved: boolean): number {
  const [old, now] = [splitFields(before), splitFields(after)]
  let groups = isMoved ? groupBit('geometry') : 0
  for (const [slot, bit] of BITS.entries()) {
    if (old[slot] !== now[slot] && !IGNORED_FIELDS.has(slot)) groups |= bit
  }
  return groups === 0 ? groupBit('other') : groups
}
