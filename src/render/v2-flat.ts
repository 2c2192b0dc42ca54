/** The flat layout (v2-compatible). Source: record.md, column "flat name". */

import { leafIndex, TRANSFER_LEAVES } from '../record/leaves.ts'
import { dateObject, flatDate, fullAddress, join, MIDNIGHT, point } from './derived.ts'
import { anyBuilding, building } from './flat-building.ts'
import { cutItem, type ItemKey, list, makeItem } from './lists.ts'
import { bytes } from './memory.ts'
import { whole } from './program.ts'
import type { StoredRecord } from './record.ts'
import { type Bits, compose, derive, fixed, leaf, type Tree } from './template.ts'
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
  { key: 'transferPrice', value: value('transferPrice') },
  { key: 'recordingDate', value: value('recordingDate'), show: flatDate },
  { key: 'transferDocType', value: value('documentType') },
  { key: 'transferDocNum', value: value('documentNumber') },
  { key: 'bookNum', value: value('book') },
  { key: 'pageNum', value: value('page') },
  { key: 'grantor', value: value('grantor') },
  { key: 'grantee', value: value('grantee') },
  { key: 'saleQualificationCode', value: value('saleCode') },
]

const TRANSFERS = leafIndex('transfers')
const DATE = value('transferDate')
const DATE_OBJECT = TRANSFER_LEAVES.length
const newest = makeItem()

/** Finds the newest transfer's values, and makes its date as an object's. */
function findNewest(record: StoredRecord): void {
  cutItem(newest, record.from(TRANSFERS), record.to(TRANSFERS))
  const [from, to] = [newest.from(DATE), newest.to(DATE)]
  if (from === to) return
  const made = record.append(`${bytes.toString('latin1', from, to - 1)}${MIDNIGHT}`)
  newest.set(DATE_OBJECT, made.from, made.to)
}

function newestTransfer(): Tree {
  return Object.fromEntries(
    TRANSFER_KEYS.map(({ key, value, show }) => {
      const bits = showNewest(value, show)
      return [key, compose((leaf) => (leaf('transfers') === null ? null : bits), findNewest)]
    }),
  )
}

function showNewest(value: number, show: ItemKey['show']): Bits {
  if (show === dateObject) return [whole(newest.address(DATE_OBJECT))]
  const part = whole(newest.address(value))
  return show?.(part) ?? [part]
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
  ownerName: compose(join('; ', ['ownerName', 'ownerName2'])),
  ownerName1: leaf('ownerName'),
  ownerName2: leaf('ownerName2'),
  ownerType: leaf('ownerType'),
  ownerCareOf: leaf('careOf'),
  ownerOccupied: leaf('ownerOccupied'),
  ownershipStartDate: compose((leaf) => {
    const date = leaf('ownershipStartDate')
    return date === null ? null : flatDate(date)
  }),
  ownerAddressLine1: leaf('ownerStreet'),
  ownerCity: leaf('ownerCity'),
  ownerState: leaf('ownerState'),
  ownerZipCode: leaf('ownerZipCode'),
  ownerZipCodePlusFour: leaf('ownerZipCodePlusFour'),
  ownerCountry: leaf('ownerCountry'),
  ownerAddressFull: compose(
    fullAddress(['ownerStreet'], 'ownerCity', 'ownerState', 'ownerZipCode'),
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
  street: compose(
    join(' ', ['streetDirectionPrefix', 'streetName', 'streetType', 'streetDirectionSuffix'], {
      needs: 'streetName',
    }),
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
  location: compose(point),
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
  secTwnRng: compose(join('-', ['section', 'township', 'range'])),
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
  transfers: derive(list('transfers', TRANSFER_KEYS), 'transfers', '[]'),
  assessments: SHARED.assessments,
  sourceName: leaf('sourceName'),
  sourceLicense: leaf('sourceLicense'),
  sourceRollYear: leaf('rollYear'),
  updatedAt: SHARED.loadedAt,
  extra: leaf('extra', '{}'),
  ...Object.fromEntries(ALWAYS_NULL.map((name) => [name, fixed('null')])),
}
