/** What happens when one of its processes dies: docs/operations.md, docs/ledger.md. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { makeRoll } from '../contract/rolls.ts'
import { endAll, startRunning } from '../ledger/running-service.ts'
import { until } from '../until.ts'
import { ask, askBothWorkers, type Reply, workerOf } from './ask.ts'
import { freePort } from './free-port.ts'
import { makeCustomer, operate } from './operator.ts'

const data = mkdtempSync(join(tmpdir(), 'platbook-dying-'))
after(async () => {
  await endAll()
  rmSync(data, { recursive: true, force: true })
})

const roll = join(data, 'roll.csv')
writeFileSync(roll, makeRoll([{ address: '1 MAIN ST', ownerName1: 'VAREK, MARA' }]))
await operate(data, 'import', roll, '--mapping', 'platbook')
const { key } = await makeCustomer(data)
const adminPort = await freePort()
const service = await startRunning({
  data,
  workers: 2,
  env: { PLATBOOK_ADMIN_PORT: String(adminPort) },
})
const OWNER = '/public/premium/owner/?state=WI&lastName=Varek'

test('with an admin port /metrics answers there and not on the service port', async () => {
  await ask(service.address, OWNER, key)
  assert.equal((await fetch(`${service.address}/metrics`)).status, 404)
  const admin = `http://127.0.0.1:${adminPort}`
  await until(async () => {
    const text = await (await fetch(`${admin}/metrics`)).text()
    return text.includes('platbook_tokens_charged_total 1')
  })
  assert.equal((await fetch(`${admin}/healthz`)).status, 404)
})

test('a worker that is killed is replaced; the other goes on meanwhile', async () => {
  const [killed] = service.pids('worker')
  assert.ok(killed !== undefined)
  const before = (await askBothWorkers(service.address, OWNER, key)).map(workerOf)
  process.kill(killed, 'SIGKILL')
  await until(() => !service.pids('worker').includes(killed))
  assert.equal((await askUntilAnswered()).status, 200)
  await until(() => service.pids('worker').length === 2)
  await until(async () => !before.includes(workerOf(await askUntilAnswered())))
  const replies = await askBothWorkers(service.address, OWNER, key)
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200],
  )
  await until(() => service.log().includes(`worker ${killed} died`))
})

test('connections waiting for a killed worker are closed, the others are answered', async () => {
  const stopped = service.pids('worker')
  assert.equal(stopped.length, 2)
  for (const pid of stopped) process.kill(pid, 'SIGSTOP')
  // The system has spread them over both workers, neither of which takes any.
  const flying = Array.from({ length: 40 }, () =>
    ask(service.address, OWNER, key).then(
      ({ status }) => String(status),
      (error: NodeJS.ErrnoException) => error.code ?? error.message,
    ),
  )
  // The kernel's last actions on a connection are not visible from outside; when this is answered,
  // they have happened.
  await fetch(`http://127.0.0.1:${adminPort}/metrics`)
  const [killed, other] = stopped as [number, number]
  process.kill(killed, 'SIGKILL')
  await until(() => !service.pids('worker').includes(killed))
  process.kill(other, 'SIGCONT')
  const ends = await Promise.all(flying)
  assert.deepEqual([...new Set(ends)].sort(), ['200', 'ECONNRESET'])
})

test('when the primary is killed every other process ends', async () => {
  // The worker that was killed before is replaced after a moment.
  await until(() => service.pids('worker').length === 2)
  const others = [...service.pids('worker'), ...service.pids('ledger')]
  assert.equal(others.length, 3)
  process.kill(service.pid, 'SIGKILL')
  await until(() => others.every(isGone))
  await assert.rejects(ask(service.address, OWNER, key))
})

test('after that it starts again over the same data, its ledger whole', async () => {
  const again = await startRunning({ data, workers: 1 })
  assert.equal((await ask(again.address, OWNER, key)).status, 200)
  assert.equal(await again.stop(), 0)
  assert.equal((await operate(data, 'ledger', 'verify')).ok, true)
})

/** A connection that waited for a worker when it died is reset, and callers try again. */
async function askUntilAnswered(): Promise<Reply> {
  const replies: Reply[] = []
  await until(async () => {
    try {
      replies.push(await ask(service.address, OWNER, key))
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ECONNRESET')
    }
    return replies.length > 0
  }, 0)
  return replies[0] as Reply
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}
