/**
 * The console's process may die: the service continues, and the console returns at the same
 * address. The test also shows which secrets each process receives.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { endAll, type ProcessKind, startRunning } from '../ledger/running-service.ts'
import { until } from '../until.ts'
import { freePort } from './free-port.ts'

/** One that dies sooner after its start is started again only after half a minute. */
const STEADY_MS = 3000

const data = mkdtempSync(join(tmpdir(), 'platbook-console-dies-'))
after(async () => {
  await endAll()
  rmSync(data, { recursive: true, force: true })
})

/** An address at which nothing listens. */
const NOWHERE = 'http://127.0.0.1:1'

/** Each secret with the processes that need it. */
const SECRETS: [setting: string, value: string, readers: ProcessKind[]][] = [
  ['PLATBOOK_KEY_SECRET', 'a'.repeat(64), ['worker', 'console', 'notifier']],
  ['PLATBOOK_ANCHOR_URL', `${NOWHERE}/token-of-an-anchor`, ['ledger', 'console']],
  ['PLATBOOK_API_KEY', 'pbk_of_a_caller', []],
  ['PLATBOOK_REGISTRY_HASH', 'sha256:{SURNAME},salt-of-a-registry', ['console']],
  ['PLATBOOK_STRIPE_KEY', 'rk_test_secret', ['billing']],
  ['PLATBOOK_STRIPE_WEBHOOK_SECRET', 'whsec_secret', ['billing']],
  ['PLATBOOK_NOTIFY_URL', `${NOWHERE}/token-of-a-receiver`, ['notifier']],
  ['PLATBOOK_NOTIFY_SECRET', 'secret-of-notices-32-characters-long', ['notifier']],
  ['PLATBOOK_TRACES_URL', `${NOWHERE}/token-of-a-collector`, ['worker']],
]
const SETTINGS = Object.fromEntries(SECRETS.map(([name, value]) => [name, value]))
const KINDS: ProcessKind[] = ['ledger', 'worker', 'console', 'billing', 'notifier']

test('each process gets its own secrets only; a killed console restarts at its port', async () => {
  const port = await freePort()
  const service = await startRunning({
    data,
    workers: 1,
    console: true,
    env: { ...SETTINGS, PLATBOOK_STRIPE_API: NOWHERE, PLATBOOK_CONSOLE_PORT: String(port) },
  })
  const page = () => fetch(`http://127.0.0.1:${port}/sign-in`).catch(() => undefined)
  await until(async () => (await page())?.status === 200)
  await until(() => KINDS.every((kind) => service.pids(kind).length > 0))
  for (const [name, value, readers] of process.platform === 'linux' ? SECRETS : []) {
    const holders = KINDS.filter((kind) => environmentOf(service.pids(kind)).includes(value))
    assert.deepEqual(new Set(holders), new Set(readers), name)
  }
  if (process.platform === 'linux') {
    // Its jobs inherit it: an export has owners' names, and the folder may be readable.
    const status = readFileSync(`/proc/${service.pids('console')[0]}/status`, 'utf8')
    assert.match(status, /^Umask:\s*0077$/m)
  }
  await setTimeout(STEADY_MS)
  const [killed] = service.pids('console')
  assert.ok(killed !== undefined)

  let ended = false
  const statuses = new Set<number>()
  const caller = (async () => {
    while (!ended) statuses.add((await fetch(`${service.address}/healthz`)).status)
  })()
  process.kill(killed, 'SIGKILL')
  await until(() => !service.pids('console').includes(killed))
  await until(async () => (await page())?.status === 200)
  ended = true
  await caller
  assert.deepEqual([...statuses], [200])
  assert.notEqual(service.pids('console')[0], killed)
  await until(() => service.log().includes("the console's process died (SIGKILL); starting it"))
  assert.equal(await service.stop(), 0)
})

/** What processes were started with: settings by name, and orders as JSON. */
function environmentOf(pids: readonly number[]): string {
  return pids.map((pid) => readFileSync(`/proc/${pid}/environ`, 'utf8')).join('\n')
}
