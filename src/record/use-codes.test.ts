import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listUseCodes, readUseCode, USE_CODES } from './use-codes.ts'

const CASES: [string, string | null][] = [
  ['SINGLE FAMILY RESIDENCE', '1001'],
  ['Single Family', '1001'],
  ['1 FAMILY DWELLING', '1001'],
  ['RESIDENTIAL CONDOMINIUM', '1004'],
  ['OFFICE CONDO', '3008'],
  ['TWO-FAMILY DWELLING', '1101'],
  ['DUPLEX', '1101'],
  ['3 FAMILY', '1102'],
  ['2-4 UNIT', '1110'],
  ['One & Two Family Buildings', '1000'],
  ['Multi-Family Walk-Up Buildings', '1100'],
  ['APARTMENTS 5-9 UNITS', '1112'],
  ['Mixed Residential & Commercial Buildings', '2044'],
  ['MOBILE HOME PARK', '1109'],
  ['MOBILE HOME', '1006'],
  ['RESIDENTIAL VACANT LAND', '8001'],
  ['VACANT COMMERCIAL', '8002'],
  ['Residential highest and best use', '8001'],
  ['Commercial Highest And Best Use', '8002'],
  ['Residential best use', '1000'],
  ['VACANT LAND', '8000'],
  ['RETAIL STORE', '2001'],
  ['COMMERCIAL', '2000'],
  ['Parking Facilities', '2000'],
  ['WAREHOUSE', '5003'],
  ['PASTURE', '7012'],
  ['CHURCH', '9101'],
  ['STATE OWNED', '9212'],
  ['EXEMPT', '9000'],
  ['RESIDENTIAL', '1000'],
  ['HEAVY INDUSTRIAL', '6000'],
  ['VACANT MULTI-FAMILY', '8007'],
  ['VACANT SINGLE FAMILY', '8001'],
  ['SINGLE FAMILY VACANT LOT', '8001'],
  ['VACANT SINGLE FAMILY DWELLING', '1001'],
  ['SINGLE FAMILY CONVERTED TO OFFICE', null],
  ['SHOPPING CENTER COMMON AREA', '2010'],
  ['COMMON AREA, INDUSTRIAL', '5020'],
  ['COMMON AREAS', '0024'],
  ['ZERO LOT LINE HOME', '1013'],
  ['DAY CARE CENTER', '2032'],
  ['FUNERAL HOME', '2037'],
  ['MORTUARIES, CEMETERIES', '9108'],
  ['MARINA', '4003'],
  ['FRATERNAL LODGE', '9110'],
  ['CITY OWNED', '9210'],
  ['RETAIL CONDOMINIUM', '2052'],
  ['CONDO GARAGE UNITS', '2052'],
  ['CONDOMINIUM STORAGE', '2052'],
  ['CONDO WITH GARAGE', '1004'],
  ['CONDO, 2 CAR GARAGE', '1004'],
  ['CONDOMINIUM COMMON AREA', '1010'],
  ['GAS STATION', '2041'],
  ['FAST FOOD RESTAURANT', '2013'],
  ['PUBLIC SCHOOL', '9203'],
  ['SCHOOL', '9100'],
  ['SCHOOL PUBLIC', '9203'],
  ['SCHOOLS, PUBLIC', '9203'],
  ['PUBLIC GRADE SCHOOL', '9203'],
  ['GRADE SCHOOL', '9100'],
  ['RES ACLNDV', '8001'],
  ['RES ACLNPO', '8001'],
  ['DEVEL LAND', '8001'],
  ['DEVEL LAND COMM', '8002'],
  ['DEVEL LAND IND', '8003'],
  ['DEVELOPER OFFICE', '3000'],
  ['COMM WHSE', '2043'],
  ['WHSE', '5003'],
  ['Business services - warehousing', '5003'],
  ['REST/CLUBS', '2012'],
  ['REST HOME', null],
  ['Retail trade - eating and drinking', '2012'],
  ['Other retail trade', '2001'],
  ['Professional services', '3000'],
  ['FACTORY', '5000'],
  ['FACTORY, MEDIUM', '6008'],
  ['FACTORY OUTLET STORE', '2001'],
  ['Multi-Residential', '1100'],
  ['MULTIPLE HOUSING IMPROVED', '1100'],
  ['MULTIPLE USE', null],
  ['DRY GRAZING LAND', '7003'],
  ['RES IMPR ON CAT 20', '1000'],
  ['RURAL RES IMPR ON CAT 12', '1000'],
  ['INDIAN RES IMPR', null],
  ['COMM IMPR ON CAT 21', '2000'],
  ['COMMON AREA IMPR', null],
  ['IND IMPR ON CAT 22', '5000'],
  ['Commercial & Industrial - C', null],
  ['COMM/IND', null],
  ['COMMERCIAL', '2000'],
  ['NON-RESIDENTIAL', null],
  ['Non Res Vacant Land', '8000'],
  ['VACANT LAND - NON-RESIDENTIAL', '8000'],
  ['APARTMENTS > 4 UNITS', '1104'],
  ['OVER FOUR FAMILY', '1104'],
  ['4 UNITS', '1103'],
  ['CITY/COUNTY IMPROVED', '9200'],
  ['EXEMPT COUNTY, CITY, TWP, VILLAGE', '9200'],
  ['CITY RESIDENTIAL', '1000'],
  ['COUNTY HOME SITE', null],
  ['1-3 FAMILY', '1000'],
  ['RES 2-3 UNITS', '1110'],
  ['4-19 FAMILY APTS', '1112'],
  ['BUSINESS PARK', null],
  ['RV PARK', '4018'],
  ['STATE PARK', '4027'],
  ['SOLAR FARM', null],
  ['FARM WITH SOLAR', '7000'],
  ['ACREAGE NOT ZONED AGRICULTURAL', null],
  ['POST OFFICE', '9205'],
  ['OPEN STORAGE, JUNK YARDS', '5004'],
  ['EXEMPT BOARD OF EDUCATION', '9203'],
  ['PRIVATELY OWNED HOSPITALS', '9104'],
  ['HOSPITALS (NON-PRIVATE)', '9100'],
  ['RESIDENTIAL COMMON ELEMENTS/AREAS', '1010'],
  ['COMMERCIAL COMMON AREA', '3011'],
  ['RES', '1000'],
  ['COMM', '2000'],
  ['AG', '7000'],
  ['IND', '5000'],
  ['DWELLING', '1000'],
  ['RES NON-HSTD', null],
  ['AG HOMESTEAD', null],
  ['IND RESERVATION', null],
  ['CODE 17', null],
  ['R1', null],
  ['UNKNOWN', null],
  ['', null],
]

test('a roll’s own words give a code', () => {
  for (const [text, code] of CASES) assert.equal(readUseCode(null, text), code, text)
})

test('what the mapping gives wins: a code of the table, or words', () => {
  assert.equal(readUseCode('1004', 'SINGLE FAMILY'), '1004')
  assert.equal(readUseCode('Duplex', 'SINGLE FAMILY'), '1101')
  assert.equal(readUseCode('9999', 'SINGLE FAMILY'), '1001')
})

test('every code that words give is in the table', () => {
  for (const [text] of CASES) {
    const code = readUseCode(null, text)
    assert.ok(code === null || USE_CODES.has(code), text)
  }
})

test('the table has 296 codes of four digits, dwellings and condominiums among them', () => {
  assert.equal(USE_CODES.size, 296)
  for (const [code, { description, group }] of USE_CODES) {
    assert.match(code, /^\d{4}$/)
    assert.ok(description !== '' && group !== '', code)
  }
  assert.equal(USE_CODES.get('1001')?.dwelling, true)
  assert.equal(USE_CODES.get('1010')?.dwelling, false)
  const condos = [...USE_CODES].filter(([, { condo }]) => condo).map(([code]) => code)
  assert.deepEqual(condos, ['1004', '1114', '2052', '3008', '5010'])
})

test('asked codes: one, several, first digits, and none for what is not of the table', () => {
  assert.deepEqual(listUseCodes('1001'), ['1001'])
  assert.deepEqual(listUseCodes(' 1004 ,1001'), ['1001', '1004'])
  assert.deepEqual(listUseCodes('01004,10'), ['0010', '1004'])
  assert.equal(listUseCodes('10*').length, 16)
  assert.equal(listUseCodes('*').length, 296)
  for (const none of ['R1', '1', '12*', '1001*2', '']) assert.deepEqual(listUseCodes(none), [])
})
