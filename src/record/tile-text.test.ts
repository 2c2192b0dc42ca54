import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BARE_PARCEL } from '../../test/parcel.ts'
import { encodeParcel } from './stored.ts'
import { readTileText, tileTextOf } from './tile-text.ts'

const show = (more: object) =>
  readTileText(tileTextOf(encodeParcel({ ...BARE_PARCEL, parcelId: 'A "1"', ...more })))

test('a tile shows property ID, address, use and market value, and no owner', () => {
  const shown = {
    ownerName: 'QUILLON, MARA',
    address: '12 OAK ST',
    propertyUseCode: 'R1',
    totalMarketValue: 500,
    totalAssessedValue: 400,
  }
  const text = show(shown)
  const propertyId = text.propertyId
  assert.match(propertyId, /^\d{5}-A "1"$/)
  assert.deepEqual(text, { propertyId, address: '12 OAK ST', useCode: 'R1', value: '500' })
})

test('the assessed value replaces a missing market value, and unknown values are empty', () => {
  assert.equal(show({ totalAssessedValue: 400 }).value, '400')
  const { address, useCode, value } = show({})
  assert.deepEqual([address, useCode, value], ['', '', ''])
})
