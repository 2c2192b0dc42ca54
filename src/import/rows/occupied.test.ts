import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalAddress } from '../../address/canonical.ts'
import { blankParcel } from '../../record/parcel.ts'
import { findCounty } from '../../regions/counties.ts'
import type { Draft } from './normalize.ts'
import { readOccupied } from './occupied.ts'

const county = findCounty('NE', 'Lancaster')
assert.ok(county)

/** Situs and mail, each as `line | city | state | ZIP`; `-`: not in the roll. */
function occupied(situs: string, mail: string, flag: boolean | null = null): boolean | null {
  assert.ok(county)
  const read = (text: string) =>
    text.split(' | ').map((cell) => (cell.trim() === '-' ? null : cell.trim()))
  const [line = null, city = null, , zipCode = null] = read(situs)
  const [ownerStreet = null, ownerCity = null, ownerState = null, ownerZipCode = null] = read(mail)
  const parcel = { ...blankParcel('1', county.fips), city, zipCode, ownerOccupied: flag }
  Object.assign(parcel, { ownerStreet, ownerCity, ownerState, ownerZipCode })
  const draft: Draft = {
    parcel,
    county,
    line,
    nameOrder: 'mixed',
    unit: undefined,
    further: [],
    notOwner: undefined,
    preferred: false,
  }
  const place = { state: county.state, fips: county.fips, city, zip: zipCode }
  return readOccupied(draft, line === null ? undefined : canonicalAddress(line, place))
}

for (const [situs, mail, expected] of [
  // Mail goes to the site.
  ['12 OAK ST | LINCOLN | NE | 68503', '12 OAK ST | LINCOLN | NE | 68503', true],
  ['12 OAK ST | LINCOLN | NE | -', '12 Oak Street | Lincoln | NE | 68503', true],
  ['12 OAK ST | HILLTOP | NE | -', '12 OAK ST | HILL TOP | NE | 68503', true],
  ['12 OAK ST | CUMRU TWP | NE | 68503', '12 OAK ST | LINCOLN | NE | 68503', true],
  ['0012 OAK ST | LINCOLN | NE | -', '12 OAK ST | LINCOLN | NE | -', true],
  ['12 RIDGE VIEW DR | LINCOLN | NE | -', '12 RIDGEVIEW DR | LINCOLN | NE | -', true],
  ['12 OAK | LINCOLN | NE | -', '12 OAK ST | LINCOLN | NE | -', true],
  ['12-16 OAK ST | LINCOLN | NE | -', '14 OAK ST | LINCOLN | NE | -', true],
  ['12 OAK ST | LINCOLN | NE | -', '12 OAK ST APT 2 | LINCOLN | NE | -', true],
  ['12 OAK ST | - | NE | -', '12 OAK ST | LINCOLN | NE | 68503', true],
  // Mail goes elsewhere.
  ['12 OAK ST | LINCOLN | NE | 68503', '14 OAK ST | LINCOLN | NE | 68503', false],
  ['12 OAK ST | LINCOLN | NE | 68503', '12 ELM ST | LINCOLN | NE | 68503', false],
  ['12 OAK ST | LINCOLN | NE | 68503', '12 OAK CT | LINCOLN | NE | 68503', false],
  ['12 N OAK ST | LINCOLN | NE | 68503', '12 S OAK ST | LINCOLN | NE | 68503', false],
  ['12 OAK ST | LINCOLN | NE | 68503', 'PO BOX 12 | LINCOLN | NE | 68503', false],
  ['12 OAK ST | LINCOLN | NE | 68503', '12 OAK ST | OMAHA | NE | 68102', false],
  ['12 OAK ST | LINCOLN | NE | -', '12 OAK ST | LINCOLN | KS | 67455', false],
  ['12 OAK ST APT 1 | LINCOLN | NE | -', '12 OAK ST APT 2 | LINCOLN | NE | -', false],
  // The addresses do not decide.
  ['12 OAK ST | LINCOLN TWP | NE | -', '12 OAK ST | OMAHA | NE | 68102', null],
  ['12 OAK ST | - | NE | -', '12 OAK ST | - | - | -', null],
  ['12 OAK ST | - | NE | 68503', '12 OAK ST | LINCOLN | NE | 68999', null],
  ['12 OAK ST APT 1 | LINCOLN | NE | -', '12 OAK ST | LINCOLN | NE | -', null],
  ['12 MADISON ST | LINCOLN | NE | -', '12 MADSION ST | LINCOLN | NE | -', null],
  ['OAK ST | LINCOLN | NE | -', '12 OAK ST | LINCOLN | NE | -', null],
  ['12 OAK ST | LINCOLN | NE | -', 'OAK ST | LINCOLN | NE | -', null],
  ['12 OAK ST | LINCOLN | NE | -', '- | LINCOLN | NE | -', null],
  ['- | LINCOLN | NE | -', '12 OAK ST | LINCOLN | NE | -', null],
] as const) {
  test(`ownerOccupied of ${situs} with mail to ${mail}: ${expected}`, () => {
    assert.equal(occupied(situs, mail), expected)
  })
}

test('a homestead flag decides if addresses cannot', () => {
  const [oak, ridge] = ['12 OAK ST | LINCOLN | NE | -', 'OAK ST | LINCOLN | NE | -']
  assert.equal(occupied(oak, '14 OAK ST | LINCOLN | NE | -', true), true)
  assert.equal(occupied(ridge, '- | - | - | -', false), false)
  assert.equal(occupied(oak, '12 OAK ST | LINCOLN | NE | -', false), true)
})
