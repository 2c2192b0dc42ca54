/**
 * The fields that a mapping may fill, by their flat (v2) names, and how the text of each is read. Source: record.md.
 *
 * Fields that take more than reading one text (owners, addresses, identity) have the kind `special` and their own place
 * in `normalize.ts`.
 */
import type { Building, Parcel, Transfer } from '../../model/parcel.ts'

/**
 * How a text becomes a value: `text` as recorded, `upper` in upper case, `money` whole dollars, `cents` dollars with cents,
 * `area` square feet, `acres` acres, `length` feet; the others as they are called.
 */
export type FieldKind =
  | 'text'
  | 'upper'
  | 'integer'
  | 'number'
  | 'money'
  | 'cents'
  | 'area'
  | 'acres'
  | 'year'
  | 'date'
  | 'flag'
  | 'special'

export type Field<Owner> = { property: keyof Owner; kind: FieldKind }

const field = <Owner>(property: keyof Owner, kind: FieldKind = 'text'): Field<Owner> => ({
  property,
  kind,
})
const of = field<Parcel>

export const PARCEL_FIELDS: Record<string, Field<Parcel>> = {
  taxAccountNumber: of('taxAccountNumber'),
  jurisdiction: of('jurisdiction'),
  ownershipStartDate: of('ownershipStartDate', 'date'),
  ownerAddressLine1: of('ownerStreet', 'upper'),
  ownerCity: of('ownerCity', 'upper'),
  ownerState: of('ownerState', 'upper'),
  ownerCountry: of('ownerCountry', 'upper'),
  city: of('city', 'upper'),
  siteCensusTract: of('censusTract'),
  neighborhood: of('neighborhood'),
  useCode: of('propertyUseCode'),
  useDescription: of('propertyUseDescription'),
  useCodeLocal: of('localUseCode'),
  residential: of('residential', 'flag'),
  buildingCount: of('buildingCount', 'integer'),
  unitCount: of('unitCount', 'integer'),
  acres: of('acres', 'acres'),
  landArea: of('landArea', 'area'),
  frontage: of('frontage', 'number'),
  depthSize: of('depth', 'number'),
  legalDesc: of('legalDescription'),
  subdivision: of('subdivision'),
  blockNum: of('block'),
  lotNum: of('lot'),
  section: of('section'),
  township: of('township'),
  range: of('range'),
  zoningCode: of('zoningCode'),
  zoningDescription: of('zoningDescription'),
  assessedYear: of('assessedYear', 'year'),
  assessedLandValue: of('assessedLandValue', 'money'),
  assessedBuildingValue: of('assessedBuildingValue', 'money'),
  totalAssessedValue: of('totalAssessedValue', 'money'),
  taxableValue: of('taxableValue', 'money'),
  exemptionAmount: of('exemptionAmount', 'money'),
  marketValueYear: of('marketValueYear', 'year'),
  totalLandValue: of('totalLandValue', 'money'),
  totalBuildingValue: of('totalBuildingValue', 'money'),
  totalMarketValue: of('totalMarketValue', 'money'),
  valueType: of('valueType'),
  taxYear: of('taxYear', 'year'),
  taxValue: of('taxAmount', 'cents'),
  taxRateCodeArea: of('taxRateCodeArea'),
  schoolDistrict: of('schoolDistrict'),
  sourceName: of('sourceName'),
  sourceLicense: of('sourceLicense'),
  sourceRollYear: of('rollYear', 'year'),
}

/** Fields that `normalize.ts` reads in ways of their own; what each takes is told in docs/import.md. */
export const SPECIAL_FIELDS = [
  'state',
  'county',
  'municipality',
  'parcelId',
  'nameOrder',
  'ownerName1',
  'ownerName2',
  'ownerCareOf',
  'ownerOccupied',
  'ownerAddressFull',
  'ownerCityStateZip',
  'ownerZipCode',
  'ownerZipCodePlusFour',
  'address',
  'addressRaw',
  'addressFull',
  'cityStateZip',
  'streetNumber',
  'streetNumberHigh',
  'streetDirectionPrefix',
  'streetName',
  'streetType',
  'streetDirectionSuffix',
  'unitType',
  'unitNumberStripped',
  'zipCode',
  'zipCodePlusFour',
  'latitude',
  'longitude',
] as const

export type SpecialField = (typeof SPECIAL_FIELDS)[number]

const part = field<Building>

export const BUILDING_FIELDS: Record<string, Field<Building>> = {
  buildingArea: part('buildingArea', 'area'),
  yearBuilt: part('actualYearBuilt', 'year'),
  effectiveYearBuilt: part('effectiveYearBuilt', 'year'),
  stories: part('stories', 'number'),
  totalBedrooms: part('bedrooms', 'integer'),
  totalBathrooms: part('bathrooms', 'number'),
  constructionType: part('constructionType'),
  wallType: part('wallType'),
  roofType: part('roofType'),
  foundationType: part('foundationType'),
  basementType: part('basementType'),
  heatingType: part('heatingType'),
  coolingType: part('coolingType'),
  garageCount: part('garageCount', 'integer'),
  fireplaceCount: part('fireplaceCount', 'integer'),
  pool: part('pool', 'flag'),
}

const sale = field<Transfer>

export const TRANSFER_FIELDS: Record<string, Field<Transfer>> = {
  transferDate: sale('transferDate', 'date'),
  transferPrice: sale('transferPrice', 'money'),
  recordingDate: sale('recordingDate', 'date'),
  transferDocType: sale('documentType'),
  transferDocNum: sale('documentNumber'),
  bookNum: sale('book'),
  pageNum: sale('page'),
  grantor: sale('grantor', 'upper'),
  grantee: sale('grantee', 'upper'),
  saleQualificationCode: sale('saleCode'),
}

export function blankBuilding(): Building {
  return {
    buildingArea: null,
    actualYearBuilt: null,
    effectiveYearBuilt: null,
    stories: null,
    bedrooms: null,
    bathrooms: null,
    constructionType: null,
    wallType: null,
    roofType: null,
    foundationType: null,
    basementType: null,
    heatingType: null,
    coolingType: null,
    garageCount: null,
    fireplaceCount: null,
    pool: null,
  }
}

export function blankTransfer(): Transfer {
  return {
    transferDate: null,
    transferPrice: null,
    recordingDate: null,
    documentType: null,
    documentNumber: null,
    book: null,
    page: null,
    grantor: null,
    grantee: null,
    saleCode: null,
  }
}

export function blankParcel(parcelId: string, fips: number): Parcel {
  return {
    parcelId,
    fips,
    municipality: null,
    alternateParcelIds: [],
    taxAccountNumber: null,
    jurisdiction: null,
    ownerName: null,
    ownerName2: null,
    ownerType: null,
    careOf: null,
    ownerOccupied: null,
    ownershipStartDate: null,
    ownerStreet: null,
    ownerCity: null,
    ownerState: null,
    ownerZipCode: null,
    ownerZipCodePlusFour: null,
    ownerCountry: null,
    address: null,
    addressRaw: null,
    alternateAddresses: [],
    streetNumber: null,
    streetNumberHigh: null,
    streetDirectionPrefix: null,
    streetName: null,
    streetType: null,
    streetDirectionSuffix: null,
    unitType: null,
    unitNumberStripped: null,
    city: null,
    zipCode: null,
    zipCodePlusFour: null,
    addressAssigned: false,
    latitude: null,
    longitude: null,
    censusTract: null,
    neighborhood: null,
    propertyUseCode: null,
    propertyUseDescription: null,
    localUseCode: null,
    residential: null,
    buildingCount: null,
    unitCount: null,
    buildings: [],
    acres: null,
    landArea: null,
    frontage: null,
    depth: null,
    legalDescription: null,
    subdivision: null,
    block: null,
    lot: null,
    section: null,
    township: null,
    range: null,
    zoningCode: null,
    zoningDescription: null,
    assessedYear: null,
    assessedLandValue: null,
    assessedBuildingValue: null,
    totalAssessedValue: null,
    taxableValue: null,
    exemptionAmount: null,
    marketValueYear: null,
    totalLandValue: null,
    totalBuildingValue: null,
    totalMarketValue: null,
    valueType: null,
    taxYear: null,
    taxAmount: null,
    taxRateCodeArea: null,
    schoolDistrict: null,
    transfers: [],
    assessments: [],
    sourceName: null,
    sourceLicense: null,
    rollYear: null,
    extra: {},
  }
}
