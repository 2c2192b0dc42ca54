/** The flat layout (v2-compatible), whole: docs/api.md, docs/decisions/http-interface.md. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { listShown } from '../../../src/record/layout.ts'
import { startService } from '../../service.ts'
import { makeRoll } from '../rolls.ts'
import { FULL, flatOf, RECORDS } from './roll.ts'

const EXPECTED = flatOf({
  _id: '000000000000000000000001',
  propertyId: '55025-0709-123.A',
  parcelId: '0709-123.A',
  parcelIdStripped: '0709123A',
  altParcelIds: ['OLD-7', 'OLD-8'],
  taxAccountNumber: 'T-77',
  state: 'WI',
  county: 'DANE',
  fipsState: '55',
  fipsCounty: '025',
  jurisdiction: 'City of Eastbrook',
  ownerName: 'QUILLON, MARA & THEO; HOLLIN, PETRA',
  ownerName1: 'QUILLON, MARA & THEO',
  ownerName2: 'HOLLIN, PETRA',
  ownerType: 'individual',
  ownerCareOf: 'BRIGHTWATER TAX SERVICE',
  ownerOccupied: false,
  ownershipStartDate: '20190507',
  ownerAddressLine1: '12 MILL POND RD APT 2B',
  ownerCity: 'EASTBROOK',
  ownerState: 'WI',
  ownerZipCode: '53703',
  ownerZipCodePlusFour: '53703-1234',
  ownerCountry: 'US',
  ownerAddressFull: '12 MILL POND RD APT 2B, EASTBROOK, WI 53703',
  address: '12-14 N MILL POND RD SE',
  addressRaw: '12-14 NORTH MILL POND ROAD SE APT 2B',
  addressUnit: '12-14 N MILL POND RD SE APT 2B',
  addressFull: '12-14 N MILL POND RD SE APT 2B, EASTBROOK, WI 53703',
  altAddresses: ['3 DAM ST'],
  streetNumber: '12',
  streetNumberHigh: '14',
  streetDirectionPrefix: 'N',
  streetName: 'MILL POND',
  streetType: 'RD',
  streetDirectionSuffix: 'SE',
  street: 'N MILL POND RD SE',
  unitType: 'APT',
  unitNumberStripped: '2B',
  unitNumber: 'APT 2B',
  city: 'EASTBROOK',
  zipCode: '53703',
  zipCodePlusFour: '53703-1234',
  addressAssigned: true,
  latitude: 43.0731,
  longitude: -89.4012,
  location: {
    type: 'Point',
    coordinates: [-89.4012, 43.0731],
  },
  geometry: null,
  siteCensusTract: '550250016.03',
  addressFormal: '12-14 N MILL POND ROAD SE',
  countyUSPS: 'DANE',
  purchaseSaleDate: '20190507',
  purchaseRecordingDate: '20190509',
  neighborhood: 'Mills',
  useCode: '1001',
  useDescription: 'Single family',
  useCodeLocal: '0101',
  useCodeLocal2: 'R1',
  useStandardCode: '1001',
  residential: true,
  buildingCount: 1,
  unitCount: 2,
  buildingArea: 1850,
  yearBuilt: 1890,
  effectiveYearBuilt: 1950,
  stories: 1.5,
  totalBedrooms: 3,
  totalBathrooms: 1.5,
  constructionType: 'Wood frame',
  wallType: 'Clapboard',
  roofType: 'Gable',
  foundationType: 'Stone',
  basementType: 'Full',
  heatingType: 'Steam',
  coolingType: 'None',
  garage: false,
  garageCount: 0,
  fireplace: true,
  fireplaceCount: 1,
  pool: false,
  acres: 1.25,
  landArea: 54450,
  frontage: 120.5,
  depthSize: 450,
  legalDesc: 'Lot 7 of the Mill Pond plat',
  subdivision: 'Mill Pond',
  blockNum: '3',
  lotNum: '7',
  secTwnRng: '12-4N-9E',
  zoningCode: 'R1',
  zoningDescription: 'Single family residence',
  assessedYear: 2025,
  assessedLandValue: 90000,
  assessedBuildingValue: 210000,
  totalAssessedValue: 300000,
  taxableValue: 280000,
  exemptionAmount: 20000,
  marketValueYear: 2024,
  totalLandValue: 100000,
  totalBuildingValue: 230000,
  totalMarketValue: 330000,
  valueType: 'assessed',
  taxYear: 2023,
  taxValue: 4321.5,
  taxRateCodeArea: 'A7',
  schoolDistrict: 'Eastbrook USD',
  transferDate: '20190507',
  transferDateObject: '2019-05-07T00:00:00.000Z',
  transferPrice: 275000,
  recordingDate: '20190509',
  transferDocType: 'WD',
  transferDocNum: '2019-00123',
  bookNum: '13001',
  pageNum: '77',
  grantor: 'HOLLIN, PETRA',
  grantee: 'QUILLON, MARA',
  saleQualificationCode: 'Q',
  transfers: [
    {
      transferDate: '20190507',
      transferDateObject: '2019-05-07T00:00:00.000Z',
      transferPrice: 275000,
      recordingDate: '20190509',
      transferDocType: 'WD',
      transferDocNum: '2019-00123',
      bookNum: '13001',
      pageNum: '77',
      grantor: 'HOLLIN, PETRA',
      grantee: 'QUILLON, MARA',
      saleQualificationCode: 'Q',
    },
  ],
  assessments: [
    {
      year: 2025,
      totalAssessedValue: 300000,
      assessedLandValue: 90000,
      assessedBuildingValue: 210000,
      totalMarketValue: 330000,
      taxAmount: 4321.5,
      taxValue: 4321.5,
      assessedYear: 2025,
      marketValueYear: 2024,
      taxYear: 2023,
    },
  ],
  sourceName: 'Invented roll',
  sourceLicense: 'CC0',
  sourceRollYear: 2025,
  updatedAt: '2026-03-10T12:00:00.000Z',
  extra: {
    'shoe size': '9',
  },
})

/** Names that clients may read and that no assessment roll fills. */
const ALWAYS_NULL = `
  modelValue modelValueMin modelValueMax lenderName
  totalLienCount totalLienBalance totalFinancingHistCount LTVCurrentEstCombined
  LTVPurchase equityCurrentEstBal equityCurrentEstRange forecloseCode
  forecloseRecordDate forecloseFileDate forecloseCaseNum auctionDate
  ownerOriginCode poolCode
  floorType roofStyle lotCode
  landLot phaseNum tractNum 
  citySection
`
  .trim()
  .split(/\s+/)

const service = await startService(RECORDS)
after(() => service.close())
const key = await service.keyFor({ responseShape: 'flat' })

const find = async (parcelId: string) => {
  const query = { state: 'WI', county: 'Dane', parcelId }
  return (await service.get('/public/property/parcelId/', query, { key })).body.property
}

const LISTED = listShown('flat').flatMap(({ path }) => path.filter((key) => key !== '_id'))
const nulls = Object.fromEntries(ALWAYS_NULL.map((name) => [name, null]))

test('a parcel with every column has these keys and values and all documented fields', async () => {
  const { _id, ...shown } = await find(FULL.parcelId)
  const { _id: _, ...expected } = EXPECTED
  assert.match(_id, /^[0-9a-f]{24}$/)
  assert.partialDeepStrictEqual(shown, { ...expected, ...nulls })
  assert.deepEqual(Object.keys(shown), LISTED)
})

test('a parcel without data has the same keys with null and empty lists', async () => {
  const { _id: _, ...shown } = await find('BARE')
  const { _id: __, ...expected } = EXPECTED
  const unknown = Object.fromEntries(
    Object.entries(expected).map(([name, value]) => [name, Array.isArray(value) ? [] : null]),
  )
  assert.deepEqual(Object.keys(shown), LISTED)
  assert.doesNotMatch(JSON.stringify(shown), /\[[^\]]/, 'all lists are empty')
  assert.partialDeepStrictEqual(shown, {
    ...unknown,
    ...nulls,
    propertyId: '55025-BARE',
    parcelId: 'BARE',
    parcelIdStripped: 'BARE',
    state: 'WI',
    county: 'DANE',
    countyUSPS: 'DANE',
    fipsState: '55',
    fipsCounty: '025',
    addressAssigned: false,
    extra: {},
    updatedAt: EXPECTED.updatedAt,
  })
})

test('a unit of its own whose use is only residential is a condominium', async (t) => {
  const own = await startService(
    makeRoll(
      [
        ['APT 2B', 'RESIDENTIAL'],
        ['# 7', 'RESIDENTIAL'],
        ['', 'RESIDENTIAL'],
        ['LOT 3', 'RESIDENTIAL'],
        ['UNIT 4', 'SINGLE FAMILY'],
        ['UNIT 5', 'CONDOMINIUM'],
        ['UNIT 6', ''],
      ].map(([unit, useDescription], at) => ({
        parcelId: `${at}`,
        address: `1 OAK ST ${unit}`.trim(),
        ...(useDescription === '' ? {} : { useDescription }),
      })),
    ),
  )
  t.after(() => own.close())
  const flat = await own.keyFor({ responseShape: 'flat' })
  const { body } = await own.get('/public/property/search/', { state: 'WI' }, { key: flat })
  assert.deepEqual(
    body.properties.map(({ condo }: { condo: boolean | null }) => condo),
    [true, true, false, false, false, true, null],
  )
})
