import assert from 'node:assert/strict'
import test from 'node:test'
import { cleanText, readArea, readFlag, readNumber, readZip } from './clean.ts'
import { readDate, readYear } from './dates.ts'

const LATEST = '2027-01-01'

/**
 * A clerk could extend these tables. `undefined`: the text cannot be read; `null`: it holds no
 * value.
 */
test('texts are trimmed, inner blanks folded, control characters are blanks', () => {
  for (const [given, clean] of [
    ['  OAK   ST ', 'OAK ST'],
    ['A\u0000B\tC\r\nD', 'A B C D'],
    ['\u00a0', ''],
    ['\u200b12-3\ufeff', '12-3'],
    ['Peña', 'Peña'],
    ['PeÃ±a', 'Peña'],
    ['SE Â¼', 'SE ¼'],
    ['Ã—2 ñ', 'Ã—2 ñ'],
    ['PEÃ‘A JOSÃ‰', 'PEÑA JOSÉ'],
    ['MÃœLLER', 'MÜLLER'],
    ['SÃO JOÃO', 'SÃO JOÃO'],
    ['ROE &amp; DOE', 'ROE & DOE'],
    ['O&#39;NEIL', "O'NEIL"],
    ['ROE&nbsp;&quot;BUD&QUOT;', 'ROE "BUD"'],
    ['R&D; LLC', 'R&D; LLC'],
    ['AT&T INC', 'AT&T INC'],
    ['A &AMP CO', 'A &AMP CO'],
    ['ROE; DOE', 'ROE; DOE'],
    ["'0012345", '0012345'],
    ["'12-3-A", '12-3-A'],
    ['="0012345"', '0012345'],
    ['="OAK  ST"', 'OAK ST'],
    ["'TIS A FARM 2", "'TIS A FARM 2"],
    ["'TIS", "'TIS"],
    ["O'12", "O'12"],
    ["'12'", "'12'"],
    ['=SUM(A1)', '=SUM(A1)'],
    ['"12"', '"12"'],
  ] as const) {
    assert.equal(cleanText(given), clean)
  }
})

test('numbers are read with and without their dress', () => {
  for (const [given, number] of [
    ['1250', 1250],
    ['1250.', 1250],
    ['.5', 0.5],
    ['$1,250.75', 1250.75],
    ['(300)', -300],
    ['-$300', -300],
    ['1.2E+5', 120_000],
    ['$-', 0],
    ['$ -', 0],
    ['1,234.50-', -1234.5],
    ['500-', -500],
    ['($1,000.00)', -1000],
    ['-$1,000.50', -1000.5],
    ['- 5', -5],
    ['+1,000', 1000],
    ['$.50', 0.5],
    ['1.0E+12', 1e12],
    ['1e400', undefined],
    ['9'.repeat(400), undefined],
    [`$${'9'.repeat(400)}`, undefined],
    [`(${' '.repeat(10_000)}x`, undefined],
    ['--5', undefined],
    ['-5-', undefined],
    ['5-6', undefined],
    ['(5', undefined],
    ['5)', undefined],
    ['1.234,50', undefined],
    ['12,34,567', undefined],
    ['1 000', undefined],
    ['1/2', undefined],
    ['0x1F', undefined],
    ['$1.2M', undefined],
    ['500.00 CR', undefined],
    ['12,50', undefined],
    ['0,250', undefined],
    ['-0,75', undefined],
    ['0,000', 0],
    ['0,125,000', 125_000],
    ['012,500', 12_500],
    ['10,250', 10_250],
    ['N/A', undefined],
    ['1250 SF', undefined],
    ['', undefined],
    ['-', undefined],
    ['1.2.3', undefined],
  ] as const) {
    assert.equal(readNumber(given), number, given)
  }
})

test('an area is in the unit written after it, else in the mapping’s', () => {
  assert.equal(readArea('4200 sq.ft', 'acres'), 4200)
  assert.equal(readArea('2.5 a', 'square feet'), 108_900)
  assert.equal(readArea('2', 'acres'), 87_120)
  assert.equal(Math.round(readArea('1000', 'square meters') ?? 0), 10_764)
  assert.equal(readArea('2 rods', 'acres'), undefined)
  assert.equal(readArea('50', ''), undefined, 'the unit is not known')
  assert.equal(readArea('0', ''), 0, 'nothing is nothing in every unit')
  assert.equal(readArea('2.5 a', ''), 108_900)
})

test('dates are read in the forms that rolls write', () => {
  for (const [given, date] of [
    ['2024-03-05', '2024-03-05'],
    ['2024-03-05T00:00:00Z', '2024-03-05'],
    ['2024-3-5 12:00', '2024-03-05'],
    ['3/5/2024', '2024-03-05'],
    ['03/05/24', '2024-03-05'],
    ['03/05/71', '1971-03-05'],
    ['20240305', '2024-03-05'],
    ['05-MAR-2024', '2024-03-05'],
    ['Mar 5, 2024', '2024-03-05'],
    ['2024-03', '2024-03-01'],
    ['1709596800000', '2024-03-05'],
    ['2071-10-01', undefined],
    ['20240300', '2024-03-01'],
    ['20240305000000', '2024-03-05'],
    ['20240305T101500', '2024-03-05'],
    ['2.0240305E7', '2024-03-05'],
    ['2024.03.05', '2024-03-05'],
    ['05MAR2024:00:00:00', '2024-03-05'],
    ['03-2024', '2024-03-01'],
    ['3/5/2024 12:00:00 AM', '2024-03-05'],
    ['1.7095968E12', '2024-03-05'],
    ['/Date(1709596800000)/', '2024-03-05'],
    ['3/5/2024 - 3/9/2024', undefined],
    ['2024-03-05 to 2024-04-01', undefined],
    ['2024-03-05T23:30:00-06:00', '2024-03-05'],
    ['2024-03-05T00:00:00.000+0000', '2024-03-05'],
    ['-2208988800000', null],
    ['253402214400000', null],
    // Seconds, or milliseconds of January 1970.
    ['1709596800', undefined],
    ['3.5.2024', undefined],
    ['Mar-24', undefined],
    ['202403', undefined],
    ['45352', undefined],
    ['2024065', undefined],
    ['88888888', undefined],
    ['8888-88-88', undefined],
    ['02/29/2023', undefined],
    ['11/11/1111', undefined],
    ['99/99/9999', null],
    ['12/31/99', '1999-12-31'],
    ['20240015', undefined],
    ['2024-02-30', undefined],
    ['13/13/2024', undefined],
    ['soon', undefined],
    ['00/00/0000', null],
    ['00000000', null],
    ['1899-12-31', null],
    ['19000101', null],
    ['12-31-1900', null],
    ['12-30-1900', '1900-12-30'],
    ['9999-12-31', null],
  ] as const) {
    assert.equal(readDate(given, 'auto', LATEST), date, given)
  }
})

test('a named date form reads what auto would read otherwise', () => {
  assert.equal(readDate('05/03/2024', 'DD/MM/YYYY', LATEST), '2024-03-05')
  assert.equal(readDate('3052024', 'MMDDYYYY', LATEST), '2024-03-05')
  assert.equal(readDate('202403', 'YYYYMM', LATEST), '2024-03-01')
  assert.equal(readDate('32024', 'MMYYYY', LATEST), '2024-03-01')
  assert.equal(readDate('090231', 'YYMMDD', LATEST), undefined)
  assert.equal(readDate('8503', 'YYMM', LATEST), '1985-03-01')
  assert.equal(readDate('403', 'YYMM', LATEST), '2004-03-01')
  assert.equal(readDate('8513', 'YYMM', LATEST), undefined)
  assert.equal(readDate('30411', 'YYMMDD', LATEST), '2003-04-11')
  assert.equal(readDate('760626', 'YYMMDD', LATEST), '1976-06-26')
  assert.equal(readDate('62676', 'MMDDYY', LATEST), '1976-06-26')
  assert.equal(readDate('45352', 'days', LATEST), '2024-03-01')
  assert.equal(readDate('60', 'days', LATEST), undefined)
})

test('the years 0 and 9999 are null, an impossible year is unread', () => {
  assert.equal(readYear('1987.0', LATEST), 1987)
  assert.equal(readYear('0', LATEST), null)
  assert.equal(readYear('9999', LATEST), null)
  const next = Number(LATEST.slice(0, 4)) + 1
  assert.equal(readYear(String(next), LATEST), next)
  assert.equal(readYear(String(next + 1), LATEST), undefined)
  assert.equal(readYear('old', LATEST), undefined)
})

test('ZIP codes keep their five digits, lost zeros come back, ZIP+4 stays whole', () => {
  for (const [given, zip, plusFour] of [
    ['68508', '68508', null],
    ['685081234', '68508', '68508-1234'],
    ['68508-1234', '68508', '68508-1234'],
    ['68508-0000', '68508', null],
    ['1027', '01027', null],
    ['1027-1234', '01027', '01027-1234'],
    ['68508.0', '68508', null],
    ['12345678', '01234', '01234-5678'],
    ['68508-9999', '68508', '68508-9999'],
    ['11111', '11111', null],
  ] as const) {
    assert.deepEqual(readZip(given), { zip, plusFour }, given)
  }
  for (const none of [
    '00000',
    '00000-0000',
    '99999',
    '99999-9999',
    '99999-0000',
    '999991234',
    '0',
  ]) {
    assert.equal(readZip(none), null, none)
  }
  for (const other of ['68508-123', '1234567', 'NE 68508', '12']) {
    assert.equal(readZip(other), undefined, other)
  }
  assert.equal(readZip('K1A 0B1'), undefined)
})

test('flags are read in any case', () => {
  assert.equal(readFlag('y'), true)
  assert.equal(readFlag('FALSE'), false)
  assert.equal(readFlag('2'), undefined)
})

test('the year 00 of two digits is 2000, but for the first day of spreadsheets', () => {
  for (const [given, date] of [
    ['6/27/00', '2000-06-27'],
    ['06/27/00', '2000-06-27'],
    ['27-JUN-00', '2000-06-27'],
    ['1/1/00', null],
    ['1/0/00', null],
    ['00/00/00', null],
  ] as const) {
    assert.equal(readDate(given, 'auto', LATEST), date, given)
  }
})
