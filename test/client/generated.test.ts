/** The client's types are those of the operations. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { OPERATIONS as KNOWN } from '../../client/src/generated.ts'
import { Platbook } from '../../client/src/index.ts'
import { writeClientTypes } from '../../scripts/write-client-types.ts'

test('the generated types are not stale: otherwise run `npm run client-types`', () => {
  const file = new URL('../../client/src/generated.ts', import.meta.url)
  assert.equal(readFileSync(file, 'utf8'), writeClientTypes())
})

test('every operation has a method', () => {
  const platbook = new Platbook({ baseUrl: 'http://127.0.0.1', key: 'pbk_any' })
  const missing = Object.keys(KNOWN).filter((name) => !(name in platbook))
  assert.deepEqual(missing, [])
})
