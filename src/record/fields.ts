/**
 * Defines every field of the record once. The parcel type, the stored form, both layouts, the JSON
 * schemas, the fields of a mapping and docs/fields.tsv are derived from these tables.
 * `npm run fields` writes the derived files.
 *
 * The key is the property of a parcel. Fields are in the order in which both layouts show them.
 */
import type { ChangeGroup } from '../base/model/changes.ts'

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
 * dollars, `cents` dollars with cents, `area` square feet, `acres` acres, `list` texts separated by
 * semicolons; the others as named. `special`: read by `import/rows/`.
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

const IDENTIFICATION = {
  propertyId: {
    type: 'text',
    required: true,
    about:
      'The stable ID of a property: five-digit county FIPS code, `-`, the parcel ID as ' +
      'recorded; with the municipality between them where municipalities number their own ' +
      'parcels. It is the same again if a parcel is removed and imported later.',
  },
  parcelId: {
    type: 'text',
    slot: 2,
    required: true,
    reads: 'special',
    about: "The parcel ID as recorded by the county's assessor.",
  },
  parcelIdNormalized: {
    type: 'text',
    required: true,
    flat: 'parcelIdStripped',
    about: 'The letters and digits of the parcel ID, in upper case.',
  },
  stateParcelId: {
    type: 'text',
    nested: null,
    flat: 'state_parcelId',
    about: 'State and recorded parcel ID: `WI-0709-123-0101-4`.',
  },
  stateParcelIdStandard: {
    type: 'text',
    nested: null,
    flat: 'state_parcelIdSTD',
    about: 'State and parcel ID without punctuation: `WI-070912301014`.',
  },
  alternateParcelIds: {
    type: 'texts',
    slot: 3,
    flat: 'altParcelIds',
    about:
      'Alternate IDs of the parcel, as recorded; a lookup searches them after parcel IDs and ' +
      'before former IDs.',
  },
  taxAccountNumber: {
    type: 'text',
    slot: 4,
    reads: 'text',
    about: 'Number of the tax account, as recorded.',
  },
  state: {
    type: 'text',
    reads: 'special',
    about: 'State of the parcel, two letters.',
  },
  county: {
    type: 'text',
    reads: 'special',
    about:
      'County by its Census name without `County` and the like, in upper case; an independent ' +
      'city keeps `CITY`.',
  },
  fipsState: { type: 'text', required: true, about: 'FIPS code of the state, two digits.' },
  fipsCounty: {
    type: 'text',
    required: true,
    about: 'FIPS code of the county within its state, three digits.',
  },
  jurisdiction: {
    type: 'text',
    slot: 5,
    changes: 'address',
    reads: 'text',
    about: 'The municipality that taxes the parcel, as recorded.',
  },
  formerParcelIds: {
    type: 'texts',
    slot: 78,
    reads: 'list',
    about: 'IDs under which the land was recorded before: retired lots, parents of a split.',
  },
  fips: {
    type: 'integer',
    slot: 0,
    required: true,
    nested: null,
    flat: null,
    about: 'Five-digit county FIPS code as a number; state and county follow from it.',
  },
  municipality: {
    type: 'text',
    slot: 1,
    changes: 'address',
    nested: null,
    flat: null,
    mapping: 'municipality',
    reads: 'special',
    about: 'The municipality that numbers its own parcels; part of their identity.',
  },
} as const satisfies Fields

export const OWNER = {
  ownerNames: {
    type: 'text',
    nested: null,
    flat: 'ownerName',
    about: 'Both recorded owner names, joined with `; `.',
  },
  ownerName: {
    type: 'text',
    slot: 6,
    flat: 'ownerName1',
    reads: 'special',
    about: 'First owner name, as recorded.',
  },
  ownerName2: {
    type: 'text',
    slot: 7,
    reads: 'special',
    about: 'Second owner name, as recorded.',
  },
  ownerType: {
    type: 'text',
    slot: 8,
    values: ['individual', 'company', 'trust', 'government', 'unknown'],
    reads: 'special',
    about: 'Kind of owner, from the roll, otherwise inferred from the words of the name.',
  },
  careOf: {
    type: 'text',
    slot: 9,
    flat: 'ownerCareOf',
    reads: 'special',
    about: '"Care of" name of the mailing address; not an owner.',
  },
  ownerOccupied: {
    type: 'boolean',
    slot: 10,
    hiddenWith: ['owner', 'address'],
    reads: 'special',
    about:
      'Whether the owner lives there: the mailing address is the address of the parcel, or the ' +
      'roll has a homestead flag. Null if neither is known.',
  },
  ownershipStartDate: {
    type: 'date',
    slot: 11,
    hiddenWith: [],
    reads: 'date',
    about: 'Date of acquisition by the owner; by default the date of the newest transfer.',
  },
  ownerFirstName: {
    type: 'text',
    slot: 99,
    nested: null,
    flat: null,
    about: 'First given name of the first owner, if that is a person.',
  },
  ownerLastName: {
    type: 'text',
    slot: 100,
    nested: null,
    flat: null,
    about: 'Surname of the first owner, if that is a person.',
  },
  ownerStreet: {
    type: 'text',
    slot: 12,
    hiddenWith: ['owner', 'address'],
    flat: 'ownerAddressLine1',
    reads: 'upper',
    about: "Street line of the owner's mailing address.",
  },
  ownerStreetFlat: {
    type: 'text',
    same: 'ownerStreet',
    nested: null,
    flat: 'ownerStreet',
    about: "Street line of the owner's mailing address.",
  },
  ownerCity: {
    type: 'text',
    slot: 13,
    hiddenWith: ['owner', 'address'],
    reads: 'upper',
    about: "City of the owner's mailing address.",
  },
  ownerState: {
    type: 'text',
    slot: 14,
    hiddenWith: ['owner', 'address'],
    reads: 'upper',
    about: "State of the owner's mailing address, as recorded.",
  },
  ownerZipCode: {
    type: 'text',
    slot: 15,
    hiddenWith: ['owner', 'address'],
    reads: 'special',
    about: "ZIP code of the owner's mailing address, five digits.",
  },
  ownerZipCodePlusFour: {
    type: 'text',
    slot: 16,
    hiddenWith: ['owner', 'address'],
    reads: 'special',
    about:
      "ZIP+4 of the owner's mailing address; flat: whole, `53703-1234`; nested: the four digits " +
      'alone, `1234`.',
  },
  ownerCountry: {
    type: 'text',
    slot: 17,
    reads: 'upper',
    about: "Country of the owner's mailing address, as recorded.",
  },
  mailerAddress: {
    type: 'text',
    same: 'ownerStreet',
    nested: null,
    about: 'The same as `ownerAddressLine1`.',
  },
  mailingAddress: {
    type: 'text',
    same: 'ownerStreet',
    nested: null,
    about: 'The same as `ownerAddressLine1`.',
  },
  mailingCity: {
    type: 'text',
    same: 'ownerCity',
    nested: null,
    about: 'The same as `ownerCity`.',
  },
  mailingState: {
    type: 'text',
    same: 'ownerState',
    nested: null,
    about: 'The same as `ownerState`.',
  },
  mailingZip5: {
    type: 'text',
    same: 'ownerZipCode',
    nested: null,
    about: 'The same as `ownerZipCode`.',
  },
  ownerParcelCount: {
    type: 'integer',
    nested: null,
    about:
      'Number of parcels of the same canonical owner in the state, this parcel included; null ' +
      'without an owner, or for a person of whom only the surname is recorded.',
  },
  ownerResCount: {
    type: 'integer',
    nested: null,
    about: "Number of the owner's parcels in the state that are residential.",
  },
  ownerComCount: {
    type: 'integer',
    nested: null,
    about:
      "Number of the owner's parcels in the state that are not residential; those of unknown use " +
      'are not counted.',
  },
  ownerAddressFull: {
    type: 'text',
    nested: null,
    reads: 'special',
    about: "The owner's mailing address in one line.",
  },
} as const satisfies Fields

const LOCATION = {
  address: {
    type: 'text',
    slot: 18,
    reads: 'special',
    about: 'Situs line 1 without its unit, as USPS Publication 28 writes it.',
  },
  addressLine1: {
    type: 'text',
    same: 'address',
    about: 'Situs line 1 without its unit, as USPS Publication 28 writes it.',
  },
  addressRaw: {
    type: 'text',
    slot: 19,
    reads: 'special',
    about: 'Situs line 1 as recorded.',
  },
  addressUnit: { type: 'text', about: 'Situs line 1 with its unit.' },
  addressFormal: {
    type: 'text',
    nested: null,
    about:
      'House number and street with the street type spelled out: `123 MAIN STREET`; null without ' +
      'a number or a street.',
  },
  addressFull: {
    type: 'text',
    reads: 'special',
    about: 'The situs address in one line, with unit, city, state and ZIP.',
  },
  addressFullUSPS: {
    type: 'text',
    same: 'addressFull',
    about: 'The situs address in one line, as standardized here.',
  },
  alternateAddresses: {
    type: 'texts',
    slot: 20,
    flat: 'altAddresses',
    about: 'Further situs addresses of the parcel, standardized; a lookup searches them too.',
  },
  streetNumber: {
    type: 'text',
    slot: 21,
    reads: 'special',
    about: 'House number; of a range, the lower one.',
  },
  streetNumberHigh: {
    type: 'text',
    slot: 22,
    reads: 'special',
    about: 'The other end of a range of house numbers.',
  },
  streetDirectionPrefix: {
    type: 'text',
    slot: 23,
    reads: 'special',
    about: 'Direction before the street name: `N`, `SE`.',
  },
  streetName: {
    type: 'text',
    slot: 24,
    reads: 'special',
    about: 'Street name alone.',
  },
  streetType: {
    type: 'text',
    slot: 25,
    reads: 'special',
    about: 'Street suffix in the abbreviation of Publication 28: `AVE`.',
  },
  streetDirectionSuffix: {
    type: 'text',
    slot: 26,
    reads: 'special',
    about: 'Direction after the street name.',
  },
  street: {
    type: 'text',
    nested: null,
    about: 'Directions, street name and street type, joined.',
  },
  unitType: { type: 'text', slot: 27, reads: 'special', about: 'Kind of unit: `APT`.' },
  unitNumberStripped: {
    type: 'text',
    slot: 28,
    reads: 'special',
    about: 'Unit without its kind: `2B`.',
  },
  unitNumber: { type: 'text', about: 'Unit with its kind: `APT 2B`.' },
  city: { type: 'text', slot: 29, reads: 'upper', about: 'City of the site, as recorded.' },
  cityUSPS: {
    type: 'text',
    same: 'city',
    nested: null,
    about: 'City of the site, as recorded.',
  },
  countyUSPS: {
    type: 'text',
    same: 'county',
    nested: null,
    about: 'The same as `county`.',
  },
  siteState: {
    type: 'text',
    same: 'state',
    nested: 'propertyLocation.state',
    flat: null,
    about: 'State of the parcel, two letters.',
  },
  siteCounty: {
    type: 'text',
    same: 'county',
    nested: 'propertyLocation.county',
    flat: null,
    about: 'County by its Census name, in upper case.',
  },
  zipCode: {
    type: 'text',
    slot: 30,
    reads: 'special',
    about: 'ZIP code of the site, five digits.',
  },
  zipCodePlusFour: {
    type: 'text',
    slot: 31,
    reads: 'special',
    about: 'ZIP+4 of the site, whole: `53703-1234`.',
  },
  addressAssigned: {
    type: 'boolean',
    slot: 32,
    required: true,
    about: 'Whether the site has a street number and a street name; never null.',
  },
  latitude: {
    type: 'number',
    slot: 33,
    changes: 'geometry',
    reads: 'special',
    about: 'Latitude, WGS84 degrees.',
  },
  longitude: {
    type: 'number',
    slot: 34,
    changes: 'geometry',
    reads: 'special',
    about: 'Longitude, WGS84 degrees.',
  },
  location: {
    type: 'point',
    nested: null,
    about: 'Longitude and latitude as a GeoJSON Point, longitude first, WGS84 degrees.',
  },
  geometry: {
    type: 'geometry',
    about:
      'GeoJSON MultiPolygon (nested: Polygon or MultiPolygon), WGS84 degrees, longitude first; ' +
      'where polygons were loaded (`import --geometry`).',
  },
  censusTract: {
    type: 'text',
    slot: 35,
    changes: 'land',
    hiddenWith: [],
    flat: 'siteCensusTract',
    reads: 'text',
    about:
      'Census tract of the site: county FIPS code and tract with its dot, `311090002.01`; with the ' +
      'block after it where that is known, `133219504.004086`.',
  },
  neighborhood: {
    type: 'text',
    slot: 36,
    changes: 'land',
    hiddenWith: [],
    reads: 'text',
    about: "The assessor's neighborhood, as recorded.",
  },
  ward: {
    type: 'text',
    slot: 79,
    changes: 'land',
    hiddenWith: [],
    reads: 'text',
    about: 'Ward of the municipality, as recorded.',
  },
  district: {
    type: 'text',
    slot: 80,
    changes: 'land',
    hiddenWith: [],
    flat: 'districtNum',
    reads: 'text',
    about: 'District of the municipality (community, council or tax district), as recorded.',
  },
} as const satisfies Fields

const CLASSIFICATION = {
  propertyUseCode: {
    type: 'text',
    slot: 95,
    flat: 'useCode',
    reads: 'text',
    about:
      'Use code of the national scheme, four digits, the same for all rolls: 10xx dwellings, 11xx ' +
      'several dwellings, 2xxx retail, 3xxx offices, 4xxx recreation, 5xxx and 6xxx industry, ' +
      '7xxx agriculture, 8xxx vacant land, 9xxx exempt. Null if unknown. With the fact ' +
      '`useCodes=recorded` the code as recorded.',
  },
  propertyUseDescription: {
    type: 'text',
    slot: 38,
    flat: 'useDescription',
    reads: 'text',
    about: "What the roll's use code means, as recorded or by the code table of the mapping.",
  },
  localUseCode: {
    type: 'text',
    slot: 37,
    flat: 'useCodeLocal',
    reads: 'text',
    about:
      "Use code as recorded: the state's or the roll's own. With the fact `useCodes=recorded` the " +
      'second recorded code.',
  },
  localUseCode2: {
    type: 'text',
    slot: 39,
    flat: 'useCodeLocal2',
    reads: 'text',
    about: "Second use code as recorded: the county's own, where the roll also has the state's.",
  },
  residential: {
    type: 'boolean',
    slot: 40,
    reads: 'flag',
    about:
      'Whether the use is a dwelling, by its use code; without one, by the code table of the ' +
      'mapping.',
  },
  useStandardCode: {
    type: 'text',
    same: 'propertyUseCode',
    about: 'Use code of the national scheme, also with the fact `useCodes=recorded`.',
  },
  useStandardDescription: {
    type: 'text',
    slot: 96,
    about: 'What the code of the national scheme means: `single-family house`.',
  },
  condominium: {
    type: 'boolean',
    slot: 97,
    changes: 'building',
    flat: 'condo',
    about:
      'Whether it is a condominium, by the use code; if that only says residential, true if the ' +
      'parcel is a unit of a building. Null if the use is unknown.',
  },
} as const satisfies Fields

const BUILDINGS = {
  buildingCount: {
    type: 'integer',
    slot: 41,
    reads: 'integer',
    about: 'Number of buildings; by default the number of buildings listed, if several are.',
  },
  unitCount: { type: 'integer', slot: 42, reads: 'integer', about: 'Number of dwellings.' },
  totalUnitCount: {
    type: 'integer',
    slot: 81,
    reads: 'integer',
    about: 'Number of units of all uses, including dwellings.',
  },
  residentialArea: {
    type: 'integer',
    slot: 82,
    reads: 'area',
    about: 'Floor area in residential use, square feet.',
  },
  commercialArea: {
    type: 'integer',
    slot: 83,
    reads: 'area',
    about: 'Floor area in commercial use, square feet, including retail and office.',
  },
  retailArea: {
    type: 'integer',
    slot: 84,
    reads: 'area',
    about: 'Floor area in retail use, square feet.',
  },
  officeArea: {
    type: 'integer',
    slot: 85,
    reads: 'area',
    about: 'Floor area in office use, square feet.',
  },
  buildings: {
    type: 'items',
    slot: 43,
    flat: null,
    about: 'The buildings; empty on vacant land.',
  },
} as const satisfies Fields

const LAND = {
  acres: {
    type: 'number',
    slot: 44,
    reads: 'acres',
    about: 'Land area in acres; computed from `landArea` if only that is recorded.',
  },
  deedAcres: {
    type: 'number',
    same: 'acres',
    about: 'The same as `acres`.',
  },
  calculatedAcres: {
    type: 'number',
    slot: 94,
    about: 'Land area in acres by the polygon; where polygons were loaded.',
  },
  landArea: {
    type: 'number',
    slot: 45,
    reads: 'area',
    about: 'Land area in square feet; made of `acres` where only that is recorded.',
  },
  lotSizeArea: {
    type: 'number',
    same: 'landArea',
    nested: null,
    about: 'The same as `landArea`, square feet.',
  },
  frontage: { type: 'number', slot: 46, reads: 'number', about: 'Frontage in feet.' },
  depth: {
    type: 'number',
    slot: 47,
    flat: 'depthSize',
    reads: 'number',
    about: 'Depth of the lot in feet.',
  },
  legalDescription: {
    type: 'text',
    slot: 48,
    flat: 'legalDesc',
    reads: 'text',
    about: 'Legal description, as recorded.',
  },
  subdivision: { type: 'text', slot: 49, reads: 'text', about: 'Subdivision, as recorded.' },
  block: { type: 'text', slot: 50, flat: 'blockNum', reads: 'text', about: 'Block, as recorded.' },
  lot: { type: 'text', slot: 51, flat: 'lotNum', reads: 'text', about: 'Lot, as recorded.' },
  section: {
    type: 'text',
    slot: 52,
    flat: null,
    mapping: 'section',
    reads: 'text',
    about: 'Section of the Public Land Survey.',
  },
  township: {
    type: 'text',
    slot: 53,
    flat: null,
    mapping: 'township',
    reads: 'text',
    about: 'Township of the Public Land Survey.',
  },
  range: {
    type: 'text',
    slot: 54,
    flat: null,
    mapping: 'range',
    reads: 'text',
    about: 'Range of the Public Land Survey.',
  },
  secTwnRng: {
    type: 'text',
    nested: null,
    about: 'Section, township and range, joined with `-`.',
  },
  zoningCode: { type: 'text', slot: 55, reads: 'text', about: 'Zoning code, as recorded.' },
  zoningDescription: {
    type: 'text',
    slot: 56,
    reads: 'text',
    about: 'What the zoning code means, as recorded.',
  },
  furtherZoning: {
    type: 'texts',
    slot: 86,
    reads: 'list',
    about: 'Further zoning districts, overlays and special districts of the parcel.',
  },
  historicDistrict: {
    type: 'text',
    slot: 87,
    reads: 'text',
    about: 'Historic district, as recorded.',
  },
  landmark: { type: 'text', slot: 88, reads: 'text', about: 'Landmark status, as recorded.' },
  builtFloorAreaRatio: {
    type: 'number',
    slot: 89,
    reads: 'number',
    about: 'Floor area that is built, divided by land area.',
  },
  residentialFloorAreaRatio: {
    type: 'number',
    slot: 90,
    reads: 'number',
    about: 'Largest residential floor area that zoning permits, divided by land area.',
  },
  commercialFloorAreaRatio: {
    type: 'number',
    slot: 91,
    reads: 'number',
    about: 'Largest commercial floor area that zoning permits, divided by land area.',
  },
  facilityFloorAreaRatio: {
    type: 'number',
    slot: 92,
    reads: 'number',
    about: 'Largest floor area for community facilities that zoning permits, divided by land area.',
  },
} as const satisfies Fields

const VALUATION = {
  assessedYear: {
    type: 'integer',
    slot: 57,
    reads: 'year',
    about: 'Year of the assessed values; by default the roll year.',
  },
  assessedLandValue: {
    type: 'integer',
    slot: 58,
    reads: 'money',
    about: 'Assessed value of the land, US dollars.',
  },
  assessedBuildingValue: {
    type: 'integer',
    slot: 59,
    reads: 'money',
    about: 'Assessed value of the buildings, US dollars.',
  },
  totalAssessedValue: {
    type: 'integer',
    slot: 60,
    reads: 'money',
    about: 'Assessed value of land and buildings, US dollars.',
  },
  taxableValue: {
    type: 'integer',
    slot: 61,
    reads: 'money',
    about: 'Assessed value after exemptions, US dollars.',
  },
  exemptionAmount: {
    type: 'integer',
    slot: 62,
    reads: 'money',
    about: 'Sum of the exemptions, US dollars.',
  },
  homesteadExemption: {
    type: 'integer',
    slot: 93,
    reads: 'money',
    about: 'Homestead exemption, US dollars; 0 where the roll says that there is none.',
  },
  marketValueYear: {
    type: 'integer',
    slot: 63,
    reads: 'year',
    about: 'Year of the market values; by default the roll year.',
  },
  totalLandValue: {
    type: 'integer',
    slot: 64,
    reads: 'money',
    about: 'Market value of the land, US dollars.',
  },
  totalBuildingValue: {
    type: 'integer',
    slot: 65,
    reads: 'money',
    about: 'Market value of the buildings, US dollars.',
  },
  totalMarketValue: {
    type: 'integer',
    slot: 66,
    reads: 'money',
    about: 'Market value of land and buildings, US dollars.',
  },
  valueType: {
    type: 'text',
    slot: 67,
    reads: 'text',
    about:
      'Kind of the value, if the roll has only one: `market`, `assessed`, `just` or `appraised`.',
  },
} as const satisfies Fields

const TAX = {
  taxYear: {
    type: 'integer',
    slot: 68,
    reads: 'year',
    about: 'Year of the tax; by default the roll year.',
  },
  taxAmount: {
    type: 'number',
    slot: 69,
    flat: 'taxValue',
    reads: 'cents',
    about: 'Property tax of the year, US dollars.',
  },
  taxRateCodeArea: {
    type: 'text',
    slot: 70,
    reads: 'text',
    about: 'Tax rate area, as recorded.',
  },
  schoolDistrict: {
    type: 'text',
    slot: 71,
    changes: 'land',
    reads: 'text',
    about: 'School district, as recorded.',
  },
} as const satisfies Fields

const VALUATION_MODELS = {
  modelEstimate: {
    type: 'null',
    nested: 'realieValuation.ml.value',
    flat: null,
    about: 'Always null: no estimate is part of a record.',
  },
  modelEstimateLow: {
    type: 'null',
    nested: 'realieValuation.ml.low',
    flat: null,
    about: 'Always null: no estimate is part of a record.',
  },
  modelEstimateHigh: {
    type: 'null',
    nested: 'realieValuation.ml.high',
    flat: null,
    about: 'Always null: no estimate is part of a record.',
  },
  comparablesEstimate: {
    type: 'null',
    nested: 'realieValuation.comp.value',
    flat: null,
    about: 'Always null: no estimate is part of a record.',
  },
} as const satisfies Fields

const LISTS = {
  transfers: {
    type: 'items',
    slot: 72,
    changes: 'sale',
    about: 'Recorded transfers of ownership, newest first.',
  },
  salePriceLastTransfer: {
    type: 'integer',
    same: 'transfers.transferPrice',
    nested: null,
    about: 'Price of the newest transfer, US dollars.',
  },
  assessorSalePrice: {
    type: 'integer',
    same: 'transfers.transferPrice',
    nested: null,
    about: 'Price of the newest transfer, US dollars.',
  },
  assessorSaleRecordingDate: {
    type: 'date',
    same: 'transfers.recordingDate',
    nested: null,
    about: 'Date on which the newest transfer was recorded.',
  },
  purchaseSaleDate: {
    type: 'date',
    nested: null,
    about: 'Date of the newest transfer with a price above 0.',
  },
  purchaseRecordingDate: {
    type: 'date',
    nested: null,
    about: 'Date on which the newest transfer with a price above 0 was recorded.',
  },
  buildingsAtTop: {
    type: 'items',
    same: 'buildings',
    nested: 'buildings',
    flat: null,
    about: 'The same as `buildingInformation.buildings`.',
  },
  assessments: {
    type: 'items',
    slot: 73,
    changes: 'value',
    about: 'Values of each roll year that was loaded, newest first.',
  },
  liens: { type: 'empty', flat: null, about: 'Always empty: rolls record no liens.' },
  foreclosures: {
    type: 'empty',
    flat: null,
    about: 'Always empty: rolls record no foreclosures.',
  },
} as const satisfies Fields

const SOURCE = {
  sourceName: {
    type: 'text',
    slot: 74,
    nested: 'source.name',
    reads: 'text',
    about: 'Name of the roll from which the record comes.',
  },
  sourceLicense: {
    type: 'text',
    slot: 75,
    nested: 'source.license',
    reads: 'text',
    about: 'Name or terms of the license under which the roll is published.',
  },
  rollYear: {
    type: 'integer',
    slot: 76,
    nested: 'source.rollYear',
    flat: 'sourceRollYear',
    reads: 'year',
    about: 'Year of the roll.',
  },
  loadedAt: {
    type: 'moment',
    required: true,
    nested: 'source.loadedAt',
    flat: 'updatedAt',
    about: 'When this record last changed in this database, UTC.',
  },
} as const satisfies Fields

const ID = {
  id: {
    type: 'text',
    required: true,
    flat: '_id',
    about: 'Id of the record, 24 hex digits; assigned in increasing order and never reused.',
  },
  siteId: {
    type: 'text',
    required: true,
    nested: null,
    about: "The record's id as text of at most 15 digits.",
  },
  realieParcelId: {
    type: 'text',
    required: true,
    same: 'propertyId',
    about: 'The same as the durable key of the parcel.',
  },
  parcelIdAtTop: {
    type: 'text',
    required: true,
    same: 'parcelId',
    nested: 'parcelId',
    flat: null,
    about: "The parcel ID as recorded by the county's assessor.",
  },
  latitudeAtTop: {
    type: 'number',
    same: 'latitude',
    nested: 'latitude',
    flat: null,
    about: 'Latitude, WGS84 degrees.',
  },
  longitudeAtTop: {
    type: 'number',
    same: 'longitude',
    nested: 'longitude',
    flat: null,
    about: 'Longitude, WGS84 degrees.',
  },
  lastUpdated: {
    type: 'moment',
    required: true,
    same: 'loadedAt',
    about: 'When this record last changed in this database, UTC.',
  },
} as const satisfies Fields

const EXTRA = {
  extra: {
    type: 'object',
    slot: 77,
    about: "The roll's own columns that its mapping keeps, as text.",
  },
  suppressed: {
    type: 'texts',
    slot: 98,
    about:
      'What the operator hides of this parcel because a law or an order demands it: `owner`, ' +
      '`address`; its fields are null.',
  },
} as const satisfies Fields

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
export const BUILDING_FIELDS = {
  buildingArea: {
    type: 'integer',
    slot: 0,
    reads: 'area',
    several: 'sum',
    about: 'Building area in square feet; the living area if it is recorded separately.',
  },
  livingArea: {
    type: 'integer',
    same: 'buildingArea',
    nested: null,
    several: 'sum',
    about: 'The same as `buildingArea`, square feet.',
  },
  actualYearBuilt: {
    type: 'integer',
    slot: 1,
    flat: 'yearBuilt',
    reads: 'year',
    several: 'largest',
    about: 'Year in which it was built.',
  },
  effectiveYearBuilt: {
    type: 'integer',
    slot: 2,
    reads: 'year',
    several: 'largest',
    about: "Effective year built: the assessor's estimate by condition; not before the year built.",
  },
  stories: { type: 'number', slot: 3, reads: 'number', about: 'Number of stories.' },
  bedrooms: {
    type: 'integer',
    slot: 4,
    flat: 'totalBedrooms',
    reads: 'integer',
    several: 'sum',
    about: 'Number of bedrooms.',
  },
  bathrooms: {
    type: 'number',
    slot: 5,
    flat: 'totalBathrooms',
    reads: 'number',
    several: 'sum',
    about: 'Number of bathrooms; half baths count 0.5.',
  },
  constructionType: {
    type: 'text',
    slot: 6,
    reads: 'text',
    about: 'Construction material, as recorded; the architectural style is `style`.',
  },
  wallType: { type: 'text', slot: 7, reads: 'text', about: 'Exterior walls, as recorded.' },
  roofType: { type: 'text', slot: 8, reads: 'text', about: 'Roof, as recorded.' },
  foundationType: { type: 'text', slot: 9, reads: 'text', about: 'Foundation, as recorded.' },
  basementType: { type: 'text', slot: 10, reads: 'text', about: 'Basement, as recorded.' },
  heatingType: { type: 'text', slot: 11, reads: 'text', about: 'Heating, as recorded.' },
  coolingType: { type: 'text', slot: 12, reads: 'text', about: 'Cooling, as recorded.' },
  garage: {
    type: 'boolean',
    nested: null,
    about: 'Whether there is a garage: `garageCount` is more than 0.',
  },
  garageCount: {
    type: 'integer',
    slot: 13,
    reads: 'integer',
    several: 'sum',
    about: 'Number of garages or of their spaces, as the roll counts them.',
  },
  fireplace: {
    type: 'boolean',
    nested: null,
    about: 'Whether there is a fireplace, by their count.',
  },
  fireplaceCount: {
    type: 'integer',
    slot: 14,
    reads: 'integer',
    several: 'sum',
    about: 'Number of fireplaces.',
  },
  pool: {
    type: 'boolean',
    slot: 15,
    reads: 'flag',
    several: 'any',
    about: 'Whether there is a pool.',
  },
  rooms: {
    type: 'integer',
    slot: 16,
    flat: 'totalRooms',
    reads: 'integer',
    several: 'sum',
    about: 'Number of rooms.',
  },
  style: {
    type: 'text',
    slot: 17,
    flat: 'buildingStyle',
    reads: 'text',
    about: 'Architectural style, as recorded: `RANCH`. What it is built of is `constructionType`.',
  },
  heatingFuel: {
    type: 'text',
    slot: 18,
    reads: 'text',
    about: 'Fuel of the heating, as recorded.',
  },
  garageType: { type: 'text', slot: 19, reads: 'text', about: 'Kind of garage, as recorded.' },
  buildingFrontage: {
    type: 'number',
    slot: 20,
    reads: 'number',
    about: 'Width of the building along the street, feet.',
  },
  buildingDepth: {
    type: 'number',
    slot: 21,
    reads: 'number',
    about: 'Depth of the building, feet.',
  },
  condition: { type: 'text', slot: 22, reads: 'text', about: 'Condition, as recorded.' },
  quality: { type: 'text', slot: 23, reads: 'text', about: 'Quality grade, as recorded.' },
} as const satisfies Record<string, BuildingField>

/** One change of ownership. The flat layout also shows the newest one next to the other fields. */
export const TRANSFER_FIELDS = {
  transferDate: {
    type: 'date',
    slot: 0,
    reads: 'date',
    about: 'Date of the transfer; day 01 where only the month is known.',
  },
  transferDateObject: {
    type: 'moment',
    nested: null,
    about: 'The date of the transfer as a date-time: `2019-05-07T00:00:00.000Z`.',
  },
  transferPrice: {
    type: 'integer',
    slot: 1,
    reads: 'money',
    about: 'Price, US dollars; 0 if the roll has 0.',
  },
  recordingDate: {
    type: 'date',
    slot: 2,
    reads: 'date',
    about: 'Date on which the document was recorded.',
  },
  documentType: {
    type: 'text',
    slot: 3,
    flat: 'transferDocType',
    reads: 'text',
    about:
      'Kind of document: `WD`, `QC`, `GD`, `SW`, `TD`; the usual abbreviation of what the roll ' +
      'spells out, else as recorded.',
  },
  documentNumber: {
    type: 'text',
    slot: 4,
    flat: 'transferDocNum',
    reads: 'text',
    about: 'Number of the document, as recorded.',
  },
  book: {
    type: 'text',
    slot: 5,
    flat: 'bookNum',
    reads: 'text',
    about: 'Deed book in which the document is recorded.',
  },
  page: {
    type: 'text',
    slot: 6,
    flat: 'pageNum',
    reads: 'text',
    about: 'Page of the deed book.',
  },
  grantor: { type: 'text', slot: 7, reads: 'upper', about: 'Grantor (seller), as recorded.' },
  grantee: {
    type: 'text',
    slot: 8,
    reads: 'upper',
    about: 'Grantee (buyer), as recorded.',
  },
  saleCode: {
    type: 'text',
    slot: 9,
    flat: 'saleQualificationCode',
    reads: 'text',
    about: "The roll's own code for how the sale qualifies as a market sale.",
  },
  saleCodeFlat: {
    type: 'text',
    same: 'saleCode',
    nested: null,
    flat: 'saleCode',
    about: 'The same as `saleQualificationCode`.',
  },
  buyerIDCode: {
    type: 'text',
    slot: 10,
    reads: 'text',
    about: 'Code of the kind of buyer, as recorded.',
  },
  buyerVestingCode: {
    type: 'text',
    slot: 11,
    reads: 'text',
    about: 'Code of the vesting of the buyers, as recorded.',
  },
  documentTypeRecorded: {
    type: 'text',
    slot: 12,
    flat: 'transferDocTypeRecorded',
    reads: 'text',
    about: 'Kind of document as recorded, where that is not `transferDocType`: `WARRANTY DEED`.',
  },
} as const satisfies Fields

/** The values of one roll year, taken from the parcel's own. */
export const ASSESSMENT_FIELDS = {
  year: { type: 'integer', slot: 0, about: 'Roll year of these values.' },
  totalAssessedValue: {
    type: 'integer',
    slot: 1,
    about: 'Assessed value of land and buildings, US dollars.',
  },
  assessedLandValue: { type: 'integer', slot: 2, about: 'Assessed value of the land, US dollars.' },
  assessedBuildingValue: {
    type: 'integer',
    slot: 3,
    about: 'Assessed value of the buildings, US dollars.',
  },
  totalMarketValue: {
    type: 'integer',
    slot: 4,
    about: 'Market value of land and buildings, US dollars.',
  },
  taxAmount: { type: 'number', slot: 5, about: 'Property tax of the year, US dollars.' },
  totalLandValue: { type: 'integer', slot: 6, about: 'Market value of the land, US dollars.' },
  totalBuildingValue: {
    type: 'integer',
    slot: 7,
    about: 'Market value of the buildings, US dollars.',
  },
  taxValue: { type: 'number', same: 'taxAmount', nested: null, about: 'The same as `taxAmount`.' },
  assessedYear: { type: 'integer', slot: 8, about: 'Year of the assessed values.' },
  marketValueYear: { type: 'integer', slot: 9, about: 'Year of the market values.' },
  taxYear: { type: 'integer', slot: 10, about: 'Year of the tax.' },
} as const satisfies Fields

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
export const ALWAYS_NULL = {
  modelValue: 'Estimated value.',
  modelValueMin: 'Lower end of the estimated value.',
  modelValueMax: 'Upper end of the estimated value.',
  lenderName: 'Lender of the newest loan.',
  totalLienCount: 'Number of open liens.',
  totalLienBalance: 'Balance of open liens.',
  totalFinancingHistCount: 'Number of loans ever recorded.',
  LTVCurrentEstCombined: 'Estimated loan-to-value ratio of all loans.',
  LTVCurrentEstRange: 'Range of the estimated loan-to-value ratio.',
  LTVPurchase: 'Loan-to-value ratio at purchase.',
  equityCurrentEstBal: 'Estimated equity.',
  equityCurrentEstRange: 'Range of the estimated equity.',
  forecloseCode: 'Code of a foreclosure.',
  forecloseRecordDate: 'Date on which a foreclosure was recorded.',
  forecloseFileDate: 'Date on which a foreclosure was filed.',
  forecloseCaseNum: 'Case number of a foreclosure.',
  auctionDate: 'Date of an auction.',
  ownerOriginCode: 'Code of the origin of the owner.',
  poolCode: 'Code of the kind of pool.',
  floorType: 'Kind of floor.',
  roofStyle: 'Style of the roof.',
  lotCode: 'Code of the lot.',
  landLot: 'Land lot.',
  phaseNum: 'Phase of the subdivision.',
  tractNum: 'Tract of the subdivision.',
  citySection: 'Section of the city.',
} as const satisfies Record<string, string>

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
