/** Keys that change while every process serves: rotation without one 401, revoking everywhere within a second. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { ask, endAll, makeCustomer, platbook, startRunning } from './running-service.ts'

const data = mkdtempSync(join(tmpdir(), 'platbook-live-keys-'))
/** accounts.md: within 1 s in every process of the service. */
const EVERYWHERE_MS = 1000
const CONNECTIONS = 8

before(() => {
  platbook(['sample', '--parcels', '50'], data)
})
after(endAll)
after(() => rmSync(data, { recursive: true }))

test('keys rotate under load without one 401, and a revoked one ends in every process', async () => {
  const { account, key: first } = makeCustomer(data)
  const service = await startRunning({ data, workers: 2 })
  const url = `${service.address}/public/property/search/?state=WI&limit=1`
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
    const { keys } = JSON.parse(platbook(['key', 'list', account, '--json'], data))
    const words = ['key', 'rotate', keys.at(-1).id, '--overlap', '1h', '--json']
    // From the next request on all connections send the new key.
    key = JSON.parse(platbook(words, data)).key
    if (turn === 1) platbook(['secret', 'rotate'], data)
    const seen = statuses.get('200') ?? 0
    while ((statuses.get('200') ?? 0) < seen + 200) await pause(5)
  }
  going = false
  await Promise.all(walks)
  assert.deepEqual([...statuses.keys()], ['200'])

  const { keys } = JSON.parse(platbook(['key', 'list', account, '--json'], data))
  for (const { id } of keys) platbook(['key', 'revoke', id], data)
  await pause(EVERYWHERE_MS)
  const fresh = new Agent({ keepAlive: false })
  const after = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      ask(url, index % 2 === 0 ? key : first, fresh, new Set()),
    ),
  )
  assert.deepEqual([...new Set(after)], ['401'])
  agent.destroy()
  assert.equal(await service.stop(), 0)
})

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
