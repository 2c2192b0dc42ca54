import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FULL_PARCEL } from '../../test/parcel.ts'
import { GROUPS } from '../record/fields.ts'
import type { Parcel } from '../record/parcel.ts'
import { HIDDEN, hideFields } from './hide-fields.ts'

/** Returns the fields of a group that still have a value after `bits` were hidden. */
function listKept(path: string, bits: number): string[] {
  const parcel = structuredClone(FULL_PARCEL) as Parcel & Record<string, unknown>
  hideFields(parcel, bits, { full: [], surnames: [] })
  const { fields = {} } = GROUPS.find((group) => group.path === path) ?? {}
  return Object.keys(fields).filter((name) => {
    const value = parcel[name]
    return value !== undefined && value !== null && value !== false && String(value) !== ''
  })
}

// A field of these groups is hidden unless its entry in fields.ts says otherwise.

test('a suppressed owner: what is left of the owner names nobody', () => {
  assert.deepEqual(listKept('propertyIdentification.currentOwner', HIDDEN.owner), [
    'ownershipStartDate',
  ])
})

test('a suppressed address: what is left of the location is wider than a home', () => {
  assert.deepEqual(listKept('propertyLocation', HIDDEN.address), [
    'censusTract',
    'neighborhood',
    'ward',
    'district',
  ])
})
