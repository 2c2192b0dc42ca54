/**
 * The parcel: one canonical record, from which both layouts are rendered. Source: record.md.
 *
 * Every property is always present; `null` means that the roll does not say. Property names are the nested layout's
 * leaf names, so that a field is called the same on both roads.
 */

export type OwnerType = 'individual' | 'company' | 'trust' | 'government' | 'unknown'

/** One building. Areas in square feet; half baths count 0.5. */
export type Building = {
  buildingArea: number | null
  actualYearBuilt: number | null
  effectiveYearBuilt: number | null
  stories: number | null
  bedrooms: number | null
  bathrooms: number | null
  constructionType: string | null
  wallType: string | null
  roofType: string | null
  foundationType: string | null
  basementType: string | null
  heatingType: string | null
  coolingType: string | null
  garageCount: number | null
  fireplaceCount: number | null
  pool: boolean | null
}

/** One change of ownership. Dates are `YYYY-MM-DD`; prices US dollars. */
export type Transfer = {
  transferDate: string | null
  transferPrice: number | null
  recordingDate: string | null
  documentType: string | null
  documentNumber: string | null
  book: string | null
  page: string | null
  grantor: string | null
  grantee: string | null
  saleCode: string | null
}

/** The values of one roll year, in US dollars. */
export type Assessment = {
  year: number | null
  totalAssessedValue: number | null
  assessedLandValue: number | null
  assessedBuildingValue: number | null
  totalMarketValue: number | null
  taxAmount: number | null
}

export type Parcel = {
  parcelId: string
  /** Five-digit county FIPS code as a number: 31109. State and county names follow from it. */
  fips: number
  /** The municipality, where the roll's scope has one; part of the parcel's identity. `null` elsewhere. */
  municipality: string | null
  alternateParcelIds: string[]
  taxAccountNumber: string | null
  jurisdiction: string | null

  ownerName: string | null
  ownerName2: string | null
  ownerType: OwnerType | null
  careOf: string | null
  ownerOccupied: boolean | null
  /** `YYYY-MM-DD`. */
  ownershipStartDate: string | null
  ownerStreet: string | null
  ownerCity: string | null
  ownerState: string | null
  ownerZipCode: string | null
  ownerZipCodePlusFour: string | null
  ownerCountry: string | null

  /** Line 1 without unit, standardized by Publication 28. */
  address: string | null
  addressRaw: string | null
  alternateAddresses: string[]
  streetNumber: string | null
  streetNumberHigh: string | null
  streetDirectionPrefix: string | null
  streetName: string | null
  streetType: string | null
  streetDirectionSuffix: string | null
  unitType: string | null
  unitNumberStripped: string | null
  city: string | null
  zipCode: string | null
  zipCodePlusFour: string | null
  /** Has a number and a street name. */
  addressAssigned: boolean
  /** WGS84 degrees. */
  latitude: number | null
  longitude: number | null
  censusTract: string | null
  neighborhood: string | null

  propertyUseCode: string | null
  propertyUseDescription: string | null
  localUseCode: string | null
  residential: boolean | null

  buildingCount: number | null
  unitCount: number | null
  buildings: Building[]

  acres: number | null
  /** Square feet. */
  landArea: number | null
  /** Feet. */
  frontage: number | null
  /** Feet. */
  depth: number | null
  legalDescription: string | null
  subdivision: string | null
  block: string | null
  lot: string | null
  section: string | null
  township: string | null
  range: string | null
  zoningCode: string | null
  zoningDescription: string | null

  assessedYear: number | null
  assessedLandValue: number | null
  assessedBuildingValue: number | null
  totalAssessedValue: number | null
  taxableValue: number | null
  exemptionAmount: number | null
  marketValueYear: number | null
  totalLandValue: number | null
  totalBuildingValue: number | null
  totalMarketValue: number | null
  valueType: string | null

  taxYear: number | null
  taxAmount: number | null
  taxRateCodeArea: string | null
  schoolDistrict: string | null

  /** Newest first. */
  transfers: Transfer[]
  /** Newest first, one per roll year loaded. */
  assessments: Assessment[]

  sourceName: string | null
  sourceLicense: string | null
  rollYear: number | null
  /** The roll's own columns that its mapping keeps, or that no field of ours holds. */
  extra: Record<string, string>
}

/** GeoJSON, in WGS84 degrees, longitude first. */
export type Geometry =
  | { type: 'Polygon'; coordinates: number[][][] }
  | { type: 'MultiPolygon'; coordinates: number[][][][] }
