/** Mappings in the box: units, kinds of value, municipalities and unknown codes, a row each. */
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { loadMapping } from '../../src/import/mapping/mapping.ts'
import { inspectFile } from '../../src/inspect/inspect.ts'
import type { Parcel } from '../../src/record/parcel.ts'
import { csvRow } from '../../src/sample/write.ts'
import { importRoll, makeFolder, openLoaded, readParcel, TODAY, write } from './small-roll.ts'

type Row = Record<string, string>

/** Loads one row and reads its parcel. `key`: the parcel's ID as it is stored. */
async function load(t: TestContext, mapping: string, row: Row, key: [number, string]) {
  const data = makeFolder(t)
  const text = csvRow(Object.keys(row)) + csvRow(Object.values(row))
  await importRoll(data, [write(data, 'one.csv', text)], { mapping })
  const state = loadMapping(mapping).state ?? ''
  return await readParcel(openLoaded(t, data), state, ...key)
}

const EASTHAMPTON = {
  MAP_PAR_ID: '1-2',
  'LOC_ID.x': 'M_100001_900001',
  TOWN_ID: '87',
  OWNER1: 'ROE JANE',
  OWN_ADDR: '12 SAMPLE ST',
  OWN_CITY: 'EASTHAMPTON',
  OWN_STATE: 'MA',
  OWN_ZIP: '01027',
  SITE_ADDR: '12 SAMPLE ST',
  CITY: 'EASTHAMPTON',
  ZIP: '01027',
  FY: '2025',
  LOT_SIZE: '0.2',
  LAND_VAL: '1000',
  BLDG_VAL: '2000',
  TOTAL_VAL: '3000',
  LS_DATE: '20240206',
  LS_PRICE: '5',
}

for (const [location, unit, letters, stories] of [
  ['UNIT 4B', '4B', '2T', 2.75],
  ['3', '3', '1H', 1.5],
  ['C-204', 'C204', '1A', 1],
  ['A', 'A', '2', 2],
  ['#12', '12', '1.75', 1.75],
  ['REAR', null, '2Q', 2.25],
  ['OFF', null, 'NA', null],
  ['NA', null, '0', null],
  ['NEAR MILL', null, 'X', null],
] as const) {
  const title = `location ${location} is ${unit ?? 'no unit'}, ${letters} stories`
  test(`Massachusetts: ${title}`, async (t) => {
    const row = { ...EASTHAMPTON, LOCATION: location, STORIES: letters }
    const parcel = await load(t, 'ma-massgis-l3', row, [25015, 'M100001900001'])
    assert.equal(parcel.unitNumberStripped, unit)
    assert.equal(parcel.buildings[0]?.stories ?? null, stories)
  })
}

/** Columns that the mapping of Philadelphia needs. */
const PHILADELPHIA = {
  ...{ owner_1: 'ROE JANE', owner_2: '', mailing_street: '', mailing_city_state: '' },
  ...{ mailing_zip: '', location: '', zip_code: '', market_value: '' },
  ...{ sale_date: '', sale_price: '' },
}

type Case = { mapping: string; row: Row; key: [number, string]; served: Partial<Parcel> }

const CASES: Record<string, Case> = {
  'Vermont’s listed value is assessed': {
    mapping: 'vt-vcgi',
    row: {
      SPAN: '999-123-10001',
      PROPTYPE: 'PARCEL',
      TNAME: 'Barnet',
      REAL_FLV: '200000',
      LAND_LV: '60000',
      IMPRV_LV: '140000',
    },
    key: [50005, '99912310001'],
    served: {
      totalAssessedValue: 200_000,
      assessedLandValue: 60_000,
      totalMarketValue: null,
      valueType: 'assessed',
    },
  },
  'New Jersey’s net value is taxable, land and improvement are assessed': {
    mapping: 'nj-modiv',
    row: {
      PAMS_PIN: '0999_12_7',
      COUNTY: 'HUDSON',
      MUN_NAME: 'SAMPLETON TOWN',
      LAND_VAL: '100000',
      IMPRVT_VAL: '200000',
      NET_VALUE: '280000',
    },
    key: [34017, '0999127'],
    served: { totalAssessedValue: 300_000, taxableValue: 280_000 },
  },
  'Wisconsin’s place is the municipality': {
    mapping: 'wi-statewide',
    row: {
      PARCELID: '0709123',
      CONAME: 'DANE',
      PLACENAME: 'TOWN OF BURKE',
      SITEADRESS: '12 TEST RD',
      OWNERNME1: 'ROE JANE',
    },
    key: [55025, '0709123'],
    served: { jurisdiction: 'TOWN OF BURKE', city: null },
  },
  'Allegheny’s market value is of the base year, and a use says what is a dwelling': {
    mapping: 'pa-allegheny',
    row: {
      PARID: '0099A00012000000',
      USEDESC: 'SINGLE FAMILY',
      COUNTYTOTAL: '100000',
      FAIRMARKETTOTAL: '118000',
    },
    key: [42003, '0099A00012000000'],
    served: { totalMarketValue: 118_000, marketValueYear: 2012, residential: true },
  },
  'Allegheny’s vacant land is no dwelling': {
    mapping: 'pa-allegheny',
    row: { PARID: '0099A00013000000', USEDESC: 'VACANT LAND', CLASSDESC: 'RESIDENTIAL' },
    key: [42003, '0099A00013000000'],
    served: { residential: false, marketValueYear: null },
  },
  'Philadelphia: a lot under a category of homes is the house that was built on it': {
    mapping: 'pa-philadelphia-opa',
    row: {
      ...PHILADELPHIA,
      parcel_number: '990000001',
      category_code: '1 ',
      building_code_description: 'VACANT LAND RESIDE < ACRE',
      building_code_description_new: 'ROW MODERN',
    },
    key: [42101, '990000001'],
    served: { propertyUseCode: '1007', residential: true },
  },
  'Philadelphia: its vacant land stays vacant': {
    mapping: 'pa-philadelphia-opa',
    row: {
      ...PHILADELPHIA,
      parcel_number: '990000002',
      category_code: '13 ',
      building_code_description: 'VACANT LAND RESIDE < ACRE',
      building_code_description_new: 'ROW MODERN',
    },
    key: [42101, '990000002'],
    served: { propertyUseCode: '8001', residential: false },
  },
  'Philadelphia: a garage that is no house stays a garage': {
    mapping: 'pa-philadelphia-opa',
    row: {
      ...PHILADELPHIA,
      parcel_number: '990000003',
      category_code: '1 ',
      building_code_description: 'PRIV GAR 1 STY MASONRY',
      building_code_description_new: '',
    },
    key: [42101, '990000003'],
    served: { propertyUseCode: '1014', residential: false },
  },
  'Tarrant’s appraised value is capped for homesteads, so it is no market value': {
    mapping: 'tx-tarrant',
    row: { TAXPIN: '99001-4-13', APPRAISEDV: '300000', LAND_VALUE: '60000', IMPR_VALUE: '270000' },
    key: [48439, '99001413'],
    served: { totalAssessedValue: 300_000, totalMarketValue: null, totalLandValue: 60_000 },
  },
  'Tarrant’s zeros are unknown values': {
    mapping: 'tx-tarrant',
    row: { TAXPIN: '99001-4-14', APPRAISEDV: '0', LAND_VALUE: '0', IMPR_VALUE: '0' },
    key: [48439, '99001414'],
    served: { totalAssessedValue: null, totalLandValue: null, totalBuildingValue: null },
  },
  'Lexington has a code next to the text of a use, and a tax district': {
    mapping: 'sc-lexington',
    row: {
      ...{ TMS: '009912-01-003', TMS_No_Dash: '00991201003', Owner: 'ROE JANE', TaxDist: '5C' },
      ...{ PropTypeCode: '1101', PropTypeDesc: 'SINGLE FAMILY', MktTotal: '200000' },
    },
    key: [45063, '00991201003'],
    served: { localUseCode: '1101', propertyUseCode: '1001', taxRateCodeArea: '5C' },
  },
  'DuPage’s city is of the site, its municipality apart': {
    mapping: 'il-dupage',
    row: {
      ...{ PIN: '0999120012', PROPADDRL1: '12 SAMPLE LN', PROPCITY: 'WHEATON', PROPZIP: '60189' },
      ...{ MUNICIPALITY: 'UNINCORPORATED', REA017_PROP_CLASS: 'R' },
    },
    key: [17043, '0999120012'],
    served: { city: 'WHEATON', zipCode: '60189', propertyUseCode: '1000' },
  },
  'Napa’s roll has assessed values': {
    mapping: 'ca-napa',
    row: { ASMT: '099123004000', CurrentMarketLandValue: '300000', TotalLandImprValue: '700000' },
    key: [6055, '099123004000'],
    served: { totalAssessedValue: 700_000, totalMarketValue: null },
  },
}

for (const [title, { mapping, row, key, served }] of Object.entries(CASES)) {
  test(title, async (t) => {
    const parcel = await load(t, mapping, row, key)
    const names = Object.keys(served) as (keyof Parcel)[]
    assert.deepEqual(Object.fromEntries(names.map((name) => [name, parcel[name]])), served)
  })
}

test('a layout that a mapping loads is said to fit, with a word for skipped rows', async (t) => {
  const mapping = loadMapping('wi-statewide')
  const names = Object.values(mapping.fields).filter((value) => typeof value === 'string')
  const row = (id: string) =>
    csvRow(
      ['PARCELID', 'CONAME', ...names].map((name) =>
        name === 'PARCELID' ? id : name === 'CONAME' ? 'DANE' : '',
      ),
    )
  const rows = ['0709123', 'ROW', 'GAP', 'HYDRO', '0709124'].map(row)
  const head = csvRow(['PARCELID', 'CONAME', ...names])
  const file = write(makeFolder(t), 'roll.csv', head + rows.join(''))
  const { fits } = await inspectFile(file, { today: TODAY, mappings: [mapping] })
  assert.equal(fits[0]?.usable, 1)
})
