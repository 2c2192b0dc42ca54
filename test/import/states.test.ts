/** Statewide layouts in the box, on invented rows in the columns that their publishers list. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import test, { type TestContext } from 'node:test'
import { findMapping, listMappingNames, loadMapping } from '../../src/import/mapping/mapping.ts'
import type { Parcel } from '../../src/record/parcel.ts'
import { decodeParcel } from '../../src/record/stored.ts'
import { fixture, importRoll, makeFolder, openLoaded, readParcel, write } from './small-roll.ts'
import { writeTable } from './tables.ts'

/** Files of the mappings whose fixture is not their name alone. */
const FILES: Record<string, string[]> = {
  'oh-ogrip': ['oh-ogrip.csv', 'oh-odnr.csv'],
  'nd-gishub': ['nd-gishub.csv', 'nd-gishub-parcels.csv'],
  'nm-ose': ['nm-ose-santa-fe.csv'],
  'il-cook': ['il-cook-universe.csv'],
  'in-gateway': ['in-gateway.txt', 'in-map.ndjson'],
  'tx-harris': ['tx-harris.txt', 'tx-harris-deeds.txt'],
  'tx-pacs': ['tx-pacs.txt'],
  'sc-charleston': ['sc-charleston.csv', 'sc-charleston-addresses.csv'],
  'sc-horry': ['sc-horry.csv', 'sc-horry-addresses.csv'],
  'tx-dallas': [
    'tx-dallas.csv',
    'tx-dallas-values.csv',
    'tx-dallas-houses.csv',
    'tx-dallas-land.csv',
  ],
  'wa-king': ['wa-king.csv', 'wa-king-accounts.csv', 'wa-king-houses.csv', 'wa-king-sales.csv'],
}

async function load(t: TestContext, mapping: string) {
  const data = makeFolder(t)
  const files = (FILES[mapping] ?? [`${mapping}.csv`]).map(fixture)
  const report = await importRoll(data, files, { mapping })
  assert.deepEqual([report.rejected, report.unread], [0, {}], mapping)
  const reader = openLoaded(t, data)
  return (fips: number, id: string) =>
    readParcel(reader, loadMapping(mapping).state ?? '', fips, id)
}

/** What a person compares first. */
function sum(parcel: Parcel) {
  const { ownerName, address, city, zipCode, acres } = parcel
  return [ownerName, address, city, zipCode, acres]
}

test('Ohio: owners come from the land base, whatever the case of the county name', async (t) => {
  const read = await load(t, 'oh-ogrip')
  const house = await read(39049, '990001234')
  assert.deepEqual([house.ownerName, house.ownerName2], ['TESTERMAN WALT', 'TESTERMAN FAYE'])
  assert.deepEqual([house.address, house.acres], ['12 SAMPLE AVE', 0.25])
  assert.deepEqual(
    [house.localUseCode, house.propertyUseDescription, house.residential, house.propertyUseCode],
    ['510', 'Single family dwelling', true, '1001'],
  )
  assert.equal(house.ownerOccupied, true)
  const farm = await read(39049, '990001235')
  assert.deepEqual([farm.ownerName, farm.address, farm.residential], [null, null, false])
  assert.equal(farm.propertyUseCode, '7000')
})

test('New York: a town and a village of one name have separate numbers', async (t) => {
  const data = makeFolder(t)
  const report = await importRoll(data, [fixture('ny-statewide.csv')], { mapping: 'ny-statewide' })
  assert.deepEqual([report.loaded, report.rejected], [3, 0])
  const reader = openLoaded(t, data)
  assert.equal((await reader.byParcelId('NY', 36089, '9001121')).length, 2)
  const lot = await readParcel(reader, 'NY', 36061, '1009990012')
  assert.deepEqual([lot.residential, lot.totalMarketValue], [true, null])
})

test('New York: a post-office box is the mailing line, -999 and 0 are unknown', async (t) => {
  const data = makeFolder(t)
  await importRoll(data, [fixture('ny-statewide.csv')], { mapping: 'ny-statewide' })
  const page = await openLoaded(t, data).byParcelId('NY', 36089, '9001121')
  const [town, village] = page.map(({ fieldValues }) => decodeParcel(fieldValues))
  assert.equal(town?.municipality, 'SAMPLETON 409901')
  assert.equal(town?.ownerStreet, 'PO BOX 77')
  assert.equal(town?.extra.OWNER_TYPE, undefined)
  assert.deepEqual([town?.totalMarketValue, village?.totalMarketValue], [120_000, null])
  assert.deepEqual([town?.buildings[0]?.heatingFuel, village?.buildings], ['Oil', []])
  assert.deepEqual([town?.propertyUseCode, village?.propertyUseCode], ['1001', '8001'])
})

test('Pennsylvania: an owner in parts, a unit in the second line, nonzero acreage', async (t) => {
  const read = await load(t, 'pa-dep')
  const flat = await read(42071, '9900120001')
  assert.deepEqual(sum(flat), ['TESTERMAN, IRIS', '12 SAMPLE ST', 'LANCASTER', '17601', 0.5])
  assert.equal(flat.unitNumberStripped, '2')
  const farm = await read(42071, '9900120002')
  assert.deepEqual(sum(farm), ['SAMPLE FARMS LLC', '40 SAMPLE ST', 'LANCASTER', '17601', 12])
})

test('Tennessee: the number is last, unless it belongs to the road', async (t) => {
  const read = await load(t, 'tn-comptroller')
  assert.equal((await read(47189, '09901200100')).address, '839 OLD MILL RD')
  assert.equal((await read(47189, '09901200200')).address, '1200 HIGHWAY 70')
  assert.equal((await read(47189, '09901200300')).streetNumber, null)
})

test('Colorado: owner, situs, use, sale and both values', async (t) => {
  const read = await load(t, 'co-oit')
  const house = await read(8069, '9900123001')
  assert.deepEqual(sum(house).slice(0, 4), [
    'TESTERMAN IRIS',
    '12 SAMPLE CT',
    'FORT COLLINS',
    '80525',
  ])
  assert.deepEqual([house.totalMarketValue, house.totalAssessedValue], [400_000, 27_000])
  assert.equal(house.propertyUseCode, '1001')
  assert.equal(house.transfers[0]?.transferPrice, 350_000)
})

test('Minnesota: address parts, any number of mail lines, a price of 0 is none', async (t) => {
  const read = await load(t, 'mn-open')
  const house = await read(27053, '991230001')
  assert.deepEqual(
    [house.streetNumber, house.streetDirectionPrefix, house.streetName, house.streetType],
    ['12 1/2', 'N', 'SAMPLE', 'AVE'],
  )
  assert.deepEqual([house.unitNumberStripped, house.zipCodePlusFour], ['3', '55401-1234'])
  assert.deepEqual([house.ownerStreet, house.ownerCity], ['500 SAMPLE BLVD', 'EDINA'])
  assert.deepEqual([house.ownerOccupied, house.residential], [true, true])
  assert.deepEqual([house.taxAmount, house.range], [3500.5, '24W'])
  assert.deepEqual(
    house.transfers.map(({ transferPrice }) => transferPrice),
    [null],
  )
})

test('Arkansas: types starting with R are residential, parts replace a missing line', async (t) => {
  const read = await load(t, 'ar-camp')
  const house = await read(5119, '99000012000')
  assert.deepEqual([house.residential, house.propertyUseCode], [true, '1000'])
  assert.deepEqual([house.totalAssessedValue, house.totalMarketValue], [40_000, 200_000])
  const farm = await read(5119, '99000013000')
  assert.deepEqual([farm.address, farm.residential], ['40 SAMPLE RD', false])
})

test('Mississippi: blanks are unknown, deeds are book and page, improvements add up', async (t) => {
  const read = await load(t, 'ms-maris')
  const house = await read(28109, '099A1200100')
  assert.deepEqual(house.alternateParcelIds, [])
  assert.deepEqual([house.acres, house.totalBuildingValue], [2.5, 85_000])
  const [deed] = house.transfers
  assert.deepEqual([deed?.recordingDate, deed?.book, deed?.page], ['2010-04-01', '512', '33'])
})

test('Maricopa: full cash value is market, limited value is assessed; layer dates', async (t) => {
  const read = await load(t, 'az-maricopa')
  const house = await read(4013, '99912001A')
  assert.deepEqual([house.totalMarketValue, house.totalAssessedValue], [400_000, 250_000])
  assert.equal(house.transfers[0]?.transferDate, '2019-05-07')
})

test('West Virginia: counties by their place in the alphabet', async (t) => {
  const house = await (await load(t, 'wv-gistc'))(54039, '2099001200010000')
  assert.deepEqual(house.alternateParcelIds, ['2099001200010000'])
  assert.deepEqual([house.acres, house.transfers[0]?.book], [0.5, '512'])
  assert.deepEqual([house.ownerCity, house.ownerZipCode], ['CHARLESTON', '25301'])
})

test('New Mexico: the county comes from the name of the file', async (t) => {
  const house = await (await load(t, 'nm-ose'))(35049, '1099012001234000000')
  assert.deepEqual([house.township, house.range, house.buildingCount], ['17N', '9E', 2])
  assert.equal(house.ownerCity, 'SANTA FE')
})

test('North Dakota: polygons give lot and block to the roll', async (t) => {
  const house = await (await load(t, 'nd-gishub'))(38017, '99001200010000')
  assert.deepEqual([house.lot, house.block, house.acres], ['7', '2', 0.2])
  assert.deepEqual([house.totalLandValue, house.totalBuildingValue], [50_000, 200_000])
})

test('Idaho: owners of all counties, and the thirteen that give everything', async (t) => {
  assert.equal(
    (await (await load(t, 'id-idwr'))(16001, 'RP99N01E120001')).ownerName,
    'TESTERMAN IRIS',
  )
  const house = await (await load(t, 'id-public'))(16001, 'R9912000010')
  assert.deepEqual([house.homesteadExemption, house.totalAssessedValue], [125_000, 300_000])
})

test('Wyoming: actual value is the market', async (t) => {
  const house = await (await load(t, 'wy-dor'))(56021, '99120010000100')
  assert.deepEqual([house.totalMarketValue, house.totalAssessedValue], [300_000, 28_500])
  assert.deepEqual([house.rollYear, house.taxRateCodeArea], [2026, '0151'])
})

test('District of Columbia: the city follows the situs', async (t) => {
  const house = await (await load(t, 'dc-itspe'))(11001, '09990012')
  assert.deepEqual(sum(house).slice(1, 4), ['12 SAMPLE ST NW', 'WASHINGTON', '20001'])
  assert.deepEqual([house.ownerCity, house.ownerOccupied], ['WASHINGTON', true])
  assert.deepEqual([house.totalMarketValue, house.totalAssessedValue], [700_000, 690_000])
})

test('Vermont: the county by the town, and only parcels', async (t) => {
  const house = await (await load(t, 'vt-vcgi'))(50005, '99912310001')
  assert.deepEqual(sum(house).slice(0, 2), ['TESTERMAN IRIS', '12 SAMPLE RD'])
  assert.deepEqual([house.totalAssessedValue, house.ownerOccupied], [200_000, true])
  assert.deepEqual([house.residential, house.rollYear], [true, 2025])
})

test('Connecticut: the former county by the town, an inverted situs, two sales', async (t) => {
  const read = await load(t, 'ct-cama')
  const house = await read(9001, '33620991234S')
  assert.deepEqual([house.address, house.municipality], ['12 SAMPLE AVE', 'GREENWICH'])
  assert.deepEqual(
    house.transfers.map(({ transferDate, transferPrice }) => [transferDate, transferPrice]),
    [
      ['2015-06-01', 900_000],
      ['1999-03-02', 500_000],
    ],
  )
  assert.deepEqual([house.buildings[0]?.bathrooms, house.buildings[0]?.rooms], [2.5, 8])
  assert.equal((await read(9013, '1299')).address, '7 SAMPLE RD')
})

test('California: number and situs, and no owner', async (t) => {
  const lot = await (await load(t, 'ca-calfire'))(6073, '099120001')
  assert.deepEqual(sum(lot), [null, '12 SAMPLE CT', 'SAN DIEGO', '92101', null])
})

test('New Jersey: mail without a name, a deed of the last century, the ID of before', async (t) => {
  const read = await load(t, 'nj-modiv')
  const house = await read(34017, '0999127')
  assert.deepEqual([house.ownerName, house.ownerStreet], [null, 'PO BOX 77'])
  assert.deepEqual([house.ownerCity, house.ownerZipCodePlusFour], ['SAMPLETON', '07030-1234'])
  assert.deepEqual([house.unitCount, house.formerParcelIds], [2, ['0999_12_6.01']])
  assert.equal(house.transfers[0]?.transferDate, '1987-12-04')
  const land = await read(34017, '0999131')
  assert.deepEqual([land.residential, land.propertyUseCode], [false, '9200'])
})

test('Washington: FIPS gives the county if its name is a number', async (t) => {
  const flat = await (await load(t, 'wa-current'))(53053, '990012001')
  assert.deepEqual([flat.address, flat.unitNumberStripped], ['12 SAMPLE AVE S', '3'])
  assert.deepEqual([flat.residential, flat.condominium], [true, true])
})

test('Maryland: Baltimore as city, acres, a point in metres, principal residence', async (t) => {
  const house = await (await load(t, 'md-imap'))(24510, '0399120012')
  assert.deepEqual([house.landArea, house.zipCode], [21_780, '21202'])
  assert.deepEqual([house.ownerOccupied, house.propertyUseCode], [true, '1002'])
  assert.ok(Math.abs((house.latitude ?? 0) - 39.29) < 0.1, String(house.latitude))
  const [sale] = house.transfers
  assert.deepEqual([sale?.transferDate, sale?.grantor], ['2019-05-07', 'SAMPLE HOMES LLC'])
})

test('Utah and Nebraska: values and buildings without owners', async (t) => {
  const house = await (await load(t, 'ut-lir'))(49035, '99120010010000')
  // A primary residence may be a tenant's.
  assert.deepEqual([house.ownerOccupied, house.residential, house.unitCount], [null, true, 1])
  const farm = await (await load(t, 'ne-external'))(31025, '990012001')
  assert.deepEqual([farm.address, farm.acres], ['12 SAMPLE RD', 3.5])
})

test('Maine: two towns of a county may have one number', async (t) => {
  const data = makeFolder(t)
  const report = await importRoll(data, [fixture('me.csv')], { mapping: 'me' })
  assert.deepEqual([report.loaded, report.rejected], [2, 0])
})

test('New Hampshire: the county by the town, and one number in three towns', async (t) => {
  const data = makeFolder(t)
  const report = await importRoll(data, [fixture('nh.csv')], { mapping: 'nh' })
  assert.deepEqual([report.loaded, report.rejected], [3, 0])
  // Two towns of Carroll County; the town of Carroll lies in Coos County.
  assert.deepEqual(report.counties, ['33003', '33007'])
  const lot = await readParcel(openLoaded(t, data), 'NH', 33007, '9912')
  assert.deepEqual([lot.address, lot.municipality], ['9 SAMPLE AVE', 'CARROLL'])
})

test('Rhode Island: plat and lot by town', async (t) => {
  const read = await load(t, 'ri')
  const house = await read(44001, '9912')
  assert.deepEqual(sum(house), [null, '12 SAMPLE ST', null, null, 0.25])
  assert.equal((await read(44003, '9912')).acres, null)
})

test('Denton: rows of personal property are not parcels', async (t) => {
  const data = makeFolder(t)
  const report = await importRoll(data, [fixture('tx-denton.csv')], { mapping: 'tx-denton' })
  assert.deepEqual([report.loaded, report.skipped, report.rejected], [1, 1, 0])
  const house = await readParcel(openLoaded(t, data), 'TX', 48121, '990012')
  assert.deepEqual(
    [house.totalMarketValue, house.totalAssessedValue, house.taxableValue, house.residential],
    [300_000, 240_000, null, true],
  )
  assert.deepEqual(
    house.transfers.map(({ transferDate, documentNumber }) => [transferDate, documentNumber]),
    [['2019-05-07', '2019-99012']],
  )
})

/** Counties: a parcel, and what a person compares first. */
const COUNTIES: [mapping: string, fips: number, id: string, found: unknown[]][] = [
  [
    'oh-cuyahoga',
    39035,
    '99912001',
    ['TESTERMAN, IRIS', '12 SAMPLE AVE', 'CLEVELAND', '44113', 0.1102],
  ],
  [
    'or-multnomah',
    41051,
    '1S1E99AA00100',
    ['TESTERMAN,IRIS', '12 SE SAMPLE ST', 'PORTLAND', '97202', 0.1148],
  ],
  ['nv-washoe', 32031, '99912001', ['TESTERMAN, IRIS', '12 SAMPLE CT', null, null, 0.2]],
  ['nv-washoe', 32031, '99912002', ['SAMPLE HOLDINGS LLC', '14 SAMPLE CT', null, null, null]],
  ['il-dupage', 17043, '0999120010', ['TESTERMAN, IRIS', '12 SAMPLE LN', null, null, 0.25]],
  ['tx-collin', 48085, '9990012', ['TESTERMAN IRIS', '12 SAMPLE DR', 'PLANO', '75023', 0.1837]],
  [
    'mi-detroit',
    26163,
    '99001234',
    ['TESTERMAN, IRIS', '12 SAMPLE ST', 'DETROIT', '48226', 0.0918],
  ],
  [
    'mo-jackson',
    29095,
    '99120010100000000',
    ['TESTERMAN IRIS', '12 SAMPLE AVE', 'KANSAS CITY', '64108', null],
  ],
  ['ne-douglas', 31055, '9900120001', ['TESTERMAN IRIS', '12 N SAMPLE ST', null, null, 0.1377]],
  ['ca-los-angeles', 6037, '9990012001', [null, '12 N SAMPLE AVE', 'LOS ANGELES', '90012', null]],
  [
    'pa-allegheny',
    42003,
    '0099A00012000000',
    [null, '12 SAMPLE ST', 'PITTSBURGH', '15213', 0.0689],
  ],
  ['ca-los-angeles-now', 6037, '9990012001', [null, '12 SAMPLE AVE', 'LOS ANGELES', '90012', null]],
  ['in-marion', 18097, '9990012', ['TESTERMAN, IRIS', null, null, null, null]],
  ['in-map', 18097, '499900112001000101', [null, '12 SAMPLE AVE', 'INDIANAPOLIS', '46204', null]],
  ['in-map', 18097, '499900112003000101', [null, '16 SAMPLE AVE', 'INDIANAPOLIS', '46204', null]],
  [
    'in-gateway',
    18097,
    '499900112001000101',
    ['TESTERMAN, IRIS', '12 SAMPLE AVE', 'INDIANAPOLIS', '46204', 0.25],
  ],
  ['tx-harris', 48201, '0099000000013', ['SAMPLE HOLDINGS LLC', 'SAMPLE ST', null, null, 0.1148]],
  ['sd-minnehaha', 46099, '99012', ['TESTERMAN IRIS', '12 W SAMPLE ST', null, null, 0.2]],
  ['tx-denton', 48121, '990012', ['TESTERMAN IRIS', '12 SAMPLE DR', 'DENTON', '76201', 0.2]],
  ['pa-allegheny', 42003, '0099A00013000000', [null, 'SAMPLE ST', 'PITTSBURGH', null, null]],
]

for (const [mapping, fips, id, found] of COUNTIES) {
  test(`${mapping}: owner, situs and acres of ${id}`, async (t) => {
    assert.deepEqual(sum(await (await load(t, mapping))(fips, id)), found)
  })
}

test('counties take all sales that their source has, and doubt no date', async (t) => {
  const dates = async (mapping: string, fips: number, id: string) =>
    (await (await load(t, mapping))(fips, id)).transfers.map(
      ({ transferDate, recordingDate }) => transferDate ?? recordingDate,
    )
  assert.deepEqual(await dates('pa-allegheny', 42003, '0099A00012000000'), [
    '2019-05-07',
    '1999-03-02',
  ])
  for (const [mapping, fips, id] of [
    ['oh-cuyahoga', 39035, '99912001'],
    ['or-multnomah', 41051, '1S1E99AA00100'],
    ['nv-washoe', 32031, '99912001'],
    ['tx-collin', 48085, '9990012'],
    ['mi-detroit', 26163, '99001234'],
    ['ca-los-angeles', 6037, '9990012001'],
  ] as const) {
    assert.deepEqual(await dates(mapping, fips, id), ['2019-05-07'], mapping)
  }
})

test('Indiana: years come from the header, points from the layer', async (t) => {
  const read = await load(t, 'in-gateway')
  const house = await read(18097, '499900112001000101')
  assert.deepEqual(
    [house.assessedYear, house.taxYear, house.totalAssessedValue, house.assessedLandValue],
    [2025, 2026, 256_000, 51_000],
  )
  assert.deepEqual(
    [house.latitude, house.longitude, house.residential],
    [39.76801, -86.15801, true],
  )
  const shop = await read(18097, '499900112002000101')
  assert.deepEqual([shop.totalAssessedValue, shop.assessedBuildingValue], [100_000, 10_000])
  assert.deepEqual([shop.acres, shop.latitude, shop.residential], [null, null, false])
  assert.deepEqual(shop.alternateParcelIds, ['9990013'])
})

test('Harris: deeds from a second file, and a quote that is an ordinary character', async (t) => {
  const house = await (await load(t, 'tx-harris'))(48201, '0099000000012')
  assert.equal(house.ownerName, 'TESTERMAN IRIS & "WALT')
  assert.deepEqual(
    house.transfers.map(({ transferDate }) => transferDate),
    ['2019-05-07', '1999-03-02'],
  )
  assert.deepEqual(
    house.buildings.map(({ buildingArea, actualYearBuilt }) => [buildingArea, actualYearBuilt]),
    [[1400, 1955]],
  )
  assert.deepEqual(
    [house.totalMarketValue, house.legalDescription],
    [250_000, 'LT 12 BLK 4 SAMPLE PLACE'],
  )
})

test('Wisconsin: polygons of roads, gaps, water and overlaps are not parcels', async (t) => {
  const data = makeFolder(t)
  const rows = ['ROW', 'GAP', 'HYDRO', 'OVERLAP', '0709-999'].map((PARCELID) => ({
    PARCELID,
    CONAME: 'DANE',
    PARCELFIPS: '111',
  }))
  const file = write(data, 'wi.csv', writeTable(rows))
  const report = await importRoll(data, [file], { mapping: 'wi-statewide' })
  assert.deepEqual([report.loaded, report.skipped], [1, 4])
  assert.equal((await readParcel(openLoaded(t, data), 'WI', 55025, '0709999')).fips, 55025)
})

test('every mapping follows the schema, and the table lists it with its parcels', () => {
  const table = readFileSync(new URL('../../docs/mappings.tsv', import.meta.url), 'utf8')
  for (const name of listMappingNames()) {
    // A mapping is checked when it is loaded by its path.
    const { title, source } = loadMapping(findMapping(name))
    const start = [name, title, source?.parcels?.toLocaleString('en-US') ?? '', ''].join('\t')
    assert.ok(table.includes(`\n${start}`), start)
  }
})

test('each untried mapping is marked, names its source and has rows in its layout', () => {
  for (const name of listMappingNames()) {
    const { tried, source } = loadMapping(name)
    if (tried !== false) continue
    // A layout of any county has no publisher.
    if (source?.parcels !== undefined) assert.ok(source.name && source.license && source.url, name)
    assert.match(source?.read ?? '', /^20\d\d-\d\d/, name)
    const files = FILES[name] ?? [`${name}.csv`]
    for (const file of files) assert.ok(existsSync(fixture(file)), file)
  }
})

test('San Francisco: the location in fixed places is an address with range and unit', async (t) => {
  const read = await load(t, 'ca-san-francisco')
  const house = await read(6075, '9901012')
  assert.deepEqual([house.address, house.residential], ['123 SAMPLE ST', true])
  assert.deepEqual([house.assessedLandValue, house.exemptionAmount], [400_000, 7000])
  const flats = await read(6075, '9902001')
  assert.deepEqual([flats.streetNumber, flats.streetNumberHigh], ['120', '124'])
  assert.deepEqual([flats.unitCount, flats.propertyUseCode], [3, '1000'])
  const unit = await read(6075, '9903044')
  assert.deepEqual([unit.address, unit.unitNumberStripped], ['1500 SAMPLE ST', '305'])
  assert.deepEqual([unit.landArea, unit.lot], [null, '044'])
})

test('Dallas: values, houses, land join accounts; business property is skipped', async (t) => {
  const read = await load(t, 'tx-dallas')
  const house = await read(48113, '00000999000120000')
  assert.deepEqual([house.ownerName, house.ownerName2], ['TESTERMAN IRIS &', 'TESTERMAN WALT'])
  assert.deepEqual([house.careOf, house.ownerStreet], ['SAMPLE SERVICES', '12 SAMPLE ST'])
  assert.deepEqual([house.city, house.zipCodePlusFour], ['DALLAS', '75201-0099'])
  assert.deepEqual([house.totalMarketValue, house.taxableValue], [300_000, 200_000])
  assert.deepEqual(
    house.buildings.map(({ stories, bathrooms, pool }) => [stories, bathrooms, pool]),
    [
      [1.5, 2.5, true],
      [1, 1, false],
    ],
  )
  // The first of several pieces of land has not the area of all.
  assert.deepEqual([house.zoningCode, house.landArea], ['R-7.5', null])
  const cafe = await read(48113, '00000999000130000')
  assert.deepEqual([cafe.address, cafe.unitNumberStripped], ['14 1/2 SAMPLE ST', '2B'])
  assert.deepEqual([cafe.residential, cafe.alternateParcelIds], [false, ['99ALT13']])
})

test('King: Major and Minor are zero-padded; houses and accounts have a ZIP each', async (t) => {
  const read = await load(t, 'wa-king')
  const house = await read(53033, '9900120034')
  assert.deepEqual([house.address, house.zipCode], ['12 SAMPLE AVE N', '98109'])
  assert.deepEqual(
    [house.ownerName, house.ownerCity, house.ownerZipCode],
    [null, 'SEATTLE', '98109'],
  )
  assert.equal(house.buildings[0]?.bathrooms, 2.25)
  assert.deepEqual(
    house.transfers.map(({ transferDate, transferPrice, grantee }) => [
      transferDate,
      transferPrice,
      grantee,
    ]),
    [
      ['2019-05-07', 700_000, 'SAMPLE WALT+FAYE'],
      ['1999-03-02', null, 'TESTERMAN IRIS'],
    ],
  )
  const shop = await read(53033, '9900120035')
  assert.deepEqual([shop.careOf, shop.taxableValue], ['TESTERMAN IRIS', 1_000_000])
  assert.deepEqual([shop.residential, shop.address], [false, null])
})

test('Tarrant: the situs is cut, a deed has the date of its recording and no price', async (t) => {
  const read = await load(t, 'tx-tarrant')
  const house = await read(48439, '99001412')
  assert.deepEqual(sum(house).slice(0, 4), [
    'TESTERMAN, IRIS',
    '12 SAMPLE ST',
    'FORT WORTH',
    '76102',
  ])
  const [deed] = house.transfers
  assert.deepEqual([deed?.recordingDate, deed?.transferPrice], ['2019-05-07', null])
})
