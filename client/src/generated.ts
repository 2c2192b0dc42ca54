// Written by `npm run client-types` from the OpenAPI document. Do not edit.
import type { PropertyList } from './list.ts'
import type { CallOptions, Query, WithMeta } from './request.ts'
export type FlatProperty = {
  /** Id of the record, 24 hex digits; assigned in increasing order and never reused. */
  _id: string
  /** The record's id as text of at most 15 digits. */
  siteId?: string
  /** The same as the durable key of the parcel. */
  realieParcelId?: string
  /** When this record last changed in this database, UTC. */
  lastUpdated?: string
  /** The stable ID of a property: five-digit county FIPS code, `-`, the parcel ID as recorded. Where municipalities number their own parcels, the municipality is between them. It is the same again if a parcel is removed and imported later. */
  propertyId: string
  /** The parcel ID as recorded by the county's assessor. */
  parcelId?: string
  /** The letters and digits of the parcel ID, in upper case. */
  parcelIdStripped?: string
  /** State and recorded parcel ID: `WI-0709-123-0101-4`. */
  state_parcelId?: string | null
  /** State and parcel ID without punctuation: `WI-070912301014`. */
  state_parcelIdSTD?: string | null
  /** Alternate IDs of the parcel, as recorded; a lookup searches them after parcel IDs and before former IDs. */
  altParcelIds?: Array<string>
  /** Number of the tax account, as recorded. */
  taxAccountNumber?: string | null
  /** State of the parcel, two letters. */
  state?: string | null
  /** County by its Census name without `County` and the like, in upper case; an independent city keeps `CITY`. */
  county?: string | null
  /** FIPS code of the state, two digits. */
  fipsState?: string
  /** FIPS code of the county within its state, three digits. */
  fipsCounty?: string
  /** The municipality that taxes the parcel, as recorded. */
  jurisdiction?: string | null
  /** IDs under which the land was recorded before: retired lots, parents of a split. */
  formerParcelIds?: Array<string>
  /** Both recorded owner names, joined with `; `. */
  ownerName?: string | null
  /** First owner name, as recorded. */
  ownerName1?: string | null
  /** Second owner name, as recorded. */
  ownerName2?: string | null
  /** Kind of owner, from the roll, otherwise inferred from the words of the name. */
  ownerType?: 'individual' | 'company' | 'trust' | 'government' | 'unknown' | null
  /** "Care of" name of the mailing address; not an owner. */
  ownerCareOf?: string | null
  /** Whether the owner lives there: the mailing address is the address of the parcel, or the roll has a homestead flag. Null if neither is known. */
  ownerOccupied?: boolean | null
  /** Date of acquisition by the owner; by default the date of the newest transfer. */
  ownershipStartDate?: string | null
  /** Street line of the owner's mailing address. */
  ownerAddressLine1?: string | null
  /** Street line of the owner's mailing address. */
  ownerStreet?: string | null
  /** City of the owner's mailing address. */
  ownerCity?: string | null
  /** State of the owner's mailing address, as recorded. */
  ownerState?: string | null
  /** ZIP code of the owner's mailing address, five digits. */
  ownerZipCode?: string | null
  /** ZIP+4 of the owner's mailing address; flat: whole, `53703-1234`; nested: the four digits alone, `1234`. */
  ownerZipCodePlusFour?: string | null
  /** Country of the owner's mailing address, as recorded. */
  ownerCountry?: string | null
  /** The same as `ownerAddressLine1`. */
  mailerAddress?: string | null
  /** The same as `ownerAddressLine1`. */
  mailingAddress?: string | null
  /** The same as `ownerCity`. */
  mailingCity?: string | null
  /** The same as `ownerState`. */
  mailingState?: string | null
  /** The same as `ownerZipCode`. */
  mailingZip5?: string | null
  /** Number of parcels of the same canonical owner in the state, this parcel included. Null without an owner, or for a person of whom only the surname is recorded. */
  ownerParcelCount?: number | null
  /** Number of the owner's parcels in the state that are residential. */
  ownerResCount?: number | null
  /** Number of the owner's parcels in the state that are not residential; those of unknown use are not counted. */
  ownerComCount?: number | null
  /** The owner's mailing address in one line. */
  ownerAddressFull?: string | null
  /** Situs line 1 without its unit, as USPS Publication 28 writes it. */
  address?: string | null
  /** Situs line 1 without its unit, as USPS Publication 28 writes it. */
  addressLine1?: string | null
  /** Situs line 1 as recorded. */
  addressRaw?: string | null
  /** Situs line 1 with its unit. */
  addressUnit?: string | null
  /** House number and street with the street type spelled out: `123 MAIN STREET`; null without a number or a street. */
  addressFormal?: string | null
  /** The situs address in one line, with unit, city, state and ZIP. */
  addressFull?: string | null
  /** The situs address in one line, as standardized here. */
  addressFullUSPS?: string | null
  /** Further situs addresses of the parcel, standardized; a lookup searches them too. */
  altAddresses?: Array<string>
  /** House number; of a range, the lower one. */
  streetNumber?: string | null
  /** The other end of a range of house numbers. */
  streetNumberHigh?: string | null
  /** Direction before the street name: `N`, `SE`. */
  streetDirectionPrefix?: string | null
  /** Street name alone. */
  streetName?: string | null
  /** Street suffix in the abbreviation of Publication 28: `AVE`. */
  streetType?: string | null
  /** Direction after the street name. */
  streetDirectionSuffix?: string | null
  /** Directions, street name and street type, joined. */
  street?: string | null
  /** Kind of unit: `APT`. */
  unitType?: string | null
  /** Unit without its kind: `2B`. */
  unitNumberStripped?: string | null
  /** Unit with its kind: `APT 2B`. */
  unitNumber?: string | null
  /** City of the site, as recorded. */
  city?: string | null
  /** City of the site, as recorded. */
  cityUSPS?: string | null
  /** The same as `county`. */
  countyUSPS?: string | null
  /** ZIP code of the site, five digits. */
  zipCode?: string | null
  /** ZIP+4 of the site, whole: `53703-1234`. */
  zipCodePlusFour?: string | null
  /** Whether the site has a street number and a street name; null where the mapping of the roll reads no site address. */
  addressAssigned?: boolean | null
  /** Latitude, WGS84 degrees. */
  latitude?: number | null
  /** Longitude, WGS84 degrees. */
  longitude?: number | null
  /** Longitude and latitude as a GeoJSON Point, longitude first, WGS84 degrees. */
  location?: {
    /** As RFC 7946 names it. */
    type: 'Point'
    /** Longitude and latitude, WGS 84 degrees. */
    coordinates: Array<number>
  } | null
  /** GeoJSON MultiPolygon (nested: Polygon or MultiPolygon), WGS84 degrees, longitude first; where polygons were loaded (`import --geometry`). */
  geometry?: {
    /** As RFC 7946 names it. */
    type: 'MultiPolygon'
    /** Rings of longitude and latitude, WGS 84 degrees. */
    coordinates: Array<Array<Array<Array<number>>>>
  } | null
  /** Census tract of the site: county FIPS code and tract with its dot, `311090002.01`; with the block after it where that is known, `133219504.004086`. */
  siteCensusTract?: string | null
  /** The assessor's neighborhood, as recorded. */
  neighborhood?: string | null
  /** Ward of the municipality, as recorded. */
  ward?: string | null
  /** District of the municipality (community, council or tax district), as recorded. */
  districtNum?: string | null
  /** Use code of the national scheme, four digits, the same for all rolls. 10xx are dwellings, 11xx several dwellings, 2xxx retail, 3xxx offices, 4xxx recreation. 5xxx and 6xxx are industry, 7xxx agriculture, 8xxx vacant land, 9xxx exempt. Null if unknown. With the fact `useCodes=recorded` the code as recorded. */
  useCode?: string | null
  /** What the roll's use code means, as recorded or by the code table of the mapping. */
  useDescription?: string | null
  /** Use code as recorded: the state's or the roll's own. With the fact `useCodes=recorded` the second recorded code. */
  useCodeLocal?: string | null
  /** Second use code as recorded: the county's own, where the roll also has the state's. */
  useCodeLocal2?: string | null
  /** Whether the use is a dwelling, by its use code; without one, by the code table of the mapping. */
  residential?: boolean | null
  /** Use code of the national scheme, also with the fact `useCodes=recorded`. */
  useStandardCode?: string | null
  /** What the code of the national scheme means: `single-family house`. */
  useStandardDescription?: string | null
  /** Whether it is a condominium, by the use code; if that only says residential, true if the parcel is a unit of a building. Null if the use is unknown. */
  condo?: boolean | null
  /** Number of buildings; by default the number of buildings listed, if several are. */
  buildingCount?: number | null
  /** Number of dwellings. */
  unitCount?: number | null
  /** Number of units of all uses, including dwellings. */
  totalUnitCount?: number | null
  /** Floor area in residential use, square feet. */
  residentialArea?: number | null
  /** Floor area in commercial use, square feet, including retail and office. */
  commercialArea?: number | null
  /** Floor area in retail use, square feet. */
  retailArea?: number | null
  /** Floor area in office use, square feet. */
  officeArea?: number | null
  /** Building area in square feet; the living area if it is recorded separately. The sum over all buildings. */
  buildingArea?: number | null
  /** The same as `buildingArea`, square feet. The sum over all buildings. */
  livingArea?: number | null
  /** Year in which it was built. That of the largest building. */
  yearBuilt?: number | null
  /** Effective year built: the assessor's estimate by condition; not before the year built. That of the largest building. */
  effectiveYearBuilt?: number | null
  /** Number of stories. That of the first building for which it is known. */
  stories?: number | null
  /** Number of bedrooms. The sum over all buildings. */
  totalBedrooms?: number | null
  /** Number of bathrooms; half baths count 0.5. The sum over all buildings. */
  totalBathrooms?: number | null
  /** Construction material, as recorded; the architectural style is `style`. That of the first building for which it is known. */
  constructionType?: string | null
  /** Exterior walls, as recorded. That of the first building for which it is known. */
  wallType?: string | null
  /** Roof, as recorded. That of the first building for which it is known. */
  roofType?: string | null
  /** Foundation, as recorded. That of the first building for which it is known. */
  foundationType?: string | null
  /** Basement, as recorded. That of the first building for which it is known. */
  basementType?: string | null
  /** Heating, as recorded. That of the first building for which it is known. */
  heatingType?: string | null
  /** Cooling, as recorded. That of the first building for which it is known. */
  coolingType?: string | null
  /** Whether there is a garage: `garageCount` is more than 0. */
  garage?: boolean | null
  /** Number of garages or of their spaces, as the roll counts them. The sum over all buildings. */
  garageCount?: number | null
  /** Whether there is a fireplace, by their count. */
  fireplace?: boolean | null
  /** Number of fireplaces. The sum over all buildings. */
  fireplaceCount?: number | null
  /** Whether there is a pool. true if any building has it. */
  pool?: boolean | null
  /** Number of rooms. The sum over all buildings. */
  totalRooms?: number | null
  /** Architectural style, as recorded: `RANCH`. What it is built of is `constructionType`. That of the first building for which it is known. */
  buildingStyle?: string | null
  /** Fuel of the heating, as recorded. That of the first building for which it is known. */
  heatingFuel?: string | null
  /** Kind of garage, as recorded. That of the first building for which it is known. */
  garageType?: string | null
  /** Width of the building along the street, feet. That of the first building for which it is known. */
  buildingFrontage?: number | null
  /** Depth of the building, feet. That of the first building for which it is known. */
  buildingDepth?: number | null
  /** Condition, as recorded. That of the first building for which it is known. */
  condition?: string | null
  /** Quality grade, as recorded. That of the first building for which it is known. */
  quality?: string | null
  /** Land area in acres; computed from `landArea` if only that is recorded. */
  acres?: number | null
  /** The same as `acres`. */
  deedAcres?: number | null
  /** Land area in acres by the polygon; where polygons were loaded. */
  calculatedAcres?: number | null
  /** Land area in square feet; made of `acres` where only that is recorded. */
  landArea?: number | null
  /** The same as `landArea`, square feet. */
  lotSizeArea?: number | null
  /** Frontage in feet. */
  frontage?: number | null
  /** Depth of the lot in feet. */
  depthSize?: number | null
  /** Legal description, as recorded. */
  legalDesc?: string | null
  /** Subdivision, as recorded. */
  subdivision?: string | null
  /** Block, as recorded. */
  blockNum?: string | null
  /** Lot, as recorded. */
  lotNum?: string | null
  /** Section, township and range, joined with `-`. */
  secTwnRng?: string | null
  /** Zoning code, as recorded. */
  zoningCode?: string | null
  /** What the zoning code means, as recorded. */
  zoningDescription?: string | null
  /** Further zoning districts, overlays and special districts of the parcel. */
  furtherZoning?: Array<string>
  /** Historic district, as recorded. */
  historicDistrict?: string | null
  /** Landmark status, as recorded. */
  landmark?: string | null
  /** Floor area that is built, divided by land area. */
  builtFloorAreaRatio?: number | null
  /** Largest residential floor area that zoning permits, divided by land area. */
  residentialFloorAreaRatio?: number | null
  /** Largest commercial floor area that zoning permits, divided by land area. */
  commercialFloorAreaRatio?: number | null
  /** Largest floor area for community facilities that zoning permits, divided by land area. */
  facilityFloorAreaRatio?: number | null
  /** Year of the assessed values; by default the roll year. */
  assessedYear?: number | null
  /** Assessed value of the land, US dollars. */
  assessedLandValue?: number | null
  /** Assessed value of the buildings, US dollars. */
  assessedBuildingValue?: number | null
  /** Assessed value of land and buildings, US dollars. */
  totalAssessedValue?: number | null
  /** Assessed value after exemptions, US dollars. */
  taxableValue?: number | null
  /** Sum of the exemptions, US dollars. */
  exemptionAmount?: number | null
  /** Homestead exemption, US dollars; 0 where the roll says that there is none. */
  homesteadExemption?: number | null
  /** Year of the market values; by default the roll year. */
  marketValueYear?: number | null
  /** Market value of the land, US dollars. */
  totalLandValue?: number | null
  /** Market value of the buildings, US dollars. */
  totalBuildingValue?: number | null
  /** Market value of land and buildings, US dollars. */
  totalMarketValue?: number | null
  /** Kind of the value, if the roll has only one: `market`, `assessed`, `just` or `appraised`. */
  valueType?: string | null
  /** Year of the tax; by default the roll year. */
  taxYear?: number | null
  /** Property tax of the year, US dollars. */
  taxValue?: number | null
  /** Tax rate area, as recorded. */
  taxRateCodeArea?: string | null
  /** School district, as recorded. */
  schoolDistrict?: string | null
  /** Date of the transfer; day 01 where only the month is known. Of the newest transfer. */
  transferDate?: string | null
  /** The date of the transfer as a date-time: `2019-05-07T00:00:00.000Z`. Of the newest transfer. */
  transferDateObject?: string | null
  /** Price, US dollars; 0 if the roll has 0. Of the newest transfer. */
  transferPrice?: number | null
  /** Date on which the document was recorded. Of the newest transfer. */
  recordingDate?: string | null
  /** Kind of document: `WD`, `QC`, `GD`, `SW`, `TD`; the usual abbreviation of what the roll spells out, else as recorded. Of the newest transfer. */
  transferDocType?: string | null
  /** Number of the document, as recorded. Of the newest transfer. */
  transferDocNum?: string | null
  /** Deed book in which the document is recorded. Of the newest transfer. */
  bookNum?: string | null
  /** Page of the deed book. Of the newest transfer. */
  pageNum?: string | null
  /** Grantor (seller), as recorded. Of the newest transfer. */
  grantor?: string | null
  /** Grantee (buyer), as recorded. Of the newest transfer. */
  grantee?: string | null
  /** The roll's own code for how the sale qualifies as a market sale. Of the newest transfer. */
  saleQualificationCode?: string | null
  /** The same as `saleQualificationCode`. Of the newest transfer. */
  saleCode?: string | null
  /** Code of the kind of buyer, as recorded. Of the newest transfer. */
  buyerIDCode?: string | null
  /** Code of the vesting of the buyers, as recorded. Of the newest transfer. */
  buyerVestingCode?: string | null
  /** Kind of document as recorded, where that is not `transferDocType`: `WARRANTY DEED`. Of the newest transfer. */
  transferDocTypeRecorded?: string | null
  /** Recorded transfers of ownership, newest first. */
  transfers?: Array<{
    /** Date of the transfer; day 01 where only the month is known. */
    transferDate?: string | null
    /** The date of the transfer as a date-time: `2019-05-07T00:00:00.000Z`. */
    transferDateObject?: string | null
    /** Price, US dollars; 0 if the roll has 0. */
    transferPrice?: number | null
    /** Date on which the document was recorded. */
    recordingDate?: string | null
    /** Kind of document: `WD`, `QC`, `GD`, `SW`, `TD`; the usual abbreviation of what the roll spells out, else as recorded. */
    transferDocType?: string | null
    /** Number of the document, as recorded. */
    transferDocNum?: string | null
    /** Deed book in which the document is recorded. */
    bookNum?: string | null
    /** Page of the deed book. */
    pageNum?: string | null
    /** Grantor (seller), as recorded. */
    grantor?: string | null
    /** Grantee (buyer), as recorded. */
    grantee?: string | null
    /** The roll's own code for how the sale qualifies as a market sale. */
    saleQualificationCode?: string | null
    /** The same as `saleQualificationCode`. */
    saleCode?: string | null
    /** Code of the kind of buyer, as recorded. */
    buyerIDCode?: string | null
    /** Code of the vesting of the buyers, as recorded. */
    buyerVestingCode?: string | null
    /** Kind of document as recorded, where that is not `transferDocType`: `WARRANTY DEED`. */
    transferDocTypeRecorded?: string | null
  }>
  /** Price of the newest transfer, US dollars. */
  salePriceLastTransfer?: number | null
  /** Price of the newest transfer, US dollars. */
  assessorSalePrice?: number | null
  /** Date on which the newest transfer was recorded. */
  assessorSaleRecordingDate?: string | null
  /** Date of the newest transfer with a price above 0. */
  purchaseSaleDate?: string | null
  /** Date on which the newest transfer with a price above 0 was recorded. */
  purchaseRecordingDate?: string | null
  /** Values of each roll year that was loaded, newest first. */
  assessments?: Array<{
    /** Roll year of these values. */
    year?: number | null
    /** Assessed value of land and buildings, US dollars. */
    totalAssessedValue?: number | null
    /** Assessed value of the land, US dollars. */
    assessedLandValue?: number | null
    /** Assessed value of the buildings, US dollars. */
    assessedBuildingValue?: number | null
    /** Market value of land and buildings, US dollars. */
    totalMarketValue?: number | null
    /** Property tax of the year, US dollars. */
    taxAmount?: number | null
    /** Market value of the land, US dollars. */
    totalLandValue?: number | null
    /** Market value of the buildings, US dollars. */
    totalBuildingValue?: number | null
    /** The same as `taxAmount`. */
    taxValue?: number | null
    /** Year of the assessed values. */
    assessedYear?: number | null
    /** Year of the market values. */
    marketValueYear?: number | null
    /** Year of the tax. */
    taxYear?: number | null
  }>
  /** Name of the roll from which the record comes. */
  sourceName?: string | null
  /** Name or terms of the license under which the roll is published. */
  sourceLicense?: string | null
  /** Year of the roll. */
  sourceRollYear?: number | null
  /** When this record last changed in this database, UTC. */
  updatedAt?: string
  /** The roll's own columns that its mapping keeps, as text. */
  extra?: Record<string, unknown>
  /** What the operator hides of this parcel because a law or an order demands it: `owner`, `address`; its fields are null. */
  suppressed?: Array<string>
  /** Estimated value. Always null: no assessor's roll holds it. */
  modelValue?: null
  /** Lower end of the estimated value. Always null: no assessor's roll holds it. */
  modelValueMin?: null
  /** Upper end of the estimated value. Always null: no assessor's roll holds it. */
  modelValueMax?: null
  /** Lender of the newest loan. Always null: no assessor's roll holds it. */
  lenderName?: null
  /** Number of open liens. Always null: no assessor's roll holds it. */
  totalLienCount?: null
  /** Balance of open liens. Always null: no assessor's roll holds it. */
  totalLienBalance?: null
  /** Number of loans ever recorded. Always null: no assessor's roll holds it. */
  totalFinancingHistCount?: null
  /** Estimated loan-to-value ratio of all loans. Always null: no assessor's roll holds it. */
  LTVCurrentEstCombined?: null
  /** Range of the estimated loan-to-value ratio. Always null: no assessor's roll holds it. */
  LTVCurrentEstRange?: null
  /** Loan-to-value ratio at purchase. Always null: no assessor's roll holds it. */
  LTVPurchase?: null
  /** Estimated equity. Always null: no assessor's roll holds it. */
  equityCurrentEstBal?: null
  /** Range of the estimated equity. Always null: no assessor's roll holds it. */
  equityCurrentEstRange?: null
  /** Code of a foreclosure. Always null: no assessor's roll holds it. */
  forecloseCode?: null
  /** Date on which a foreclosure was recorded. Always null: no assessor's roll holds it. */
  forecloseRecordDate?: null
  /** Date on which a foreclosure was filed. Always null: no assessor's roll holds it. */
  forecloseFileDate?: null
  /** Case number of a foreclosure. Always null: no assessor's roll holds it. */
  forecloseCaseNum?: null
  /** Date of an auction. Always null: no assessor's roll holds it. */
  auctionDate?: null
  /** Code of the origin of the owner. Always null: no assessor's roll holds it. */
  ownerOriginCode?: null
  /** Code of the kind of pool. Always null: no assessor's roll holds it. */
  poolCode?: null
  /** Kind of floor. Always null: no assessor's roll holds it. */
  floorType?: null
  /** Style of the roof. Always null: no assessor's roll holds it. */
  roofStyle?: null
  /** Code of the lot. Always null: no assessor's roll holds it. */
  lotCode?: null
  /** Land lot. Always null: no assessor's roll holds it. */
  landLot?: null
  /** Phase of the subdivision. Always null: no assessor's roll holds it. */
  phaseNum?: null
  /** Tract of the subdivision. Always null: no assessor's roll holds it. */
  tractNum?: null
  /** Section of the city. Always null: no assessor's roll holds it. */
  citySection?: null
  /** Of the transfer before the newest one. On v2 reads only. */
  pastPriceSale?: number | null
  /** Of the transfer before the newest one. On v2 reads only. */
  pastPriceTransfer?: number | null
  /** Of the transfer before the newest one. On v2 reads only. */
  pastSaleDateTransfer?: string | null
  /** Of the transfer before the newest one. On v2 reads only. */
  pastRecoDateSale?: string | null
  /** Of the transfer before the newest one. On v2 reads only. */
  pastDocumentTypeSale?: string | null
  /** Of the transfer before the newest one. On v2 reads only. */
  priorSalesDate?: string | null
  /** Of the newest transfer. On v2 reads only. */
  saleDocumentTypeLastSale?: string | null
  /** Of the newest transfer. On v2 reads only. */
  saleBookLastSale?: string | null
  /** First given name of the first owner, if that is a person. On v2 reads only. */
  owner1FirstName?: string | null
  /** Surname of the first owner, if that is a person. On v2 reads only. */
  owner1LastName?: string | null
}
export type NestedProperty = {
  /** Id of the record, 24 hex digits; assigned in increasing order and never reused. */
  id: string
  /** The same as the durable key of the parcel. */
  realieParcelId?: string
  /** The parcel ID as recorded by the county's assessor. */
  parcelId?: string
  /** Latitude, WGS84 degrees. */
  latitude?: number | null
  /** Longitude, WGS84 degrees. */
  longitude?: number | null
  /** When this record last changed in this database, UTC. */
  lastUpdated?: string
  /** Which parcel this is, and who owns it. */
  propertyIdentification: {
    /** The stable ID of a property: five-digit county FIPS code, `-`, the parcel ID as recorded. Where municipalities number their own parcels, the municipality is between them. It is the same again if a parcel is removed and imported later. */
    propertyId: string
    /** The parcel ID as recorded by the county's assessor. */
    parcelId?: string
    /** The letters and digits of the parcel ID, in upper case. */
    parcelIdNormalized?: string
    /** Alternate IDs of the parcel, as recorded; a lookup searches them after parcel IDs and before former IDs. */
    alternateParcelIds?: Array<string>
    /** Number of the tax account, as recorded. */
    taxAccountNumber?: string | null
    /** State of the parcel, two letters. */
    state?: string | null
    /** County by its Census name without `County` and the like, in upper case; an independent city keeps `CITY`. */
    county?: string | null
    /** FIPS code of the state, two digits. */
    fipsState?: string
    /** FIPS code of the county within its state, three digits. */
    fipsCounty?: string
    /** The municipality that taxes the parcel, as recorded. */
    jurisdiction?: string | null
    /** IDs under which the land was recorded before: retired lots, parents of a split. */
    formerParcelIds?: Array<string>
    /** The owners of record, and their mailing address. */
    currentOwner?: {
      /** First owner name, as recorded. */
      ownerName?: string | null
      /** Second owner name, as recorded. */
      ownerName2?: string | null
      /** Kind of owner, from the roll, otherwise inferred from the words of the name. */
      ownerType?: 'individual' | 'company' | 'trust' | 'government' | 'unknown' | null
      /** "Care of" name of the mailing address; not an owner. */
      careOf?: string | null
      /** Whether the owner lives there: the mailing address is the address of the parcel, or the roll has a homestead flag. Null if neither is known. */
      ownerOccupied?: boolean | null
      /** Date of acquisition by the owner; by default the date of the newest transfer. */
      ownershipStartDate?: string | null
      /** Street line of the owner's mailing address. */
      ownerStreet?: string | null
      /** City of the owner's mailing address. */
      ownerCity?: string | null
      /** State of the owner's mailing address, as recorded. */
      ownerState?: string | null
      /** ZIP code of the owner's mailing address, five digits. */
      ownerZipCode?: string | null
      /** ZIP+4 of the owner's mailing address; flat: whole, `53703-1234`; nested: the four digits alone, `1234`. */
      ownerZipCodePlusFour?: string | null
      /** Country of the owner's mailing address, as recorded. */
      ownerCountry?: string | null
    }
  }
  /** Where the parcel lies. */
  propertyLocation?: {
    /** Situs line 1 without its unit, as USPS Publication 28 writes it. */
    address?: string | null
    /** Situs line 1 without its unit, as USPS Publication 28 writes it. */
    addressLine1?: string | null
    /** Situs line 1 as recorded. */
    addressRaw?: string | null
    /** Situs line 1 with its unit. */
    addressUnit?: string | null
    /** The situs address in one line, with unit, city, state and ZIP. */
    addressFull?: string | null
    /** The situs address in one line, as standardized here. */
    addressFullUSPS?: string | null
    /** Further situs addresses of the parcel, standardized; a lookup searches them too. */
    alternateAddresses?: Array<string>
    /** House number; of a range, the lower one. */
    streetNumber?: string | null
    /** The other end of a range of house numbers. */
    streetNumberHigh?: string | null
    /** Direction before the street name: `N`, `SE`. */
    streetDirectionPrefix?: string | null
    /** Street name alone. */
    streetName?: string | null
    /** Street suffix in the abbreviation of Publication 28: `AVE`. */
    streetType?: string | null
    /** Direction after the street name. */
    streetDirectionSuffix?: string | null
    /** Kind of unit: `APT`. */
    unitType?: string | null
    /** Unit without its kind: `2B`. */
    unitNumberStripped?: string | null
    /** Unit with its kind: `APT 2B`. */
    unitNumber?: string | null
    /** City of the site, as recorded. */
    city?: string | null
    /** State of the parcel, two letters. */
    state?: string | null
    /** County by its Census name, in upper case. */
    county?: string | null
    /** ZIP code of the site, five digits. */
    zipCode?: string | null
    /** ZIP+4 of the site, whole: `53703-1234`. */
    zipCodePlusFour?: string | null
    /** Whether the site has a street number and a street name; null where the mapping of the roll reads no site address. */
    addressAssigned?: boolean | null
    /** Latitude, WGS84 degrees. */
    latitude?: number | null
    /** Longitude, WGS84 degrees. */
    longitude?: number | null
    /** GeoJSON MultiPolygon (nested: Polygon or MultiPolygon), WGS84 degrees, longitude first; where polygons were loaded (`import --geometry`). */
    geometry?: {
      /** As RFC 7946 names it. */
      type: 'Polygon' | 'MultiPolygon'
      /** Rings of longitude and latitude, WGS 84 degrees. */
      coordinates: Array<Array<Array<number>>> | Array<Array<Array<Array<number>>>>
    } | null
    /** Census tract of the site: county FIPS code and tract with its dot, `311090002.01`; with the block after it where that is known, `133219504.004086`. */
    censusTract?: string | null
    /** The assessor's neighborhood, as recorded. */
    neighborhood?: string | null
    /** Ward of the municipality, as recorded. */
    ward?: string | null
    /** District of the municipality (community, council or tax district), as recorded. */
    district?: string | null
  }
  /** What the parcel is used for. */
  propertyClassification?: {
    /** Use code of the national scheme, four digits, the same for all rolls. 10xx are dwellings, 11xx several dwellings, 2xxx retail, 3xxx offices, 4xxx recreation. 5xxx and 6xxx are industry, 7xxx agriculture, 8xxx vacant land, 9xxx exempt. Null if unknown. With the fact `useCodes=recorded` the code as recorded. */
    propertyUseCode?: string | null
    /** What the roll's use code means, as recorded or by the code table of the mapping. */
    propertyUseDescription?: string | null
    /** Use code as recorded: the state's or the roll's own. With the fact `useCodes=recorded` the second recorded code. */
    localUseCode?: string | null
    /** Second use code as recorded: the county's own, where the roll also has the state's. */
    localUseCode2?: string | null
    /** Whether the use is a dwelling, by its use code; without one, by the code table of the mapping. */
    residential?: boolean | null
    /** Use code of the national scheme, also with the fact `useCodes=recorded`. */
    useStandardCode?: string | null
    /** What the code of the national scheme means: `single-family house`. */
    useStandardDescription?: string | null
    /** Whether it is a condominium, by the use code; if that only says residential, true if the parcel is a unit of a building. Null if the use is unknown. */
    condominium?: boolean | null
  }
  /** The buildings, and numbers over all of them. */
  buildingInformation?: {
    /** Number of buildings; by default the number of buildings listed, if several are. */
    buildingCount?: number | null
    /** Number of dwellings. */
    unitCount?: number | null
    /** Number of units of all uses, including dwellings. */
    totalUnitCount?: number | null
    /** Floor area in residential use, square feet. */
    residentialArea?: number | null
    /** Floor area in commercial use, square feet, including retail and office. */
    commercialArea?: number | null
    /** Floor area in retail use, square feet. */
    retailArea?: number | null
    /** Floor area in office use, square feet. */
    officeArea?: number | null
    /** The buildings; empty on vacant land. */
    buildings?: Array<{
      /** Building area in square feet; the living area if it is recorded separately. */
      buildingArea?: number | null
      /** Year in which it was built. */
      actualYearBuilt?: number | null
      /** Effective year built: the assessor's estimate by condition; not before the year built. */
      effectiveYearBuilt?: number | null
      /** Number of stories. */
      stories?: number | null
      /** Number of bedrooms. */
      bedrooms?: number | null
      /** Number of bathrooms; half baths count 0.5. */
      bathrooms?: number | null
      /** Construction material, as recorded; the architectural style is `style`. */
      constructionType?: string | null
      /** Exterior walls, as recorded. */
      wallType?: string | null
      /** Roof, as recorded. */
      roofType?: string | null
      /** Foundation, as recorded. */
      foundationType?: string | null
      /** Basement, as recorded. */
      basementType?: string | null
      /** Heating, as recorded. */
      heatingType?: string | null
      /** Cooling, as recorded. */
      coolingType?: string | null
      /** Number of garages or of their spaces, as the roll counts them. */
      garageCount?: number | null
      /** Number of fireplaces. */
      fireplaceCount?: number | null
      /** Whether there is a pool. */
      pool?: boolean | null
      /** Number of rooms. */
      rooms?: number | null
      /** Architectural style, as recorded: `RANCH`. What it is built of is `constructionType`. */
      style?: string | null
      /** Fuel of the heating, as recorded. */
      heatingFuel?: string | null
      /** Kind of garage, as recorded. */
      garageType?: string | null
      /** Width of the building along the street, feet. */
      buildingFrontage?: number | null
      /** Depth of the building, feet. */
      buildingDepth?: number | null
      /** Condition, as recorded. */
      condition?: string | null
      /** Quality grade, as recorded. */
      quality?: string | null
    }>
  }
  /** Size, legal description and zoning. */
  landInformation?: {
    /** Land area in acres; computed from `landArea` if only that is recorded. */
    acres?: number | null
    /** The same as `acres`. */
    deedAcres?: number | null
    /** Land area in acres by the polygon; where polygons were loaded. */
    calculatedAcres?: number | null
    /** Land area in square feet; made of `acres` where only that is recorded. */
    landArea?: number | null
    /** Frontage in feet. */
    frontage?: number | null
    /** Depth of the lot in feet. */
    depth?: number | null
    /** Legal description, as recorded. */
    legalDescription?: string | null
    /** Subdivision, as recorded. */
    subdivision?: string | null
    /** Block, as recorded. */
    block?: string | null
    /** Lot, as recorded. */
    lot?: string | null
    /** Section of the Public Land Survey. */
    section?: string | null
    /** Township of the Public Land Survey. */
    township?: string | null
    /** Range of the Public Land Survey. */
    range?: string | null
    /** Zoning code, as recorded. */
    zoningCode?: string | null
    /** What the zoning code means, as recorded. */
    zoningDescription?: string | null
    /** Further zoning districts, overlays and special districts of the parcel. */
    furtherZoning?: Array<string>
    /** Historic district, as recorded. */
    historicDistrict?: string | null
    /** Landmark status, as recorded. */
    landmark?: string | null
    /** Floor area that is built, divided by land area. */
    builtFloorAreaRatio?: number | null
    /** Largest residential floor area that zoning permits, divided by land area. */
    residentialFloorAreaRatio?: number | null
    /** Largest commercial floor area that zoning permits, divided by land area. */
    commercialFloorAreaRatio?: number | null
    /** Largest floor area for community facilities that zoning permits, divided by land area. */
    facilityFloorAreaRatio?: number | null
  }
  /** The assessor's values of the newest year. */
  valuationInformation?: {
    /** Year of the assessed values; by default the roll year. */
    assessedYear?: number | null
    /** Assessed value of the land, US dollars. */
    assessedLandValue?: number | null
    /** Assessed value of the buildings, US dollars. */
    assessedBuildingValue?: number | null
    /** Assessed value of land and buildings, US dollars. */
    totalAssessedValue?: number | null
    /** Assessed value after exemptions, US dollars. */
    taxableValue?: number | null
    /** Sum of the exemptions, US dollars. */
    exemptionAmount?: number | null
    /** Homestead exemption, US dollars; 0 where the roll says that there is none. */
    homesteadExemption?: number | null
    /** Year of the market values; by default the roll year. */
    marketValueYear?: number | null
    /** Market value of the land, US dollars. */
    totalLandValue?: number | null
    /** Market value of the buildings, US dollars. */
    totalBuildingValue?: number | null
    /** Market value of land and buildings, US dollars. */
    totalMarketValue?: number | null
    /** Kind of the value, if the roll has only one: `market`, `assessed`, `just` or `appraised`. */
    valueType?: string | null
  }
  /** The tax of the newest year. */
  taxInformation?: {
    /** Year of the tax; by default the roll year. */
    taxYear?: number | null
    /** Property tax of the year, US dollars. */
    taxAmount?: number | null
    /** Tax rate area, as recorded. */
    taxRateCodeArea?: string | null
    /** School district, as recorded. */
    schoolDistrict?: string | null
  }
  /** Estimates of the value; always null. */
  realieValuation?: {
    /** An estimate by a model; always null. */
    ml?: {
      /** Always null: no estimate is part of a record. */
      value?: null
      /** Always null: no estimate is part of a record. */
      low?: null
      /** Always null: no estimate is part of a record. */
      high?: null
    }
    /** An estimate by comparable sales; always null. See the operation `comparables`. */
    comp?: {
      /** Always null: no estimate is part of a record. */
      value?: null
    }
  }
  /** Recorded transfers of ownership, newest first. */
  transfers?: Array<{
    /** Date of the transfer; day 01 where only the month is known. */
    transferDate?: string | null
    /** Price, US dollars; 0 if the roll has 0. */
    transferPrice?: number | null
    /** Date on which the document was recorded. */
    recordingDate?: string | null
    /** Kind of document: `WD`, `QC`, `GD`, `SW`, `TD`; the usual abbreviation of what the roll spells out, else as recorded. */
    documentType?: string | null
    /** Number of the document, as recorded. */
    documentNumber?: string | null
    /** Deed book in which the document is recorded. */
    book?: string | null
    /** Page of the deed book. */
    page?: string | null
    /** Grantor (seller), as recorded. */
    grantor?: string | null
    /** Grantee (buyer), as recorded. */
    grantee?: string | null
    /** The roll's own code for how the sale qualifies as a market sale. */
    saleCode?: string | null
    /** Code of the kind of buyer, as recorded. */
    buyerIDCode?: string | null
    /** Code of the vesting of the buyers, as recorded. */
    buyerVestingCode?: string | null
    /** Kind of document as recorded, where that is not `transferDocType`: `WARRANTY DEED`. */
    documentTypeRecorded?: string | null
  }>
  /** The same as `buildingInformation.buildings`. */
  buildings?: Array<{
    /** Building area in square feet; the living area if it is recorded separately. */
    buildingArea?: number | null
    /** Year in which it was built. */
    actualYearBuilt?: number | null
    /** Effective year built: the assessor's estimate by condition; not before the year built. */
    effectiveYearBuilt?: number | null
    /** Number of stories. */
    stories?: number | null
    /** Number of bedrooms. */
    bedrooms?: number | null
    /** Number of bathrooms; half baths count 0.5. */
    bathrooms?: number | null
    /** Construction material, as recorded; the architectural style is `style`. */
    constructionType?: string | null
    /** Exterior walls, as recorded. */
    wallType?: string | null
    /** Roof, as recorded. */
    roofType?: string | null
    /** Foundation, as recorded. */
    foundationType?: string | null
    /** Basement, as recorded. */
    basementType?: string | null
    /** Heating, as recorded. */
    heatingType?: string | null
    /** Cooling, as recorded. */
    coolingType?: string | null
    /** Number of garages or of their spaces, as the roll counts them. */
    garageCount?: number | null
    /** Number of fireplaces. */
    fireplaceCount?: number | null
    /** Whether there is a pool. */
    pool?: boolean | null
    /** Number of rooms. */
    rooms?: number | null
    /** Architectural style, as recorded: `RANCH`. What it is built of is `constructionType`. */
    style?: string | null
    /** Fuel of the heating, as recorded. */
    heatingFuel?: string | null
    /** Kind of garage, as recorded. */
    garageType?: string | null
    /** Width of the building along the street, feet. */
    buildingFrontage?: number | null
    /** Depth of the building, feet. */
    buildingDepth?: number | null
    /** Condition, as recorded. */
    condition?: string | null
    /** Quality grade, as recorded. */
    quality?: string | null
  }>
  /** Values of each roll year that was loaded, newest first. */
  assessments?: Array<{
    /** Roll year of these values. */
    year?: number | null
    /** Assessed value of land and buildings, US dollars. */
    totalAssessedValue?: number | null
    /** Assessed value of the land, US dollars. */
    assessedLandValue?: number | null
    /** Assessed value of the buildings, US dollars. */
    assessedBuildingValue?: number | null
    /** Market value of land and buildings, US dollars. */
    totalMarketValue?: number | null
    /** Property tax of the year, US dollars. */
    taxAmount?: number | null
    /** Market value of the land, US dollars. */
    totalLandValue?: number | null
    /** Market value of the buildings, US dollars. */
    totalBuildingValue?: number | null
    /** Year of the assessed values. */
    assessedYear?: number | null
    /** Year of the market values. */
    marketValueYear?: number | null
    /** Year of the tax. */
    taxYear?: number | null
  }>
  /** Always empty: rolls record no liens. */
  liens?: Array<unknown>
  /** Always empty: rolls record no foreclosures. */
  foreclosures?: Array<unknown>
  /** The roll that the record was read from. */
  source?: {
    /** Name of the roll from which the record comes. */
    name?: string | null
    /** Name or terms of the license under which the roll is published. */
    license?: string | null
    /** Year of the roll. */
    rollYear?: number | null
    /** When this record last changed in this database, UTC. */
    loadedAt?: string
  }
  /** The roll's own columns that its mapping keeps, as text. */
  extra?: Record<string, unknown>
  /** What the operator hides of this parcel because a law or an order demands it: `owner`, `address`; its fields are null. */
  suppressed?: Array<string>
}
/** Parameters and answers by operation. */
export type Operations = {
  /** Premium owner search */
  premiumOwnerSearch: {
    parameters: {
      /** Two-letter state abbreviation, in any case. */
      state: string
      /** Owner surname or company name, in any case. If nothing is found, the words are read as a full name: `Smith, John`, or either order without a comma. One of lastName and nameContains is required. */
      lastName?: string | undefined
      /** lastName is the beginning of a surname, at least three letters. */
      prefix?: boolean | undefined
      /** Prefix of the given name, used with lastName; an exact prefix also with fuzzy=true. */
      firstName?: string | undefined
      /** Words that one recorded owner name must all contain, in any order; whole words, no substrings. Only for accounts whose dataReads is v3. */
      nameContains?: string | undefined
      /** Allows one edit per word, except in its first two characters; for a lastName of one word and for nameContains. Only for accounts whose dataReads is v3. */
      fuzzy?: boolean | undefined
      /** true: also parcels that the name held in an earlier roll, after those that it holds now; metadata.held has the time of each. */
      former?: boolean | undefined
      /** County by name, with or without "County", or by three- or five-digit FIPS code. With an unrecognized county the answer is 404. */
      county?: string | undefined
      /** Results per page; larger values are capped at 25. */
      limit?: number | undefined
      /** Number of matched records to skip. */
      offset?: number | undefined
      /** Names of the fields to return, with commas between them, as the records of the account show them; the id and `propertyId` are always returned. Nested records take paths such as `propertyLocation.address`, or the name of a part. */
      fields?: string | undefined
      /** Adds an explanation: how the parameters were read, the steps of the search with their counts, and why other parcels were not returned. */
      explain?: boolean | undefined
      /** Where a 200 costs tokens: the same key, operation and query within 24 hours is charged once. */
      'Idempotency-Key'?: string | undefined
    }
    answer: {
      /** The records, in the order of the operation. */
      properties: Array<FlatProperty>
      metadata: {
        /** Applied page size; not with countOnly. */
        limit?: number
        /** Applied number of records skipped; offset mode only. */
        offset?: number
        /** Number of properties in this answer. */
        count?: number
        /** Opaque token for the next page, null on the last; cursor mode only. */
        nextCursor?: string | null
        /** With an offset above 0. */
        deprecationNotice?: string
        /** Center of the circle; only in a search by circle. */
        searchCenter?: {
          /** Degrees east in WGS 84; west is negative. */
          longitude: number
          /** Degrees north in WGS 84. */
          latitude: number
        }
        /** Radius of the circle in miles. */
        radiusMiles?: number
        /** Parcels over all pages, if asked for. */
        total?: number
        /** atLeast: the time limit came before all parcels were counted. */
        totalIs?: 'exact' | 'atLeast'
        /** Only with `former`: when the name held each property, the latest time first. */
        held?: Array<{
          /** Stable ID of the property. */
          propertyId: string
          /** Day of the first roll that says so. */
          from: string | null
          /** Day of the roll that ended it; null: held. */
          to: string | null
        }>
        explain?: {
          /** The explanation in sentences, for people. */
          words: Array<string>
          /** How the parameters were read. */
          read?: unknown
          /** The steps of the search in order, each with the number of parcels it found. */
          tried?: Array<Record<string, unknown>>
          /** Owner search only: the exact search, then the fuzzy one. */
          rounds?: Array<Record<string, unknown>>
          /** Owner search: pairs of a word of the query and the recorded word that it matches. Portfolio: the parcels of the page, each with its reason. */
          met?: Array<Record<string, unknown>>
          /** Parcels or values that were not returned, each with the reason. */
          leftOut?: Array<Record<string, unknown> | string>
          provenance?: {
            /** Why nothing is known; then without the rest. */
            missing?: string
            /** The import that wrote the record. */
            import?: {
              /** Number in the history. */
              id: number
              /** When it was loaded, UTC. */
              loadedAt: string
              /** Name of its mapping. */
              mapping: string
              /** Whether its rows were kept. */
              keepsSource: boolean
            }
            /** By the path of each value in the record: `transfers[0].transferPrice`. */
            values?: Record<string, unknown>
          }
        }
      }
    }
    metadata: {
      /** Applied page size; not with countOnly. */
      limit?: number
      /** Applied number of records skipped; offset mode only. */
      offset?: number
      /** Number of properties in this answer. */
      count?: number
      /** Opaque token for the next page, null on the last; cursor mode only. */
      nextCursor?: string | null
      /** With an offset above 0. */
      deprecationNotice?: string
      /** Center of the circle; only in a search by circle. */
      searchCenter?: {
        /** Degrees east in WGS 84; west is negative. */
        longitude: number
        /** Degrees north in WGS 84. */
        latitude: number
      }
      /** Radius of the circle in miles. */
      radiusMiles?: number
      /** Parcels over all pages, if asked for. */
      total?: number
      /** atLeast: the time limit came before all parcels were counted. */
      totalIs?: 'exact' | 'atLeast'
      /** Only with `former`: when the name held each property, the latest time first. */
      held?: Array<{
        /** Stable ID of the property. */
        propertyId: string
        /** Day of the first roll that says so. */
        from: string | null
        /** Day of the roll that ended it; null: held. */
        to: string | null
      }>
      explain?: {
        /** The explanation in sentences, for people. */
        words: Array<string>
        /** How the parameters were read. */
        read?: unknown
        /** The steps of the search in order, each with the number of parcels it found. */
        tried?: Array<Record<string, unknown>>
        /** Owner search only: the exact search, then the fuzzy one. */
        rounds?: Array<Record<string, unknown>>
        /** Owner search: pairs of a word of the query and the recorded word that it matches. Portfolio: the parcels of the page, each with its reason. */
        met?: Array<Record<string, unknown>>
        /** Parcels or values that were not returned, each with the reason. */
        leftOut?: Array<Record<string, unknown> | string>
        provenance?: {
          /** Why nothing is known; then without the rest. */
          missing?: string
          /** The import that wrote the record. */
          import?: {
            /** Number in the history. */
            id: number
            /** When it was loaded, UTC. */
            loadedAt: string
            /** Name of its mapping. */
            mapping: string
            /** Whether its rows were kept. */
            keepsSource: boolean
          }
          /** By the path of each value in the record: `transfers[0].transferPrice`. */
          values?: Record<string, unknown>
        }
      }
    }
  }

  /** Address lookup */
  addressLookup: {
    parameters: {
      /** Two-letter state abbreviation, in any case. Required, unless fips is given. */
      state?: string | undefined
      /** Street address line 1 only, without city, state and ZIP. Required, unless apn is given. */
      address?: string | undefined
      /** Parcel ID instead of `address`; needs fips, or state and county. With an address of another parcel it is refused. */
      apn?: string | undefined
      /** FIPS code of the county, five digits; replaces state and county. */
      fips?: string | undefined
      /** Unit number only, without the unit type: for `APT 2B` send `2B`. */
      unit?: string | undefined
      /** The same as unit. */
      unitNumberStripped?: string | undefined
      /** County by name, with or without "County", or by three- or five-digit FIPS code. Required when city is given. */
      county?: string | undefined
      /** City of the property, or the municipality that taxes it. Only with county; without it the answer is 400. */
      city?: string | undefined
      /** ZIP code of the property, five digits or ZIP+4; only the first five digits are used. If parcels in several places match, it selects those with this ZIP. Also spelled `zipcode`, `zip_code`. */
      zipCode?: string | undefined
      /** The same as zipCode. */
      zip?: string | undefined
      /** The same as zipCode. */
      postal_code?: string | undefined
      /** If the address is ambiguous, answers 300 with up to ten candidates instead of 404. */
      candidates?: boolean | undefined
      /** Names of the fields to return, with commas between them, as the records of the account show them; the id and `propertyId` are always returned. Nested records take paths such as `propertyLocation.address`, or the name of a part. */
      fields?: string | undefined
      /** A day: the answer is what the newest roll on or before it had, and the header X-As-Of is the day of that roll. */
      asOf?: string | undefined
      /** Adds an explanation: how the parameters were read, the steps of the search with their counts, and why other parcels were not returned. */
      explain?: boolean | undefined
      /** Where a 200 costs tokens: the same key, operation and query within 24 hours is charged once. */
      'Idempotency-Key'?: string | undefined
    }
    property: FlatProperty
  }

  /** Parcel ID lookup */
  parcelIdLookup: {
    parameters: {
      /** Stable ID of the property: county FIPS code, `-`, parcel ID. No other parameter is required with it. */
      propertyId?: string | undefined
      /** The same as propertyId. */
      realieParcelId?: string | undefined
      /** Two-letter state abbreviation, in any case. Required without a property ID. */
      state?: string | undefined
      /** County by name, with or without "County", or by three- or five-digit FIPS code. Required without a property ID. An unrecognized county finds nothing. */
      county?: string | undefined
      /** Parcel ID in the county; if county is absent, a property ID. */
      parcelId?: string | undefined
      /** Names of the fields to return, with commas between them, as the records of the account show them; the id and `propertyId` are always returned. Nested records take paths such as `propertyLocation.address`, or the name of a part. */
      fields?: string | undefined
      /** A day: the answer is what the newest roll on or before it had, and the header X-As-Of is the day of that roll. */
      asOf?: string | undefined
      /** Adds an explanation: how the parameters were read, the steps of the search with their counts, and why other parcels were not returned. */
      explain?: boolean | undefined
      /** Where a 200 costs tokens: the same key, operation and query within 24 hours is charged once. */
      'Idempotency-Key'?: string | undefined
    }
    property: FlatProperty
  }

  /** Property search */
  propertySearch: {
    parameters: {
      /** Two-letter state abbreviation, in any case. Required, unless query contains a state. */
      state?: string | undefined
      /** County by name, with or without "County", or by three- or five-digit FIPS code. An unrecognized county finds nothing. */
      county?: string | undefined
      /** City of the property. */
      city?: string | undefined
      /** ZIP code of the property, five digits or ZIP+4; only the first five digits are used. Also spelled `zipcode`, `zip_code`. */
      zipCode?: string | undefined
      /** The same as zipCode. */
      zip?: string | undefined
      /** The same as zipCode. */
      postal_code?: string | undefined
      /** Use code of the national scheme: one, several (repeated, or with commas between them), or first digits as `10*`. With the fact `useCodes=recorded` codes as recorded; leading zeros are ignored. */
      useCode?: string | undefined
      /** The same as `useCode`, always in codes of the national scheme. */
      useStandardCode?: string | undefined
      /** Kind of property by its use code: house and SFR are single-family houses and townhouses, APARTMENT buildings of two units or more. Only `any` includes parcels of unknown use. Also spelled `property_type`. */
      propertyType?: 'any' | 'SFR' | 'house' | 'CONDO' | 'APARTMENT' | 'MOBILE' | undefined
      /** Accepted for compatibility. true: nothing is found, because rolls record no foreclosures. */
      foreclosure?: boolean | undefined
      /** true: only residential property; false: only property that is not residential. Parcels of unknown use match neither. */
      residential?: boolean | undefined
      /** Only parcels whose newest transfer was within this many days. */
      transferedSince?: number | undefined
      /** The same as transferedSince. */
      transferredSince?: number | undefined
      /** Least land area in acres (by the polygon where none is recorded), included. Parcels without it never match. */
      acresMin?: number | undefined
      /** Greatest land area in acres (by the polygon where none is recorded), included. Parcels without it never match. */
      acresMax?: number | undefined
      /** Least building area in square feet, included. Parcels without it never match. */
      sqftMin?: number | undefined
      /** Greatest building area in square feet, included. Parcels without it never match. */
      sqftMax?: number | undefined
      /** Least number of bedrooms, included. Parcels without it never match. */
      bedsMin?: number | undefined
      /** Greatest number of bedrooms, included. Parcels without it never match. */
      bedsMax?: number | undefined
      /** Least number of bathrooms; half baths count 0.5, included. Parcels without it never match. */
      bathsMin?: number | undefined
      /** Greatest number of bathrooms; half baths count 0.5, included. Parcels without it never match. */
      bathsMax?: number | undefined
      /** Least number of stories, included. Parcels without it never match. */
      storiesMin?: number | undefined
      /** Greatest number of stories, included. Parcels without it never match. */
      storiesMax?: number | undefined
      /** Least number of dwellings, or of units of all uses, included. Parcels without it never match. */
      unitsMin?: number | undefined
      /** Greatest number of dwellings, or of units of all uses, included. Parcels without it never match. */
      unitsMax?: number | undefined
      /** Least year built, included. Parcels without it never match. */
      yearBuiltMin?: number | undefined
      /** Greatest year built, included. Parcels without it never match. */
      yearBuiltMax?: number | undefined
      /** Least total market value in US dollars, included. Parcels without it never match. */
      marketValueMin?: number | undefined
      /** Greatest total market value in US dollars, included. Parcels without it never match. */
      marketValueMax?: number | undefined
      /** Least total assessed value in US dollars, included. Parcels without it never match. */
      assessedValueMin?: number | undefined
      /** Greatest total assessed value in US dollars, included. Parcels without it never match. */
      assessedValueMax?: number | undefined
      /** Least market value of the land in US dollars, included. Parcels without it never match. */
      landValueMin?: number | undefined
      /** Greatest market value of the land in US dollars, included. Parcels without it never match. */
      landValueMax?: number | undefined
      /** Least property tax of the year in US dollars, included. Parcels without it never match. */
      taxMin?: number | undefined
      /** Greatest property tax of the year in US dollars, included. Parcels without it never match. */
      taxMax?: number | undefined
      /** Least price of the newest transfer with a price in US dollars, included. Parcels without it never match. */
      salePriceMin?: number | undefined
      /** Greatest price of the newest transfer with a price in US dollars, included. Parcels without it never match. */
      salePriceMax?: number | undefined
      /** First date of the newest transfer with a price, included. */
      saleDateFrom?: string | undefined
      /** Last date of the newest transfer with a price, included. */
      saleDateTo?: string | undefined
      /** Kind of owner. Repeat it, or separate several by commas: any of them matches. */
      ownerType?: Array<'individual' | 'company' | 'trust' | 'government'> | undefined
      /** Whether the owner lives there. Parcels of which it is unknown match neither true nor false. */
      ownerOccupied?: boolean | undefined
      /** Whether the land is vacant, by its use or else because it has no building. Parcels of which it is unknown match neither true nor false. */
      vacant?: boolean | undefined
      /** Whether a building, or a value of one, is recorded. Parcels of which it is unknown match neither true nor false. */
      hasBuilding?: boolean | undefined
      /** Whether it has a street number and name. Parcels of which it is unknown match neither true nor false. */
      hasSitus?: boolean | undefined
      /** Whether the owner's mailing address is elsewhere. Parcels of which it is unknown match neither true nor false. */
      outOfStateOwner?: boolean | undefined
      /** State of the owner's mailing address. Repeat it, or separate several by commas: any of them matches. */
      ownerState?: Array<string> | undefined
      /** ZIP code of the owner's mailing address. Repeat it, or separate several by commas: any of them matches. */
      ownerZipCode?: Array<string> | undefined
      /** Zoning code, as recorded, in any case. Repeat it for several: any of them matches. */
      zoningCode?: Array<string> | undefined
      /** Subdivision, as recorded, in any case. Repeat it for several: any of them matches. */
      subdivision?: Array<string> | undefined
      /** The assessor's neighborhood, as recorded, in any case. Repeat it for several: any of them matches. */
      neighborhood?: Array<string> | undefined
      /** School district, as recorded, in any case. Repeat it for several: any of them matches. */
      schoolDistrict?: Array<string> | undefined
      /** Municipality that taxes the parcel, as recorded, in any case. Repeat it for several: any of them matches. */
      municipality?: Array<string> | undefined
      /** Order of the results; `-` before it for descending. Ties are by record ID, and parcels without the value come last. Send the same order with each page. */
      sort?:
        | 'id'
        | '-id'
        | 'acres'
        | '-acres'
        | 'marketValue'
        | '-marketValue'
        | 'assessedValue'
        | '-assessedValue'
        | 'salePrice'
        | '-salePrice'
        | 'saleDate'
        | '-saleDate'
        | 'yearBuilt'
        | '-yearBuilt'
        | 'sqft'
        | '-sqft'
        | undefined
      /** true: only the number of parcels, which costs no token. */
      countOnly?: boolean | undefined
      /** true: also the number of parcels over all pages, as `total`. */
      includeTotal?: boolean | undefined
      /** Street address line 1, matched as in the address lookup. */
      address?: string | undefined
      /** Free text instead of address: an address line with or without city, state and ZIP, a parcel ID, a property ID, or an owner. */
      query?: string | undefined
      /** Unit number only, without the unit type: for `APT 2B` send `2B`. */
      unitNumberStripped?: string | undefined
      /** The same as unitNumberStripped. */
      unit?: string | undefined
      /** Latitude in WGS 84 decimal degrees. Center of a circle; needs longitude. */
      latitude?: number | undefined
      /** The same as latitude. */
      lat?: number | undefined
      /** Longitude in WGS 84 decimal degrees; west is negative. Center of a circle; needs latitude. */
      longitude?: number | undefined
      /** The same as longitude. */
      lng?: number | undefined
      /** The same as longitude. */
      lon?: number | undefined
      /** The same as longitude. */
      long?: number | undefined
      /** Miles around latitude and longitude, at most 50; default 1. Parcels without a point are in no circle. */
      radius?: number | undefined
      /** true: also parcels without a street number and name. They are excluded by default, unless an address is searched for. */
      includeUnassignedAddress?: boolean | undefined
      /** Names of the fields to return, with commas between them, as the records of the account show them; the id and `propertyId` are always returned. Nested records take paths such as `propertyLocation.address`, or the name of a part. */
      fields?: string | undefined
      /** A day: the answer is what the newest roll on or before it had, and the header X-As-Of is the day of that roll. */
      asOf?: string | undefined
      /** Page size; larger values are capped at 100. */
      limit?: number | undefined
      /** Paging by cursor: empty for the first page, then the nextCursor of the last answer. */
      cursor?: string | undefined
      /** Deprecated. Legacy paging: number of matched records to skip. Ignored if cursor is given. */
      offset?: number | undefined
      /** Where a 200 costs tokens: the same key, operation and query within 24 hours is charged once. */
      'Idempotency-Key'?: string | undefined
    }
    answer: {
      /** The records, in the order of the operation. */
      properties: Array<FlatProperty>
      metadata: {
        /** Applied page size; not with countOnly. */
        limit?: number
        /** Applied number of records skipped; offset mode only. */
        offset?: number
        /** Number of properties in this answer. */
        count?: number
        /** Opaque token for the next page, null on the last; cursor mode only. */
        nextCursor?: string | null
        /** With an offset above 0. */
        deprecationNotice?: string
        /** Center of the circle; only in a search by circle. */
        searchCenter?: {
          /** Degrees east in WGS 84; west is negative. */
          longitude: number
          /** Degrees north in WGS 84. */
          latitude: number
        }
        /** Radius of the circle in miles. */
        radiusMiles?: number
        /** Parcels over all pages, if asked for. */
        total?: number
        /** atLeast: the time limit came before all parcels were counted. */
        totalIs?: 'exact' | 'atLeast'
        /** Only with `former`: when the name held each property, the latest time first. */
        held?: Array<{
          /** Stable ID of the property. */
          propertyId: string
          /** Day of the first roll that says so. */
          from: string | null
          /** Day of the roll that ended it; null: held. */
          to: string | null
        }>
        explain?: {
          /** The explanation in sentences, for people. */
          words: Array<string>
          /** How the parameters were read. */
          read?: unknown
          /** The steps of the search in order, each with the number of parcels it found. */
          tried?: Array<Record<string, unknown>>
          /** Owner search only: the exact search, then the fuzzy one. */
          rounds?: Array<Record<string, unknown>>
          /** Owner search: pairs of a word of the query and the recorded word that it matches. Portfolio: the parcels of the page, each with its reason. */
          met?: Array<Record<string, unknown>>
          /** Parcels or values that were not returned, each with the reason. */
          leftOut?: Array<Record<string, unknown> | string>
          provenance?: {
            /** Why nothing is known; then without the rest. */
            missing?: string
            /** The import that wrote the record. */
            import?: {
              /** Number in the history. */
              id: number
              /** When it was loaded, UTC. */
              loadedAt: string
              /** Name of its mapping. */
              mapping: string
              /** Whether its rows were kept. */
              keepsSource: boolean
            }
            /** By the path of each value in the record: `transfers[0].transferPrice`. */
            values?: Record<string, unknown>
          }
        }
      }
    }
    metadata: {
      /** Applied page size; not with countOnly. */
      limit?: number
      /** Applied number of records skipped; offset mode only. */
      offset?: number
      /** Number of properties in this answer. */
      count?: number
      /** Opaque token for the next page, null on the last; cursor mode only. */
      nextCursor?: string | null
      /** With an offset above 0. */
      deprecationNotice?: string
      /** Center of the circle; only in a search by circle. */
      searchCenter?: {
        /** Degrees east in WGS 84; west is negative. */
        longitude: number
        /** Degrees north in WGS 84. */
        latitude: number
      }
      /** Radius of the circle in miles. */
      radiusMiles?: number
      /** Parcels over all pages, if asked for. */
      total?: number
      /** atLeast: the time limit came before all parcels were counted. */
      totalIs?: 'exact' | 'atLeast'
      /** Only with `former`: when the name held each property, the latest time first. */
      held?: Array<{
        /** Stable ID of the property. */
        propertyId: string
        /** Day of the first roll that says so. */
        from: string | null
        /** Day of the roll that ended it; null: held. */
        to: string | null
      }>
      explain?: {
        /** The explanation in sentences, for people. */
        words: Array<string>
        /** How the parameters were read. */
        read?: unknown
        /** The steps of the search in order, each with the number of parcels it found. */
        tried?: Array<Record<string, unknown>>
        /** Owner search only: the exact search, then the fuzzy one. */
        rounds?: Array<Record<string, unknown>>
        /** Owner search: pairs of a word of the query and the recorded word that it matches. Portfolio: the parcels of the page, each with its reason. */
        met?: Array<Record<string, unknown>>
        /** Parcels or values that were not returned, each with the reason. */
        leftOut?: Array<Record<string, unknown> | string>
        provenance?: {
          /** Why nothing is known; then without the rest. */
          missing?: string
          /** The import that wrote the record. */
          import?: {
            /** Number in the history. */
            id: number
            /** When it was loaded, UTC. */
            loadedAt: string
            /** Name of its mapping. */
            mapping: string
            /** Whether its rows were kept. */
            keepsSource: boolean
          }
          /** By the path of each value in the record: `transfers[0].transferPrice`. */
          values?: Record<string, unknown>
        }
      }
    }
  }

  /** Summary */
  propertySummary: {
    parameters: {
      /** Two-letter state abbreviation, in any case. */
      state: string
      /** County by name, with or without "County", or by three- or five-digit FIPS code. An unrecognized county finds nothing. */
      county?: string | undefined
      /** City of the property. */
      city?: string | undefined
      /** ZIP code of the property, five digits or ZIP+4; only the first five digits are used. Also spelled `zipcode`, `zip_code`. */
      zipCode?: string | undefined
      /** The same as zipCode. */
      zip?: string | undefined
      /** The same as zipCode. */
      postal_code?: string | undefined
      /** Use code of the national scheme: one, several (repeated, or with commas between them), or first digits as `10*`. With the fact `useCodes=recorded` codes as recorded; leading zeros are ignored. */
      useCode?: string | undefined
      /** The same as `useCode`, always in codes of the national scheme. */
      useStandardCode?: string | undefined
      /** Kind of property by its use code: house and SFR are single-family houses and townhouses, APARTMENT buildings of two units or more. Only `any` includes parcels of unknown use. Also spelled `property_type`. */
      propertyType?: 'any' | 'SFR' | 'house' | 'CONDO' | 'APARTMENT' | 'MOBILE' | undefined
      /** Accepted for compatibility. true: nothing is found, because rolls record no foreclosures. */
      foreclosure?: boolean | undefined
      /** true: only residential property; false: only property that is not residential. Parcels of unknown use match neither. */
      residential?: boolean | undefined
      /** Only parcels whose newest transfer was within this many days. */
      transferedSince?: number | undefined
      /** The same as transferedSince. */
      transferredSince?: number | undefined
      /** Latitude in WGS 84 decimal degrees. Center of a circle; needs longitude. */
      latitude?: number | undefined
      /** The same as latitude. */
      lat?: number | undefined
      /** Longitude in WGS 84 decimal degrees; west is negative. Center of a circle; needs latitude. */
      longitude?: number | undefined
      /** The same as longitude. */
      lng?: number | undefined
      /** The same as longitude. */
      lon?: number | undefined
      /** The same as longitude. */
      long?: number | undefined
      /** Miles around latitude and longitude, at most 50; default 1. Parcels without a point are in no circle. */
      radius?: number | undefined
      /** A box as west, south, east and north in WGS 84 degrees, with commas between them. If west is greater than east, the box crosses the antimeridian. */
      bbox?: string | undefined
      /** A polygon as an encoded polyline of precision 5: at least three corners, closed or not, that do not cross each other. */
      polygon?: string | undefined
      /** Least land area in acres (by the polygon where none is recorded), included. Parcels without it never match. */
      acresMin?: number | undefined
      /** Greatest land area in acres (by the polygon where none is recorded), included. Parcels without it never match. */
      acresMax?: number | undefined
      /** Least building area in square feet, included. Parcels without it never match. */
      sqftMin?: number | undefined
      /** Greatest building area in square feet, included. Parcels without it never match. */
      sqftMax?: number | undefined
      /** Least number of bedrooms, included. Parcels without it never match. */
      bedsMin?: number | undefined
      /** Greatest number of bedrooms, included. Parcels without it never match. */
      bedsMax?: number | undefined
      /** Least number of bathrooms; half baths count 0.5, included. Parcels without it never match. */
      bathsMin?: number | undefined
      /** Greatest number of bathrooms; half baths count 0.5, included. Parcels without it never match. */
      bathsMax?: number | undefined
      /** Least number of stories, included. Parcels without it never match. */
      storiesMin?: number | undefined
      /** Greatest number of stories, included. Parcels without it never match. */
      storiesMax?: number | undefined
      /** Least number of dwellings, or of units of all uses, included. Parcels without it never match. */
      unitsMin?: number | undefined
      /** Greatest number of dwellings, or of units of all uses, included. Parcels without it never match. */
      unitsMax?: number | undefined
      /** Least year built, included. Parcels without it never match. */
      yearBuiltMin?: number | undefined
      /** Greatest year built, included. Parcels without it never match. */
      yearBuiltMax?: number | undefined
      /** Least total market value in US dollars, included. Parcels without it never match. */
      marketValueMin?: number | undefined
      /** Greatest total market value in US dollars, included. Parcels without it never match. */
      marketValueMax?: number | undefined
      /** Least total assessed value in US dollars, included. Parcels without it never match. */
      assessedValueMin?: number | undefined
      /** Greatest total assessed value in US dollars, included. Parcels without it never match. */
      assessedValueMax?: number | undefined
      /** Least market value of the land in US dollars, included. Parcels without it never match. */
      landValueMin?: number | undefined
      /** Greatest market value of the land in US dollars, included. Parcels without it never match. */
      landValueMax?: number | undefined
      /** Least property tax of the year in US dollars, included. Parcels without it never match. */
      taxMin?: number | undefined
      /** Greatest property tax of the year in US dollars, included. Parcels without it never match. */
      taxMax?: number | undefined
      /** Least price of the newest transfer with a price in US dollars, included. Parcels without it never match. */
      salePriceMin?: number | undefined
      /** Greatest price of the newest transfer with a price in US dollars, included. Parcels without it never match. */
      salePriceMax?: number | undefined
      /** First date of the newest transfer with a price, included. */
      saleDateFrom?: string | undefined
      /** Last date of the newest transfer with a price, included. */
      saleDateTo?: string | undefined
      /** Kind of owner. Repeat it, or separate several by commas: any of them matches. */
      ownerType?: Array<'individual' | 'company' | 'trust' | 'government'> | undefined
      /** Whether the owner lives there. Parcels of which it is unknown match neither true nor false. */
      ownerOccupied?: boolean | undefined
      /** Whether the land is vacant, by its use or else because it has no building. Parcels of which it is unknown match neither true nor false. */
      vacant?: boolean | undefined
      /** Whether a building, or a value of one, is recorded. Parcels of which it is unknown match neither true nor false. */
      hasBuilding?: boolean | undefined
      /** Whether it has a street number and name. Parcels of which it is unknown match neither true nor false. */
      hasSitus?: boolean | undefined
      /** Whether the owner's mailing address is elsewhere. Parcels of which it is unknown match neither true nor false. */
      outOfStateOwner?: boolean | undefined
      /** State of the owner's mailing address. Repeat it, or separate several by commas: any of them matches. */
      ownerState?: Array<string> | undefined
      /** ZIP code of the owner's mailing address. Repeat it, or separate several by commas: any of them matches. */
      ownerZipCode?: Array<string> | undefined
      /** Zoning code, as recorded, in any case. Repeat it for several: any of them matches. */
      zoningCode?: Array<string> | undefined
      /** Subdivision, as recorded, in any case. Repeat it for several: any of them matches. */
      subdivision?: Array<string> | undefined
      /** The assessor's neighborhood, as recorded, in any case. Repeat it for several: any of them matches. */
      neighborhood?: Array<string> | undefined
      /** School district, as recorded, in any case. Repeat it for several: any of them matches. */
      schoolDistrict?: Array<string> | undefined
      /** Municipality that taxes the parcel, as recorded, in any case. Repeat it for several: any of them matches. */
      municipality?: Array<string> | undefined
      /** One or two of county, municipality, city, zipCode, useStandardCode, ownerType, ownerState, yearBuiltDecade, owner, with a comma between them. */
      groupBy: Array<
        | 'county'
        | 'municipality'
        | 'city'
        | 'zipCode'
        | 'useStandardCode'
        | 'ownerType'
        | 'ownerState'
        | 'yearBuiltDecade'
        | 'owner'
      >
      /** Measures besides the count, with commas: sumAcres, sumMarketValue, sumAssessedValue, medianMarketValue, medianAssessedValue, medianSalePrice, ownerOccupiedShare. */
      measure?:
        | Array<
            | 'count'
            | 'sumAcres'
            | 'sumMarketValue'
            | 'sumAssessedValue'
            | 'medianMarketValue'
            | 'medianAssessedValue'
            | 'medianSalePrice'
            | 'ownerOccupiedShare'
          >
        | undefined
      /** The measure by which the largest groups are chosen, descending. */
      orderBy?:
        | 'count'
        | 'sumAcres'
        | 'sumMarketValue'
        | 'sumAssessedValue'
        | 'medianMarketValue'
        | 'medianAssessedValue'
        | 'medianSalePrice'
        | 'ownerOccupiedShare'
        | undefined
      /** Most groups returned, 1 to 100; larger values are capped. */
      top?: number | undefined
      /** Where a 200 costs tokens: the same key, operation and query within 24 hours is charged once. */
      'Idempotency-Key'?: string | undefined
    }
    answer: {
      /** The largest groups by `orderBy`, descending. */
      groups: Array<{
        /** A value for each name of `groupBy`. */
        key: Record<string, unknown>
        /** Parcels of the group. */
        count: number
        /** A measure asked for. */
        sumAcres?: number | null
        /** A measure asked for. */
        sumMarketValue?: number | null
        /** A measure asked for. */
        sumAssessedValue?: number | null
        /** A measure asked for. */
        medianMarketValue?: number | null
        /** A measure asked for. */
        medianAssessedValue?: number | null
        /** A measure asked for. */
        medianSalePrice?: number | null
        /** A measure asked for. */
        ownerOccupiedShare?: number | null
      }>
      /** Figures over all groups. */
      metadata: {
        /** Parcels that meet all filters. */
        total: number
        /** Groups, also those that are not shown. */
        groups: number
        /** false: the time limit came before all parcels were read. */
        complete: boolean
      }
    }
    metadata: {
      /** Parcels that meet all filters. */
      total: number
      /** Groups, also those that are not shown. */
      groups: number
      /** false: the time limit came before all parcels were read. */
      complete: boolean
    }
  }

  /** Suggestions */
  suggest: {
    parameters: {
      /** The beginning, two characters or more. */
      q: string
      /** Two-letter state abbreviation, in any case. */
      state?: string | undefined
      /** County by name, with or without "County", or by three- or five-digit FIPS code. Needs state. */
      county?: string | undefined
      /** Kinds to suggest, with commas: address, owner, parcelId, subdivision, city. Default: all but owner, which needs three letters and is audited like an owner search. */
      kinds?: Array<'address' | 'owner' | 'parcelId' | 'subdivision' | 'city'> | undefined
      /** Most suggestions, 1 to 20; larger values are capped. */
      limit?: number | undefined
      /** Where a 200 costs tokens: the same key, operation and query within 24 hours is charged once. */
      'Idempotency-Key'?: string | undefined
    }
    answer: {
      /** The best first. */
      suggestions: Array<{
        /** What it is. */
        kind: 'address' | 'owner' | 'parcelId' | 'subdivision' | 'city'
        /** The text. */
        text: string
        /** City, street address or number of parcels. */
        detail: string | null
        /** Two letters. */
        state: string
        /** Name of the county. */
        county: string | null
        /** Stable ID of the property, when it is one parcel. */
        propertyId: string | null
      }>
    }
  }

  /** Owner network */
  ownerNetwork: {
    parameters: {
      /** Stable ID of the property: county FIPS code, `-`, parcel ID. No other parameter is required with it. */
      propertyId?: string | undefined
      /** The same as propertyId. */
      realieParcelId?: string | undefined
      /** Two-letter state abbreviation, in any case. Required without a property ID. */
      state?: string | undefined
      /** County by name, with or without "County", or by three- or five-digit FIPS code. Required without a property ID. An unrecognized county finds nothing. */
      county?: string | undefined
      /** Parcel ID in the county; if county is absent, a property ID. */
      parcelId?: string | undefined
      /** Steps from an owner over an address to another owner, 1 to 3; 1: only its own. */
      depth?: number | undefined
      /** Where parcels are searched. */
      scope?: 'county' | 'state' | undefined
      /** Where a 200 costs tokens: the same key, operation and query within 24 hours is charged once. */
      'Idempotency-Key'?: string | undefined
    }
    answer: {
      /** Owners, mailing addresses and care-of names. */
      nodes: Array<{
        /** Identifies the node within this answer. */
        id: string
        /** What it is. */
        kind: 'owner' | 'mailingAddress' | 'careOf'
        /** As recorded. */
        label: string
        /** Its parcels in the scope. */
        parcels: number
        /** Property IDs of its first 10 parcels. */
        properties: Array<string>
      }>
      /** An owner has parcels with an address or a care-of name. */
      edges: Array<{
        /** Node of the owner. */
        from: string
        /** Node of the address or name. */
        to: string
        /** mailing address, or care of. */
        reason: string
        /** Parcels of both. */
        weight: number
      }>
      /** Whether it is whole. */
      metadata: {
        /** false: the time or the number of nodes was up first. */
        complete: boolean
        /** Nodes that were not followed. */
        left: Array<{
          /** Its id. */
          node: string
          /** Why not. */
          why: string
        }>
      }
    }
    metadata: {
      /** false: the time or the number of nodes was up first. */
      complete: boolean
      /** Nodes that were not followed. */
      left: Array<{
        /** Its id. */
        node: string
        /** Why not. */
        why: string
      }>
    }
  }

  /** Owner search */
  ownerSearch: {
    parameters: {
      /** Two-letter state abbreviation, in any case. */
      state: string
      /** Owner surname or company name, in any case. If nothing is found, the words are read as a full name: `Smith, John`, or either order without a comma. One of lastName and nameContains is required. */
      lastName?: string | undefined
      /** lastName is the beginning of a surname, at least three letters. */
      prefix?: boolean | undefined
      /** Prefix of the given name, used with lastName; an exact prefix also with fuzzy=true. */
      firstName?: string | undefined
      /** Words that one recorded owner name must all contain, in any order; whole words, no substrings. Only for accounts whose dataReads is v3. */
      nameContains?: string | undefined
      /** Allows one edit per word, except in its first two characters; for a lastName of one word and for nameContains. Only for accounts whose dataReads is v3. */
      fuzzy?: boolean | undefined
      /** true: also parcels that the name held in an earlier roll, after those that it holds now; metadata.held has the time of each. */
      former?: boolean | undefined
      /** Results per page; larger values are capped at 100. */
      limit?: number | undefined
      /** Number of matched records to skip. */
      offset?: number | undefined
      /** Names of the fields to return, with commas between them, as the records of the account show them; the id and `propertyId` are always returned. Nested records take paths such as `propertyLocation.address`, or the name of a part. */
      fields?: string | undefined
      /** Adds an explanation: how the parameters were read, the steps of the search with their counts, and why other parcels were not returned. */
      explain?: boolean | undefined
      /** Where a 200 costs tokens: the same key, operation and query within 24 hours is charged once. */
      'Idempotency-Key'?: string | undefined
    }
    answer: {
      /** The records, in the order of the operation. */
      properties: Array<FlatProperty>
      metadata: {
        /** Applied page size; not with countOnly. */
        limit?: number
        /** Applied number of records skipped; offset mode only. */
        offset?: number
        /** Number of properties in this answer. */
        count?: number
        /** Opaque token for the next page, null on the last; cursor mode only. */
        nextCursor?: string | null
        /** With an offset above 0. */
        deprecationNotice?: string
        /** Center of the circle; only in a search by circle. */
        searchCenter?: {
          /** Degrees east in WGS 84; west is negative. */
          longitude: number
          /** Degrees north in WGS 84. */
          latitude: number
        }
        /** Radius of the circle in miles. */
        radiusMiles?: number
        /** Parcels over all pages, if asked for. */
        total?: number
        /** atLeast: the time limit came before all parcels were counted. */
        totalIs?: 'exact' | 'atLeast'
        /** Only with `former`: when the name held each property, the latest time first. */
        held?: Array<{
          /** Stable ID of the property. */
          propertyId: string
          /** Day of the first roll that says so. */
          from: string | null
          /** Day of the roll that ended it; null: held. */
          to: string | null
        }>
        explain?: {
          /** The explanation in sentences, for people. */
          words: Array<string>
          /** How the parameters were read. */
          read?: unknown
          /** The steps of the search in order, each with the number of parcels it found. */
          tried?: Array<Record<string, unknown>>
          /** Owner search only: the exact search, then the fuzzy one. */
          rounds?: Array<Record<string, unknown>>
          /** Owner search: pairs of a word of the query and the recorded word that it matches. Portfolio: the parcels of the page, each with its reason. */
          met?: Array<Record<string, unknown>>
          /** Parcels or values that were not returned, each with the reason. */
          leftOut?: Array<Record<string, unknown> | string>
          provenance?: {
            /** Why nothing is known; then without the rest. */
            missing?: string
            /** The import that wrote the record. */
            import?: {
              /** Number in the history. */
              id: number
              /** When it was loaded, UTC. */
              loadedAt: string
              /** Name of its mapping. */
              mapping: string
              /** Whether its rows were kept. */
              keepsSource: boolean
            }
            /** By the path of each value in the record: `transfers[0].transferPrice`. */
            values?: Record<string, unknown>
          }
        }
      }
    }
    metadata: {
      /** Applied page size; not with countOnly. */
      limit?: number
      /** Applied number of records skipped; offset mode only. */
      offset?: number
      /** Number of properties in this answer. */
      count?: number
      /** Opaque token for the next page, null on the last; cursor mode only. */
      nextCursor?: string | null
      /** With an offset above 0. */
      deprecationNotice?: string
      /** Center of the circle; only in a search by circle. */
      searchCenter?: {
        /** Degrees east in WGS 84; west is negative. */
        longitude: number
        /** Degrees north in WGS 84. */
        latitude: number
      }
      /** Radius of the circle in miles. */
      radiusMiles?: number
      /** Parcels over all pages, if asked for. */
      total?: number
      /** atLeast: the time limit came before all parcels were counted. */
      totalIs?: 'exact' | 'atLeast'
      /** Only with `former`: when the name held each property, the latest time first. */
      held?: Array<{
        /** Stable ID of the property. */
        propertyId: string
        /** Day of the first roll that says so. */
        from: string | null
        /** Day of the roll that ended it; null: held. */
        to: string | null
      }>
      explain?: {
        /** The explanation in sentences, for people. */
        words: Array<string>
        /** How the parameters were read. */
        read?: unknown
        /** The steps of the search in order, each with the number of parcels it found. */
        tried?: Array<Record<string, unknown>>
        /** Owner search only: the exact search, then the fuzzy one. */
        rounds?: Array<Record<string, unknown>>
        /** Owner search: pairs of a word of the query and the recorded word that it matches. Portfolio: the parcels of the page, each with its reason. */
        met?: Array<Record<string, unknown>>
        /** Parcels or values that were not returned, each with the reason. */
        leftOut?: Array<Record<string, unknown> | string>
        provenance?: {
          /** Why nothing is known; then without the rest. */
          missing?: string
          /** The import that wrote the record. */
          import?: {
            /** Number in the history. */
            id: number
            /** When it was loaded, UTC. */
            loadedAt: string
            /** Name of its mapping. */
            mapping: string
            /** Whether its rows were kept. */
            keepsSource: boolean
          }
          /** By the path of each value in the record: `transfers[0].transferPrice`. */
          values?: Record<string, unknown>
        }
      }
    }
  }

  /** Location search */
  locationSearch: {
    parameters: {
      /** Latitude in WGS 84 decimal degrees. Required, by this name or lat. */
      latitude?: number | undefined
      /** The same as latitude. */
      lat?: number | undefined
      /** Longitude in WGS 84 decimal degrees; west is negative. Required, by this name or lng, lon, long. */
      longitude?: number | undefined
      /** The same as longitude. */
      lng?: number | undefined
      /** The same as longitude. */
      lon?: number | undefined
      /** The same as longitude. */
      long?: number | undefined
      /** Miles around the point; larger values are capped at 2, and 0 is the point itself. */
      radius?: number | undefined
      /** Two-letter state abbreviation, in any case. */
      state?: string | undefined
      /** County by name, with or without "County", or by three- or five-digit FIPS code. Needs state. An unrecognized county finds nothing. */
      county?: string | undefined
      /** City of the property. */
      city?: string | undefined
      /** ZIP code of the property, five digits or ZIP+4; only the first five digits are used. Also spelled `zipcode`, `zip_code`. */
      zipCode?: string | undefined
      /** The same as zipCode. */
      zip?: string | undefined
      /** The same as zipCode. */
      postal_code?: string | undefined
      /** Use code of the national scheme: one, several (repeated, or with commas between them), or first digits as `10*`. With the fact `useCodes=recorded` codes as recorded; leading zeros are ignored. */
      useCode?: string | undefined
      /** The same as `useCode`, always in codes of the national scheme. */
      useStandardCode?: string | undefined
      /** Kind of property by its use code: house and SFR are single-family houses and townhouses, APARTMENT buildings of two units or more. Only `any` includes parcels of unknown use. Also spelled `property_type`. */
      propertyType?: 'any' | 'SFR' | 'house' | 'CONDO' | 'APARTMENT' | 'MOBILE' | undefined
      /** Accepted for compatibility. true: nothing is found, because rolls record no foreclosures. */
      foreclosure?: boolean | undefined
      /** true: only residential property; false: only property that is not residential. Parcels of unknown use match neither. */
      residential?: boolean | undefined
      /** Only parcels whose newest transfer was within this many days. */
      transferedSince?: number | undefined
      /** The same as transferedSince. */
      transferredSince?: number | undefined
      /** Also parcels without a street number and name. */
      includeUnassignedAddress?: boolean | undefined
      /** Least land area in acres (by the polygon where none is recorded), included. Parcels without it never match. */
      acresMin?: number | undefined
      /** Greatest land area in acres (by the polygon where none is recorded), included. Parcels without it never match. */
      acresMax?: number | undefined
      /** Least building area in square feet, included. Parcels without it never match. */
      sqftMin?: number | undefined
      /** Greatest building area in square feet, included. Parcels without it never match. */
      sqftMax?: number | undefined
      /** Least number of bedrooms, included. Parcels without it never match. */
      bedsMin?: number | undefined
      /** Greatest number of bedrooms, included. Parcels without it never match. */
      bedsMax?: number | undefined
      /** Least number of bathrooms; half baths count 0.5, included. Parcels without it never match. */
      bathsMin?: number | undefined
      /** Greatest number of bathrooms; half baths count 0.5, included. Parcels without it never match. */
      bathsMax?: number | undefined
      /** Least number of stories, included. Parcels without it never match. */
      storiesMin?: number | undefined
      /** Greatest number of stories, included. Parcels without it never match. */
      storiesMax?: number | undefined
      /** Least number of dwellings, or of units of all uses, included. Parcels without it never match. */
      unitsMin?: number | undefined
      /** Greatest number of dwellings, or of units of all uses, included. Parcels without it never match. */
      unitsMax?: number | undefined
      /** Least year built, included. Parcels without it never match. */
      yearBuiltMin?: number | undefined
      /** Greatest year built, included. Parcels without it never match. */
      yearBuiltMax?: number | undefined
      /** Least total market value in US dollars, included. Parcels without it never match. */
      marketValueMin?: number | undefined
      /** Greatest total market value in US dollars, included. Parcels without it never match. */
      marketValueMax?: number | undefined
      /** Least total assessed value in US dollars, included. Parcels without it never match. */
      assessedValueMin?: number | undefined
      /** Greatest total assessed value in US dollars, included. Parcels without it never match. */
      assessedValueMax?: number | undefined
      /** Least market value of the land in US dollars, included. Parcels without it never match. */
      landValueMin?: number | undefined
      /** Greatest market value of the land in US dollars, included. Parcels without it never match. */
      landValueMax?: number | undefined
      /** Least property tax of the year in US dollars, included. Parcels without it never match. */
      taxMin?: number | undefined
      /** Greatest property tax of the year in US dollars, included. Parcels without it never match. */
      taxMax?: number | undefined
      /** Least price of the newest transfer with a price in US dollars, included. Parcels without it never match. */
      salePriceMin?: number | undefined
      /** Greatest price of the newest transfer with a price in US dollars, included. Parcels without it never match. */
      salePriceMax?: number | undefined
      /** First date of the newest transfer with a price, included. */
      saleDateFrom?: string | undefined
      /** Last date of the newest transfer with a price, included. */
      saleDateTo?: string | undefined
      /** Kind of owner. Repeat it, or separate several by commas: any of them matches. */
      ownerType?: Array<'individual' | 'company' | 'trust' | 'government'> | undefined
      /** Whether the owner lives there. Parcels of which it is unknown match neither true nor false. */
      ownerOccupied?: boolean | undefined
      /** Whether the land is vacant, by its use or else because it has no building. Parcels of which it is unknown match neither true nor false. */
      vacant?: boolean | undefined
      /** Whether a building, or a value of one, is recorded. Parcels of which it is unknown match neither true nor false. */
      hasBuilding?: boolean | undefined
      /** Whether it has a street number and name. Parcels of which it is unknown match neither true nor false. */
      hasSitus?: boolean | undefined
      /** Whether the owner's mailing address is elsewhere. Parcels of which it is unknown match neither true nor false. */
      outOfStateOwner?: boolean | undefined
      /** State of the owner's mailing address. Repeat it, or separate several by commas: any of them matches. */
      ownerState?: Array<string> | undefined
      /** ZIP code of the owner's mailing address. Repeat it, or separate several by commas: any of them matches. */
      ownerZipCode?: Array<string> | undefined
      /** Zoning code, as recorded, in any case. Repeat it for several: any of them matches. */
      zoningCode?: Array<string> | undefined
      /** Subdivision, as recorded, in any case. Repeat it for several: any of them matches. */
      subdivision?: Array<string> | undefined
      /** The assessor's neighborhood, as recorded, in any case. Repeat it for several: any of them matches. */
      neighborhood?: Array<string> | undefined
      /** School district, as recorded, in any case. Repeat it for several: any of them matches. */
      schoolDistrict?: Array<string> | undefined
      /** Municipality that taxes the parcel, as recorded, in any case. Repeat it for several: any of them matches. */
      municipality?: Array<string> | undefined
      /** Order of the results; `-` before it for descending. Ties are by record ID, and parcels without the value come last. Send the same order with each page. */
      sort?:
        | 'id'
        | '-id'
        | 'acres'
        | '-acres'
        | 'marketValue'
        | '-marketValue'
        | 'assessedValue'
        | '-assessedValue'
        | 'salePrice'
        | '-salePrice'
        | 'saleDate'
        | '-saleDate'
        | 'yearBuilt'
        | '-yearBuilt'
        | 'sqft'
        | '-sqft'
        | undefined
      /** true: only the number of parcels, which costs no token. */
      countOnly?: boolean | undefined
      /** true: also the number of parcels over all pages, as `total`. */
      includeTotal?: boolean | undefined
      /** Names of the fields to return, with commas between them, as the records of the account show them; the id and `propertyId` are always returned. Nested records take paths such as `propertyLocation.address`, or the name of a part. */
      fields?: string | undefined
      /** Page size; larger values are capped at 100. */
      limit?: number | undefined
      /** Paging by cursor: empty for the first page, then the nextCursor of the last answer. */
      cursor?: string | undefined
      /** Number of matched records to skip. */
      offset?: number | undefined
      /** Where a 200 costs tokens: the same key, operation and query within 24 hours is charged once. */
      'Idempotency-Key'?: string | undefined
    }
    answer: {
      /** The records, in the order of the operation. */
      properties: Array<FlatProperty>
      /** Parameters as applied, and figures of this page. */
      metadata: {
        /** Applied page size. */
        limit?: number
        /** Applied number of parcels skipped; offset mode only. */
        offset?: number
        /** Number of properties in this answer. */
        count?: number
        /** Opaque token for the next page, null on the last; cursor mode only. */
        nextCursor?: string | null
        /** The requested point. */
        searchCenter?: {
          /** Degrees east in WGS 84; west is negative. */
          longitude: number
          /** Degrees north in WGS 84. */
          latitude: number
        }
        /** Applied radius in miles. */
        radiusMiles?: number
        /** Great-circle distance of each property, in their order, in miles on a sphere of 3,958.7613 miles: within 0.3 % of the ellipsoid at US latitudes. */
        distancesMiles?: Array<number>
        /** Parcels over all pages, if asked for. */
        total?: number
        /** atLeast: the time limit came before all parcels were counted. */
        totalIs?: 'exact' | 'atLeast'
      }
    }
    metadata: {
      /** Applied page size. */
      limit?: number
      /** Applied number of parcels skipped; offset mode only. */
      offset?: number
      /** Number of properties in this answer. */
      count?: number
      /** Opaque token for the next page, null on the last; cursor mode only. */
      nextCursor?: string | null
      /** The requested point. */
      searchCenter?: {
        /** Degrees east in WGS 84; west is negative. */
        longitude: number
        /** Degrees north in WGS 84. */
        latitude: number
      }
      /** Applied radius in miles. */
      radiusMiles?: number
      /** Great-circle distance of each property, in their order, in miles on a sphere of 3,958.7613 miles: within 0.3 % of the ellipsoid at US latitudes. */
      distancesMiles?: Array<number>
      /** Parcels over all pages, if asked for. */
      total?: number
      /** atLeast: the time limit came before all parcels were counted. */
      totalIs?: 'exact' | 'atLeast'
    }
  }

  /** Point lookup */
  pointLookup: {
    parameters: {
      /** Latitude in WGS 84 decimal degrees. Required, by this name or lat. */
      latitude?: number | undefined
      /** The same as latitude. */
      lat?: number | undefined
      /** Longitude in WGS 84 decimal degrees; west is negative. Required, by this name or lng, lon, long. */
      longitude?: number | undefined
      /** The same as longitude. */
      lng?: number | undefined
      /** The same as longitude. */
      lon?: number | undefined
      /** The same as longitude. */
      long?: number | undefined
      /** Distance in metres. If no polygon contains the point, the parcel whose own point is nearest within this distance is returned; 0: none. */
      tolerance?: number | undefined
      /** Names of the fields to return, with commas between them, as the records of the account show them; the id and `propertyId` are always returned. Nested records take paths such as `propertyLocation.address`, or the name of a part. */
      fields?: string | undefined
      /** A day: the answer is what the newest roll on or before it had, and the header X-As-Of is the day of that roll. */
      asOf?: string | undefined
      /** Most parcels that are shown; larger values are capped at 100. */
      limit?: number | undefined
      /** Where a 200 costs tokens: the same key, operation and query within 24 hours is charged once. */
      'Idempotency-Key'?: string | undefined
    }
    answer: {
      /** The records, in the order of the operation. */
      properties: Array<FlatProperty>
      /** Parameters as applied, and figures of this page. */
      metadata: {
        /** Applied limit. */
        limit: number
        /** Number of properties in this answer. */
        count: number
      }
    }
    metadata: {
      /** Applied limit. */
      limit: number
      /** Number of properties in this answer. */
      count: number
    }
  }

  /** Shape search */
  shapeSearch: {
    parameters: {
      /** A box as west, south, east and north in WGS 84 degrees, with commas between them. If west is greater than east, the box crosses the antimeridian. */
      bbox?: string | undefined
      /** A polygon as an encoded polyline of precision 5: at least three corners, closed or not, that do not cross each other. */
      polygon?: string | undefined
      /** Two-letter state abbreviation, in any case. */
      state?: string | undefined
      /** County by name, with or without "County", or by three- or five-digit FIPS code. Needs state. An unrecognized county finds nothing. */
      county?: string | undefined
      /** City of the property. */
      city?: string | undefined
      /** ZIP code of the property, five digits or ZIP+4; only the first five digits are used. Also spelled `zipcode`, `zip_code`. */
      zipCode?: string | undefined
      /** The same as zipCode. */
      zip?: string | undefined
      /** The same as zipCode. */
      postal_code?: string | undefined
      /** Use code of the national scheme: one, several (repeated, or with commas between them), or first digits as `10*`. With the fact `useCodes=recorded` codes as recorded; leading zeros are ignored. */
      useCode?: string | undefined
      /** The same as `useCode`, always in codes of the national scheme. */
      useStandardCode?: string | undefined
      /** Kind of property by its use code: house and SFR are single-family houses and townhouses, APARTMENT buildings of two units or more. Only `any` includes parcels of unknown use. Also spelled `property_type`. */
      propertyType?: 'any' | 'SFR' | 'house' | 'CONDO' | 'APARTMENT' | 'MOBILE' | undefined
      /** Accepted for compatibility. true: nothing is found, because rolls record no foreclosures. */
      foreclosure?: boolean | undefined
      /** true: only residential property; false: only property that is not residential. Parcels of unknown use match neither. */
      residential?: boolean | undefined
      /** Only parcels whose newest transfer was within this many days. */
      transferedSince?: number | undefined
      /** The same as transferedSince. */
      transferredSince?: number | undefined
      /** Also parcels without a street number and name. */
      includeUnassignedAddress?: boolean | undefined
      /** Least land area in acres (by the polygon where none is recorded), included. Parcels without it never match. */
      acresMin?: number | undefined
      /** Greatest land area in acres (by the polygon where none is recorded), included. Parcels without it never match. */
      acresMax?: number | undefined
      /** Least building area in square feet, included. Parcels without it never match. */
      sqftMin?: number | undefined
      /** Greatest building area in square feet, included. Parcels without it never match. */
      sqftMax?: number | undefined
      /** Least number of bedrooms, included. Parcels without it never match. */
      bedsMin?: number | undefined
      /** Greatest number of bedrooms, included. Parcels without it never match. */
      bedsMax?: number | undefined
      /** Least number of bathrooms; half baths count 0.5, included. Parcels without it never match. */
      bathsMin?: number | undefined
      /** Greatest number of bathrooms; half baths count 0.5, included. Parcels without it never match. */
      bathsMax?: number | undefined
      /** Least number of stories, included. Parcels without it never match. */
      storiesMin?: number | undefined
      /** Greatest number of stories, included. Parcels without it never match. */
      storiesMax?: number | undefined
      /** Least number of dwellings, or of units of all uses, included. Parcels without it never match. */
      unitsMin?: number | undefined
      /** Greatest number of dwellings, or of units of all uses, included. Parcels without it never match. */
      unitsMax?: number | undefined
      /** Least year built, included. Parcels without it never match. */
      yearBuiltMin?: number | undefined
      /** Greatest year built, included. Parcels without it never match. */
      yearBuiltMax?: number | undefined
      /** Least total market value in US dollars, included. Parcels without it never match. */
      marketValueMin?: number | undefined
      /** Greatest total market value in US dollars, included. Parcels without it never match. */
      marketValueMax?: number | undefined
      /** Least total assessed value in US dollars, included. Parcels without it never match. */
      assessedValueMin?: number | undefined
      /** Greatest total assessed value in US dollars, included. Parcels without it never match. */
      assessedValueMax?: number | undefined
      /** Least market value of the land in US dollars, included. Parcels without it never match. */
      landValueMin?: number | undefined
      /** Greatest market value of the land in US dollars, included. Parcels without it never match. */
      landValueMax?: number | undefined
      /** Least property tax of the year in US dollars, included. Parcels without it never match. */
      taxMin?: number | undefined
      /** Greatest property tax of the year in US dollars, included. Parcels without it never match. */
      taxMax?: number | undefined
      /** Least price of the newest transfer with a price in US dollars, included. Parcels without it never match. */
      salePriceMin?: number | undefined
      /** Greatest price of the newest transfer with a price in US dollars, included. Parcels without it never match. */
      salePriceMax?: number | undefined
      /** First date of the newest transfer with a price, included. */
      saleDateFrom?: string | undefined
      /** Last date of the newest transfer with a price, included. */
      saleDateTo?: string | undefined
      /** Kind of owner. Repeat it, or separate several by commas: any of them matches. */
      ownerType?: Array<'individual' | 'company' | 'trust' | 'government'> | undefined
      /** Whether the owner lives there. Parcels of which it is unknown match neither true nor false. */
      ownerOccupied?: boolean | undefined
      /** Whether the land is vacant, by its use or else because it has no building. Parcels of which it is unknown match neither true nor false. */
      vacant?: boolean | undefined
      /** Whether a building, or a value of one, is recorded. Parcels of which it is unknown match neither true nor false. */
      hasBuilding?: boolean | undefined
      /** Whether it has a street number and name. Parcels of which it is unknown match neither true nor false. */
      hasSitus?: boolean | undefined
      /** Whether the owner's mailing address is elsewhere. Parcels of which it is unknown match neither true nor false. */
      outOfStateOwner?: boolean | undefined
      /** State of the owner's mailing address. Repeat it, or separate several by commas: any of them matches. */
      ownerState?: Array<string> | undefined
      /** ZIP code of the owner's mailing address. Repeat it, or separate several by commas: any of them matches. */
      ownerZipCode?: Array<string> | undefined
      /** Zoning code, as recorded, in any case. Repeat it for several: any of them matches. */
      zoningCode?: Array<string> | undefined
      /** Subdivision, as recorded, in any case. Repeat it for several: any of them matches. */
      subdivision?: Array<string> | undefined
      /** The assessor's neighborhood, as recorded, in any case. Repeat it for several: any of them matches. */
      neighborhood?: Array<string> | undefined
      /** School district, as recorded, in any case. Repeat it for several: any of them matches. */
      schoolDistrict?: Array<string> | undefined
      /** Municipality that taxes the parcel, as recorded, in any case. Repeat it for several: any of them matches. */
      municipality?: Array<string> | undefined
      /** Order of the results; `-` before it for descending. Ties are by record ID, and parcels without the value come last. Send the same order with each page. */
      sort?:
        | 'id'
        | '-id'
        | 'acres'
        | '-acres'
        | 'marketValue'
        | '-marketValue'
        | 'assessedValue'
        | '-assessedValue'
        | 'salePrice'
        | '-salePrice'
        | 'saleDate'
        | '-saleDate'
        | 'yearBuilt'
        | '-yearBuilt'
        | 'sqft'
        | '-sqft'
        | undefined
      /** true: only the number of parcels, which costs no token. */
      countOnly?: boolean | undefined
      /** true: also the number of parcels over all pages, as `total`. */
      includeTotal?: boolean | undefined
      /** Names of the fields to return, with commas between them, as the records of the account show them; the id and `propertyId` are always returned. Nested records take paths such as `propertyLocation.address`, or the name of a part. */
      fields?: string | undefined
      /** Page size; larger values are capped at 100. */
      limit?: number | undefined
      /** Empty or absent for the first page, then the nextCursor of the last answer. */
      cursor?: string | undefined
      /** Must be 0; use cursor for further pages. */
      offset?: number | undefined
      /** Where a 200 costs tokens: the same key, operation and query within 24 hours is charged once. */
      'Idempotency-Key'?: string | undefined
    }
    answer: {
      /** The records, in the order of the operation. */
      properties: Array<FlatProperty>
      /** Parameters as applied, and figures of this page. */
      metadata: {
        /** Applied page size. */
        limit?: number
        /** Number of properties in this answer. */
        count?: number
        /** Opaque token for the next page, null on the last. */
        nextCursor?: string | null
        /** Area that was searched. */
        areaSqMiles?: number
        /** Parcels over all pages, if asked for. */
        total?: number
        /** atLeast: the time limit came before all parcels were counted. */
        totalIs?: 'exact' | 'atLeast'
      }
    }
    metadata: {
      /** Applied page size. */
      limit?: number
      /** Number of properties in this answer. */
      count?: number
      /** Opaque token for the next page, null on the last. */
      nextCursor?: string | null
      /** Area that was searched. */
      areaSqMiles?: number
      /** Parcels over all pages, if asked for. */
      total?: number
      /** atLeast: the time limit came before all parcels were counted. */
      totalIs?: 'exact' | 'atLeast'
    }
  }

  /** Abutters */
  abutterSearch: {
    parameters: {
      /** Names of the fields to return, with commas between them, as the records of the account show them; the id and `propertyId` are always returned. Nested records take paths such as `propertyLocation.address`, or the name of a part. */
      fields?: string | undefined
      /** Stable ID of the property: county FIPS code, `-`, parcel ID. No other parameter is required with it. */
      propertyId?: string | undefined
      /** The same as propertyId. */
      realieParcelId?: string | undefined
      /** Two-letter state abbreviation, in any case. Required without a property ID. */
      state?: string | undefined
      /** County by name, with or without "County", or by three- or five-digit FIPS code. Required without a property ID. An unrecognized county finds nothing. */
      county?: string | undefined
      /** Parcel ID in the county; if county is absent, a property ID. */
      parcelId?: string | undefined
      /** Feet between the polygons; 0: they share an edge or a corner, within one foot. */
      distance?: number | undefined
      /** Records, or a mailing label per owner. */
      format?: 'records' | 'labels' | undefined
      /** Where a 200 costs tokens: the same key, operation and query within 24 hours is charged once. */
      'Idempotency-Key'?: string | undefined
    }
    answer: {
      /** The records, in the order of the operation. */
      properties: Array<FlatProperty>
      /** Parameters as applied, and figures of this page. */
      metadata: {
        /** Number of properties in this answer. */
        count: number
        /** Number of parcels within the distance. */
        total: number
        /** Applied distance. */
        distanceFeet: number
        /** Distance of each property from the subject, in their order. */
        distancesFeet: Array<number>
      }
    }
    metadata: {
      /** Number of properties in this answer. */
      count: number
      /** Number of parcels within the distance. */
      total: number
      /** Applied distance. */
      distanceFeet: number
      /** Distance of each property from the subject, in their order. */
      distancesFeet: Array<number>
    }
  }

  /** Coverage */
  coverage: {
    parameters: {
      /** Two-letter state abbreviation, in any case. */
      state?: string | undefined
      /** County by name, with or without "County", or by three- or five-digit FIPS code. Needs state. An unrecognized county finds nothing. */
      county?: string | undefined
      /** Where a 200 costs tokens: the same key, operation and query within 24 hours is charged once. */
      'Idempotency-Key'?: string | undefined
    }
    answer: {
      /** By state and county; one that is not loaded is not listed. */
      counties: Array<{
        /** Two letters. */
        state: string
        /** Name of the county, without the word County. */
        county: string
        /** Five-digit county FIPS code. */
        fips: string
        /** Scope of the numbers; rolls of municipalities are summed by county. */
        scope: 'county'
        /** Number of loaded parcels. */
        parcels: number
        /** Newest roll year; null: unknown. */
        rollYear: number | null
        /** Newest change by an import. */
        loadedAt: string
        /** West, south, east and north of the parcel points, in WGS 84 degrees. */
        bounds: Array<number> | null
        /** The rolls of which versions are kept, the present one included; newest first. */
        vintages: Array<{
          /** Day of the roll, as `asOf` compares it. */
          date: string
          /** Year of the roll. */
          rollYear: number | null
          /** Only where municipalities are rolls of their own; else null. */
          municipality: string | null
          /** Mapping of the import. */
          source: string | null
          /** When it was loaded. */
          loadedAt: string
        }>
        /** Share of the parcels that has each field, 0 to 1. building: year built or building area; value: assessed or market value; sale: date or price of the newest sale. */
        share: {
          /** Share of the parcels that has owner, 0 to 1. */
          owner: number
          /** Share of the parcels that has address, 0 to 1. */
          address: number
          /** Share of the parcels that has coordinates, 0 to 1. */
          coordinates: number
          /** Share of the parcels that has mailingAddress, 0 to 1. */
          mailingAddress: number
          /** Share of the parcels that has city, 0 to 1. */
          city: number
          /** Share of the parcels that has zipCode, 0 to 1. */
          zipCode: number
          /** Share of the parcels that has useCode, 0 to 1. */
          useCode: number
          /** Share of the parcels that has residential, 0 to 1. */
          residential: number
          /** Share of the parcels that has assessedValue, 0 to 1. */
          assessedValue: number
          /** Share of the parcels that has marketValue, 0 to 1. */
          marketValue: number
          /** Share of the parcels that has taxAmount, 0 to 1. */
          taxAmount: number
          /** Share of the parcels that has saleDate, 0 to 1. */
          saleDate: number
          /** Share of the parcels that has salePrice, 0 to 1. */
          salePrice: number
          /** Share of the parcels that has yearBuilt, 0 to 1. */
          yearBuilt: number
          /** Share of the parcels that has buildingArea, 0 to 1. */
          buildingArea: number
          /** Share of the parcels that has acres, 0 to 1. */
          acres: number
          /** Share of the parcels that has legalDescription, 0 to 1. */
          legalDescription: number
          /** Share of the parcels that has geometry, 0 to 1. */
          geometry: number
          /** Share of the parcels that has localUse, 0 to 1. */
          localUse: number
          /** Share of the parcels that has building, 0 to 1. */
          building: number
          /** Share of the parcels that has value, 0 to 1. */
          value: number
          /** Share of the parcels that has sale, 0 to 1. */
          sale: number
        }
      }>
      /** Over all listed counties. */
      totals: {
        /** Number of states with a loaded county. */
        states: number
        /** Number of loaded counties. */
        counties: number
        /** Number of loaded parcels. */
        parcels: number
        /** Share of the parcels that has each field, 0 to 1. building: year built or building area; value: assessed or market value; sale: date or price of the newest sale. */
        share: {
          /** Share of the parcels that has owner, 0 to 1. */
          owner: number
          /** Share of the parcels that has address, 0 to 1. */
          address: number
          /** Share of the parcels that has coordinates, 0 to 1. */
          coordinates: number
          /** Share of the parcels that has mailingAddress, 0 to 1. */
          mailingAddress: number
          /** Share of the parcels that has city, 0 to 1. */
          city: number
          /** Share of the parcels that has zipCode, 0 to 1. */
          zipCode: number
          /** Share of the parcels that has useCode, 0 to 1. */
          useCode: number
          /** Share of the parcels that has residential, 0 to 1. */
          residential: number
          /** Share of the parcels that has assessedValue, 0 to 1. */
          assessedValue: number
          /** Share of the parcels that has marketValue, 0 to 1. */
          marketValue: number
          /** Share of the parcels that has taxAmount, 0 to 1. */
          taxAmount: number
          /** Share of the parcels that has saleDate, 0 to 1. */
          saleDate: number
          /** Share of the parcels that has salePrice, 0 to 1. */
          salePrice: number
          /** Share of the parcels that has yearBuilt, 0 to 1. */
          yearBuilt: number
          /** Share of the parcels that has buildingArea, 0 to 1. */
          buildingArea: number
          /** Share of the parcels that has acres, 0 to 1. */
          acres: number
          /** Share of the parcels that has legalDescription, 0 to 1. */
          legalDescription: number
          /** Share of the parcels that has geometry, 0 to 1. */
          geometry: number
          /** Share of the parcels that has localUse, 0 to 1. */
          localUse: number
          /** Share of the parcels that has building, 0 to 1. */
          building: number
          /** Share of the parcels that has value, 0 to 1. */
          value: number
          /** Share of the parcels that has sale, 0 to 1. */
          sale: number
        }
      }
      /** States whose database cannot be reached now, so that their counties are not listed; left out where there are none. */
      unavailable?: Array<string>
    }
  }

  /** Quality */
  quality: {
    parameters: {
      /** Two-letter state abbreviation, in any case. */
      state?: string | undefined
      /** County by name, with or without "County", or by three- or five-digit FIPS code. Needs state. With an unrecognized county the answer is 404. */
      county?: string | undefined
      /** Where a 200 costs tokens: the same key, operation and query within 24 hours is charged once. */
      'Idempotency-Key'?: string | undefined
    }
    answer: {
      /** By state and county. */
      scopes: Array<{
        /** Two letters. */
        state: string
        /** Name of the county. */
        county: string
        /** Five-digit county FIPS code. */
        fips: string
        /** Number of parcels that were measured. */
        parcels: number
        /** Roll year; null: unknown. */
        rollYear?: number | null
        /** Import that measured it. */
        loadedAt?: string
        /** 0 to 100. */
        score: number
        /** Names of the parts with a fault. */
        faults: Array<string>
        /** All parts, in the order of the page. */
        parts: Array<{
          /** What is measured. */
          name:
            | 'owner'
            | 'situs'
            | 'mailing'
            | 'value'
            | 'sale'
            | 'building'
            | 'land'
            | 'point'
            | 'polygon'
            | 'rollAge'
            | 'loadAge'
            | 'valueSum'
            | 'builtLater'
            | 'soldBeforeBuilt'
            | 'halfBaths'
            | 'area'
            | 'pointOutsidePolygon'
            | 'pointOutsideCounty'
            | 'polygonOutsideCounty'
            | 'zip'
            | 'city'
            | 'repeatedId'
            | 'repeatedAddress'
            | 'placeholder'
            | 'overlap'
            | 'gap'
            | 'vanishedFields'
            | 'fewerParcels'
          /** What counts as a fault, in words. */
          about: string
          /** Share in order, 0 to 1; null: could not be measured. */
          share: number | null
          /** Number of faults. */
          count: number
          /** Number that could be at fault. */
          of: number
          /** Weight in the score. */
          weight: number
          /** propertyIds, at most 5; none for over 20 counties. */
          examples: Array<string>
          /** Fields at fault. */
          fields?: Array<string>
        }>
        /** The score after each import, the newest first; at most 100. */
        course: Array<{
          /** The import. */
          loadedAt?: string
          /** Its score at that time. */
          score?: number
          /** Its number of parcels. */
          parcels?: number
        }>
      }>
    }
  }

  /** TileJSON */
  tileJson: {
    parameters: {
      /** Where a 200 costs tokens: the same key, operation and query within 24 hours is charged once. */
      'Idempotency-Key'?: string | undefined
    }
    answer: {
      /** Version of the format. */
      tilejson: string
      /** Name of the tiles. */
      name: string
      /** Rows of tiles count from the north. */
      scheme: 'xyz'
      /** Address of a tile. */
      tiles: Array<string>
      /** Smallest zoom that has tiles. */
      minzoom: number
      /** Largest zoom that has tiles. */
      maxzoom: number
      /** West, south, east and north of what is loaded, in WGS 84 degrees. */
      bounds: Array<number>
      /** Longitude, latitude and zoom to begin with. */
      center: Array<number>
      /** The layers of a tile. */
      vector_layers: Array<{
        /** Name of the layer in a tile. */
        id: string
        /** What the layer holds. */
        description?: string
        /** Smallest zoom that has the layer. */
        minzoom?: number
        /** Largest zoom that has the layer. */
        maxzoom?: number
        /** Names and types of the attributes of a feature. */
        fields: Record<string, unknown>
      }>
    }
  }

  /** Changes */
  changes: {
    parameters: {
      /** Two-letter state abbreviation, in any case. */
      state: string
      /** County by name, with or without "County", or by three- or five-digit FIPS code. An unrecognized county finds nothing. */
      county?: string | undefined
      /** Only changes of these groups of fields, with commas between them: owner, address, value, sale, building, land, geometry, other. Parcels that were added or removed, and first loads, are listed in any case. */
      groups?: string | undefined
      /** Only changes of imports on or after this day, UTC. Not together with `cursor`. */
      since?: string | undefined
      /** The `nextCursor` of an earlier answer: only changes after it. Without a cursor the list begins with the oldest change that is kept. */
      cursor?: string | undefined
      /** Page size; larger values are capped at 1000. */
      limit?: number | undefined
      /** Where a 200 costs tokens: the same key, operation and query within 24 hours is charged once. */
      'Idempotency-Key'?: string | undefined
    }
    answer: {
      /** By ascending sequence. */
      changes: Array<{
        /** Number of the change in its state; a later change has a higher one. */
        sequence: number
        /** Stable ID of the property; null for `loaded`. */
        propertyId: string | null
        /** Id of the record; null for `loaded`. */
        id: string | null
        /** `renumbered`: the same record under another ID, which is `propertyId`. `loaded`: the first load of a county, without a row per parcel. */
        what: 'added' | 'changed' | 'renumbered' | 'removed' | 'loaded'
        /** Groups of fields that changed; empty unless `what` is `changed` or `renumbered`. */
        groups: Array<
          'owner' | 'address' | 'value' | 'sale' | 'building' | 'land' | 'geometry' | 'other'
        >
        /** Five-digit FIPS code. */
        county: string
        /** Only where municipalities assign the parcel IDs; else null. */
        municipality?: string | null
        /** Only with `loaded`: number of parcels. */
        parcels?: number
        /** When the import ended. */
        loadedAt: string
        /** Number of the import. */
        import: number
      }>
      /** State and page size as applied, and the cursor of the next request. */
      metadata: {
        /** Two letters. */
        state: string
        /** Applied page size. */
        limit: number
        /** Number of changes in this answer. */
        count: number
        /** Cursor of the next request; also present on the last page. */
        nextCursor: string
        /** The oldest change that is kept. */
        oldestSequence: number
        /** The newest change of the state. */
        lastSequence: number
      }
    }
    metadata: {
      /** Two letters. */
      state: string
      /** Applied page size. */
      limit: number
      /** Number of changes in this answer. */
      count: number
      /** Cursor of the next request; also present on the last page. */
      nextCursor: string
      /** The oldest change that is kept. */
      oldestSequence: number
      /** The newest change of the state. */
      lastSequence: number
    }
  }

  /** Property history */
  propertyHistory: {
    parameters: {
      /** Stable ID of the property: county FIPS code, `-`, parcel ID. No other parameter is required with it. */
      propertyId?: string | undefined
      /** The same as propertyId. */
      realieParcelId?: string | undefined
      /** Two-letter state abbreviation, in any case. Required without a property ID. */
      state?: string | undefined
      /** County by name, with or without "County", or by three- or five-digit FIPS code. Required without a property ID. An unrecognized county finds nothing. */
      county?: string | undefined
      /** Parcel ID in the county; if county is absent, a property ID. */
      parcelId?: string | undefined
      /** Only changes of these fields or groups of fields, with commas between them. Groups: owner, address, value, sale, building, land, geometry, other. */
      fields?: string | undefined
      /** true: with the whole record of each version. */
      records?: boolean | undefined
      /** Where a 200 costs tokens: the same key, operation and query within 24 hours is charged once. */
      'Idempotency-Key'?: string | undefined
    }
    answer: {
      /** Stable ID of the property. */
      propertyId: string
      /** Newest first. */
      versions: Array<{
        /** Day of the roll that began this version. */
        from: string | null
        /** Day of the roll that ended it; null: it is the present one. */
        to: string | null
        /** Year of the roll; null: unknown. */
        rollYear: number | null
        /** Mapping of the import that began it. */
        source: string | null
        /** Number of that import. */
        import: number | null
        /** `removed`: in this time there was no such parcel. */
        what: 'loaded' | 'changed' | 'removed' | 'returned'
        /** Only with `records`: the record in the layout of the account. */
        record?: Record<string, unknown> | null
      }>
      /** Newest first. */
      changes: Array<{
        /** Day of the roll that made the change. */
        at: string
        /** Year of the roll; null: unknown. */
        rollYear: number | null
        /** Name of the field, as exports have it; or `geometry`. */
        field: string
        /** Its value before; null: unknown. */
        from: unknown
        /** Its value after; null: unknown. */
        to: unknown
      }>
      /** How far back the history goes. */
      metadata: {
        /** Day of the oldest roll that is kept. */
        since: string | null
      }
    }
    metadata: {
      /** Day of the oldest roll that is kept. */
      since: string | null
    }
  }

  /** Property lineage */
  propertyLineage: {
    parameters: {
      /** Stable ID of the property: county FIPS code, `-`, parcel ID. No other parameter is required with it. */
      propertyId?: string | undefined
      /** The same as propertyId. */
      realieParcelId?: string | undefined
      /** Two-letter state abbreviation, in any case. Required without a property ID. */
      state?: string | undefined
      /** County by name, with or without "County", or by three- or five-digit FIPS code. Required without a property ID. An unrecognized county finds nothing. */
      county?: string | undefined
      /** Parcel ID in the county; if county is absent, a property ID. */
      parcelId?: string | undefined
      /** Generations of parents and of children; larger values are capped at 5. */
      generations?: number | undefined
      /** Where a 200 costs tokens: the same key, operation and query within 24 hours is charged once. */
      'Idempotency-Key'?: string | undefined
    }
    answer: {
      /** Stable ID of the property. */
      propertyId: string
      /** Newest first; each with its own `parents` where generations allow. */
      parents: Array<{
        /** Stable ID of the parent. */
        propertyId: string
        /** Day of the roll that made the change. */
        at: string
        /** What happened. */
        kind: 'split' | 'merge' | 'adjustment' | 'renumbered'
        /** Of its area; null: no polygons. */
        shareOfParent: number | null
        /** Of its area; null: no polygons. */
        shareOfChild: number | null
        /** What speaks for it: common land, a former ID, equal address, equal owner. */
        evidence: Array<'overlay' | 'formerParcelIds' | 'address' | 'owner'>
        /** The next generation. */
        parents?: Array<Record<string, unknown>>
      }>
      /** Newest first; each with its own `children` where generations allow. */
      children: Array<{
        /** Stable ID of the child. */
        propertyId: string
        /** Day of the roll that made the change. */
        at: string
        /** What happened. */
        kind: 'split' | 'merge' | 'adjustment' | 'renumbered'
        /** Of its area; null: no polygons. */
        shareOfParent: number | null
        /** Of its area; null: no polygons. */
        shareOfChild: number | null
        /** What speaks for it: common land, a former ID, equal address, equal owner. */
        evidence: Array<'overlay' | 'formerParcelIds' | 'address' | 'owner'>
        /** The next generation. */
        children?: Array<Record<string, unknown>>
      }>
      /** What happened last; `none`: nothing is known. */
      kind: 'split' | 'merge' | 'adjustment' | 'renumbered' | 'none'
      /** How far back the rolls go. */
      metadata: {
        /** As applied. */
        generations: number
        /** Day of the oldest roll that is kept. */
        since: string | null
        /** false: there are more than are shown. */
        complete: boolean
      }
    }
    metadata: {
      /** As applied. */
      generations: number
      /** Day of the oldest roll that is kept. */
      since: string | null
      /** false: there are more than are shown. */
      complete: boolean
    }
  }

  /** Comparable sales */
  comparables: {
    parameters: {
      /** Names of the fields to return, with commas between them, as the records of the account show them; the id and `propertyId` are always returned. Nested records take paths such as `propertyLocation.address`, or the name of a part. */
      fields?: string | undefined
      /** Latitude in WGS 84 decimal degrees. Required without a property. */
      latitude?: number | undefined
      /** The same as latitude. */
      lat?: number | undefined
      /** Longitude in WGS 84 decimal degrees; west is negative. Required without a property. */
      longitude?: number | undefined
      /** The same as longitude. */
      lng?: number | undefined
      /** The same as longitude. */
      lon?: number | undefined
      /** The same as longitude. */
      long?: number | undefined
      /** Stable ID of the property: county FIPS code, `-`, parcel ID. No other parameter is required with it. */
      propertyId?: string | undefined
      /** The same as propertyId. */
      realieParcelId?: string | undefined
      /** Two-letter state abbreviation, in any case. Required without a property ID. */
      state?: string | undefined
      /** County by name, with or without "County", or by three- or five-digit FIPS code. Required without a property ID. An unrecognized county finds nothing. */
      county?: string | undefined
      /** Parcel ID in the county; if county is absent, a property ID. */
      parcelId?: string | undefined
      /** Miles around the point; larger values are capped at 10. */
      radius?: number | undefined
      /** Maximum age of a sale in months; larger values are capped at 60. Also spelled `time_frame`. */
      timeFrame?: number | undefined
      /** Page size; larger values are capped at 50. */
      maxResults?: number | undefined
      /** The same as maxResults. */
      limit?: number | undefined
      /** Number of matched records to skip. */
      offset?: number | undefined
      /** Least building area, square feet; sales without this value are excluded. */
      sqftMin?: number | undefined
      /** Largest building area, square feet; sales without this value are excluded. */
      sqftMax?: number | undefined
      /** Least number of bedrooms, all buildings; sales without this value are excluded. */
      bedsMin?: number | undefined
      /** Largest number of bedrooms, all buildings; sales without this value are excluded. */
      bedsMax?: number | undefined
      /** Least number of bathrooms, half baths count 0.5; sales without this value are excluded. */
      bathsMin?: number | undefined
      /** Largest number of bathrooms, half baths count 0.5; sales without this value are excluded. */
      bathsMax?: number | undefined
      /** Least price, US dollars; sales without this value are excluded. */
      priceMin?: number | undefined
      /** Largest price, US dollars; sales without this value are excluded. */
      priceMax?: number | undefined
      /** Kind of the comparable properties; also replaces the kind of the subject. Also spelled `property_type`. */
      propertyType?: 'any' | 'house' | 'condo' | undefined
      /** assessment: parcels of the same use that are most like the property, with their assessed values, instead of sales. */
      basis?: 'sale' | 'assessment' | undefined
      /** Also sales not at market price, with their flags, and their number by flag. */
      explain?: boolean | undefined
      /** Estimates the value of the subject from the sales. */
      estimate?: boolean | undefined
      /** Where a 200 costs tokens: the same key, operation and query within 24 hours is charged once. */
      'Idempotency-Key'?: string | undefined
    }
    answer: {
      /** The same records as `properties`. */
      comparables: Array<FlatProperty>
      /** The records, in the order of the operation. */
      properties: Array<FlatProperty>
      /** Parameters as applied, and figures of this page. */
      metadata: {
        /** Applied page size. */
        limit: number
        /** Applied number of sales skipped. */
        offset: number
        /** Number of properties in this answer. */
        count: number
        /** Sales that were found, over all pages. */
        total: number
        /** false: the radius has more sales than were examined, the nearest ones. */
        complete: boolean
        /** The requested point, or the point of the subject. */
        searchCenter: {
          /** Degrees east in WGS 84; west is negative. */
          longitude: number
          /** Degrees north in WGS 84. */
          latitude: number
        }
        /** Applied radius in miles. */
        radiusMiles: number
        /** Applied maximum age of a sale in months. */
        timeFrame?: number
        /** The parameters as applied, defaults and caps included. */
        searchParams: Record<string, unknown>
        /** The sale of each property, in their order. */
        sales?: Array<{
          /** Date of the sale, `YYYY-MM-DD`. */
          date?: string
          /** US dollars. */
          price?: number
          /** US dollars per square foot of building. */
          pricePerSqFt?: number | null
          /** Great-circle distance from the search center. */
          distanceMiles?: number
          /** 0 to 1: the weighted sum of the parts. */
          similarity?: number
          /** Each part of the similarity, 0 to 1. */
          parts?: {
            /** miles */
            distance?: number | null
            /** months since the sale */
            age?: number | null
            /** share of the larger area */
            size?: number | null
            /** bedrooms */
            bedrooms?: number | null
            /** bathrooms */
            bathrooms?: number | null
            /** years */
            yearBuilt?: number | null
            /** 0 where equal, 1 where not */
            kind?: number | null
          }
          /** Sold property minus the subject. */
          differences?: {
            /** miles */
            distance?: number | null
            /** months since the sale */
            age?: number | null
            /** share of the larger area */
            size?: number | null
            /** bedrooms */
            bedrooms?: number | null
            /** bathrooms */
            bathrooms?: number | null
            /** years */
            yearBuilt?: number | null
            /** 0 where equal, 1 where not */
            kind?: number | null
          }
          /** Whether the sale is at market price. */
          qualified?: boolean
          /** Reasons why the sale is not at market price. */
          flags?: Array<string>
        }>
        /** `assessment`, with `basis=assessment`. */
        basis?: string
        /** How likeness is scored, with `basis=assessment`. */
        rule?: string
        /** With `basis=assessment`: the subject among the parcels most like it. */
        subject?: {
          /** US dollars. */
          assessedValue?: number
          /** Area of values per square foot: building or land. */
          per?: string
          /** US dollars per square foot. */
          valuePerSqFt?: number
          /** Median of the like parcels. */
          medianPerSqFt?: number
          /** Place among the like parcels, 0 to 100. */
          percentile?: number
          /** Value that the median would give. */
          valueAtMedian?: number
          /** Number of like parcels, at most 25. */
          n?: number
        }
        /** With `basis=assessment`: of each property, in their order. */
        assessments?: Array<{
          /** US dollars. */
          assessedValue?: number
          /** US dollars per square foot. */
          valuePerSqFt?: number
          /** 0 to 1. */
          similarity?: number
          /** Parcel minus the subject, by part. */
          differences?: Record<string, unknown>
        }>
        /** With `explain`: number of sales not at market price, by flag. */
        excluded?: Record<string, unknown>
        /** With `estimate`: `value` in US dollars from `n` sales, `null` with a `reason`. */
        estimate?: {
          /** US dollars; null: no estimate, see `reason`. */
          value?: number | null
          /** Lower end of the range, US dollars. */
          low?: number | null
          /** Upper end of the range, US dollars. */
          high?: number | null
          /** Estimation method. */
          method?: string
          /** Number of sales that the value was estimated from. */
          n?: number
          /** Errors of such estimates on the county's past sales, each estimated from earlier ones. `null` with a `reason` if fewer than 200 could be estimated. */
          backtest?: {
            /** Name of the county. */
            county?: string
            /** Number of past sales that were estimated. */
            sales?: number
            /** Median of the absolute relative errors. */
            medianError?: number
            /** Share within 20 % of the price, 0 to 1. */
            within20Percent?: number
            /** Share of the later prices inside the range set by the earlier ones, 0 to 1. */
            coverage?: number
          } | null
          /** Why there is no value. */
          reason?: string
        }
      }
    }
    metadata: {
      /** Applied page size. */
      limit: number
      /** Applied number of sales skipped. */
      offset: number
      /** Number of properties in this answer. */
      count: number
      /** Sales that were found, over all pages. */
      total: number
      /** false: the radius has more sales than were examined, the nearest ones. */
      complete: boolean
      /** The requested point, or the point of the subject. */
      searchCenter: {
        /** Degrees east in WGS 84; west is negative. */
        longitude: number
        /** Degrees north in WGS 84. */
        latitude: number
      }
      /** Applied radius in miles. */
      radiusMiles: number
      /** Applied maximum age of a sale in months. */
      timeFrame?: number
      /** The parameters as applied, defaults and caps included. */
      searchParams: Record<string, unknown>
      /** The sale of each property, in their order. */
      sales?: Array<{
        /** Date of the sale, `YYYY-MM-DD`. */
        date?: string
        /** US dollars. */
        price?: number
        /** US dollars per square foot of building. */
        pricePerSqFt?: number | null
        /** Great-circle distance from the search center. */
        distanceMiles?: number
        /** 0 to 1: the weighted sum of the parts. */
        similarity?: number
        /** Each part of the similarity, 0 to 1. */
        parts?: {
          /** miles */
          distance?: number | null
          /** months since the sale */
          age?: number | null
          /** share of the larger area */
          size?: number | null
          /** bedrooms */
          bedrooms?: number | null
          /** bathrooms */
          bathrooms?: number | null
          /** years */
          yearBuilt?: number | null
          /** 0 where equal, 1 where not */
          kind?: number | null
        }
        /** Sold property minus the subject. */
        differences?: {
          /** miles */
          distance?: number | null
          /** months since the sale */
          age?: number | null
          /** share of the larger area */
          size?: number | null
          /** bedrooms */
          bedrooms?: number | null
          /** bathrooms */
          bathrooms?: number | null
          /** years */
          yearBuilt?: number | null
          /** 0 where equal, 1 where not */
          kind?: number | null
        }
        /** Whether the sale is at market price. */
        qualified?: boolean
        /** Reasons why the sale is not at market price. */
        flags?: Array<string>
      }>
      /** `assessment`, with `basis=assessment`. */
      basis?: string
      /** How likeness is scored, with `basis=assessment`. */
      rule?: string
      /** With `basis=assessment`: the subject among the parcels most like it. */
      subject?: {
        /** US dollars. */
        assessedValue?: number
        /** Area of values per square foot: building or land. */
        per?: string
        /** US dollars per square foot. */
        valuePerSqFt?: number
        /** Median of the like parcels. */
        medianPerSqFt?: number
        /** Place among the like parcels, 0 to 100. */
        percentile?: number
        /** Value that the median would give. */
        valueAtMedian?: number
        /** Number of like parcels, at most 25. */
        n?: number
      }
      /** With `basis=assessment`: of each property, in their order. */
      assessments?: Array<{
        /** US dollars. */
        assessedValue?: number
        /** US dollars per square foot. */
        valuePerSqFt?: number
        /** 0 to 1. */
        similarity?: number
        /** Parcel minus the subject, by part. */
        differences?: Record<string, unknown>
      }>
      /** With `explain`: number of sales not at market price, by flag. */
      excluded?: Record<string, unknown>
      /** With `estimate`: `value` in US dollars from `n` sales, `null` with a `reason`. */
      estimate?: {
        /** US dollars; null: no estimate, see `reason`. */
        value?: number | null
        /** Lower end of the range, US dollars. */
        low?: number | null
        /** Upper end of the range, US dollars. */
        high?: number | null
        /** Estimation method. */
        method?: string
        /** Number of sales that the value was estimated from. */
        n?: number
        /** Errors of such estimates on the county's past sales, each estimated from earlier ones. `null` with a `reason` if fewer than 200 could be estimated. */
        backtest?: {
          /** Name of the county. */
          county?: string
          /** Number of past sales that were estimated. */
          sales?: number
          /** Median of the absolute relative errors. */
          medianError?: number
          /** Share within 20 % of the price, 0 to 1. */
          within20Percent?: number
          /** Share of the later prices inside the range set by the earlier ones, 0 to 1. */
          coverage?: number
        } | null
        /** Why there is no value. */
        reason?: string
      }
    }
  }

  /** Ratio study */
  ratioStudy: {
    parameters: {
      /** Two-letter state abbreviation, in any case. */
      state: string
      /** County by name, with or without "County", or by three- or five-digit FIPS code. */
      county: string
      /** Only sales in this municipality. */
      municipality?: string | undefined
      /** Use code of the national scheme: one, several, or first digits as `10*`. */
      useStandardCode?: string | undefined
      /** First day of the sales; default: 1 January two years before the roll year. */
      from?: string | undefined
      /** Last day of the sales. */
      to?: string | undefined
      /** Which value is divided by the price. */
      basis?: 'market' | 'assessed' | undefined
      /** A group for each value of this field. */
      groupBy?: 'municipality' | 'useStandardCode' | 'neighborhood' | 'priceQuartile' | undefined
      /** Where a 200 costs tokens: the same key, operation and query within 24 hours is charged once. */
      'Idempotency-Key'?: string | undefined
    }
    answer: {
      /** One group, or one for each value. */
      groups: Array<{
        /** `all`, or the value that the group shares. */
        key: string
        /** Number of sales used. */
        n: number
        /** Number of outliers left out. */
        trimmed: number
        /** Resamples of the intervals. */
        resamples: number
        /** A value with its 95 % interval; `null`: see `reason`. */
        median: {
          /** The statistic. `cod` is in percent. */
          value: number
          /** Lower end of the interval. */
          low: number
          /** Upper end of the interval. */
          high: number
        } | null
        /** A value with its 95 % interval; `null`: see `reason`. */
        mean: {
          /** The statistic. `cod` is in percent. */
          value: number
          /** Lower end of the interval. */
          low: number
          /** Upper end of the interval. */
          high: number
        } | null
        /** A value with its 95 % interval; `null`: see `reason`. */
        weightedMean: {
          /** The statistic. `cod` is in percent. */
          value: number
          /** Lower end of the interval. */
          low: number
          /** Upper end of the interval. */
          high: number
        } | null
        /** A value with its 95 % interval; `null`: see `reason`. */
        cod: {
          /** The statistic. `cod` is in percent. */
          value: number
          /** Lower end of the interval. */
          low: number
          /** Upper end of the interval. */
          high: number
        } | null
        /** A value with its 95 % interval; `null`: see `reason`. */
        prd: {
          /** The statistic. `cod` is in percent. */
          value: number
          /** Lower end of the interval. */
          low: number
          /** Upper end of the interval. */
          high: number
        } | null
        /** A value with its 95 % interval; `null`: see `reason`. */
        prb: {
          /** The statistic. `cod` is in percent. */
          value: number
          /** Lower end of the interval. */
          low: number
          /** Upper end of the interval. */
          high: number
        } | null
        /** A value with its 95 % interval; `null`: see `reason`. */
        within10Percent: {
          /** The statistic. `cod` is in percent. */
          value: number
          /** Lower end of the interval. */
          low: number
          /** Upper end of the interval. */
          high: number
        } | null
        /** A value with its 95 % interval; `null`: see `reason`. */
        ki: {
          /** The statistic. `cod` is in percent. */
          value: number
          /** Lower end of the interval. */
          low: number
          /** Upper end of the interval. */
          high: number
        } | null
        /** A value with its 95 % interval; `null`: see `reason`. */
        mki: {
          /** The statistic. `cod` is in percent. */
          value: number
          /** Lower end of the interval. */
          low: number
          /** Upper end of the interval. */
          high: number
        } | null
        /** Which ranges of the standard hold; `null` without statistics. */
        standard: {
          /** Whether median is within 0.9 and 1.1; null for `basis=assessed`, because a law may set assessed values at a share of the market. */
          median?: boolean | null
          /** Whether prd is within 0.98 and 1.03. */
          prd?: boolean
          /** Whether prb is within -0.05 and 0.05. */
          prb?: boolean
          /** Whether mki is within 0.95 and 1.05. */
          mki?: boolean
          /** Classes of property whose range contains the COD. */
          cod?: Array<
            | 'newerHouses'
            | 'olderHouses'
            | 'otherResidential'
            | 'incomeLarge'
            | 'incomeSmall'
            | 'vacantLand'
          >
        } | null
        /** One sentence by the ranges of the standard. */
        judgement: string
        /** Why there are no statistics. */
        reason?: string
      }>
      /** Number of sales left out, by the first reason of each. */
      excluded: Record<string, unknown>
      /** Seed of the bootstrap: the same intervals each time. */
      seed: number
      /** Applied `basis`. */
      basis: string
      /** Bound of the sales; or none. */
      from: string | null
      /** Bound of the sales; or none. */
      to: string | null
      /** false: an even sample of 20000 sales was read. */
      complete: boolean
    }
  }

  /** Portfolio search */
  portfolioSearch: {
    parameters: {
      /** Stable ID of the property: county FIPS code, `-`, parcel ID. No other parameter is required with it. */
      propertyId?: string | undefined
      /** The same as propertyId. */
      realieParcelId?: string | undefined
      /** Two-letter state abbreviation, in any case. Required without a property ID. */
      state?: string | undefined
      /** County by name, with or without "County", or by three- or five-digit FIPS code. Required without a property ID. An unrecognized county finds nothing. */
      county?: string | undefined
      /** Parcel ID in the county; if county is absent, a property ID. */
      parcelId?: string | undefined
      /** Where the other parcels are searched. */
      scope?: 'county' | 'state' | undefined
      /** true: only metadata, which costs no token. */
      countOnly?: boolean | undefined
      /** Page size; larger values are capped at 100. */
      limit?: number | undefined
      /** Number of matched records to skip. */
      offset?: number | undefined
      /** Names of the fields to return, with commas between them, as the records of the account show them; the id and `propertyId` are always returned. Nested records take paths such as `propertyLocation.address`, or the name of a part. */
      fields?: string | undefined
      /** Adds an explanation: how the parameters were read, the steps of the search with their counts, and why other parcels were not returned. */
      explain?: boolean | undefined
      /** Where a 200 costs tokens: the same key, operation and query within 24 hours is charged once. */
      'Idempotency-Key'?: string | undefined
    }
    answer: {
      /** The records, in the order of the operation. */
      properties?: Array<FlatProperty>
      /** Parameters as applied, and figures of this page. */
      metadata: {
        /** Applied page size. */
        limit: number
        /** Applied number of records skipped. */
        offset: number
        /** Parcels that were found, over all pages. */
        total: number
        /** Number of properties in this answer. */
        count: number
        /** false: a name has more than 300 parcels, of which only the first 300 were searched. */
        complete: boolean
        /** Reason for each property, in the same order. */
        reasons: Array<'name+mailing' | 'name' | 'mailing'>
        explain?: {
          /** The explanation in sentences, for people. */
          words: Array<string>
          /** How the parameters were read. */
          read?: unknown
          /** The steps of the search in order, each with the number of parcels it found. */
          tried?: Array<Record<string, unknown>>
          /** Owner search only: the exact search, then the fuzzy one. */
          rounds?: Array<Record<string, unknown>>
          /** Owner search: pairs of a word of the query and the recorded word that it matches. Portfolio: the parcels of the page, each with its reason. */
          met?: Array<Record<string, unknown>>
          /** Parcels or values that were not returned, each with the reason. */
          leftOut?: Array<Record<string, unknown> | string>
          provenance?: {
            /** Why nothing is known; then without the rest. */
            missing?: string
            /** The import that wrote the record. */
            import?: {
              /** Number in the history. */
              id: number
              /** When it was loaded, UTC. */
              loadedAt: string
              /** Name of its mapping. */
              mapping: string
              /** Whether its rows were kept. */
              keepsSource: boolean
            }
            /** By the path of each value in the record: `transfers[0].transferPrice`. */
            values?: Record<string, unknown>
          }
        }
      }
    }
    metadata: {
      /** Applied page size. */
      limit: number
      /** Applied number of records skipped. */
      offset: number
      /** Parcels that were found, over all pages. */
      total: number
      /** Number of properties in this answer. */
      count: number
      /** false: a name has more than 300 parcels, of which only the first 300 were searched. */
      complete: boolean
      /** Reason for each property, in the same order. */
      reasons: Array<'name+mailing' | 'name' | 'mailing'>
      explain?: {
        /** The explanation in sentences, for people. */
        words: Array<string>
        /** How the parameters were read. */
        read?: unknown
        /** The steps of the search in order, each with the number of parcels it found. */
        tried?: Array<Record<string, unknown>>
        /** Owner search only: the exact search, then the fuzzy one. */
        rounds?: Array<Record<string, unknown>>
        /** Owner search: pairs of a word of the query and the recorded word that it matches. Portfolio: the parcels of the page, each with its reason. */
        met?: Array<Record<string, unknown>>
        /** Parcels or values that were not returned, each with the reason. */
        leftOut?: Array<Record<string, unknown> | string>
        provenance?: {
          /** Why nothing is known; then without the rest. */
          missing?: string
          /** The import that wrote the record. */
          import?: {
            /** Number in the history. */
            id: number
            /** When it was loaded, UTC. */
            loadedAt: string
            /** Name of its mapping. */
            mapping: string
            /** Whether its rows were kept. */
            keepsSource: boolean
          }
          /** By the path of each value in the record: `transfers[0].transferPrice`. */
          values?: Record<string, unknown>
        }
      }
    }
  }

  /** Usage */
  usage: {
    parameters: {
      /** Where a 200 costs tokens: the same key, operation and query within 24 hours is charged once. */
      'Idempotency-Key'?: string | undefined
    }
    answer: {
      /** The current billing period. */
      period: {
        /** The first day of the period, UTC. */
        start: string
        /** The day after the last one, UTC. */
        end: string
      }
      /** Tokens of the period. */
      tokens: {
        /** Tokens of the plan; null: no limit. */
        included: number | null
        /** Tokens allowed beyond them; null: no limit. */
        cap: number | null
        /** Tokens charged, less what was credited. */
        used: number
        /** Tokens left in the period, those of the cap included; null: no limit. */
        left: number | null
      }
      /** Requests and tokens by day and operation; days without any are left out. */
      days: Array<{
        /** A day in UTC. */
        day: string
        /** Operation id, or `correction`. */
        endpoint: string
        /** Answered requests. */
        requests: number
        /** Negative for a credit. */
        tokens: number
      }>
    }
  }
}
/** Where each operation is and how its answer is read. */
export const OPERATIONS = {
  premiumOwnerSearch: {
    path: '/public/premium/owner/',
    paging: { list: 'properties', by: 'offset' },
  },
  addressLookup: { path: '/public/property/address/', field: 'property' },
  parcelIdLookup: { path: '/public/property/parcelId/', field: 'property' },
  propertySearch: {
    path: '/public/property/search/',
    paging: { list: 'properties', by: 'cursor' },
  },
  propertySummary: { path: '/public/property/summary/', paging: { list: 'groups', by: 'none' } },
  suggest: { path: '/public/suggest/' },
  ownerNetwork: { path: '/public/premium/network/', paging: { list: 'nodes', by: 'none' } },
  ownerSearch: { path: '/public/property/owner/', paging: { list: 'properties', by: 'offset' } },
  locationSearch: {
    path: '/public/property/location/',
    paging: { list: 'properties', by: 'cursor' },
  },
  pointLookup: { path: '/public/property/point/', paging: { list: 'properties', by: 'none' } },
  shapeSearch: { path: '/public/property/shape/', paging: { list: 'properties', by: 'cursor' } },
  abutterSearch: { path: '/public/property/abutters/', paging: { list: 'properties', by: 'none' } },
  coverage: { path: '/public/coverage/' },
  quality: { path: '/public/quality/' },
  tileJson: { path: '/public/tiles.json/' },
  changes: { path: '/public/changes/', paging: { list: 'changes', by: 'cursor' } },
  propertyHistory: { path: '/public/property/history/', paging: { list: 'versions', by: 'none' } },
  propertyLineage: { path: '/public/property/lineage/', paging: { list: 'parents', by: 'none' } },
  comparables: {
    path: '/public/premium/comparables/',
    paging: { list: 'comparables', by: 'offset' },
  },
  ratioStudy: { path: '/public/ratios/' },
  portfolioSearch: {
    path: '/public/premium/portfolio/',
    paging: { list: 'properties', by: 'offset' },
  },
  usage: { path: '/public/usage/' },
} as const
/** A method per operation; how they ask is the client class. */
export abstract class Methods<Property = FlatProperty> {
  protected abstract one<Value>(
    name: keyof Operations,
    query: Query,
    options: CallOptions,
  ): Promise<WithMeta<Value> | null>
  protected abstract list<Item, Metadata>(
    name: keyof Operations,
    query: Query,
    options: CallOptions,
  ): PropertyList<Item, Metadata>

  /** Premium owner search: a list, read page by page. */
  premiumOwnerSearch(
    parameters: Operations['premiumOwnerSearch']['parameters'],
    options: CallOptions = {},
  ) {
    return this.list<Property, Operations['premiumOwnerSearch']['metadata']>(
      'premiumOwnerSearch',
      parameters,
      options,
    )
  }

  /** Address lookup: the property, or `null` when there is none. */
  addressLookup(
    parameters: Operations['addressLookup']['parameters'] = {},
    options: CallOptions = {},
  ) {
    return this.one<Property>('addressLookup', parameters, options)
  }

  /** Parcel ID lookup: the property, or `null` when there is none. */
  parcelIdLookup(
    parameters: Operations['parcelIdLookup']['parameters'] = {},
    options: CallOptions = {},
  ) {
    return this.one<Property>('parcelIdLookup', parameters, options)
  }

  /** Property search: a list, read page by page. */
  propertySearch(
    parameters: Operations['propertySearch']['parameters'] = {},
    options: CallOptions = {},
  ) {
    return this.list<Property, Operations['propertySearch']['metadata']>(
      'propertySearch',
      parameters,
      options,
    )
  }

  /** Summary: a list, read page by page. */
  propertySummary(
    parameters: Operations['propertySummary']['parameters'],
    options: CallOptions = {},
  ) {
    return this.list<
      Operations['propertySummary']['answer']['groups'][number],
      Operations['propertySummary']['metadata']
    >('propertySummary', parameters, options)
  }

  /** Suggestions. */
  suggest(parameters: Operations['suggest']['parameters'], options: CallOptions = {}) {
    return this.one<Operations['suggest']['answer']>('suggest', parameters, options)
  }

  /** Owner network: a list, read page by page. */
  ownerNetwork(
    parameters: Operations['ownerNetwork']['parameters'] = {},
    options: CallOptions = {},
  ) {
    return this.list<
      Operations['ownerNetwork']['answer']['nodes'][number],
      Operations['ownerNetwork']['metadata']
    >('ownerNetwork', parameters, options)
  }

  /** Owner search: a list, read page by page. */
  ownerSearch(parameters: Operations['ownerSearch']['parameters'], options: CallOptions = {}) {
    return this.list<Property, Operations['ownerSearch']['metadata']>(
      'ownerSearch',
      parameters,
      options,
    )
  }

  /** Location search: a list, read page by page. */
  locationSearch(
    parameters: Operations['locationSearch']['parameters'] = {},
    options: CallOptions = {},
  ) {
    return this.list<Property, Operations['locationSearch']['metadata']>(
      'locationSearch',
      parameters,
      options,
    )
  }

  /** Point lookup: a list, read page by page. */
  pointLookup(parameters: Operations['pointLookup']['parameters'] = {}, options: CallOptions = {}) {
    return this.list<Property, Operations['pointLookup']['metadata']>(
      'pointLookup',
      parameters,
      options,
    )
  }

  /** Shape search: a list, read page by page. */
  shapeSearch(parameters: Operations['shapeSearch']['parameters'] = {}, options: CallOptions = {}) {
    return this.list<Property, Operations['shapeSearch']['metadata']>(
      'shapeSearch',
      parameters,
      options,
    )
  }

  /** Abutters: a list, read page by page. */
  abutterSearch(
    parameters: Operations['abutterSearch']['parameters'] = {},
    options: CallOptions = {},
  ) {
    return this.list<Property, Operations['abutterSearch']['metadata']>(
      'abutterSearch',
      parameters,
      options,
    )
  }

  /** Coverage. */
  coverage(parameters: Operations['coverage']['parameters'] = {}, options: CallOptions = {}) {
    return this.one<Operations['coverage']['answer']>('coverage', parameters, options)
  }

  /** Quality. */
  quality(parameters: Operations['quality']['parameters'] = {}, options: CallOptions = {}) {
    return this.one<Operations['quality']['answer']>('quality', parameters, options)
  }

  /** TileJSON. */
  tileJson(options: CallOptions = {}) {
    return this.one<Operations['tileJson']['answer']>('tileJson', {}, options)
  }

  /** Changes: a list, read page by page. */
  changes(parameters: Operations['changes']['parameters'], options: CallOptions = {}) {
    return this.list<
      Operations['changes']['answer']['changes'][number],
      Operations['changes']['metadata']
    >('changes', parameters, options)
  }

  /** Property history: a list, read page by page. */
  propertyHistory(
    parameters: Operations['propertyHistory']['parameters'] = {},
    options: CallOptions = {},
  ) {
    return this.list<
      Operations['propertyHistory']['answer']['versions'][number],
      Operations['propertyHistory']['metadata']
    >('propertyHistory', parameters, options)
  }

  /** Property lineage: a list, read page by page. */
  propertyLineage(
    parameters: Operations['propertyLineage']['parameters'] = {},
    options: CallOptions = {},
  ) {
    return this.list<
      Operations['propertyLineage']['answer']['parents'][number],
      Operations['propertyLineage']['metadata']
    >('propertyLineage', parameters, options)
  }

  /** Comparable sales: a list, read page by page. */
  comparables(parameters: Operations['comparables']['parameters'] = {}, options: CallOptions = {}) {
    return this.list<Property, Operations['comparables']['metadata']>(
      'comparables',
      parameters,
      options,
    )
  }

  /** Ratio study. */
  ratioStudy(parameters: Operations['ratioStudy']['parameters'], options: CallOptions = {}) {
    return this.one<Operations['ratioStudy']['answer']>('ratioStudy', parameters, options)
  }

  /** Portfolio search: a list, read page by page. */
  portfolioSearch(
    parameters: Operations['portfolioSearch']['parameters'] = {},
    options: CallOptions = {},
  ) {
    return this.list<Property, Operations['portfolioSearch']['metadata']>(
      'portfolioSearch',
      parameters,
      options,
    )
  }

  /** Usage. */
  usage(options: CallOptions = {}) {
    return this.one<Operations['usage']['answer']>('usage', {}, options)
  }
}
