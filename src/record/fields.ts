/**
 * Defines every field of the record once; `tables/record-fields.tsv` says what each means. The
 * parcel type, the stored form, both layouts, the JSON schemas, the fields of a mapping and
 * docs/fields.tsv are derived from these tables.
 * `npm run fields` writes the derived files.
 *
 * The key is the property of a parcel. Fields are in the order in which both layouts show them.
 */
import type { ChangeGroup } from '../base/model/changes.ts'
import { readTable } from '../base/tables.ts'

/**
 * `text`, `date` (`YYYY-MM-DD`) and the other scalars are null when unknown; lists and objects are
 * empty.
 */
export type FieldType =
  | 'text'
  | 'date'
  | 'moment'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'texts'
  | 'object'
  | 'items'
  | 'point'
  | 'geometry'
  | 'empty'
  | 'null'

/**
 * How a mapping's text becomes a value: `text` as recorded, `upper` in upper case, `money` whole
 * dollars, `cents` dollars with cents, `area` square feet, `acres` acres. `list` is texts separated
 * by semicolons; the others are as named. `special`: read by `import/rows/`.
 */
export type Reading =
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
  | 'list'
  | 'special'

/** One field: type, unit, mapping name, flat name, nested path and description. */
export type Field = {
  type: FieldType
  /** One sentence for callers: meaning, unit, format, and the rule that fills it. */
  about: string
  /**
   * Index among the stored values. Part of the storage format: never changed or reused; a new field
   * takes the next number. Absent for a field that is derived when it is shown.
   */
  slot?: number
  /** Key in the flat layout; default: the property. Null: not shown there. */
  flat?: string | null
  /** Path in the nested layout; default: the property, in the group. Null: not shown there. */
  nested?: string | null
  /**
   * Shows the value of another field, `property` or `transfers.property`, under a further key that
   * clients read.
   */
  same?: string
  /** How a mapping fills it; absent when no mapping does. */
  reads?: Reading
  /** Name in a mapping; default: the flat key. */
  mapping?: string
  /** Never null. */
  required?: true
  /** The only allowed values. */
  values?: readonly string[]
  /** Group under which callers watch its changes; default: that of its group of fields. */
  changes?: ChangeGroup
  /** Suppressions that hide it; default: those of its group of fields. */
  hiddenWith?: readonly Suppressible[]
}

/** What a suppression may hide of a parcel. */
export type Suppressible = 'owner' | 'address'

export type Fields = Record<string, Field>

/**
 * The flat layout's value for several buildings: the sum, the largest one's, any one's, or by
 * default the first known.
 */
export type BuildingField = Field & { several?: 'sum' | 'largest' | 'any' }

const MEANINGS = Map.groupBy(
  readTable('record-fields.tsv').map((line) => line.split('\t')),
  ([list]) => list,
)

function textsOf(list: string): Record<string, string> {
  return Object.fromEntries((MEANINGS.get(list) ?? []).map(([, name, about]) => [name, about]))
}

/** Adds what each field means. Throws if the table of meanings lacks one. */
function described<const Table extends Record<string, Omit<BuildingField, 'about'>>>(
  list: string,
  fields: Table,
) {
  const texts = textsOf(list)
  const all = Object.entries(fields).map(([name, field]) => {
    const about = texts[name]
    if (about === undefined) throw new Error(`tables/record-fields.tsv lacks ${list} ${name}`)
    return [name, { ...field, about }]
  })
  return Object.fromEntries(all) as { [Name in keyof Table]: Table[Name] & { about: string } }
}

const IDENTIFICATION = described('parcel', {
  propertyId: { type: 'text', required: true },
  parcelId: { type: 'text', slot: 2, required: true, reads: 'special' },
  parcelIdNormalized: { type: 'text', required: true, flat: 'parcelIdStripped' },
  stateParcelId: { type: 'text', nested: null, flat: 'state_parcelId' },
  stateParcelIdStandard: { type: 'text', nested: null, flat: 'state_parcelIdSTD' },
  alternateParcelIds: { type: 'texts', slot: 3, flat: 'altParcelIds' },
  taxAccountNumber: { type: 'text', slot: 4, reads: 'text' },
  state: { type: 'text', reads: 'special' },
  county: { type: 'text', reads: 'special' },
  fipsState: { type: 'text', required: true },
  fipsCounty: { type: 'text', required: true },
  jurisdiction: { type: 'text', slot: 5, changes: 'address', reads: 'text' },
  formerParcelIds: { type: 'texts', slot: 78, reads: 'list' },
  fips: { type: 'integer', slot: 0, required: true, nested: null, flat: null },
  municipality: {
    type: 'text',
    slot: 1,
    changes: 'address',
    nested: null,
    flat: null,
    mapping: 'municipality',
    reads: 'special',
  },
})

export const OWNER = described('parcel', {
  ownerNames: { type: 'text', nested: null, flat: 'ownerName' },
  ownerName: { type: 'text', slot: 6, flat: 'ownerName1', reads: 'special' },
  ownerName2: { type: 'text', slot: 7, reads: 'special' },
  ownerType: {
    type: 'text',
    slot: 8,
    values: ['individual', 'company', 'trust', 'government', 'unknown'],
    reads: 'special',
  },
  careOf: { type: 'text', slot: 9, flat: 'ownerCareOf', reads: 'special' },
  ownerOccupied: { type: 'boolean', slot: 10, hiddenWith: ['owner', 'address'], reads: 'special' },
  ownershipStartDate: { type: 'date', slot: 11, hiddenWith: [], reads: 'date' },
  ownerFirstName: { type: 'text', slot: 99, nested: null, flat: null },
  ownerLastName: { type: 'text', slot: 100, nested: null, flat: null },
  ownerStreet: {
    type: 'text',
    slot: 12,
    hiddenWith: ['owner', 'address'],
    flat: 'ownerAddressLine1',
    reads: 'upper',
  },
  ownerStreetFlat: { type: 'text', same: 'ownerStreet', nested: null, flat: 'ownerStreet' },
  ownerCity: { type: 'text', slot: 13, hiddenWith: ['owner', 'address'], reads: 'upper' },
  ownerState: { type: 'text', slot: 14, hiddenWith: ['owner', 'address'], reads: 'upper' },
  ownerZipCode: { type: 'text', slot: 15, hiddenWith: ['owner', 'address'], reads: 'special' },
  ownerZipCodePlusFour: {
    type: 'text',
    slot: 16,
    hiddenWith: ['owner', 'address'],
    reads: 'special',
  },
  ownerCountry: { type: 'text', slot: 17, reads: 'upper' },
  mailerAddress: { type: 'text', same: 'ownerStreet', nested: null },
  mailingAddress: { type: 'text', same: 'ownerStreet', nested: null },
  mailingCity: { type: 'text', same: 'ownerCity', nested: null },
  mailingState: { type: 'text', same: 'ownerState', nested: null },
  mailingZip5: { type: 'text', same: 'ownerZipCode', nested: null },
  ownerParcelCount: { type: 'integer', nested: null },
  ownerResCount: { type: 'integer', nested: null },
  ownerComCount: { type: 'integer', nested: null },
  ownerAddressFull: { type: 'text', nested: null, reads: 'special' },
})

const LOCATION = described('parcel', {
  address: { type: 'text', slot: 18, reads: 'special' },
  addressLine1: { type: 'text', same: 'address' },
  addressRaw: { type: 'text', slot: 19, reads: 'special' },
  addressUnit: { type: 'text' },
  addressFormal: { type: 'text', nested: null },
  addressFull: { type: 'text', reads: 'special' },
  addressFullUSPS: { type: 'text', same: 'addressFull' },
  alternateAddresses: { type: 'texts', slot: 20, flat: 'altAddresses' },
  streetNumber: { type: 'text', slot: 21, reads: 'special' },
  streetNumberHigh: { type: 'text', slot: 22, reads: 'special' },
  streetDirectionPrefix: { type: 'text', slot: 23, reads: 'special' },
  streetName: { type: 'text', slot: 24, reads: 'special' },
  streetType: { type: 'text', slot: 25, reads: 'special' },
  streetDirectionSuffix: { type: 'text', slot: 26, reads: 'special' },
  street: { type: 'text', nested: null },
  unitType: { type: 'text', slot: 27, reads: 'special' },
  unitNumberStripped: { type: 'text', slot: 28, reads: 'special' },
  unitNumber: { type: 'text' },
  city: { type: 'text', slot: 29, reads: 'upper' },
  cityUSPS: { type: 'text', same: 'city', nested: null },
  countyUSPS: { type: 'text', same: 'county', nested: null },
  siteState: { type: 'text', same: 'state', nested: 'propertyLocation.state', flat: null },
  siteCounty: { type: 'text', same: 'county', nested: 'propertyLocation.county', flat: null },
  zipCode: { type: 'text', slot: 30, reads: 'special' },
  zipCodePlusFour: { type: 'text', slot: 31, reads: 'special' },
  addressAssigned: { type: 'boolean', slot: 32 },
  latitude: { type: 'number', slot: 33, changes: 'geometry', reads: 'special' },
  longitude: { type: 'number', slot: 34, changes: 'geometry', reads: 'special' },
  location: { type: 'point', nested: null },
  geometry: { type: 'geometry' },
  censusTract: {
    type: 'text',
    slot: 35,
    changes: 'land',
    hiddenWith: [],
    flat: 'siteCensusTract',
    reads: 'text',
  },
  neighborhood: { type: 'text', slot: 36, changes: 'land', hiddenWith: [], reads: 'text' },
  ward: { type: 'text', slot: 79, changes: 'land', hiddenWith: [], reads: 'text' },
  district: {
    type: 'text',
    slot: 80,
    changes: 'land',
    hiddenWith: [],
    flat: 'districtNum',
    reads: 'text',
  },
})

const CLASSIFICATION = described('parcel', {
  propertyUseCode: { type: 'text', slot: 95, flat: 'useCode', reads: 'text' },
  propertyUseDescription: { type: 'text', slot: 38, flat: 'useDescription', reads: 'text' },
  localUseCode: { type: 'text', slot: 37, flat: 'useCodeLocal', reads: 'text' },
  localUseCode2: { type: 'text', slot: 39, flat: 'useCodeLocal2', reads: 'text' },
  residential: { type: 'boolean', slot: 40, reads: 'flag' },
  useStandardCode: { type: 'text', same: 'propertyUseCode' },
  useStandardDescription: { type: 'text', slot: 96 },
  condominium: { type: 'boolean', slot: 97, changes: 'building', flat: 'condo' },
})

const BUILDINGS = described('parcel', {
  buildingCount: { type: 'integer', slot: 41, reads: 'integer' },
  unitCount: { type: 'integer', slot: 42, reads: 'integer' },
  totalUnitCount: { type: 'integer', slot: 81, reads: 'integer' },
  residentialArea: { type: 'integer', slot: 82, reads: 'area' },
  commercialArea: { type: 'integer', slot: 83, reads: 'area' },
  retailArea: { type: 'integer', slot: 84, reads: 'area' },
  officeArea: { type: 'integer', slot: 85, reads: 'area' },
  buildings: { type: 'items', slot: 43, flat: null },
})

const LAND = described('parcel', {
  acres: { type: 'number', slot: 44, reads: 'acres' },
  deedAcres: { type: 'number', same: 'acres' },
  calculatedAcres: { type: 'number', slot: 94 },
  landArea: { type: 'number', slot: 45, reads: 'area' },
  lotSizeArea: { type: 'number', same: 'landArea', nested: null },
  frontage: { type: 'number', slot: 46, reads: 'number' },
  depth: { type: 'number', slot: 47, flat: 'depthSize', reads: 'number' },
  legalDescription: { type: 'text', slot: 48, flat: 'legalDesc', reads: 'text' },
  subdivision: { type: 'text', slot: 49, reads: 'text' },
  block: { type: 'text', slot: 50, flat: 'blockNum', reads: 'text' },
  lot: { type: 'text', slot: 51, flat: 'lotNum', reads: 'text' },
  section: { type: 'text', slot: 52, flat: null, mapping: 'section', reads: 'text' },
  township: { type: 'text', slot: 53, flat: null, mapping: 'township', reads: 'text' },
  range: { type: 'text', slot: 54, flat: null, mapping: 'range', reads: 'text' },
  secTwnRng: { type: 'text', nested: null },
  zoningCode: { type: 'text', slot: 55, reads: 'text' },
  zoningDescription: { type: 'text', slot: 56, reads: 'text' },
  furtherZoning: { type: 'texts', slot: 86, reads: 'list' },
  historicDistrict: { type: 'text', slot: 87, reads: 'text' },
  landmark: { type: 'text', slot: 88, reads: 'text' },
  builtFloorAreaRatio: { type: 'number', slot: 89, reads: 'number' },
  residentialFloorAreaRatio: { type: 'number', slot: 90, reads: 'number' },
  commercialFloorAreaRatio: { type: 'number', slot: 91, reads: 'number' },
  facilityFloorAreaRatio: { type: 'number', slot: 92, reads: 'number' },
})

const VALUATION = described('parcel', {
  assessedYear: { type: 'integer', slot: 57, reads: 'year' },
  assessedLandValue: { type: 'integer', slot: 58, reads: 'money' },
  assessedBuildingValue: { type: 'integer', slot: 59, reads: 'money' },
  totalAssessedValue: { type: 'integer', slot: 60, reads: 'money' },
  taxableValue: { type: 'integer', slot: 61, reads: 'money' },
  exemptionAmount: { type: 'integer', slot: 62, reads: 'money' },
  homesteadExemption: { type: 'integer', slot: 93, reads: 'money' },
  marketValueYear: { type: 'integer', slot: 63, reads: 'year' },
  totalLandValue: { type: 'integer', slot: 64, reads: 'money' },
  totalBuildingValue: { type: 'integer', slot: 65, reads: 'money' },
  totalMarketValue: { type: 'integer', slot: 66, reads: 'money' },
  valueType: { type: 'text', slot: 67, reads: 'text' },
})

const TAX = described('parcel', {
  taxYear: { type: 'integer', slot: 68, reads: 'year' },
  taxAmount: { type: 'number', slot: 69, flat: 'taxValue', reads: 'cents' },
  taxRateCodeArea: { type: 'text', slot: 70, reads: 'text' },
  schoolDistrict: { type: 'text', slot: 71, changes: 'land', reads: 'text' },
})

const VALUATION_MODELS = described('parcel', {
  modelEstimate: { type: 'null', nested: 'realieValuation.ml.value', flat: null },
  modelEstimateLow: { type: 'null', nested: 'realieValuation.ml.low', flat: null },
  modelEstimateHigh: { type: 'null', nested: 'realieValuation.ml.high', flat: null },
  comparablesEstimate: { type: 'null', nested: 'realieValuation.comp.value', flat: null },
})

const LISTS = described('parcel', {
  transfers: { type: 'items', slot: 72, changes: 'sale' },
  salePriceLastTransfer: { type: 'integer', same: 'transfers.transferPrice', nested: null },
  assessorSalePrice: { type: 'integer', same: 'transfers.transferPrice', nested: null },
  assessorSaleRecordingDate: { type: 'date', same: 'transfers.recordingDate', nested: null },
  purchaseSaleDate: { type: 'date', nested: null },
  purchaseRecordingDate: { type: 'date', nested: null },
  buildingsAtTop: { type: 'items', same: 'buildings', nested: 'buildings', flat: null },
  assessments: { type: 'items', slot: 73, changes: 'value' },
  liens: { type: 'empty', flat: null },
  foreclosures: { type: 'empty', flat: null },
})

const SOURCE = described('parcel', {
  sourceName: { type: 'text', slot: 74, nested: 'source.name', reads: 'text' },
  sourceLicense: { type: 'text', slot: 75, nested: 'source.license', reads: 'text' },
  rollYear: {
    type: 'integer',
    slot: 76,
    nested: 'source.rollYear',
    flat: 'sourceRollYear',
    reads: 'year',
  },
  loadedAt: { type: 'moment', required: true, nested: 'source.loadedAt', flat: 'updatedAt' },
})

const ID = described('parcel', {
  id: { type: 'text', required: true, flat: '_id' },
  siteId: { type: 'text', required: true, nested: null },
  realieParcelId: { type: 'text', required: true, same: 'propertyId' },
  parcelIdAtTop: { type: 'text', required: true, same: 'parcelId', nested: 'parcelId', flat: null },
  latitudeAtTop: { type: 'number', same: 'latitude', nested: 'latitude', flat: null },
  longitudeAtTop: { type: 'number', same: 'longitude', nested: 'longitude', flat: null },
  lastUpdated: { type: 'moment', required: true, same: 'loadedAt' },
})

const EXTRA = described('parcel', {
  extra: { type: 'object', slot: 77 },
  suppressed: { type: 'texts', slot: 98 },
})

/** Fields at one path of the nested layout, with defaults for them. */
type FieldGroup = {
  path: string
  fields: Fields
  changes: ChangeGroup
  hiddenWith?: readonly Suppressible[]
}

/** The groups of the nested layout by their paths, in the order of both layouts. */
export const GROUPS = [
  { path: '', fields: ID, changes: 'other' },
  { path: 'propertyIdentification', fields: IDENTIFICATION, changes: 'other' },
  {
    path: 'propertyIdentification.currentOwner',
    fields: OWNER,
    changes: 'owner',
    hiddenWith: ['owner'],
  },
  { path: 'propertyLocation', fields: LOCATION, changes: 'address', hiddenWith: ['address'] },
  { path: 'propertyClassification', fields: CLASSIFICATION, changes: 'land' },
  { path: 'buildingInformation', fields: BUILDINGS, changes: 'building' },
  { path: 'landInformation', fields: LAND, changes: 'land' },
  { path: 'valuationInformation', fields: VALUATION, changes: 'value' },
  { path: 'taxInformation', fields: TAX, changes: 'value' },
  { path: 'realieValuation', fields: VALUATION_MODELS, changes: 'value' },
  { path: '', fields: LISTS, changes: 'other' },
  { path: 'source', fields: SOURCE, changes: 'other' },
  { path: '', fields: EXTRA, changes: 'other' },
] as const satisfies readonly FieldGroup[]

/** One building. `several` says how the flat layout combines several. */
export const BUILDING_FIELDS = described('building', {
  buildingArea: { type: 'integer', slot: 0, reads: 'area', several: 'sum' },
  livingArea: { type: 'integer', same: 'buildingArea', nested: null, several: 'sum' },
  actualYearBuilt: {
    type: 'integer',
    slot: 1,
    flat: 'yearBuilt',
    reads: 'year',
    several: 'largest',
  },
  effectiveYearBuilt: { type: 'integer', slot: 2, reads: 'year', several: 'largest' },
  stories: { type: 'number', slot: 3, reads: 'number' },
  bedrooms: { type: 'integer', slot: 4, flat: 'totalBedrooms', reads: 'integer', several: 'sum' },
  bathrooms: { type: 'number', slot: 5, flat: 'totalBathrooms', reads: 'number', several: 'sum' },
  constructionType: { type: 'text', slot: 6, reads: 'text' },
  wallType: { type: 'text', slot: 7, reads: 'text' },
  roofType: { type: 'text', slot: 8, reads: 'text' },
  foundationType: { type: 'text', slot: 9, reads: 'text' },
  basementType: { type: 'text', slot: 10, reads: 'text' },
  heatingType: { type: 'text', slot: 11, reads: 'text' },
  coolingType: { type: 'text', slot: 12, reads: 'text' },
  garage: { type: 'boolean', nested: null },
  garageCount: { type: 'integer', slot: 13, reads: 'integer', several: 'sum' },
  fireplace: { type: 'boolean', nested: null },
  fireplaceCount: { type: 'integer', slot: 14, reads: 'integer', several: 'sum' },
  pool: { type: 'boolean', slot: 15, reads: 'flag', several: 'any' },
  rooms: { type: 'integer', slot: 16, flat: 'totalRooms', reads: 'integer', several: 'sum' },
  style: { type: 'text', slot: 17, flat: 'buildingStyle', reads: 'text' },
  heatingFuel: { type: 'text', slot: 18, reads: 'text' },
  garageType: { type: 'text', slot: 19, reads: 'text' },
  buildingFrontage: { type: 'number', slot: 20, reads: 'number' },
  buildingDepth: { type: 'number', slot: 21, reads: 'number' },
  condition: { type: 'text', slot: 22, reads: 'text' },
  quality: { type: 'text', slot: 23, reads: 'text' },
})

/** One change of ownership. The flat layout also shows the newest one next to the other fields. */
export const TRANSFER_FIELDS = described('transfer', {
  transferDate: { type: 'date', slot: 0, reads: 'date' },
  transferDateObject: { type: 'moment', nested: null },
  transferPrice: { type: 'integer', slot: 1, reads: 'money' },
  recordingDate: { type: 'date', slot: 2, reads: 'date' },
  documentType: { type: 'text', slot: 3, flat: 'transferDocType', reads: 'text' },
  documentNumber: { type: 'text', slot: 4, flat: 'transferDocNum', reads: 'text' },
  book: { type: 'text', slot: 5, flat: 'bookNum', reads: 'text' },
  page: { type: 'text', slot: 6, flat: 'pageNum', reads: 'text' },
  grantor: { type: 'text', slot: 7, reads: 'upper' },
  grantee: { type: 'text', slot: 8, reads: 'upper' },
  saleCode: { type: 'text', slot: 9, flat: 'saleQualificationCode', reads: 'text' },
  saleCodeFlat: { type: 'text', same: 'saleCode', nested: null, flat: 'saleCode' },
  buyerIDCode: { type: 'text', slot: 10, reads: 'text' },
  buyerVestingCode: { type: 'text', slot: 11, reads: 'text' },
  documentTypeRecorded: { type: 'text', slot: 12, flat: 'transferDocTypeRecorded', reads: 'text' },
})

/** The values of one roll year, taken from the parcel's own. */
export const ASSESSMENT_FIELDS = described('assessment', {
  year: { type: 'integer', slot: 0 },
  totalAssessedValue: { type: 'integer', slot: 1 },
  assessedLandValue: { type: 'integer', slot: 2 },
  assessedBuildingValue: { type: 'integer', slot: 3 },
  totalMarketValue: { type: 'integer', slot: 4 },
  taxAmount: { type: 'number', slot: 5 },
  totalLandValue: { type: 'integer', slot: 6 },
  totalBuildingValue: { type: 'integer', slot: 7 },
  taxValue: { type: 'number', same: 'taxAmount', nested: null },
  assessedYear: { type: 'integer', slot: 8 },
  marketValueYear: { type: 'integer', slot: 9 },
  taxYear: { type: 'integer', slot: 10 },
})

/** Fields that a mapping fills and that no layout shows. */
export const MAPPING_INPUTS = {
  nameOrder: "How the row's owner names are written: `last-first`, `first-last` or `mixed`.",
  ownerCityStateZip: 'City, state and ZIP of the mailing address in one text.',
  cityStateZip: 'City, state and ZIP of the site in one text.',
} as const satisfies Record<string, string>

/**
 * Keys of the flat layout that clients of the contract may read and no assessor's roll fills:
 * always null.
 */
export const ALWAYS_NULL = textsOf('empty')

/** What the objects of the nested layout hold, by their keys. */
export const PARTS = textsOf('part')

/**
 * Keys that the flat layout has on v2 reads only, each with the field whose value it shows. `before`
 * is the transfer before the newest one.
 */
export const V2_KEYS = {
  pastPriceSale: 'before.transferPrice',
  pastPriceTransfer: 'before.transferPrice',
  pastSaleDateTransfer: 'before.transferDate',
  pastRecoDateSale: 'before.recordingDate',
  pastDocumentTypeSale: 'before.documentType',
  priorSalesDate: 'before.transferDate',
  saleDocumentTypeLastSale: 'transfers.documentType',
  saleBookLastSale: 'transfers.book',
  owner1FirstName: 'ownerFirstName',
  owner1LastName: 'ownerLastName',
} as const satisfies Record<string, string>
