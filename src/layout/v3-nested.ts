/** The nested layout (v3). Source: record.md, column "nested path". */
import { fullAddress, joinTexts, placeTexts, propertyId, strippedParcelId } from './derived.ts'
import {
  ASSESSMENT_LEAVES,
  BUILDING_LEAVES,
  leafIndex,
  splitItems,
  TRANSFER_LEAVES,
} from './leaves.ts'
import { leafText as at, derive, fixed, leaf, type Scene, type Tree } from './template.ts'

const AT = {
  fips: leafIndex('fips'),
  municipality: leafIndex('municipality'),
  parcelId: leafIndex('parcelId'),
  address: leafIndex('address'),
  unitType: leafIndex('unitType'),
  unit: leafIndex('unitNumberStripped'),
  city: leafIndex('city'),
  zip: leafIndex('zipCode'),
  buildings: leafIndex('buildings'),
  transfers: leafIndex('transfers'),
  assessments: leafIndex('assessments'),
}

const showBuildings = listOf(BUILDING_LEAVES)
const showTransfers = listOf(TRANSFER_LEAVES)
const showAssessments = listOf(ASSESSMENT_LEAVES)

/** Fields that both layouts derive alike. */
export const SHARED = {
  id: derive((scene) => `"${scene.id.toString(16).padStart(24, '0')}"`),
  propertyId: derive((scene) =>
    propertyId(at(scene, AT.fips), at(scene, AT.municipality), at(scene, AT.parcelId)),
  ),
  strippedParcelId: derive((scene) => strippedParcelId(at(scene, AT.parcelId))),
  state: derive((scene) => placeTexts(at(scene, AT.fips)).state),
  county: derive((scene) => placeTexts(at(scene, AT.fips)).county),
  fipsState: derive((scene) => placeTexts(at(scene, AT.fips)).fipsState),
  fipsCounty: derive((scene) => placeTexts(at(scene, AT.fips)).fipsCounty),
  unitNumber: derive(
    (scene) => joinTexts(' ', at(scene, AT.unitType), at(scene, AT.unit)),
    ['unitType', 'unitNumberStripped'],
  ),
  addressUnit: derive(addressUnit, ['address']),
  addressFull: derive(
    (scene) =>
      fullAddress(
        addressUnit(scene),
        at(scene, AT.city),
        placeTexts(at(scene, AT.fips)).state,
        at(scene, AT.zip),
      ),
    ['address'],
  ),
  assessments: derive((scene) => showAssessments(at(scene, AT.assessments)), ['assessments'], '[]'),
  loadedAt: derive((scene) => scene.loadedAt),
  geometry: derive((scene) => scene.geometry),
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
      buildings: derive((scene) => showBuildings(at(scene, AT.buildings)), ['buildings'], '[]'),
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
  transfers: derive((scene) => showTransfers(at(scene, AT.transfers)), ['transfers'], '[]'),
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

/** Makes the function that shows a list leaf as a JSON array of objects with the given keys. */
function listOf(keys: readonly string[]): (items: string) => string {
  const starts = keys.map((key, at) => `${at === 0 ? '{' : ','}${JSON.stringify(key)}:`)
  return (items) => {
    let json = ''
    for (const values of splitItems(items)) {
      json += json === '' ? '[' : ','
      for (let at = 0; at < starts.length; at += 1) json += starts[at] + (values[at] || 'null')
      json += '}'
    }
    return `${json}]`
  }
}

function addressUnit(scene: Scene): string {
  if (at(scene, AT.address) === '') return ''
  return joinTexts(' ', at(scene, AT.address), at(scene, AT.unitType), at(scene, AT.unit))
}
