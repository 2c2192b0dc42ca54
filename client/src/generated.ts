// Written by `npm run client-types` from the OpenAPI document. Do not edit.
export type FlatProperty = {
  _id: string
  propertyId: string | null
  parcelId: string | null
  parcelIdStripped: string | null
  altParcelIds: Array<string>
  taxAccountNumber: string | null
  state: string | null
  county: string | null
  fipsState: string | null
  fipsCounty: string | null
  jurisdiction: string | null
  ownerName: string | null
  ownerName1: string | null
  ownerName2: string | null
  ownerType: string | null
  ownerCareOf: string | null
  ownerOccupied: boolean | null
  ownershipStartDate: string | null
  ownerAddressLine1: string | null
  ownerCity: string | null
  ownerState: string | null
  ownerZipCode: string | null
  ownerZipCodePlusFour: string | null
  ownerCountry: string | null
  ownerAddressFull: string | null
  address: string | null
  addressRaw: string | null
  addressUnit: string | null
  addressFull: string | null
  altAddresses: Array<string>
  streetNumber: string | null
  streetNumberHigh: string | null
  streetDirectionPrefix: string | null
  streetName: string | null
  streetType: string | null
  streetDirectionSuffix: string | null
  street: string | null
  unitType: string | null
  unitNumberStripped: string | null
  unitNumber: string | null
  city: string | null
  zipCode: string | null
  zipCodePlusFour: string | null
  addressAssigned: boolean
  latitude: number | null
  longitude: number | null
  location: { type: 'Point'; coordinates: Array<number> } | null
  geometry: { type: 'Polygon' | 'MultiPolygon'; coordinates: Array<unknown> } | null
  siteCensusTract: string | null
  neighborhood: string | null
  useCode: string | null
  useDescription: string | null
  useCodeLocal: string | null
  residential: boolean | null
  buildingCount: number | null
  unitCount: number | null
  buildingArea: number | null
  yearBuilt: number | null
  effectiveYearBuilt: number | null
  stories: number | null
  totalBedrooms: number | null
  totalBathrooms: number | null
  constructionType: string | null
  wallType: string | null
  roofType: string | null
  foundationType: string | null
  basementType: string | null
  heatingType: string | null
  coolingType: string | null
  garage: boolean | null
  garageCount: number | null
  fireplace: boolean | null
  fireplaceCount: number | null
  pool: boolean | null
  acres: number | null
  landArea: number | null
  frontage: number | null
  depthSize: number | null
  legalDesc: string | null
  subdivision: string | null
  blockNum: string | null
  lotNum: string | null
  secTwnRng: string | null
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
  taxValue: number | null
  taxRateCodeArea: string | null
  schoolDistrict: string | null
  transferDate: string | null
  transferDateObject: string | null
  transferPrice: number | null
  recordingDate: string | null
  transferDocType: string | null
  transferDocNum: string | null
  bookNum: string | null
  pageNum: string | null
  grantor: string | null
  grantee: string | null
  saleQualificationCode: string | null
  transfers: Array<{
    transferDate: string | null
    transferDateObject: string | null
    transferPrice: number | null
    recordingDate: string | null
    transferDocType: string | null
    transferDocNum: string | null
    bookNum: string | null
    pageNum: string | null
    grantor: string | null
    grantee: string | null
    saleQualificationCode: string | null
  }>
  assessments: Array<{
    year: number | null
    totalAssessedValue: number | null
    assessedLandValue: number | null
    assessedBuildingValue: number | null
    totalMarketValue: number | null
    taxAmount: number | null
  }>
  sourceName: string | null
  sourceLicense: string | null
  sourceRollYear: number | null
  updatedAt: string
  extra: Record<string, unknown>
  modelValue: null
  modelValueMin: null
  modelValueMax: null
  lenderName: null
  totalLienCount: null
  totalLienBalance: null
  totalFinancingHistCount: null
  LTVCurrentEstCombined: null
  LTVPurchase: null
  equityCurrentEstBal: null
  equityCurrentEstRange: null
  forecloseCode: null
  forecloseRecordDate: null
  forecloseFileDate: null
  forecloseCaseNum: null
  auctionDate: null
  siteId: null
  cityUSPS: null
  addressFullUSPS: null
  addressFormal: null
  buyerIDCode: null
  buyerVestingCode: null
  ownerResCount: null
  ownerComCount: null
  ownerOriginCode: null
  ownerParcelCount: null
  condo: null
  poolCode: null
  garageType: null
  floorType: null
  roofStyle: null
  lotCode: null
  landLot: null
  phaseNum: null
  tractNum: null
  districtNum: null
  citySection: null
}
export type NestedProperty = {
  id: string
  propertyIdentification: {
    propertyId: string | null
    parcelId: string | null
    parcelIdNormalized: string | null
    alternateParcelIds: Array<string>
    taxAccountNumber: string | null
    state: string | null
    county: string | null
    fipsState: string | null
    fipsCounty: string | null
    jurisdiction: string | null
    currentOwner: {
      ownerName: string | null
      ownerName2: string | null
      ownerType: string | null
      careOf: string | null
      ownerOccupied: boolean | null
      ownershipStartDate: string | null
      ownerStreet: string | null
      ownerCity: string | null
      ownerState: string | null
      ownerZipCode: string | null
      ownerZipCodePlusFour: string | null
      ownerCountry: string | null
    }
  }
  propertyLocation: {
    address: string | null
    addressRaw: string | null
    addressFull: string | null
    alternateAddresses: Array<string>
    streetNumber: string | null
    streetNumberHigh: string | null
    streetDirectionPrefix: string | null
    streetName: string | null
    streetType: string | null
    streetDirectionSuffix: string | null
    unitType: string | null
    unitNumberStripped: string | null
    unitNumber: string | null
    city: string | null
    zipCode: string | null
    zipCodePlusFour: string | null
    addressAssigned: boolean
    latitude: number | null
    longitude: number | null
    geometry: { type: 'Polygon' | 'MultiPolygon'; coordinates: Array<unknown> } | null
    censusTract: string | null
    neighborhood: string | null
  }
  propertyClassification: {
    propertyUseCode: string | null
    propertyUseDescription: string | null
    localUseCode: string | null
    residential: boolean | null
  }
  buildingInformation: {
    buildingCount: number | null
    unitCount: number | null
    buildings: Array<{
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
    }>
  }
  landInformation: {
    acres: number | null
    landArea: number | null
    frontage: number | null
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
  }
  valuationInformation: {
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
  }
  taxInformation: {
    taxYear: number | null
    taxAmount: number | null
    taxRateCodeArea: string | null
    schoolDistrict: string | null
  }
  transfers: Array<{
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
  }>
  assessments: Array<{
    year: number | null
    totalAssessedValue: number | null
    assessedLandValue: number | null
    assessedBuildingValue: number | null
    totalMarketValue: number | null
    taxAmount: number | null
  }>
  liens: Array<unknown>
  foreclosures: Array<unknown>
  source: { name: string | null; license: string | null; rollYear: number | null; loadedAt: string }
  extra: Record<string, unknown>
}
/** Parameters and answers by operation. */
export type Operations = {
  /** Premium owner search */
  premiumOwnerSearch: {
    parameters: {
      /** Two-letter state abbreviation, in any case. */
      state: string
      /** Owner surname or company name; case-insensitive. One of lastName and nameContains is required. */
      lastName?: string | undefined
      /** Given-name prefix, used with lastName to narrow the match; a prefix also when fuzzy. */
      firstName?: string | undefined
      /** Words that must all stand in the same recorded owner name, in any order; whole words, no substrings. v3 data reads only. */
      nameContains?: string | undefined
      /** Allows one edit per word, its first two characters exact; for a lastName of one word and for nameContains. v3 data reads only. */
      fuzzy?: boolean | undefined
      /** County by name, with or without "County", or by three- or five-digit FIPS code. An unrecognized county is 404. */
      county?: string | undefined
      /** Results per page; larger values are capped at 25. */
      limit?: number | undefined
      /** Number of matched records to skip. */
      offset?: number | undefined
    }
    answer: {
      properties: Array<FlatProperty>
      metadata: {
        /** Applied page size. */
        limit: number
        /** Applied number of records skipped; offset mode only. */
        offset?: number
        /** Number of properties in this answer. */
        count: number
        /** Opaque token for the next page, null on the last; cursor mode only. */
        nextCursor?: string | null
        /** With an offset above 0. */
        deprecationNotice?: string
      }
    }
    metadata: {
      /** Applied page size. */
      limit: number
      /** Applied number of records skipped; offset mode only. */
      offset?: number
      /** Number of properties in this answer. */
      count: number
      /** Opaque token for the next page, null on the last; cursor mode only. */
      nextCursor?: string | null
      /** With an offset above 0. */
      deprecationNotice?: string
    }
  }

  /** Address lookup */
  addressLookup: {
    parameters: {
      /** Two-letter state abbreviation, in any case. */
      state: string
      /** Street address line 1 only; no city, state or ZIP. */
      address: string
      /** Unit number only, without the unit type: for `APT 2B` send `2B`. */
      unit?: string | undefined
      /** The same as unit. */
      unitNumberStripped?: string | undefined
      /** County by name, with or without "County", or by three- or five-digit FIPS code. Required when city is given. */
      county?: string | undefined
      /** City of the property, or the municipality that taxes it; needs county. */
      city?: string | undefined
      /** ZIP code of the property; of ZIP+4 the first five digits count. Where parcels in several places match, those with this ZIP are meant. */
      zipCode?: string | undefined
      /** Where parcels in several places match: answer 300 with the first ten of them, in place of 404. */
      candidates?: boolean | undefined
    }
    property: FlatProperty
  }

  /** Parcel ID lookup */
  parcelIdLookup: {
    parameters: {
      /** Two-letter state abbreviation, in any case. */
      state: string
      /** County by name, with or without "County", or by three- or five-digit FIPS code. */
      county: string
      /** Exact parcel ID. */
      parcelId: string
    }
    property: FlatProperty
  }

  /** Property search */
  propertySearch: {
    parameters: {
      /** Two-letter state abbreviation, in any case. */
      state: string
      /** County by name, with or without "County", or by three- or five-digit FIPS code. An unrecognized county finds nothing. */
      county?: string | undefined
      /** City of the property. */
      city?: string | undefined
      /** Five-digit ZIP code of the property. */
      zipCode?: string | undefined
      /** Street address line 1, matched as the address lookup matches it. */
      address?: string | undefined
      /** Unit number only, without the unit type: for `APT 2B` send `2B`. */
      unitNumberStripped?: string | undefined
      /** The same as unitNumberStripped. */
      unit?: string | undefined
      /** Use code as recorded; leading zeros do not count. */
      useCode?: string | undefined
      /** Only residential, or only other, property. */
      residential?: boolean | undefined
      /** Newest transfer at most so many days ago. */
      transferedSince?: number | undefined
      /** The same as transferedSince. */
      transferredSince?: number | undefined
      /** Also parcels without a street number and name; they are left out otherwise, unless an address is searched for. */
      includeUnassignedAddress?: boolean | undefined
      /** Page size; larger values are capped at 100. */
      limit?: number | undefined
      /** Cursor mode: empty starts a new pagination, a returned nextCursor continues one. */
      cursor?: string | undefined
      /** Deprecated. Legacy paging: number of matched records to skip. Ignored beside a cursor. */
      offset?: number | undefined
    }
    answer: {
      properties: Array<FlatProperty>
      metadata: {
        /** Applied page size. */
        limit: number
        /** Applied number of records skipped; offset mode only. */
        offset?: number
        /** Number of properties in this answer. */
        count: number
        /** Opaque token for the next page, null on the last; cursor mode only. */
        nextCursor?: string | null
        /** With an offset above 0. */
        deprecationNotice?: string
      }
    }
    metadata: {
      /** Applied page size. */
      limit: number
      /** Applied number of records skipped; offset mode only. */
      offset?: number
      /** Number of properties in this answer. */
      count: number
      /** Opaque token for the next page, null on the last; cursor mode only. */
      nextCursor?: string | null
      /** With an offset above 0. */
      deprecationNotice?: string
    }
  }

  /** Owner search */
  ownerSearch: {
    parameters: {
      /** Two-letter state abbreviation, in any case. */
      state: string
      /** Owner surname or company name; case-insensitive. One of lastName and nameContains is required. */
      lastName?: string | undefined
      /** Given-name prefix, used with lastName to narrow the match; a prefix also when fuzzy. */
      firstName?: string | undefined
      /** Words that must all stand in the same recorded owner name, in any order; whole words, no substrings. v3 data reads only. */
      nameContains?: string | undefined
      /** Allows one edit per word, its first two characters exact; for a lastName of one word and for nameContains. v3 data reads only. */
      fuzzy?: boolean | undefined
      /** Results per page; larger values are capped at 100. */
      limit?: number | undefined
      /** Number of matched records to skip. */
      offset?: number | undefined
    }
    answer: {
      properties: Array<FlatProperty>
      metadata: {
        /** Applied page size. */
        limit: number
        /** Applied number of records skipped; offset mode only. */
        offset?: number
        /** Number of properties in this answer. */
        count: number
        /** Opaque token for the next page, null on the last; cursor mode only. */
        nextCursor?: string | null
        /** With an offset above 0. */
        deprecationNotice?: string
      }
    }
    metadata: {
      /** Applied page size. */
      limit: number
      /** Applied number of records skipped; offset mode only. */
      offset?: number
      /** Number of properties in this answer. */
      count: number
      /** Opaque token for the next page, null on the last; cursor mode only. */
      nextCursor?: string | null
      /** With an offset above 0. */
      deprecationNotice?: string
    }
  }

  /** Usage */
  usage: {
    parameters: Record<string, never>
    answer: {
      period: {
        start: string
        /** The day after the last one. */
        end: string
      }
      tokens: {
        /** null: no limit. */
        included: number | null
        /** null: no limit. */
        cap: number | null
        used: number
        /** null: no limit. */
        left: number | null
      }
      days: Array<{
        day: string
        /** Operation id, or `correction`. */
        endpoint: string
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
  ownerSearch: { path: '/public/property/owner/', paging: { list: 'properties', by: 'offset' } },
  usage: { path: '/public/usage/' },
} as const
