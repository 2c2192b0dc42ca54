import assert from 'node:assert/strict'
import test from 'node:test'
import { cutCareOf, cutCityStateZip, cutOneLine } from './lines.ts'

test('a one-line address is cut into line, city, state and ZIP', () => {
  for (const [given, line, city, state, zip] of [
    ['120 SW 7TH ST, CRETE, NE  68333', '120 SW 7TH ST', 'CRETE', 'NE', '68333'],
    ['58 S 5 ST, LINCOLN, NE', '58 S 5 ST', 'LINCOLN', 'NE', null],
    ['82 W O ST, UNIT #1, LINCOLN, NE', '82 W O ST, UNIT #1', 'LINCOLN', 'NE', null],
    ['87 LABRADOR CT, LINCOLN  68520', '87 LABRADOR CT', 'LINCOLN', null, '68520'],
    ['94 WILDERNESS SKY DR', '94 WILDERNESS SKY DR', null, null, null],
    ['94 SKY CT', '94 SKY CT', null, null, null],
    ['12 Oak St, Apt 4', '12 OAK ST, APT 4', null, null, null],
    ['99999 **NO SITUS** ST, , NE', '99999 **NO SITUS** ST', null, 'NE', null],
  ] as const) {
    const cut = cutOneLine(given, 'NE')
    assert.deepEqual([cut.line, cut.city, cut.state, cut.zip], [line, city, state, zip], given)
  }
})

test('city, state and ZIP are cut with and without commas', () => {
  for (const [given, city, state, zip, plusFour] of [
    ['LINCOLN, NE 68508-1234', 'LINCOLN', 'NE', '68508', '68508-1234'],
    ['PHILADELPHIA PA', 'PHILADELPHIA', 'PA', null, null],
    ['NEW RIEGEL OH 44853', 'NEW RIEGEL', 'OH', '44853', null],
    ['Toronto', 'TORONTO', null, null, null],
  ] as const) {
    assert.deepEqual(cutCityStateZip(given), { city, state, zip, zipPlusFour: plusFour }, given)
  }
})

test('a care-of is cut off the front of a mailing line', () => {
  for (const [given, careOf, line] of [
    ['Attn: REAL ESTATE DIVISION 555 S 10 ST RM 205', 'REAL ESTATE DIVISION', '555 S 10 ST RM 205'],
    ['C/O FIRST BANK - PO BOX 12', 'FIRST BANK', 'PO BOX 12'],
    ['ATTN:  STORE #2972 PO BOX 54', 'STORE #2972', 'PO BOX 54'],
    ['% JANE ROE', 'JANE ROE', null],
    ['12 ATTNEY ST', null, '12 ATTNEY ST'],
  ] as const) {
    assert.deepEqual(cutCareOf(given), { careOf, line }, given)
  }
})
