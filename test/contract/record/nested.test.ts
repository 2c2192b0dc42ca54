/** The nested layout (v3), whole: docs/api.md, docs/decisions/http-interface.md. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { listShown } from '../../../src/record/layout.ts'
import { startService } from '../../service.ts'
import { FULL, RECORDS } from './roll.ts'

const EXPECTED = {
  id: '000000000000000000000001',
  propertyIdentification: {
    propertyId: '55025-0709-123.A',
    parcelId: '0709-123.A',
    parcelIdNormalized: '0709123A',
    alternateParcelIds: ['OLD-7', 'OLD-8'],
    taxAccountNumber: 'T-77',
    state: 'WI',
    county: 'DANE',
    fipsState: '55',
    fipsCounty: '025',
    jurisdiction: 'City of Eastbrook',
    currentOwner: {
      ownerName: 'QUILLON, MARA & THEO',
      ownerName2: 'HOLLIN, PETRA',
      ownerType: 'individual',
      careOf: 'BRIGHTWATER TAX SERVICE',
      ownerOccupied: false,
      ownershipStartDate: '2019-05-07',
      ownerStreet: '12 MILL POND RD APT 2B',
      ownerCity: 'EASTBROOK',
      ownerState: 'WI',
      ownerZipCode: '53703',
      ownerZipCodePlusFour: '1234',
      ownerCountry: 'US',
    },
  },
  propertyLocation: {
    address: '12-14 N MILL POND RD SE',
    addressRaw: '12-14 NORTH MILL POND ROAD SE APT 2B',
    addressFull: '12-14 N MILL POND RD SE APT 2B, EASTBROOK, WI 53703',
    alternateAddresses: ['3 DAM ST'],
    streetNumber: '12',
    streetNumberHigh: '14',
    streetDirectionPrefix: 'N',
    streetName: 'MILL POND',
    streetType: 'RD',
    streetDirectionSuffix: 'SE',
    unitType: 'APT',
    unitNumberStripped: '2B',
    unitNumber: 'APT 2B',
    city: 'EASTBROOK',
    zipCode: '53703',
    zipCodePlusFour: '53703-1234',
    addressAssigned: true,
    latitude: 43.0731,
    longitude: -89.4012,
    geometry: null,
    censusTract: '0016.03',
    neighborhood: 'Mills',
  },
  propertyClassification: {
    propertyUseCode: '0101',
    propertyUseDescription: 'Single family',
    localUseCode: 'R1',
    residential: true,
  },
  buildingInformation: {
    buildingCount: 1,
    unitCount: 2,
    buildings: [
      {
        buildingArea: 1850,
        actualYearBuilt: 1890,
        effectiveYearBuilt: 1950,
        stories: 1.5,
        bedrooms: 3,
        bathrooms: 1.5,
        constructionType: 'Wood frame',
        wallType: 'Clapboard',
        roofType: 'Gable',
        foundationType: 'Stone',
        basementType: 'Full',
        heatingType: 'Steam',
        coolingType: 'None',
        garageCount: 0,
        fireplaceCount: 1,
        pool: false,
      },
    ],
  },
  landInformation: {
    acres: 1.25,
    landArea: 54450,
    frontage: 120.5,
    depth: 450,
    legalDescription: 'Lot 7 of the Mill Pond plat',
    subdivision: 'Mill Pond',
    block: '3',
    lot: '7',
    section: '12',
    township: '4N',
    range: '9E',
    zoningCode: 'R1',
    zoningDescription: 'Single family residence',
  },
  valuationInformation: {
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
  },
  taxInformation: {
    taxYear: 2023,
    taxAmount: 4321.5,
    taxRateCodeArea: 'A7',
    schoolDistrict: 'Eastbrook USD',
  },
  transfers: [
    {
      transferDate: '2019-05-07',
      transferPrice: 275000,
      recordingDate: '2019-05-09',
      documentType: 'WD',
      documentNumber: '2019-00123',
      book: '13001',
      page: '77',
      grantor: 'HOLLIN, PETRA',
      grantee: 'QUILLON, MARA',
      saleCode: 'Q',
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
    },
  ],
  liens: [],
  foreclosures: [],
  source: {
    name: 'Invented roll',
    license: 'CC0',
    rollYear: 2025,
    loadedAt: '2026-03-10T12:00:00.000Z',
  },
  extra: {
    'shoe size': '9',
  },
}

const service = await startService(RECORDS)
after(() => service.close())

const find = async (parcelId: string) => {
  const query = { state: 'WI', county: 'Dane', parcelId }
  return (await service.get('/public/property/parcelId/', query)).body.property
}

test('a parcel with every column has these keys and values and all documented fields', async () => {
  const { id, ...shown } = await find(FULL.parcelId)
  const { id: _, ...expected } = EXPECTED
  assert.match(id, /^[0-9a-f]{24}$/)
  assert.partialDeepStrictEqual(shown, expected)
  assert.deepEqual(pathsOf(shown), LISTED)
})

const LISTED = listShown('nested')
  .map(({ path }) => path.join('.'))
  .filter((path) => path !== 'id')
  .sort()

/** Paths of all values; lists, and objects of which only some keys are known, are values. */
function pathsOf(group: object, path: string[] = []): string[] {
  return Object.entries(group)
    .flatMap(([key, value]) => {
      const here = [...path, key]
      const isGroup = value !== null && typeof value === 'object' && !Array.isArray(value)
      return isGroup && key !== 'extra' ? pathsOf(value, here) : [here.join('.')]
    })
    .sort()
}

test('a parcel without data has the same keys with null and empty lists', async () => {
  const { id: _, ...shown } = await find('BARE')
  const { id: __, ...expected } = bare(EXPECTED)
  assert.deepEqual(pathsOf(shown), LISTED)
  assert.doesNotMatch(JSON.stringify(shown), /\[[^\]]/, 'all lists are empty')
  assert.partialDeepStrictEqual(shown, {
    ...expected,
    propertyIdentification: {
      ...expected.propertyIdentification,
      propertyId: '55025-BARE',
      parcelId: 'BARE',
      parcelIdNormalized: 'BARE',
      state: 'WI',
      county: 'DANE',
      fipsState: '55',
      fipsCounty: '025',
    },
    propertyLocation: { ...expected.propertyLocation, addressAssigned: false },
    source: { ...expected.source, ...SOURCE },
    extra: {},
  })
})

/** Who said so and when is known of every record. */
const SOURCE = { loadedAt: EXPECTED.source.loadedAt }

/** The same shape with nothing known. */
function bare<Shape>(shape: Shape): Shape {
  if (Array.isArray(shape)) return [] as Shape
  if (typeof shape !== 'object' || shape === null) return null as Shape
  return Object.fromEntries(
    Object.entries(shape).map(([key, value]) => [key, bare(value)]),
  ) as Shape
}
