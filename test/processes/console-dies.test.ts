/** The console's process may die: the service goes on, and the console comes back where it was. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { endAll, startRunning } from '../ledger/running-service.ts'
import { until } from './ask.ts'
import { freePort } from './free-port.ts'

/** One that dies sooner after its start is started again only after half a minute. */
const STEADY_MS = 3000

const data = mkdtempSync(join(tmpdir(), 'platbook-console-dies-'))
after(async () => {
  await endAll()
  rmSync(data, { recursive: true, force: true })
})

test('a killed console is started again at its port, and the service answers all the while', async () => {
  const port = await freePort()
  const service = await startRunning({
    data,
    workers: 1,
    console: true,
    env: { PLATBOOK_CONSOLE_PORT: String(port) },
  })
  const page = () => fetch(`http://127.0.0.1:${port}/sign-in`).catch(() => undefined)
  await until(async () => (await page())?.status === 200)
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
