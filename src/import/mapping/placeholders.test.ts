import assert from 'node:assert/strict'
import test from 'node:test'
import { PARCEL_FIELDS } from '../../record/parcel.ts'
import { isRounded, readCount } from './clean.ts'
import { readDate } from './dates.ts'
import { nullTest } from './null-words.ts'
import { numberPlaceholder, textPlaceholder } from './placeholders.ts'

test('a negative number or one of nines alone is a placeholder where none can be', () => {
  for (const [property, reading, text, is] of [
    ['acres', 'acres', '-9999', true],
    ['acres', 'acres', '9999.99', true],
    ['acres', 'acres', '99.99', false],
    ['acres', 'acres', '9990', false],
    ['bedrooms', 'integer', '-1', true],
    ['bedrooms', 'integer', '99', true],
    ['bedrooms', 'integer', '9', false],
    ['stories', 'number', '-1', true],
    ['stories', 'number', '99', true],
    ['stories', 'number', '1.75', false],
    ['frontage', 'number', '-99', true],
    ['frontage', 'number', '99.99', false],
    ['frontage', 'number', '0', true],
    ['depth', 'number', '0.00', true],
    ['landArea', 'area', '0', true],
    ['acres', 'acres', '0.0', true],
    ['acres', 'acres', '0.05', false],
    ['buildingFrontage', 'number', '0', false],
    ['stories', 'number', '0', false],
    ['exemptionAmount', 'money', '-99999999', true],
    ['frontage', 'number', '9,999', true],
    ['unitCount', 'integer', '999', false],
    ['acres', 'acres', '8888', false],
    ['acres', 'acres', '-0.5', true],
    ['bedrooms', 'integer', '88', false],
    ['stories', 'number', '9.9', false],
    ['stories', 'number', '99.9', true],
    ['stories', 'number', '99.99', true],
    ['stories', 'number', '99.0', true],
    ['stories', 'number', '98', false],
    ['stories', 'number', '9', false],
    ['frontage', 'number', '99', false],
    ['stories', 'number', '9.75', false],
    ['bathrooms', 'number', '9.9', false],
    ['frontage', 'number', '999', false],
    ['transferPrice', 'money', '0', false],
    ['transferPrice', 'money', '99999999', true],
    ['totalMarketValue', 'money', '9999999', false],
    ['landArea', 'area', '999999', false],
    ['landArea', 'area', '9999999', true],
    ['totalMarketValue', 'money', '-1', true],
    ['totalMarketValue', 'money', '999,999', false],
    ['totalMarketValue', 'money', '$99,999,999', true],
    ['transferPrice', 'money', '1', false],
    ['taxAmount', 'cents', '-12.5', false],
    ['exemptionAmount', 'money', '-35000', false],
  ] as const) {
    const number = Number(text.replace(/[$,]/g, ''))
    assert.equal(numberPlaceholder(property, reading)?.(number, text), is, `${property} ${text}`)
  }
})

test('zeros and words such as NONE name no lot, block, section, book or page', () => {
  for (const [property, text, is] of [
    ['lot', '0', true],
    ['lot', '0000', true],
    ['lot', '0A', undefined],
    ['lot', '10', undefined],
    ['block', '00', true],
    ['section', '0.0', true],
    ['page', '000', true],
    ['neighborhood', '0', undefined],
    ['legalDescription', '000', true],
    ['propertyUseDescription', '0', true],
    ['grantee', '0', true],
    ['ownerCountry', '0', true],
    ['lot', 'NONE', true],
    ['block', 'none', true],
    ['subdivision', 'UNKNOWN', true],
    ['censusTract', 'Unk', true],
    ['township', 'NA', true],
    ['page', 'N.A.', true],
    ['documentNumber', 'NOT AVAILABLE', true],
    ['grantee', 'TBD', true],
    ['legalDescription', 'NONE', true],
    ['schoolDistrict', 'UNASSIGNED', true],
    ['neighborhood', 'NOT ASSIGNED', true],
    ['zoningCode', 'NONE', undefined],
    ['heatingType', 'NONE', undefined],
    ['subdivision', 'NONESUCH ESTATES', undefined],
    ['subdivision', 'UNKNOWN SOLDIER PARK', undefined],
    ['lot', 'N', undefined],
    ['grantor', 'NA JI HO', undefined],
    ['block', 'T', undefined],
  ] as const) {
    assert.equal(textPlaceholder(property)?.(text) || undefined, is, `${property} ${text}`)
    const isElsewhere = /^(?:page|grant[eo][er]|documentNumber|heatingType)$/.test(property)
    assert.ok(isElsewhere || property in PARCEL_FIELDS, property)
  }
})

test('null words are compared as numbers, whatever the number of decimals', () => {
  const isNull = nullTest(['0'])
  for (const text of ['0', '0.00000000000', '0000000000000000', '-0.0', '.00000000000000000']) {
    assert.equal(isNull(text), true, text)
  }
  for (const text of ['0.00000000001', '1.00000000000', '0-00-000-000-000-0', '0A']) {
    assert.equal(isNull(text), false, text)
  }
})

test('faults of spreadsheets and cells that were too narrow are unknown', () => {
  const isNull = nullTest([])
  for (const text of ['#REF!', '#name?', '#NUM!', '#NULL!', '#SPILL!', '###', '##########']) {
    assert.equal(isNull(text), true, text)
  }
  for (const text of ['#', '##', '#REF LLC', '#1 HARLOW LLC', '### 4', '#12', 'NUM!']) {
    assert.equal(isNull(text), false, text)
  }
})

test('a date is never invented: not from the year 1, the month 00, or a later century', () => {
  for (const [text, form, date] of [
    ['0001-01-01T00:00:00', 'auto', undefined],
    ['1/1/0001', 'auto', undefined],
    ['00010101', 'auto', undefined],
    ['02/03/0005', 'auto', undefined],
    ['0202-05-06', 'auto', undefined],
    ['00/15/1998', 'auto', undefined],
    ['2024-00-15', 'auto', undefined],
    ['15/00/2024', 'DD/MM/YYYY', undefined],
    ['19980000', 'YYYYMMDD', undefined],
    ['2033-03-14', 'auto', undefined],
    ['03/14/2041', 'auto', undefined],
    ['14-MAR-2041', 'auto', undefined],
    ['204103', 'YYYYMM', undefined],
    ['1/1/1753', 'auto', null],
    ['1800-01-01', 'auto', null],
    ['03/14/41', 'auto', '1941-03-14'],
    ['14-MAR-41', 'auto', '1941-03-14'],
    ['14/03/41', 'DD/MM/YYYY', '1941-03-14'],
    ['410314', 'YYMMDD', '1941-03-14'],
    ['2027-06-01', 'auto', '2027-06-01'],
    ['1776-07-04', 'auto', '1776-07-04'],
    ['2024-03-00', 'auto', '2024-03-01'],
    ['06/27/00', 'auto', '2000-06-27'],
  ] as const) {
    assert.equal(readDate(text, form, '2027-11-26'), date, text)
  }
})

test('a count is whole, and a long number in exponent form is rounded', () => {
  assert.equal(readCount('3.0'), 3)
  assert.equal(readCount('3.5'), undefined)
  for (const text of ['1.01687E+09', '1e+17', '2.326050000000110e+017', '2.32605E17']) {
    assert.equal(isRounded(text), true, text)
  }
  for (const text of ['12E45', '1E5', '5.1E2', '1.5E', '12-3E+4']) {
    assert.equal(isRounded(text), false, text)
  }
})

test('a number with a large exponent is no date, and is read once', () => {
  for (const text of ['1.2E+21', '1.01E+25', '9.9e99']) {
    assert.notEqual(typeof readDate(text, 'auto', '2026-06-01'), 'string', text)
  }
})
