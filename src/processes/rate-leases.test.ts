/** Tests leases of the real ledger process over its socket. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { makeLedgerDatabase } from '../../test/ledger/fixture.ts'
import { connectLedger } from '../ledger/client.ts'
import type { Lease } from '../ledger/rates/rate-windows.ts'
import { superviseLedger } from './supervise-ledger.ts'

const folder = mkdtempSync(join(tmpdir(), 'platbook-leases-'))
const path = join(folder, 'accounts.db')
const { db } = await makeLedgerDatabase(path, { acc_a: {} })
const supervisor = superviseLedger(path, { report: () => undefined })
await supervisor.started
const clients = [connectLedger(supervisor.socketPath), connectLedger(supervisor.socketPath)]
await Promise.all(clients.map((client) => client.ready()))

after(async () => {
  await Promise.all(clients.map((client) => client.close()))
  await supervisor.stop()
  db.close()
  rmSync(folder, { recursive: true })
})

const sum = (leases: (Lease | undefined)[]) =>
  leases.reduce((total, lease) => total + (lease?.count ?? 0), 0)

test('two workers get the limit together; returned requests are leased again', async () => {
  const [one, two] = clients as [(typeof clients)[0], (typeof clients)[0]]
  const asks = Array.from({ length: 100 }, (_, at) => (at % 2 === 0 ? one : two))
  const leases = await Promise.all(asks.map(({ leases }) => leases.lease('acc_a', 50, 1)))
  assert.equal(sum(leases), 50)
  const first = leases.find((lease) => (lease?.count ?? 0) > 2)
  assert.ok(first)
  one.leases.giveBack('acc_a', first.slot, 2)
  assert.equal((await one.leases.lease('acc_a', 50, 5))?.count, 2)
})

test('a lease that is asked of a ledger process that dies is none, not an error', async () => {
  const [one] = clients as [(typeof clients)[0]]
  process.kill(supervisor.pid() as number, 'SIGSTOP')
  const asked = one.leases.lease('acc_a', 50, 1)
  process.kill(supervisor.pid() as number, 'SIGKILL')
  assert.equal(await asked, undefined)
})
