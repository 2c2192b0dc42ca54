/** Thousands of damaged files of all formats: rows or a sentence, and never a stack trace. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readManyDamaged } from './mutate.ts'

for (const seed of [1, 2, 3]) {
  test(`1,336 damaged files of seed ${seed} give rows or a sentence`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'platbook-damaged-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const sentences = await readManyDamaged(folder, 1336, seed)
    t.diagnostic(`${sentences} sentences`)
    assert.ok(sentences > 100)
  })
}
