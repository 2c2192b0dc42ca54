/**
 * Keys that change while every process serves: rotation without one 401, revoking everywhere within
 * a second.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { askBothWorkers } from '../processes/ask.ts'
import { makeCustomer, operate } from '../processes/operator.ts'
import { until } from '../until.ts'
import { ask, endAll, ROOT, startRunning } from './running-service.ts'

const data = mkdtempSync(join(tmpdir(), 'platbook-live-keys-'))
/** docs/accounts.md: within 1 s in every process of the service. */
const EVERYWHERE_MS = 1000
const CONNECTIONS = 8
const PATH = '/public/property/search/?state=WI&limit=1'

before(() => operate(data, 'sample', '--parcels', '50'))
after(endAll)
after(() => rmSync(data, { recursive: true }))

test('keys rotate under load without a 401; a revoked key ends in every process', async () => {
  const { account, key: first } = await makeCustomer(data)
  const service = await startRunning({ data, workers: 2 })
  const url = service.address + PATH
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const statuses = new Map<string, number>()
  let key = first
  let going = true
  const walks = Array.from({ length: CONNECTIONS }, async () => {
    while (going) {
      const status = await ask(url, key, agent, new Set())
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  })
  for (let turn = 0; turn < 3; turn += 1) {
    const { keys } = await operate(data, 'key', 'list', account)
    // From the next request on all connections send the new key.
    key = (await operate(data, 'key', 'rotate', keys.at(-1).id, '--overlap', '1h')).key
    if (turn === 1) await operate(data, 'secret', 'rotate')
    const seen = statuses.get('200') ?? 0
    await until(() => (statuses.get('200') ?? 0) >= seen + 200)
  }
  going = false
  await Promise.all(walks)
  assert.deepEqual([...statuses.keys()], ['200'])

  const { keys } = await operate(data, 'key', 'list', account)
  const valid = await makeCustomer(data)
  const answers = async (of: string) =>
    (await askBothWorkers(service.address, PATH, of)).map(({ status }) => status)
  assert.deepEqual(await answers(valid.key), [200, 200])
  for (const { id } of keys) await operate(data, 'key', 'revoke', id)
  assert.equal(revokeAndDie(valid.keyId), 'SIGKILL')
  await pause(EVERYWHERE_MS)
  for (const revoked of [key, first, valid.key]) {
    assert.deepEqual(await answers(revoked), [401, 401])
  }
  agent.destroy()
  assert.equal(await service.stop(), 0)
})

/**
 * Revokes a key in a process that is killed in the same turn, before it could notify any other;
 * returns the signal that ended it.
 */
function revokeAndDie(keyId: string): string | null {
  const file = JSON.stringify(join(data, 'accounts.db'))
  const text = `
    import { openDatabase } from '${ROOT}src/store/sqlite/connection.ts'
    import { createAccountAdmin } from '${ROOT}src/store/accounts/admin.ts'
import { openAccountDatabase } from '${ROOT}src/store/sqlite/account-database.ts'
    const place = { kind: 'accounts', synchronous: 'FULL' }
    const admin = createAccountAdmin(openAccountDatabase(openDatabase(${file}, place)))
    admin.revokeKey('${keyId}', Date.now())
    process.kill(process.pid, 'SIGKILL')`
  return spawnSync(process.execPath, ['--input-type=module', '-e', text]).signal
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
