import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Suppression } from '../base/model/suppression.ts'
import type { ParcelReader } from '../store/store.ts'
import { createParcelGuard } from './guard-parcels.ts'
import { loadSuppressionSecret } from './rules.ts'

const PENDING: Suppression = {
  ...{ id: 'sup_1', kind: 'owner', scope: 'owner', state: '', fips: 0, hashes: '' },
  ...{ basis: 'a law', createdAt: 0, until: null, endedAt: null },
}

test('a read that the guard does not filter is absent while a suppression is pending', (t) => {
  const data = mkdtempSync(join(tmpdir(), 'platbook-guard-'))
  t.after(() => rmSync(data, { recursive: true, force: true }))
  loadSuppressionSecret(data, true)
  const read = async () => []
  const parcels = { byIds: read, recordsOver: read, readOfTomorrow: read }
  let pending: Suppression[] = []
  const guard = createParcelGuard({ data, registryHash: null }, () => pending, assert.ifError)
  const reads = () => {
    const guarded = guard(parcels as unknown as ParcelReader) as unknown as typeof parcels
    return Object.keys(parcels).filter((name) => guarded[name as 'byIds'] !== undefined)
  }
  assert.deepEqual(reads(), ['byIds', 'recordsOver', 'readOfTomorrow'])
  pending = [PENDING]
  assert.deepEqual(reads(), ['byIds'])
})
