/** The statewide and national layouts in the box, on invented rolls of their published columns. */
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { listMappingNames, loadMapping } from '../../src/import/mapping/mapping.ts'
import { FITS_FROM } from '../../src/inspect/fit.ts'
import { inspectFile } from '../../src/inspect/inspect.ts'
import { decodeParcel } from '../../src/record/stored.ts'
import {
  fixture,
  importRoll,
  makeFolder,
  openLoaded,
  readParcel,
  TODAY,
  write,
} from './small-roll.ts'

type Hints = { state?: string; county?: string }

/** Loads fixtures and gives a reader of single parcels. */
async function load(t: TestContext, mapping: string, files: string[], hints: Hints = {}) {
  const data = makeFolder(t)
  const report = await importRoll(data, files.map(fixture), { mapping, ...hints })
  assert.equal(report.rejected, 0)
  assert.deepEqual(report.unread, {})
  const reader = openLoaded(t, data)
  return {
    report,
    read: (state: string, fips: number, key: string) => readParcel(reader, state, fips, key),
  }
}

test('Florida: months become dates, numbers give counties, fiduciaries are care-of', async (t) => {
  const { read } = await load(t, 'fl-dor-nal', ['fl-dor-nal.csv'])
  const house = await read('FL', 12001, '01234010000')
  assert.equal(house.address, '4100 SW 13TH ST')
  assert.equal(house.unitNumberStripped, '4')
  assert.equal(house.valueType, 'just')
  assert.deepEqual(
    [house.totalMarketValue, house.totalAssessedValue, house.taxableValue],
    [310_000, 250_000, 225_000],
  )
  assert.deepEqual(
    house.transfers.map(({ transferDate, transferPrice }) => [transferDate, transferPrice]),
    [['2022-05-01', 305_000]],
  )
  assert.equal(house.residential, true)
  const lot = await read('FL', 12001, '01234011000')
  assert.equal(lot.residential, false)
  assert.equal(lot.landArea, null)
  assert.deepEqual(lot.buildings, [])
  const flat = await read('FL', 12086, '3020010010010')
  assert.equal(flat.careOf, 'SAMPLE TRUST SERVICES')
  assert.equal(flat.ownerName2, null)
})

test('Florida: a sales file adds its sales, each once', async (t) => {
  const { report, read } = await load(t, 'fl-dor-nal', ['fl-dor-sdf.csv', 'fl-dor-nal.csv'])
  assert.equal(report.loaded, 3)
  const house = await read('FL', 12001, '01234010000')
  assert.deepEqual(
    house.transfers.map(({ transferDate, book, saleCode }) => [transferDate, book, saleCode]),
    [
      ['2023-11-01', '5120', '11'],
      ['2022-05-01', '4999', '01'],
    ],
  )
  const flat = await read('FL', 12086, '3020010010010')
  assert.equal(flat.transfers[0]?.documentNumber, '20230000001')
})

test('Wisconsin: lists of classes, one-line mail, municipalities without their kind', async (t) => {
  const { read } = await load(t, 'wi-statewide', ['wi-statewide.csv'])
  const house = await read('WI', 55025, '070912345678')
  assert.deepEqual(
    [house.ownerStreet, house.ownerCity, house.ownerZipCode],
    ['12 TEST COVE RD', 'MADISON', '53704'],
  )
  assert.deepEqual([house.city, house.jurisdiction], [null, 'CITY OF MADISON'])
  assert.equal(house.taxAmount, 6123.45)
  const farm = await read('WI', 55025, '070912345679')
  assert.equal(farm.ownerName, null)
  assert.equal(farm.streetNumber, 'N6W23001')
  assert.equal(farm.residential, true)
  assert.equal(farm.acres, 40)
})

test('Texas: Null, blank and 0 are unknown, NAME_CARE is care-of, DATE_ACQ no sale', async (t) => {
  const { read } = await load(t, 'tx-stratmap', ['tx-stratmap.csv'])
  const house = await read('TX', 48491, 'R100200')
  assert.equal(house.careOf, 'SAMPLE TITLE CO')
  assert.equal(house.ownerStreet, '500 SAMPLE RANCH RD')
  assert.equal(house.address, '500 SAMPLE RANCH RD')
  assert.equal(house.acres, 0.25)
  assert.deepEqual(house.transfers, [])
  const land = await read('TX', 48491, 'R100201')
  assert.deepEqual([land.ownerName, land.careOf, land.totalMarketValue], [null, null, null])
  assert.deepEqual(land.alternateParcelIds, [])
  assert.equal(land.acres, 12.5)
})

test('North Carolina: parvaltype types parval; parts replace a missing line', async (t) => {
  const { read } = await load(t, 'nc-onemap', ['nc-onemap.csv'])
  const house = await read('NC', 37183, '0792345678')
  assert.deepEqual([house.totalMarketValue, house.totalAssessedValue], [350_000, null])
  assert.equal(house.address, '9 MAGNOLIA SAMPLE CT')
  const lot = await read('NC', 37183, '0792345679')
  assert.deepEqual([lot.totalMarketValue, lot.totalAssessedValue], [null, 60_000])
  assert.equal(lot.ownerName, 'ROE, DELLA M')
  assert.equal(lot.address, '77 N PEACHTREE SAMPLE ST')
  assert.equal(lot.acres, 3.5)
})

test('Montana: the care-of taxpayer is not an owner', async (t) => {
  const { read } = await load(t, 'mt-cadastral', ['mt-cadastral.csv'])
  const house = await read('MT', 30031, '06079801301010000')
  assert.deepEqual([house.careOf, house.ownerName2], ['ROE ACCOUNTING', null])
  assert.deepEqual([house.city, house.zipCode], ['BOZEMAN', '59715'])
  assert.equal(house.totalMarketValue, 600_000)
  assert.equal((await read('MT', 30031, '06079801301020000')).residential, false)
})

test('use codes by the tables of the states where words mislead', async (t) => {
  const code = async (mapping: string, row: Record<string, string>, key: string, fips: number) => {
    const data = makeFolder(t)
    const columns = Object.keys(row)
    const file = write(data, 'one.csv', `${columns.join(',')}\n${Object.values(row).join(',')}\n`)
    await importRoll(data, [file], { mapping })
    const state = loadMapping(mapping).state ?? ''
    return (await readParcel(openLoaded(t, data), state, fips, key)).propertyUseCode
  }
  const florida = (DOR_UC: string) =>
    code(
      'fl-dor-nal',
      { CO_NO: '11', PARCEL_ID: '9901', DOR_UC, OWN_NAME: 'ROE JANE' },
      '9901',
      12001,
    )
  assert.deepEqual(
    [await florida('099'), await florida('008'), await florida('001'), await florida('005')],
    ['8000', '1000', '1001', '1005'],
  )
  const texas = (STAT_LAND_USE: string) =>
    code('tx-stratmap', { FIPS: '48491', PROP_ID: '9901', STAT_LAND_USE }, '9901', 48491)
  assert.deepEqual(
    [await texas('F1'), await texas('F2'), await texas('A2')],
    ['2000', '5000', '1006'],
  )
})

const COOK = ['universe', 'addresses', 'characteristics', 'sales'].map(
  (kind) => `il-cook-${kind}.csv`,
)

test('Cook County: four tables form one roll with buildings and sales of a parcel', async (t) => {
  const { report, read } = await load(t, 'il-cook', COOK)
  assert.equal(report.loaded, 2)
  const flat = await read('IL', 17031, '16012160010000')
  assert.equal(flat.ownerName, 'TESTERMAN IRIS')
  assert.deepEqual(
    flat.buildings.map(({ buildingArea, bathrooms, stories }) => [
      buildingArea,
      bathrooms,
      stories,
    ]),
    [
      [2400, 2.5, 2],
      [800, 1, 1],
    ],
  )
  assert.deepEqual(
    flat.transfers.map(({ transferDate }) => transferDate),
    ['2021-03-01', '2005-07-01', '1999-02-01'],
  )
})

test('Cook County: the universe alone loads, and PINs get their zeros back', async (t) => {
  const { read } = await load(t, 'il-cook', COOK.slice(0, 1))
  const land = await read('IL', 17031, '04012160020000')
  assert.equal(land.residential, false)
  assert.equal(land.latitude, 42.1)
})

test("ESRI's local-government layer: null dates, areas with units, two owner slots", async (t) => {
  const place = { state: 'OH', county: 'Wood' }
  const { read } = await load(t, 'esri-local-government', ['esri-local-government.csv'], place)
  const house = await read('OH', 39173, 'K12345010')
  assert.deepEqual([house.ownerName, house.ownerName2], ['TESTERMAN WALT', 'TESTERMAN FAYE'])
  assert.equal(house.acres, 0.25)
  assert.equal(house.residential, true)
  assert.deepEqual([house.totalAssessedValue, house.totalMarketValue], [63_000, 180_000])
  const lot = await read('OH', 39173, 'K12345011')
  assert.deepEqual(lot.transfers, [])
  assert.deepEqual(lot.buildings, [])
  assert.equal(lot.residential, false)
})

test('PLUTO by its current column names', async (t) => {
  const { read } = await load(t, 'ny-pluto', ['ny-pluto-current.csv'])
  const house = await read('NY', 36047, '3010010012')
  assert.deepEqual([house.city, house.zipCode, house.rollYear], ['BROOKLYN', '11215', 2024])
  assert.equal(house.totalAssessedValue, 90_000)
  const lot = await read('NY', 36047, '3010010013')
  assert.deepEqual([lot.ownerName, lot.landArea, lot.buildings.length], [null, null, 0])
})

const OWN: Record<string, string> = {
  'fl-dor-nal': 'fl-dor-nal.csv',
  'wi-statewide': 'wi-statewide.csv',
  'tx-stratmap': 'tx-stratmap.csv',
  'nc-onemap': 'nc-onemap.csv',
  'mt-cadastral': 'mt-cadastral.csv',
  'il-cook': 'il-cook-universe.csv',
  'esri-local-government': 'esri-local-government.csv',
  'ny-pluto': 'ny-pluto-current.csv',
  platbook: 'plain.csv',
  'in-gateway': 'in-gateway.txt',
  'tx-pacs': 'tx-pacs.txt',
}

test('inspect names the mapping of each layout in the box', async () => {
  const mappings = listMappingNames().map(loadMapping)
  for (const [name, file] of Object.entries(OWN)) {
    const { fits } = await inspectFile(fixture(file), { today: TODAY, mappings })
    assert.equal(
      fits[0]?.name,
      name,
      `${file}: ${fits.slice(0, 3).map((fit) => `${fit.name} ${fit.score}`)}`,
    )
    assert.ok((fits[0]?.score ?? 0) >= FITS_FROM, `${file}: ${fits[0]?.score}`)
  }
})

test('a header without rows is read, and its missing column reported', async (t) => {
  const data = makeFolder(t)
  const file = write(data, 'head.csv', 'state,county,parcelId\n')
  assert.equal((await importRoll(data, [file], { force: true })).rows, 0)
  await assert.rejects(
    importRoll(data, [write(data, 'other.csv', 'state,county\n')]),
    /has no column parcelId/,
  )
})

test('Massachusetts: units of a condominium are parcels that share a location ID', async (t) => {
  const data = makeFolder(t)
  const columns =
    'PROP_ID,LOC_ID,BLDG_VAL,LAND_VAL,TOTAL_VAL,FY,LOT_SIZE,LS_DATE,LS_PRICE,SITE_ADDR,CITY,ZIP,' +
    'OWNER1,OWN_ADDR,OWN_CITY,OWN_STATE,OWN_ZIP,TOWN_ID'
  const unit = (number: number, owner: string) =>
    `12-3-${number},M_100955_893791,${200000 + number},0,${200000 + number},2025,0,20200103,` +
    `250000,7 MILL ST #${number},AMHERST,01002,${owner},7 MILL ST,AMHERST,MA,01002,8`
  const file = write(
    data,
    'town.csv',
    `${columns}\n${unit(1, 'ROE JANE')}\n${unit(2, 'DOE JOHN')}\n`,
  )
  const report = await importRoll(data, [file], { mapping: 'ma-massgis-l3' })
  assert.deepEqual([report.loaded, report.rejected], [2, 0])
  const [first] = await openLoaded(t, data).byParcelId('MA', 25015, '1231')
  const parcel = first === undefined ? undefined : decodeParcel(first.fieldValues)
  assert.equal(parcel?.ownerName, 'ROE JANE')
  assert.deepEqual(parcel?.alternateParcelIds, ['M_100955_893791'])
})
