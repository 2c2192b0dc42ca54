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
  ['UNIT 2F-R', '2F-R', '2', 2],
  ['12-B-C-D', null, '2', 2],
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

/** Cells of a row, written as `COLUMN=value|COLUMN=value`. */
const cells = (text: string): Row =>
  Object.fromEntries(text.split('|').map((cell) => cell.split('=') as [string, string]))

/** Title, mapping, cells, key, what is served; each is a line of docs/mapping-corrections.tsv. */
type Correction = [string, string, string, [number, string], Partial<Parcel>]

const CORRECTIONS: Correction[] = [
  [
    'Maricopa’s street comes without city and ZIP, a suite is the unit, no city is none',
    'az-maricopa',
    'APN=10299001|Property Street Number=12|Property Street Direction=W' +
      '|Property Street Name=SAMPLE|Property Street Type=RD' +
      '|Property Suite=5|Property City=PHOENIX|Property Zip Code=85037' +
      '|Property Address=12 W SAMPLE RD 5 PHOENIX 85037|Jurisdiction=NO CITY/TOWN' +
      '|Land Size=6,116|Section Township Range=20 2N 1E|In Care Of=SAMPLE SERVICES',
    [4013, '10299001'],
    {
      ...{ address: '12 W SAMPLE RD', unitNumberStripped: '5', city: 'PHOENIX', zipCode: '85037' },
      ...{ jurisdiction: null, landArea: 6116, township: '2N', careOf: 'SAMPLE SERVICES' },
    },
  ],
  [
    'Maricopa’s one line is split where the layer has no parts',
    'az-maricopa',
    'APN=10299002|PHYSICAL_ADDRESS=12 W SAMPLE RD PHOENIX 85037|PHYSICAL_CITY=PHOENIX',
    [4013, '10299002'],
    { address: '12 W SAMPLE RD', zipCode: '85037' },
  ],
  [
    'Los Angeles’ assessed total is land and improvements, without fixtures',
    'ca-los-angeles',
    'AIN=9990012001|Roll_LandValue=300000|Roll_ImpValue=200000|Roll_TotLandImp=500000' +
      '|Roll_TotalValue=540000|Roll_HomeOwnersExemp=7000|TaxRateArea_CITY=BURBANK' +
      '|SitusCity=TOLUCA LAKE CA',
    [6037, '9990012001'],
    {
      ...{ totalAssessedValue: 500_000, homesteadExemption: 7000, ownerOccupied: true },
      ...{ jurisdiction: 'BURBANK', city: 'TOLUCA LAKE' },
    },
  ],
  [
    'Los Angeles’ current roll without a homeowner’s exemption says nothing of who lives there',
    'ca-los-angeles-now',
    'AIN=9990012003|Roll_LandValue=300000|Roll_ImpValue=200000|Roll_HomeOwnersExemp=0' +
      '|Units1=2|Units2=1|Units3=0',
    [6037, '9990012003'],
    { totalAssessedValue: 500_000, ownerOccupied: null, unitCount: 3, buildings: [] },
  ],
  [
    'San Francisco: 0 bedrooms are unknown, rooms and exemption have fields',
    'ca-san-francisco',
    'parcel_number=9901013|number_of_bedrooms=0|number_of_rooms=6|homeowner_exemption_value=7000' +
      '|assessed_land_value=400000|assessed_improvement_value=250000|supervisor_district=8',
    [6075, '9901013'],
    {
      ...{ totalAssessedValue: 650_000, homesteadExemption: 7000, ownerOccupied: true },
      district: '8',
    },
  ],
  [
    'Connecticut: a suppressed owner is nobody, and the site is no mailing address',
    'ct-cama',
    'Town_Name=Greenwich|Parcel_ID=99-12|Owner=Current Owner|Co_Owner=Current Co-Owner' +
      '|Mailing_Address=12 SAMPLE AVE|Mailing_City=GREENWICH|Mailing_State=CT' +
      '|Location=12 SAMPLE AVE',
    [9001, '9912'],
    { ownerName: null, ownerName2: null, ownerStreet: null, ownerCity: null, ownerOccupied: null },
  ],
  [
    'Connecticut: a blank owner keeps the mailing address',
    'ct-cama',
    'Town_Name=Greenwich|Parcel_ID=99-13|Owner=|Mailing_Address=PO BOX 77|Mailing_City=RYE' +
      '|Mailing_State=NY',
    [9001, '9913'],
    { ownerStreet: 'PO BOX 77', ownerCity: 'RYE', ownerState: 'NY' },
  ],
  [
    'District of Columbia: a homestead code says that the owner lives there',
    'dc-itspe',
    'SSL=0999    0013|HSTDCODE=1|SALEDATE=1557187200000|ACCEPTCODE=MARKET',
    [11001, '09990013'],
    { ownerOccupied: true },
  ],
  [
    'District of Columbia: the unit has its own column, a care-of is no owner',
    'dc-itspe',
    'SSL=0999    2014|PREMISEADD=12 SAMPLE ST NW WASHINGTON DC 20001|UNITNUMBER=305' +
      '|OWNERNAME=ROE JANE|CAREOFNAME=SAMPLE AGENCY',
    [11001, '09992014'],
    { address: '12 SAMPLE ST NW', unitNumberStripped: '305', careOf: 'SAMPLE AGENCY' },
  ],
  [
    'Detroit: the roll’s newer names, and a principal residence exemption',
    'mi-detroit',
    'parcel_id=99001235.|taxpayer_1=ROE, JANE|taxpayer_address=PO BOX 7|taxpayer_zip_code=48226' +
      '|amt_assessed_value=20000|amt_taxable_value=15000|pct_pre_claimed=100' +
      '|census_tract_geoid_2020=26163500100',
    [26163, '99001235'],
    {
      ...{ ownerStreet: 'PO BOX 7', totalAssessedValue: 20_000, taxableValue: 15_000 },
      ...{ ownerOccupied: true, censusTract: '261635001.00' },
    },
  ],
  [
    'Fulton: a commercial class with flats is apartments',
    'ga-fulton',
    'ParcelID=14 009900LL0140|ClassCode=C5|LivUnits=119',
    [13121, '14009900LL0140'],
    { propertyUseCode: '1100', residential: true, unitCount: 119 },
  ],
  [
    'Fulton: a commercial class with one dwelling stays open',
    'ga-fulton',
    'ParcelID=14 009900LL0141|ClassCode=C3|LivUnits=1',
    [13121, '14009900LL0141'],
    { propertyUseCode: null, residential: null },
  ],
  [
    'DuPage: the bill’s own city comes before its second line',
    'il-dupage',
    'PIN=0999120013|BILLADDRL1=12 SAMPLE LN|BILLADDRL2=APT 4|BILLCITY=LISLE|BILLSTATE=IL' +
      '|BILLZIP=60532|PROPADDRL1=14 SAMPLE LN|PROPAPT=3C',
    [17043, '0999120013'],
    { ownerCity: 'LISLE', ownerState: 'IL', ownerZipCode: '60532', unitNumberStripped: '3C' },
  ],
  [
    'Marion County: three owners in two slots',
    'in-marion',
    'PAN=9990013|Owner1=ROE, JANE|Owner2=ROE, JOHN|Owner3=DOE, ANN',
    [18097, '9990013'],
    { ownerName: 'ROE, JANE', ownerName2: 'ROE, JOHN & DOE, ANN' },
  ],
  [
    'North Carolina: parts of an assessed value are assessed',
    'nc-onemap',
    'parno=0792345679|stcntyfips=37183|parval=350000|landval=100000|improvval=250000' +
      '|parvaltype=ASSESSED|structno=2',
    [37183, '0792345679'],
    {
      ...{ totalAssessedValue: 350_000, assessedLandValue: 100_000, totalLandValue: null },
      buildingCount: 2,
    },
  ],
  [
    'North Carolina: parts of a market value are the market’s',
    'nc-onemap',
    'parno=0792345680|stcntyfips=37183|parval=350000|landval=100000|improvval=250000' +
      '|parvaltype=Market',
    [37183, '0792345680'],
    { totalMarketValue: 350_000, totalLandValue: 100_000, assessedLandValue: null },
  ],
  [
    'Douglas County: a flat has its unit, city and ZIP',
    'ne-douglas',
    'PIN=9900120002|PROPERTY_A=12 N SAMPLE ST|APARTMENT=4|PROP_CITY=OMAHA|PROP_ZIP=68102',
    [31055, '9900120002'],
    { address: '12 N SAMPLE ST', unitNumberStripped: '4', city: 'OMAHA', zipCode: '68102' },
  ],
  [
    'Washoe: the mail has its city, state and ZIP',
    'nv-washoe',
    'APN=999-120-02|MAILING1=12 SAMPLE CT|MAILING2=APT 3|MAILCITY=RENO|MAILSTATE=NV|MAILZIP=89511' +
      '|TOTALASS=140000|TAXYEAR=2026',
    [32031, '99912002'],
    { ownerStreet: '12 SAMPLE CT APT 3', ownerCity: 'RENO', ownerZipCode: '89511', rollYear: 2026 },
  ],
  [
    'Cuyahoga: gross certified values are the market’s',
    'oh-cuyahoga',
    'parcel_id=999-12-002|par_addr=12|par_street=SAMPLE|par_suffix=AVE|par_city=CLEVELAND' +
      '|par_zip=44113|gross_certified_total=100000|gross_certified_land=20000',
    [39035, '99912002'],
    {
      ...{ address: '12 SAMPLE AVE', zipCode: '44113' },
      ...{ totalMarketValue: 100_000, totalLandValue: 20_000, totalAssessedValue: null },
    },
  ],
  [
    'Idaho: a homeowner’s exemption says that the owner lives there',
    'id-public',
    'PARCEL_ID=R9912000011|County=Ada|HOME_EXMPT=125000',
    [16001, 'R9912000011'],
    { ownerOccupied: true, homesteadExemption: 125_000 },
  ],
  [
    'Idaho: no exemption is no flag, whatever it is called',
    'id-public',
    'PARCEL_ID=R9912000012|County=Ada|HOME_EXMPT=No',
    [16001, 'R9912000012'],
    { ownerOccupied: null, homesteadExemption: null },
  ],
  [
    'Idaho: an exemption that is said with a word is no amount',
    'id-public',
    'PARCEL_ID=R9912000013|County=Ada|HOME_EXMPT=Yes',
    [16001, 'R9912000013'],
    { ownerOccupied: true, homesteadExemption: null },
  ],
  [
    'Mississippi: the first day of 1970 is no date of a deed',
    'ms-maris',
    'PARNO=099A1200200|STCNTYFIPS=28109|DEEDDATE=1970-01-01T00:00:00.000Z|DEEDREF=512/33',
    [28109, '099A1200200'],
    { ownershipStartDate: null },
  ],
  [
    'Minnesota: exempt land is described by its exempt class',
    'mn-open',
    'county_pin=991230002|co_code=27053|useclass1=|xuseclass1=Church property',
    [27053, '991230002'],
    { propertyUseDescription: 'Church property' },
  ],
]

for (const [title, mapping, text, key, served] of CORRECTIONS) {
  test(title, async (t) => {
    const parcel = await load(t, mapping, cells(text), key)
    const names = Object.keys(served) as (keyof Parcel)[]
    assert.deepEqual(Object.fromEntries(names.map((name) => [name, parcel[name]])), served)
  })
}

for (const [title, mapping, text, key, sales] of [
  [
    'Maricopa: a sale of a month and the deed that was recorded',
    'az-maricopa',
    'APN=10299003|Sale Date=04/1/2019|Sale Price=219,900|Deed Date=6/6/2019|Deed Number=190424972',
    [4013, '10299003'],
    [
      ['2019-06-06', '2019-06-06', null, '190424972', null],
      ['2019-04-01', null, 219_900, null, null],
    ],
  ],
  [
    'Maryland: how the land was conveyed is no kind of document',
    'md-imap',
    'ACCTID=0399120013|JURSCODE=BCIT|TRADATE=20190507|CONSIDR1=250000|CONVEY1=1',
    [24510, '0399120013'],
    [['2019-05-07', null, 250_000, null, '1']],
  ],
] as const) {
  test(title, async (t) => {
    const { transfers } = await load(t, mapping, cells(text), [...key])
    const listed = transfers.map((sale) => [
      ...[sale.transferDate, sale.recordingDate, sale.transferPrice],
      ...[sale.documentNumber, sale.saleCode],
    ])
    assert.deepEqual(listed, sales)
    assert.equal(transfers[0]?.documentType, null)
  })
}

test('Maryland: a polygon that is not located is no parcel', async (t) => {
  const data = makeFolder(t)
  const rows = ['NOT LOCATED', '0399120014'].map((ACCTID) => csvRow([ACCTID, 'BACO']))
  const file = write(data, 'md.csv', csvRow(['ACCTID', 'JURSCODE']) + rows.join(''))
  const report = await importRoll(data, [file], { mapping: 'md-imap' })
  assert.deepEqual([report.loaded, report.skipped], [1, 1])
})

test('Cook: a unit has its own area and not the land of its building', async (t) => {
  const data = makeFolder(t)
  const [pin, year] = ['16012160020001', '2023']
  const tables = {
    universe: { pin, year, class: '299', tax_code: '77001', ward_num: '2' },
    owners: { pin, year, prop_address_full: '12 N SAMPLE ST', owner_address_name: 'ROE JANE' },
    units: { pin, year, char_unit_sf: '900', char_bedrooms: '2', char_land_sf: '5000' },
  }
  const files = Object.entries(tables).map(([name, row]) =>
    write(data, `${name}.csv`, csvRow(Object.keys(row)) + csvRow(Object.values(row))),
  )
  await importRoll(data, files, { mapping: 'il-cook' })
  const unit = await readParcel(openLoaded(t, data), 'IL', 17031, pin)
  assert.deepEqual([unit.ownerName, unit.ward, unit.landArea], ['ROE JANE', '2', null])
  const [home] = unit.buildings
  assert.deepEqual([home?.buildingArea, home?.bedrooms], [900, 2])
})

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
