import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Parcel } from '../model/parcel.ts'
import { leafValues } from './leaf-values.ts'
import { LEAVES } from './leaves.ts'

test('the values stand in the order of the leaves, and none is left out', () => {
  const named = new Proxy({}, { get: (_, name) => name }) as Parcel
  assert.deepEqual(
    leafValues(named),
    LEAVES.map(([name]) => name),
  )
})
