import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startService } from '../../test/service.ts'

test('a line per request has parameter names and the key id, and no value or undeclared name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'platbook-log-'))
  const accessLog = join(folder, 'access.log')
  const service = await startService('', { accessLog })
  const key = await service.keyFor()
  const query = { state: 'WI', lastName: 'ZWETSCHKE', 'John Smith': '1' }
  await service.get('/public/premium/owner/', query, { key })
  await service.get('/nothing')
  await service.close()
  assert.deepEqual(readdirSync(folder), ['access.log'])
  const text = readFileSync(accessLog, 'utf8')
  const [first, second] = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.equal(first.route, '/public/premium/owner/')
  assert.equal(first.status, 404)
  assert.equal(first.method, 'GET')
  assert.match(first.keyId, /^key_/)
  assert.deepEqual(first.parameters, ['state', 'lastName'])
  assert.deepEqual([second.route, second.status], [null, 404])
  assert.doesNotMatch(text, /ZWETSCHKE|John/)
  assert.ok(!text.includes(key))
})
