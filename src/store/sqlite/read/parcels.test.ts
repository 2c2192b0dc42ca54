import assert from 'node:assert/strict'
import type { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { DamagedData } from '../../../base/errors.ts'
import { openParcelReader } from './parcels.ts'

/** A database whose statements fail with a result code of SQLite. */
function failWith(errcode: number): DatabaseSync {
  const fail = () => {
    throw Object.assign(new Error('disk I/O error'), { errcode })
  }
  const statement = { run() {}, setReturnArrays() {}, all: fail, get: fail }
  return { prepare: () => statement, isOpen: true, isTransaction: false } as unknown as DatabaseSync
}

const BOX = { west: 0, south: 0, east: 1, north: 1 }

test('a file that cannot be read is unavailable, to questions answered later too', async () => {
  const reader = openParcelReader(failWith(10))
  await assert.rejects(reader.byParcelId('WI', 55025, '1'), { kind: 'unavailable' })
  await assert.rejects(reader.pointsIn({ assignedOnly: false }, BOX, 1), { kind: 'unavailable' })
})

test('a damaged file is damaged data', async () => {
  const reader = openParcelReader(failWith(11))
  const anywhere = { fips: undefined, city: undefined }
  await assert.rejects(reader.onlyAtSitusKey('WI', 'K', '', anywhere), DamagedData)
})
