/** The flat layout (v2-compatible). Source: record.md, column "flat name". */
import { dateObject, flatDate, fullAddress, join, point } from './derived.ts'
import { anyBuilding, building } from './flat-building.ts'
import { leafIndex, TRANSFER_LEAVES } from './leaves.ts'
import { copyValue, cutItem, type ItemKey, list, makeItemCut } from './lists.ts'
import type { Output } from './output.ts'
import type { StoredRecord } from './record.ts'
import { derive, fixed, leaf, type Tree } from './template.ts'
import { SHARED } from './v3-nested.ts'

/** Names that clients of the contract may read and that no assessment roll fills. */
export const ALWAYS_NULL = [
  'modelValue',
  'modelValueMin',
  'modelValueMax',
  'lenderName',
  'totalLienCount',
  'totalLienBalance',
  'totalFinancingHistCount',
  'LTVCurrentEstCombined',
  'LTVPurchase',
  'equityCurrentEstBal',
  'equityCurrentEstRange',
  'forecloseCode',
  'forecloseRecordDate',
  'forecloseFileDate',
  'forecloseCaseNum',
  'auctionDate',
  'siteId',
  'cityUSPS',
  'addressFullUSPS',
  'addressFormal',
  'buyerIDCode',
  'buyerVestingCode',
  'ownerResCount',
  'ownerComCount',
  'ownerOriginCode',
  'ownerParcelCount',
  'condo',
  'poolCode',
  'garageType',
  'floorType',
  'roofStyle',
  'lotCode',
  'landLot',
  'phaseNum',
  'tractNum',
  'districtNum',
  'citySection',
]

const value = (name: (typeof TRANSFER_LEAVES)[number]) => TRANSFER_LEAVES.indexOf(name)

/** Flat names of a transfer. */
const TRANSFER_KEYS: ItemKey[] = [
  { key: 'transferDate', value: value('transferDate'), show: flatDate },
  { key: 'transferDateObject', value: value('transferDate'), show: dateObject },
  { key: 'transferPrice', value: value('transferPrice'), show: copyValue },
  { key: 'recordingDate', value: value('recordingDate'), show: flatDate },
  { key: 'transferDocType', value: value('documentType'), show: copyValue },
  { key: 'transferDocNum', value: value('documentNumber'), show: copyValue },
  { key: 'bookNum', value: value('book'), show: copyValue },
  { key: 'pageNum', value: value('page'), show: copyValue },
  { key: 'grantor', value: value('grantor'), show: copyValue },
  { key: 'grantee', value: value('grantee'), show: copyValue },
  { key: 'saleQualificationCode', value: value('saleCode'), show: copyValue },
]

const TRANSFERS = leafIndex('transfers')
const newest = makeItemCut()
let newestTurn = 0

/** The newest transfer's values; several fields ask for them in a row. */
function cutNewest(record: StoredRecord): void {
  if (newestTurn === record.turn) return
  newestTurn = record.turn
  cutItem(newest, record, record.start(TRANSFERS), record.end(TRANSFERS))
}

function newestTransfer(): Tree {
  return Object.fromEntries(
    TRANSFER_KEYS.map(({ key, value, show }) => {
      const write = (record: StoredRecord, output: Output) => {
        cutNewest(record)
        show(output, record, newest.start(value), newest.end(value))
      }
      return [key, derive(write, ['transfers'])]
    }),
  )
}

function dateOf(name: 'ownershipStartDate'): ReturnType<typeof derive> {
  const index = leafIndex(name)
  return derive(
    (record, output) => flatDate(output, record, record.start(index), record.end(index)),
    [name],
  )
}

export const FLAT: Tree = {
  _id: SHARED.id,
  propertyId: SHARED.propertyId,
  parcelId: leaf('parcelId'),
  parcelIdStripped: SHARED.strippedParcelId,
  altParcelIds: leaf('alternateParcelIds', '[]'),
  taxAccountNumber: leaf('taxAccountNumber'),
  state: SHARED.state,
  county: SHARED.county,
  fipsState: SHARED.fipsState,
  fipsCounty: SHARED.fipsCounty,
  jurisdiction: leaf('jurisdiction'),
  ownerName: derive(join('; ', ['ownerName', 'ownerName2']), ['ownerName', 'ownerName2']),
  ownerName1: leaf('ownerName'),
  ownerName2: leaf('ownerName2'),
  ownerType: leaf('ownerType'),
  ownerCareOf: leaf('careOf'),
  ownerOccupied: leaf('ownerOccupied'),
  ownershipStartDate: dateOf('ownershipStartDate'),
  ownerAddressLine1: leaf('ownerStreet'),
  ownerCity: leaf('ownerCity'),
  ownerState: leaf('ownerState'),
  ownerZipCode: leaf('ownerZipCode'),
  ownerZipCodePlusFour: leaf('ownerZipCodePlusFour'),
  ownerCountry: leaf('ownerCountry'),
  ownerAddressFull: derive(
    fullAddress(['ownerStreet'], 'ownerCity', 'ownerState', 'ownerZipCode'),
    ['ownerStreet'],
  ),
  address: leaf('address'),
  addressRaw: leaf('addressRaw'),
  addressUnit: SHARED.addressUnit,
  addressFull: SHARED.addressFull,
  altAddresses: leaf('alternateAddresses', '[]'),
  streetNumber: leaf('streetNumber'),
  streetNumberHigh: leaf('streetNumberHigh'),
  streetDirectionPrefix: leaf('streetDirectionPrefix'),
  streetName: leaf('streetName'),
  streetType: leaf('streetType'),
  streetDirectionSuffix: leaf('streetDirectionSuffix'),
  street: derive(
    join(' ', ['streetDirectionPrefix', 'streetName', 'streetType', 'streetDirectionSuffix']),
    ['streetName'],
  ),
  unitType: leaf('unitType'),
  unitNumberStripped: leaf('unitNumberStripped'),
  unitNumber: SHARED.unitNumber,
  city: leaf('city'),
  zipCode: leaf('zipCode'),
  zipCodePlusFour: leaf('zipCodePlusFour'),
  addressAssigned: leaf('addressAssigned'),
  latitude: leaf('latitude'),
  longitude: leaf('longitude'),
  location: derive(point, ['longitude']),
  geometry: SHARED.geometry,
  siteCensusTract: leaf('censusTract'),
  neighborhood: leaf('neighborhood'),
  useCode: leaf('propertyUseCode'),
  useDescription: leaf('propertyUseDescription'),
  useCodeLocal: leaf('localUseCode'),
  residential: leaf('residential'),
  buildingCount: leaf('buildingCount'),
  unitCount: leaf('unitCount'),
  buildingArea: building('buildingArea'),
  yearBuilt: building('actualYearBuilt'),
  effectiveYearBuilt: building('effectiveYearBuilt'),
  stories: building('stories'),
  totalBedrooms: building('bedrooms'),
  totalBathrooms: building('bathrooms'),
  constructionType: building('constructionType'),
  wallType: building('wallType'),
  roofType: building('roofType'),
  foundationType: building('foundationType'),
  basementType: building('basementType'),
  heatingType: building('heatingType'),
  coolingType: building('coolingType'),
  garage: anyBuilding('garageCount'),
  garageCount: building('garageCount'),
  fireplace: anyBuilding('fireplaceCount'),
  fireplaceCount: building('fireplaceCount'),
  pool: building('pool'),
  acres: leaf('acres'),
  landArea: leaf('landArea'),
  frontage: leaf('frontage'),
  depthSize: leaf('depth'),
  legalDesc: leaf('legalDescription'),
  subdivision: leaf('subdivision'),
  blockNum: leaf('block'),
  lotNum: leaf('lot'),
  secTwnRng: derive(join('-', ['section', 'township', 'range']), ['section', 'township', 'range']),
  zoningCode: leaf('zoningCode'),
  zoningDescription: leaf('zoningDescription'),
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
  taxYear: leaf('taxYear'),
  taxValue: leaf('taxAmount'),
  taxRateCodeArea: leaf('taxRateCodeArea'),
  schoolDistrict: leaf('schoolDistrict'),
  ...newestTransfer(),
  transfers: derive(list('transfers', TRANSFER_KEYS), ['transfers'], '[]'),
  assessments: SHARED.assessments,
  sourceName: leaf('sourceName'),
  sourceLicense: leaf('sourceLicense'),
  sourceRollYear: leaf('rollYear'),
  updatedAt: SHARED.loadedAt,
  extra: leaf('extra', '{}'),
  ...Object.fromEntries(ALWAYS_NULL.map((name) => [name, fixed('null')])),
}
