/**
 * County layouts on invented rows: every value of every parcel that is served, against a file
 * beside the rows.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { listMappingNames } from '../../src/import/mapping/mapping.ts'
import { loadServed, type Served } from './served-rows.ts'
import { fixture } from './small-roll.ts'

const ENDING = '.served.json'
const names = readdirSync(fixture(''))
  .filter((file) => file.endsWith(ENDING))
  .map((file) => file.slice(0, -ENDING.length))

for (const name of names) {
  test(`${name}: every value that is served of its rows`, async (t) => {
    assert.ok(listMappingNames().includes(name), `${name} is a mapping`)
    const expected: Served = JSON.parse(readFileSync(fixture(`${name}${ENDING}`), 'utf8'))
    const { report, parcels } = await loadServed(t, name, expected)
    assert.deepEqual(report, expected.report)
    assert.deepEqual(Object.keys(parcels), Object.keys(expected.parcels))
    for (const [id, parcel] of Object.entries(parcels)) {
      assert.deepEqual(parcel, expected.parcels[id], id)
    }
  })
}
