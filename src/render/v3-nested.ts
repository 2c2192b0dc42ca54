/** The nested layout (v3). Source: record.md, column "nested path". */

import { ASSESSMENT_LEAVES, BUILDING_LEAVES, TRANSFER_LEAVES } from '../record/leaves.ts'
import { fullAddress, join, propertyId, show } from './derived.ts'
import { keysOf, list } from './lists.ts'
import { compose, derive, fixed, leaf, type Tree } from './template.ts'

/** Fields that both layouts derive alike. */
export const SHARED = {
  id: compose(show('id')),
  propertyId: compose(propertyId),
  strippedParcelId: compose(show('strippedParcelId')),
  state: compose(show('state')),
  county: compose(show('county')),
  fipsState: compose(show('fipsState')),
  fipsCounty: compose(show('fipsCounty')),
  unitNumber: compose(join(' ', ['unitType', 'unitNumberStripped'])),
  addressUnit: compose(
    join(' ', ['address', 'unitType', 'unitNumberStripped'], { needs: 'address' }),
  ),
  addressFull: compose(
    fullAddress(['address', 'unitType', 'unitNumberStripped'], 'city', undefined, 'zipCode'),
  ),
  assessments: derive(list('assessments', keysOf(ASSESSMENT_LEAVES)), 'assessments', '[]'),
  loadedAt: compose(show('loadedAt')),
  geometry: compose(show('geometry')),
}

export const NESTED: Tree = {
  id: SHARED.id,
  propertyIdentification: {
    group: {
      propertyId: SHARED.propertyId,
      parcelId: leaf('parcelId'),
      parcelIdNormalized: SHARED.strippedParcelId,
      alternateParcelIds: leaf('alternateParcelIds', '[]'),
      taxAccountNumber: leaf('taxAccountNumber'),
      state: SHARED.state,
      county: SHARED.county,
      fipsState: SHARED.fipsState,
      fipsCounty: SHARED.fipsCounty,
      jurisdiction: leaf('jurisdiction'),
      currentOwner: {
        group: {
          ownerName: leaf('ownerName'),
          ownerName2: leaf('ownerName2'),
          ownerType: leaf('ownerType'),
          careOf: leaf('careOf'),
          ownerOccupied: leaf('ownerOccupied'),
          ownershipStartDate: leaf('ownershipStartDate'),
          ownerStreet: leaf('ownerStreet'),
          ownerCity: leaf('ownerCity'),
          ownerState: leaf('ownerState'),
          ownerZipCode: leaf('ownerZipCode'),
          ownerZipCodePlusFour: leaf('ownerZipCodePlusFour'),
          ownerCountry: leaf('ownerCountry'),
        },
      },
    },
  },
  propertyLocation: {
    group: {
      address: leaf('address'),
      addressRaw: leaf('addressRaw'),
      addressFull: SHARED.addressFull,
      alternateAddresses: leaf('alternateAddresses', '[]'),
      streetNumber: leaf('streetNumber'),
      streetNumberHigh: leaf('streetNumberHigh'),
      streetDirectionPrefix: leaf('streetDirectionPrefix'),
      streetName: leaf('streetName'),
      streetType: leaf('streetType'),
      streetDirectionSuffix: leaf('streetDirectionSuffix'),
      unitType: leaf('unitType'),
      unitNumberStripped: leaf('unitNumberStripped'),
      unitNumber: SHARED.unitNumber,
      city: leaf('city'),
      zipCode: leaf('zipCode'),
      zipCodePlusFour: leaf('zipCodePlusFour'),
      addressAssigned: leaf('addressAssigned'),
      latitude: leaf('latitude'),
      longitude: leaf('longitude'),
      geometry: SHARED.geometry,
      censusTract: leaf('censusTract'),
      neighborhood: leaf('neighborhood'),
    },
  },
  propertyClassification: {
    group: {
      propertyUseCode: leaf('propertyUseCode'),
      propertyUseDescription: leaf('propertyUseDescription'),
      localUseCode: leaf('localUseCode'),
      residential: leaf('residential'),
    },
  },
  buildingInformation: {
    group: {
      buildingCount: leaf('buildingCount'),
      unitCount: leaf('unitCount'),
      buildings: derive(list('buildings', keysOf(BUILDING_LEAVES)), 'buildings', '[]'),
    },
  },
  landInformation: {
    group: {
      acres: leaf('acres'),
      landArea: leaf('landArea'),
      frontage: leaf('frontage'),
      depth: leaf('depth'),
      legalDescription: leaf('legalDescription'),
      subdivision: leaf('subdivision'),
      block: leaf('block'),
      lot: leaf('lot'),
      section: leaf('section'),
      township: leaf('township'),
      range: leaf('range'),
      zoningCode: leaf('zoningCode'),
      zoningDescription: leaf('zoningDescription'),
    },
  },
  valuationInformation: {
    group: {
      assessedYear: leaf('assessedYear'),
      assessedLandValue: leaf('assessedLandValue'),
      assessedBuildingValue: leaf('assessedBuildingValue'),
      totalAssessedValue: leaf('totalAssessedValue'),
      taxableValue: leaf('taxableValue'),
      exemptionAmount: leaf('exemptionAmount'),
      marketValueYear: leaf('marketValueYear'),
      totalLandValue: leaf('totalLandValue'),
      totalBuildingValue: leaf('totalBuildingValue'),
      totalMarketValue: leaf('totalMarketValue'),
      valueType: leaf('valueType'),
    },
  },
  taxInformation: {
    group: {
      taxYear: leaf('taxYear'),
      taxAmount: leaf('taxAmount'),
      taxRateCodeArea: leaf('taxRateCodeArea'),
      schoolDistrict: leaf('schoolDistrict'),
    },
  },
  transfers: derive(list('transfers', keysOf(TRANSFER_LEAVES)), 'transfers', '[]'),
  assessments: SHARED.assessments,
  liens: fixed('[]'),
  foreclosures: fixed('[]'),
  source: {
    group: {
      name: leaf('sourceName'),
      license: leaf('sourceLicense'),
      rollYear: leaf('rollYear'),
      loadedAt: SHARED.loadedAt,
    },
  },
  extra: leaf('extra', '{}'),
}
