/**
 * Faults found by sixty invented layouts in the form of published ones: whose address a column is,
 * and columns whose names promise a value that they do not hold.
 */
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { draftDocument } from '../../src/inspect/compose/show-draft.ts'
import { inspectFile } from '../../src/inspect/inspect.ts'
import { makeFolder, TODAY, write } from '../import/small-roll.ts'
import { type Cells, inventTruth, type Truth, writeTable } from './manners/truth.ts'

const TOWNS = [
  { city: 'MILLPORT', zip: '97630', municipality: 'MILLPORT TWP' },
  { city: 'HOLLOW', zip: '97635', municipality: 'HOLLOW TWP' },
]
const rows = inventTruth('fourth set', 'OR', TOWNS, 80)
const idOf = ({ at }: Truth) => `58-${String(at * 31).padStart(6, '0')}`
const nameOf = ({ surname, given }: Truth) => `${surname} ${given}`
const BASE: Cells = { PARCEL_ID: idOf, OWNER: nameOf }
const SITUS: Cells = { SITUS: ({ line }) => line }

async function draftOf(t: TestContext, columns: Cells) {
  const file = write(makeFolder(t), 'roll.csv', writeTable(rows, columns))
  const place = { state: 'OR', county: 'Lake' }
  const { draft } = await inspectFile(file, { today: TODAY, mappings: [], ...place })
  return draftDocument(draft)
}

test('a delivery address has its city and ZIP after it, and the site has neither', async (t) => {
  const { fields } = await draftOf(t, {
    ...BASE,
    Site_Address: ({ line }) => line,
    Delivery_Address: ({ mailLine }) => mailLine,
    City_State: ({ mailCity, mailState }) => `${mailCity}, ${mailState}`,
    Zipcode: ({ mailZip }) => mailZip,
  })
  assert.deepEqual(fields?.ownerAddressLine1, { column: 'Delivery_Address' })
  assert.deepEqual(fields?.ownerZipCode, { column: 'Zipcode' })
  assert.equal(fields?.zipCode, undefined)
})

test('ZIP codes of several states are the mail’s, and so is their city', async (t) => {
  const { fields } = await draftOf(t, {
    PARCEL_NO: idOf,
    LASTNAME: nameOf,
    ADDRESS1: ({ at }) => (at % 9 === 0 ? 'C/O DOE AGENCY' : ''),
    ADDRESS2: ({ mailLine }) => mailLine,
    CITY: ({ mailCity }) => mailCity,
    STATE: ({ mailState }) => mailState,
    ZIP: ({ mailZip }) => mailZip,
    HOUSE_NO: ({ number }) => number,
    STREET_NAM: ({ street }) => street,
    STREET_TYP: ({ type }) => type,
  })
  assert.deepEqual(fields?.ownerName1, { column: 'LASTNAME' })
  assert.deepEqual(fields?.ownerAddressLine1, { column: 'ADDRESS2' })
  assert.deepEqual(fields?.ownerCity, { column: 'CITY' })
  assert.deepEqual(fields?.ownerZipCode, { column: 'ZIP' })
  assert.deepEqual(fields?.streetName, { column: 'STREET_NAM' })
  assert.deepEqual(
    [fields?.city, fields?.zipCode, fields?.address],
    [undefined, undefined, undefined],
  )
})

test('city and ZIP codes of one state stay the site’s', async (t) => {
  const { fields } = await draftOf(t, {
    ...BASE,
    ADDRESS: ({ line }) => line,
    CITY: ({ town }) => town.city,
    ZIP: ({ town }) => town.zip,
    MAIL_ADDR: ({ mailLine }) => mailLine,
    MAIL_ZIP: ({ mailZip }) => mailZip,
  })
  assert.deepEqual(fields?.address, { column: 'ADDRESS' })
  assert.deepEqual([fields?.city, fields?.zipCode], [{ column: 'CITY' }, { column: 'ZIP' }])
})

test('ZIP codes of several states stay the site’s in a roll without mail', async (t) => {
  const { fields } = await draftOf(t, {
    ...BASE,
    ADDRESS: ({ line }) => line,
    CITY: ({ town }) => town.city,
    ZIP: ({ at }) => (at % 5 === 0 ? '30305' : '97630'),
  })
  assert.deepEqual([fields?.city, fields?.zipCode], [{ column: 'CITY' }, { column: 'ZIP' }])
})

test('the address of who pays the tax is neither the site’s nor the owner’s', async (t) => {
  const { fields } = await draftOf(t, {
    ...BASE,
    ANUMBER: ({ number }) => number,
    ST_NAME: ({ street }) => street,
    ST_POS_TYP: ({ type }) => type,
    OWN_ADD_L1: ({ mailLine }) => mailLine,
    OWN_ADD_L2: (row) => `${row.mailCity} ${row.mailState} ${row.mailZip}`,
    TAX_NAME: ({ spouse, surname }) => `${surname} ${spouse === '' ? 'IDA' : spouse}`,
    TAX_ADD_L1: ({ at }) => `${70_000 + at} OTHER ST`,
    TAX_ADD_L2: () => 'ATLANTA GA 30305',
  })
  assert.deepEqual(fields?.ownerAddressLine1, { column: 'OWN_ADD_L1' })
  assert.deepEqual(fields?.ownerCityStateZip, { column: 'OWN_ADD_L2' })
  assert.deepEqual(fields?.streetNumber, { column: 'ANUMBER' })
  assert.equal(fields?.address, undefined)
})

test('numbers of houses and special assessments are no values', async (t) => {
  const { fields } = await draftOf(t, {
    ...BASE,
    AsrLocationBldgNo: ({ number }) => number,
    AsrLocationStreet: ({ street, type }) => `${street} ${type}`,
    LandValue: ({ land }) => land,
    DwellingValue: ({ building }) => building,
    TotalValue: ({ total }) => total,
    SPEC_ASSES: ({ at }) => at * 13,
    TAXLAND: ({ land }) => land / 5,
    TAX_CAPAC: ({ total }) => Math.round(total / 90),
    LandUseValue: ({ land }) => land - 50,
  })
  assert.deepEqual(fields?.streetNumber, { column: 'AsrLocationBldgNo' })
  assert.deepEqual(fields?.assessedBuildingValue, { column: 'DwellingValue' })
  assert.deepEqual(fields?.totalAssessedValue, { column: 'TotalValue' })
  assert.deepEqual([fields?.taxValue, fields?.useCodeLocal], [undefined, undefined])
})

test('yes and no say nothing of a kind, nor do sizes and a sale’s list number', async (t) => {
  const { fields, buildings, transfers } = await draftOf(t, {
    ...BASE,
    ...SITUS,
    MULTI_USES: () => 'N',
    BASEMENT: ({ at }) => (at % 3 === 0 ? 'No' : 'Yes'),
    HEAT_AR: ({ at }) => 700 + at * 17,
    COOLING: ({ at }) => (at % 2 === 0 ? 'Central' : 'Window unit'),
    SALE_DATE: ({ sold }) => sold,
    SALE_PRICE: ({ price }) => price,
    SALETYPE: ({ at }) => (at % 4) + 1,
  })
  assert.equal(fields?.useCodeLocal, undefined)
  assert.deepEqual(buildings?.[0]?.coolingType, { column: 'COOLING' })
  assert.deepEqual(buildings?.[0]?.buildingArea, { column: 'HEAT_AR' })
  assert.deepEqual(
    [buildings?.[0]?.basementType, buildings?.[0]?.heatingType],
    [undefined, undefined],
  )
  assert.equal(transfers?.[0]?.transferDocType, undefined)
})

test('recorded acres come before those that a map was measured for', async (t) => {
  const acres = ({ at }: Truth) => `${at % 40}.25`
  const measured = ({ at }: Truth) => `${at % 40}.26731`
  for (const [one, other] of [
    ['TotalAcres', 'GISAcres'],
    ['RECORDED_ACREAGE', 'CALC_ACRE'],
    ['ACRES_DEED', 'ACRES_POLY'],
    ['REGISTERED_ACRES', 'GIS_ACRES'],
  ] as const) {
    const { fields } = await draftOf(t, { ...BASE, ...SITUS, [other]: measured, [one]: acres })
    assert.partialDeepStrictEqual(fields?.acres, { first: [{ column: one }, { column: other }] })
  }
})

test('full and estimated values are the market’s, as is one taxed at a third', async (t) => {
  const full = await draftOf(t, {
    ...BASE,
    ...SITUS,
    LANDFULL: ({ land }) => land,
    BLDGFULL: ({ building }) => building,
    TOTALFULL: ({ total }) => total,
  })
  assert.deepEqual(full.fields?.totalMarketValue, { column: 'TOTALFULL' })
  assert.deepEqual(full.fields?.totalLandValue, { column: 'LANDFULL' })
  const estimated = await draftOf(t, {
    ...BASE,
    ...SITUS,
    LAND_EST: ({ land }) => land,
    BLDG_EST: ({ building }) => building,
    TOTAL_EST: ({ total }) => total,
  })
  assert.deepEqual(estimated.fields?.totalMarketValue, { column: 'TOTAL_EST' })
  const taxedOf = (share: (row: Truth) => number) =>
    draftOf(t, {
      ...BASE,
      ...SITUS,
      TOTAL_VALUE: ({ total }) => total,
      TAXABLE_VALUE: (row) => Math.round(row.total * share(row)),
    })
  const third = await taxedOf(() => 0.333)
  assert.deepEqual(third.fields?.totalMarketValue, { column: 'TOTAL_VALUE' })
  const exempted = await taxedOf(({ at }) => (at % 3 === 0 ? 0.8 : 1))
  assert.deepEqual(exempted.fields?.totalAssessedValue, { column: 'TOTAL_VALUE' })
})

test('lot and block in one column are neither, and an assessment’s number is an ID', async (t) => {
  const { fields } = await draftOf(t, {
    ASSESSMENT_NO: ({ at }) => 300_101 + at * 31,
    OWNER: nameOf,
    ...SITUS,
    LOTBLK: ({ lot, block }) => `${lot}-${block}`,
    LOT_ASSESS: ({ land }) => land,
    WARD: ({ at }) => `0${at % 7}`,
  })
  assert.deepEqual(fields?.parcelId, { column: 'ASSESSMENT_NO' })
  assert.deepEqual([fields?.lotNum, fields?.blockNum], [undefined, undefined])
  assert.equal(fields?.neighborhood, undefined)
})

test('a line that ends in its city is split, and so are codes before texts', async (t) => {
  const { fields } = await draftOf(t, {
    ...BASE,
    LOCATION: ({ line, town }) => `${line} ${town.city}`,
    MAIL_ADDR: ({ mailLine }) => mailLine,
    MAIL_CITY: ({ mailCity }) => mailCity,
    LUC: ({ use }) => `${use.code}: ${use.words}`,
  })
  assert.partialDeepStrictEqual(fields?.addressFull, { column: 'LOCATION' })
  assert.partialDeepStrictEqual(fields?.useCodeLocal, { column: 'LUC' })
  assert.partialDeepStrictEqual(fields?.useDescription, { column: 'LUC' })
})

test('a homestead’s part of a value is no value, and # is a number', async (t) => {
  const { fields, buildings } = await draftOf(t, {
    ...BASE,
    ...SITUS,
    'Land Homesite Value': ({ land }) => land,
    'Land Non-Homesite Value': () => 0,
    'Market Value': ({ total }) => total,
    '# Bedrooms': ({ at }) => (at % 4) + 1,
  })
  assert.deepEqual(buildings?.[0]?.totalBedrooms, { column: '# Bedrooms' })
  assert.equal(fields?.totalLandValue, undefined)
})

test('numbers of owners and deeds are no further IDs of parcels', async (t) => {
  const { alternateParcelIds = [] } = await draftOf(t, {
    ...BASE,
    ...SITUS,
    OwnerRefID: ({ at }) => `O${at * 7 + 10_000}`,
    DEED_B_P: ({ at }) => `${at * 3 + 500}/${at + 7}`,
    OLD_PARCEL_ID: ({ at }) => `A-${at * 7 + 10_000}`,
  })
  assert.deepEqual(alternateParcelIds, [{ column: 'OLD_PARCEL_ID' }])
})

test('a city behind a street without a suffix is cut, unless it is the street', async (t) => {
  const { fields } = await draftOf(t, {
    ...BASE,
    SITUS_LINE: ({ line, town }) => `${line} ${town.city}`,
    SITUS_CITY: ({ town }) => town.city,
    MAIL_ADDR: ({ mailLine }) => mailLine,
    MAIL_CITY: ({ mailCity }) => mailCity,
  })
  const rule = fields?.addressFull
  const [comma] = typeof rule === 'object' ? (rule.replace ?? []) : []
  assert.ok(comma)
  const city = /\(([A-Z]+)\|/.exec(comma.pattern)?.[1] ?? ''
  for (const [line, cut] of [
    ['12 BROADWAY', true],
    ['12 STATE HWY 9', true],
    ['12 W BROADWAY', true],
    ['12 OLD', true],
    ['12', false],
    ['12 W', false],
    ['12 NE', false],
    ['BROADWAY', false],
  ] as const) {
    const found: string = `${line} ${city}`.replace(
      new RegExp(comma.pattern, 'iu'),
      comma.with ?? '',
    )
    assert.equal(found, `${line}${cut ? ',' : ''} ${city}`)
  }
  assert.deepEqual(fields?.addressRaw, { column: 'SITUS_LINE' })
})
