import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FULL_PARCEL } from '../../test/parcel.ts'
import { FLAT_SCHEMA } from '../record/schema.ts'
import { encodeParcel } from '../record/stored.ts'
import { renderParcel } from '../render/render.ts'
import { pick } from './answers.ts'

test('picks each field of a flat record as parsing the whole record would give it', () => {
  const tricky = { ...FULL_PARCEL, ownerName: 'A "taxValue":9, B\\', legalDesc: 'x","city":"y' }
  for (const parcel of [FULL_PARCEL, tricky]) {
    const stored = { id: 7, leaves: encodeParcel(parcel), loadedAt: 0, geometry: null }
    const body = `{"property":${renderParcel(stored, 'flat')}}`
    const { property } = JSON.parse(body)
    const fields = Object.keys(FLAT_SCHEMA.properties as object)
    assert.ok(fields.length > 100)
    assert.deepEqual(pick(body, fields), property)
  }
})
