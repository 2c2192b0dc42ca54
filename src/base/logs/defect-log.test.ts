import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { keepDefect, readDefects } from './defect-log.ts'

test('the newest defects are read back, however many came, and the files stay small', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'platbook-defects-'))
  t.after(() => rmSync(folder, { recursive: true }))
  assert.deepEqual(readDefects(folder, 5), [])
  const error = 'x'.repeat(1000)
  for (let at = 0; at < 800; at += 1) {
    keepDefect(folder, JSON.stringify({ at: '', requestId: `r${at}`, operation: 'usage', error }))
  }
  appendFileSync(join(folder, 'defects.log'), '{"half":')
  const ids = readDefects(folder, 4).map(({ requestId }) => requestId)
  assert.deepEqual(ids, ['r799', 'r798', 'r797'])
  const bytes = readdirSync(folder).map((name) => statSync(join(folder, name)).size)
  assert.ok(bytes.reduce((sum, one) => sum + one, 0) < 600_000)
  keepDefect(join(folder, 'missing'), 'nothing is thrown')
})
