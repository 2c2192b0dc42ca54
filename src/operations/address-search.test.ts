import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ParcelReader } from '../store/store.ts'
import { matchAddress, readWhole } from './address-search.ts'

test('an address that is not there costs one look at each of its keys', async () => {
  let asked: string[] = []
  const note = (table: string) => async (_: string, key: string) => {
    asked.push(`${table} ${key}`)
    return []
  }
  const reader: Partial<ParcelReader> = {
    onlyAtSitusKey: async () => undefined,
    bySitusKey: note('situs'),
    byLooseKey: note('loose'),
  }
  for (const [address, most] of [
    ['12 N MAIN ST', 5],
    ['12-16 MAIN ST, MADISON WI 53703', 14],
    ['9 US HIGHWAY 12', 2],
  ] as const) {
    asked = []
    const question = { state: 'WI', address, unit: undefined, fips: undefined, city: undefined }
    assert.equal(
      await matchAddress(question, readWhole(question), reader as ParcelReader),
      undefined,
    )
    assert.equal(new Set(asked).size, asked.length, asked.join('\n'))
    assert.ok(asked.length >= 2 && asked.length <= most, asked.join('\n'))
  }
})
