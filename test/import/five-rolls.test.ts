/**
 * The values of each field by the mappings of the five test rolls, on invented rows in the layouts
 * of their publishers.
 */
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import type { Parcel } from '../../src/record/parcel.ts'
import { importRoll, makeFolder, openLoaded, readParcel, write } from './small-roll.ts'
import { type Row, writeTable } from './tables.ts'

async function load(t: TestContext, mapping: string, rows: Row[]) {
  const data = makeFolder(t)
  const file = write(data, 'roll.csv', writeTable(rows))
  const report = await importRoll(data, [file], { mapping })
  assert.deepEqual([report.loaded, report.unread], [rows.length, {}])
  return openLoaded(t, data)
}

const LOT: Row = {
  BoroCode: '3',
  Block: '1001',
  Lot: '12',
  BBL: '3010010012',
  CD: '306',
  ZipCode: '11215',
  Address: '500 7 AVENUE',
  BldgClass: 'S4',
  LandUse: '4',
  OwnerName: 'TESTERMAN, IRIS',
  OwnerType: '',
  LotArea: '2000',
  BldgArea: '6000',
  ResArea: '4500',
  ComArea: '1500',
  RetailArea: '1000',
  OfficeArea: '500',
  NumBldgs: '1',
  NumFloors: '4',
  UnitsRes: '4',
  UnitsTotal: '6',
  BldgFront: '20',
  BldgDepth: '75.5',
  BsmtCode: '0',
  AssessLand: '20000',
  AssessTot: '90000',
  ExemptTot: '15000',
  YearBuilt: '1931',
  YearAlter1: '1920',
  YearAlter2: '0',
  ZoneDist1: 'R6B',
  ZoneDist2: 'R7A',
  Overlay1: 'C2-4',
  SPDist1: 'EC-4',
  LtdHeight: 'LH-1A',
  HistDist: 'Sample Slope',
  Landmark: 'SAMPLE HOUSE',
  BuiltFAR: '3',
  ResidFAR: '2.43',
  CommFAR: '0',
  FacilFAR: '4',
  APPBBL: '3010010007.00000000',
}

async function loadLots(t: TestContext, ...changes: Row[]): Promise<Parcel[]> {
  const rows = changes.map((change, at) => ({ ...LOT, ...change, BBL: `30100100${12 + at}` }))
  const reader = await load(t, 'ny-pluto', rows)
  return Promise.all(rows.map(({ BBL }) => readParcel(reader, 'NY', 36047, BBL ?? '')))
}

test('New York: dwellings, units and areas by use, area ratios, zoning, dimensions', async (t) => {
  const [lot] = await loadLots(t, {})
  assert.deepEqual([lot?.unitCount, lot?.totalUnitCount], [4, 6])
  assert.deepEqual(
    [lot?.residentialArea, lot?.commercialArea, lot?.retailArea, lot?.officeArea],
    [4500, 1500, 1000, 500],
  )
  assert.deepEqual(
    [
      lot?.builtFloorAreaRatio,
      lot?.residentialFloorAreaRatio,
      lot?.commercialFloorAreaRatio,
      lot?.facilityFloorAreaRatio,
    ],
    [3, 2.43, 0, 4],
  )
  assert.deepEqual(lot?.furtherZoning, ['R7A', 'C2-4', 'EC-4', 'LH-1A'])
  assert.deepEqual([lot?.historicDistrict, lot?.landmark], ['Sample Slope', 'SAMPLE HOUSE'])
  assert.deepEqual([lot?.district, lot?.neighborhood], ['306', null])
  const [building] = lot?.buildings ?? []
  assert.deepEqual([building?.buildingFrontage, building?.buildingDepth], [20, 75.5])
})

test('New York: taxable and building values are differences of two known values', async (t) => {
  const [lot, bare] = await loadLots(t, {}, { ExemptTot: '', AssessLand: '' })
  assert.deepEqual([lot?.assessedBuildingValue, lot?.taxableValue], [70_000, 75_000])
  assert.deepEqual([bare?.assessedBuildingValue, bare?.taxableValue], [null, null])
})

test('New York: OwnerType gives the kind of owner; without it, the name does', async (t) => {
  const types = ['C', 'O', 'M', 'P', 'X', '']
  const lots = await loadLots(
    t,
    ...types.map((OwnerType) => ({ OwnerType, OwnerName: 'CITY OF SAMPLETON' })),
    ...types.map((OwnerType) => ({ OwnerType, OwnerName: 'TESTERMAN, IRIS' })),
  )
  assert.deepEqual(
    lots.map(({ ownerType }) => ownerType),
    [
      ...['government', 'government', 'unknown', 'company', 'government', 'government'],
      ...['government', 'government', 'unknown', 'individual', 'unknown', 'individual'],
    ],
  )
})

test('New York: a lot that keeps its number is not a former lot of its own', async (t) => {
  const [kept, split] = await loadLots(t, { APPBBL: '3010010012' }, { APPBBL: '3010010012' })
  assert.deepEqual(
    [kept?.parcelId, kept?.formerParcelIds, split?.formerParcelIds],
    ['3010010012', [], ['3010010012']],
  )
})

test('New York: basements are unknown, and alterations set no effective year', async (t) => {
  const [none, unknown] = await loadLots(t, {}, { BsmtCode: '5' })
  assert.equal(none?.buildings[0]?.basementType, 'None')
  assert.equal(unknown?.buildings[0]?.basementType, null)
  assert.equal(none?.buildings[0]?.effectiveYearBuilt, null)
  assert.equal(none?.extra.YearAlter1, '1920')
})

test('New York: a lot without building area has no areas by use and no building', async (t) => {
  const empty = { BldgArea: '0', ResArea: '0', NumFloors: '0', YearBuilt: '0', UnitsRes: '0' }
  const [lot] = await loadLots(t, { ...empty, BldgFront: '0', BldgDepth: '0', BuiltFAR: '0' })
  assert.deepEqual([lot?.residentialArea, lot?.builtFloorAreaRatio], [null, null])
  assert.deepEqual(lot?.buildings, [])
})

test('New York: the use code, condominiums by what they hold', async (t) => {
  const uses = ['S4/4', 'A1/1', 'R4/3', 'R5/5', 'V1/11', 'C7/2', 'Z9/8']
  const lots = await loadLots(
    t,
    ...uses.map((use) => ({
      BldgClass: use.split('/')[0] ?? '',
      LandUse: use.split('/')[1] ?? '',
    })),
  )
  assert.deepEqual(
    lots.map(({ propertyUseCode, condominium }) => `${propertyUseCode} ${condominium}`),
    [
      ...['2042 false', '1001 false', '1004 true', '2052 true', '8000 false', '1104 false'],
      '9100 false',
    ],
  )
})

const HOUSE: Row = {
  parcel_number: '991234500',
  owner_1: 'TESTERMAN IRIS A',
  owner_2: '',
  mailing_street: '12 SAMPLE ST',
  mailing_city_state: 'PHILADELPHIA PA',
  mailing_zip: '19147',
  location: '12 SAMPLE ST',
  zip_code: '19147',
  geographic_ward: '2 ',
  category_code: '1 ',
  category_code_description: 'SINGLE FAMILY',
  building_code: 'O30  ',
  building_code_description: 'ROW 2 STY MAS+OTHER',
  building_code_description_new: 'ROW PORCH FRONT',
  market_value: '200000',
  homestead_exemption: '80000',
  year_built: '1925',
  total_livable_area: '1200',
  number_of_rooms: '6',
  fuel: 'A',
  type_heater: '0',
  basements: '0',
  garage_type: '0',
  garage_spaces: '0',
  quality_grade: 'C+',
  sale_date: '2019-05-07',
  sale_price: '150000',
}

test('Philadelphia: homestead, fuel, rooms, garage, style; None is a known value', async (t) => {
  const rows = [
    HOUSE,
    {
      ...HOUSE,
      parcel_number: '991234600',
      homestead_exemption: '0',
      building_code_description: 'RES CONDO 3 STY MASONRY',
      number_of_rooms: '0',
      fuel: '',
    },
  ]
  const reader = await load(t, 'pa-philadelphia-opa', rows)
  const house = await readParcel(reader, 'PA', 42101, '991234500')
  const [building] = house.buildings
  assert.deepEqual([house.homesteadExemption, house.ownerOccupied], [80_000, true])
  assert.deepEqual([building?.heatingFuel, building?.heatingType], ['Natural gas', 'None'])
  assert.deepEqual([building?.rooms, building?.basementType], [6, 'None'])
  assert.deepEqual([building?.garageType, building?.garageCount], ['None', 0])
  assert.deepEqual(
    [building?.constructionType, building?.style],
    ['Masonry and other', 'ROW PORCH FRONT'],
  )
  assert.deepEqual([house.ward, house.neighborhood], ['2', null])
  assert.deepEqual([house.rollYear, house.buildingCount], [null, null])
  assert.deepEqual([house.propertyUseCode, house.condominium], ['1007', false])
  const flat = await readParcel(reader, 'PA', 42101, '991234600')
  assert.equal(flat.homesteadExemption, 0)
  assert.deepEqual([flat.buildings[0]?.rooms, flat.buildings[0]?.heatingFuel], [null, null])
  assert.deepEqual([flat.propertyUseCode, flat.condominium], ['1004', true])
})

const LEGAL: [text: string, lot: string | null, block: string | null][] = [
  ['SAMPLE ADDITION, BLOCK 3, Lot 5', '5', '3'],
  ['SAMPLE ADDITION, BLOCK 3, Lot 5 - 6', '5 - 6', '3'],
  ['SAMPLE ADDITION, BLOCK 3, Lot 5 - 7, 9 & 10', '5 - 7, 9 & 10', '3'],
  ["SAMPLE ADDITION, BLOCK 3, Lot 5 & S10' LOT 6", "5 & S10' LOT 6", '3'],
  ['SAMPLE ADDITION, BLOCK 3, Lot 5 & 1/2 VAC ALLEY ADJ', '5', '3'],
  ['SAMPLE ADDITION, BLOCK 3, Lot 8, E PT', '8', '3'],
  ["SAMPLE ADDITION, BLOCK 3, Lot 4, 10' ADJ", '4', '3'],
  ['SAMPLE ADDITION (OF LOTS 6,7 BLOCK 14 OTHER GROVE), BLOCK 2, Lot C', 'C', '2'],
  ['SAMPLE ADDITION, Lot A - C', 'A - C', null],
  ["SAMPLE PLACE, BLOCK 33, E60' Lot 7 & LOT 8", '7 & 8', '33'],
  ['S21, T9, R6, 6th Principal Meridian, LOTS 22 & 23 NE', '22 & 23', null],
  ['S21, T9, R6, 6th Principal Meridian, LOTS 2,3,4,& 6 SW', '2,3,4,& 6', null],
  ['S21, T9, R6, 6th Principal Meridian, LOTS 10-11 NW & S1/2 NE', '10-11', null],
  ['S21, T9, R6, 6th Principal Meridian, LOT 7 10-9-6', '7', null],
  ['S21, T9, R6, 6th Principal Meridian, LOT 7, 10-9-6', '7', null],
  ['S21, T9, R6, 6th Principal Meridian, NE', null, null],
  ['S20, T7, R5, 6th Principal Meridian, N1/2 NE LOT 8 NE & E1/2 SW & LOT 2 SE', null, null],
  ["SAMPLE ADDITION, BLOCK 2, Lot 7, TRI TRACT IN S (BEING 12' ON E) & LOT 8", null, '2'],
  ["SAMPLE ADDITION, BLOCK 5, Lot 1, EX TRACT (BEING 15' ON W) & ALL LOTS 2 - 5", null, '5'],
  ['REPLAT OF LOTS 7-11 BLOCK 5 OTHER GROVE, Lot A', 'A', '5'],
  ['SAMPLE ADDITION, BLOCK 4, Lot 24, EX TRI ON N (BEG NE CORNER LOT 24)', '24', '4'],
]

test('Lancaster: several lots are all of them', async (t) => {
  const rows = LEGAL.map(([PRPRTYDSCR], at) => ({
    PARCELID: `99${at + 10}`,
    OWNERNME1: 'TESTERMAN, IRIS',
    PSTLADDRES: '12 SAMPLE ST',
    PSTLCITY: 'LINCOLN',
    PSTLSTATE: 'NE',
    PSTLZIP5: '68503',
    SITEADDRES: '12 SAMPLE ST, LINCOLN, NE  68503',
    PRPRTYDSCR,
    CNTASSDVAL: '100000',
    PRIMEUSE: 'Single Family',
    RESSTRTYP: '1 Story',
    RESYRBLT: '1970',
  }))
  const reader = await load(t, 'ne-lancaster', rows)
  for (const [at, [text, lot, block]] of LEGAL.entries()) {
    const parcel = await readParcel(reader, 'NE', 31109, `99${at + 10}`)
    assert.deepEqual([parcel.lot, parcel.block], [lot, block], text)
    assert.deepEqual([parcel.rollYear, parcel.buildingCount], [null, null])
    assert.equal(parcel.buildings[0]?.style, '1 Story')
  }
})

test('Seneca: every parcel is farm land, and the year of the list is unknown', async (t) => {
  const reader = await load(t, 'oh-seneca', [
    {
      PARID: 'X99000100',
      ACRES: '40',
      NAME1: 'TESTERMAN IRIS',
      NAME2: '',
      ADDR1: '',
      ADDR2: '',
      ADDR3: '',
    },
  ])
  const farm = await readParcel(reader, 'OH', 39147, 'X99000100')
  assert.deepEqual(
    [farm.propertyUseDescription, farm.residential, farm.rollYear, farm.propertyUseCode],
    [null, false, null, '7000'],
  )
})

test('an effective year before the year built is kept in extra only', async (t) => {
  const columns = { state: 'NE', county: 'Lancaster', yearBuilt: '1980' }
  const reader = await load(t, 'platbook', [
    { ...columns, parcelId: 'A1', effectiveYearBuilt: '1950' },
    { ...columns, parcelId: 'A2', effectiveYearBuilt: '1995' },
  ])
  const before = await readParcel(reader, 'NE', 31109, 'A1')
  assert.deepEqual(
    [before.buildings[0]?.actualYearBuilt, before.buildings[0]?.effectiveYearBuilt],
    [1980, null],
  )
  assert.equal(before.extra.effectiveYearBuilt, '1950')
  const after = await readParcel(reader, 'NE', 31109, 'A2')
  assert.equal(after.buildings[0]?.effectiveYearBuilt, 1995)
})
