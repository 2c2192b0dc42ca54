import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadMapping } from '../mapping/mapping.ts'
import type { BatchSetup } from './batch.ts'
import { openPool } from './pool.ts'

const COLUMNS = ['state', 'county', 'parcelId']

for (const threads of [1, 2, 3]) {
  test(`the end of a thread of ${threads} fails the tasks that wait, and those given later`, {
    timeout: 60_000,
  }, async (t) => {
    const setup = { mapping: loadMapping('platbook'), state: 'NE', today: '2026-01-01' }
    const pool = openPool(setup as unknown as BatchSetup, 0, threads)
    t.after(() => pool.close())
    const read = (columns: string[]) =>
      pool.read({ file: 'a', columns, rows: [['NE', 'Lancaster', 'P-1']] }, 1, [true])
    assert.equal((await read(COLUMNS)).parcels().length, 1)
    await assert.rejects(read(['no such column']))
    await assert.rejects(read(COLUMNS))
  })
}
