/** The flat layout (v2-compatible). Source: record.md, column "flat name". */
import {
  anyOf,
  dateObject,
  flatBuilding,
  flatDate,
  fullAddress,
  joinTexts,
  point,
} from './derived.ts'
import { BUILDING_LEAVES, leafIndex, splitItems, TRANSFER_LEAVES } from './leaves.ts'
import { derive, type End, fixed, leaf, leafText, type Scene, type Tree } from './template.ts'
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

const text = (name: Parameters<typeof leafIndex>[0]) => {
  const index = leafIndex(name)
  return (scene: Scene) => leafText(scene, index)
}

const owner = { first: text('ownerName'), second: text('ownerName2') }
const mail = {
  street: text('ownerStreet'),
  city: text('ownerCity'),
  state: text('ownerState'),
  zip: text('ownerZipCode'),
}
const road = [
  text('streetDirectionPrefix'),
  text('streetName'),
  text('streetType'),
  text('streetDirectionSuffix'),
]
const survey = [text('section'), text('township'), text('range')]
const longitude = text('longitude')
const latitude = text('latitude')
const ownershipStart = text('ownershipStartDate')
const buildingsOf = text('buildings')
const transfersOf = text('transfers')

/** Flat names of a transfer, by the value each shows. */
const TRANSFER_NAMES: [string, (values: string[]) => string][] = [
  ['transferDate', (values) => flatDate(values[AT.transferDate] ?? '')],
  ['transferDateObject', (values) => dateObject(values[AT.transferDate] ?? '')],
  ['transferPrice', (values) => values[AT.transferPrice] ?? ''],
  ['recordingDate', (values) => flatDate(values[AT.recordingDate] ?? '')],
  ['transferDocType', (values) => values[AT.documentType] ?? ''],
  ['transferDocNum', (values) => values[AT.documentNumber] ?? ''],
  ['bookNum', (values) => values[AT.book] ?? ''],
  ['pageNum', (values) => values[AT.page] ?? ''],
  ['grantor', (values) => values[AT.grantor] ?? ''],
  ['grantee', (values) => values[AT.grantee] ?? ''],
  ['saleQualificationCode', (values) => values[AT.saleCode] ?? ''],
]

const AT = Object.fromEntries(TRANSFER_LEAVES.map((name, index) => [name, index])) as Record<
  (typeof TRANSFER_LEAVES)[number],
  number
>

const BUILDING_AT = Object.fromEntries(
  BUILDING_LEAVES.map((name, index) => [name, index]),
) as Record<(typeof BUILDING_LEAVES)[number], number>

/** The scene whose newest transfer and joined building were taken apart last: several fields ask for them in a row. */
let lastScene: Scene | undefined
let lastBuilding: string[] = []
let lastTransfer: string[] = []

function open(scene: Scene): void {
  if (lastScene === scene) return
  lastScene = scene
  lastBuilding = flatBuilding(buildingsOf(scene))
  lastTransfer = splitItems(transfersOf(scene))[0] ?? []
}

function building(name: keyof typeof BUILDING_AT): End {
  const index = BUILDING_AT[name]
  return derive(
    (scene) => {
      open(scene)
      return lastBuilding[index] ?? ''
    },
    ['buildings'],
  )
}

function anyBuilding(name: 'garageCount' | 'fireplaceCount'): End {
  const index = BUILDING_AT[name]
  return derive(
    (scene) => {
      open(scene)
      return anyOf(lastBuilding[index] ?? '')
    },
    ['buildings'],
  )
}

function newestTransfer(): Tree {
  return Object.fromEntries(
    TRANSFER_NAMES.map(([name, show]) => [
      name,
      derive(
        (scene) => {
          open(scene)
          return show(lastTransfer)
        },
        ['transfers'],
      ),
    ]),
  )
}

function showTransfers(scene: Scene): string {
  const shown = splitItems(transfersOf(scene)).map((values) => {
    const pairs = TRANSFER_NAMES.map(([name, show]) => `"${name}":${show(values) || 'null'}`)
    return `{${pairs.join(',')}}`
  })
  return `[${shown.join(',')}]`
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
  ownerName: derive(
    (scene) => joinTexts('; ', owner.first(scene), owner.second(scene)),
    ['ownerName', 'ownerName2'],
  ),
  ownerName1: leaf('ownerName'),
  ownerName2: leaf('ownerName2'),
  ownerType: leaf('ownerType'),
  ownerCareOf: leaf('careOf'),
  ownerOccupied: leaf('ownerOccupied'),
  ownershipStartDate: derive((scene) => flatDate(ownershipStart(scene)), ['ownershipStartDate']),
  ownerAddressLine1: leaf('ownerStreet'),
  ownerCity: leaf('ownerCity'),
  ownerState: leaf('ownerState'),
  ownerZipCode: leaf('ownerZipCode'),
  ownerZipCodePlusFour: leaf('ownerZipCodePlusFour'),
  ownerCountry: leaf('ownerCountry'),
  ownerAddressFull: derive(
    (scene) =>
      fullAddress(mail.street(scene), mail.city(scene), mail.state(scene), mail.zip(scene)),
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
  street: derive((scene) => joinTexts(' ', ...road.map((part) => part(scene))), ['streetName']),
  unitType: leaf('unitType'),
  unitNumberStripped: leaf('unitNumberStripped'),
  unitNumber: SHARED.unitNumber,
  city: leaf('city'),
  zipCode: leaf('zipCode'),
  zipCodePlusFour: leaf('zipCodePlusFour'),
  addressAssigned: leaf('addressAssigned'),
  latitude: leaf('latitude'),
  longitude: leaf('longitude'),
  location: derive((scene) => point(longitude(scene), latitude(scene)), ['longitude']),
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
  secTwnRng: derive(
    (scene) => joinTexts('-', ...survey.map((part) => part(scene))),
    ['section', 'township', 'range'],
  ),
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
  transfers: derive(showTransfers, ['transfers'], '[]'),
  assessments: SHARED.assessments,
  sourceName: leaf('sourceName'),
  sourceLicense: leaf('sourceLicense'),
  sourceRollYear: leaf('rollYear'),
  updatedAt: SHARED.loadedAt,
  extra: leaf('extra', '{}'),
  ...Object.fromEntries(ALWAYS_NULL.map((name) => [name, fixed('null')])),
}
