/** Tests the real process with a real socket and file, killed and restarted. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { MAY, makeCharge, makeLedgerDatabase } from '../../test/ledger/fixture.ts'
import { repetitions } from '../../test/repetitions.ts'
import { until } from '../../test/until.ts'
import { CommandError } from '../base/errors.ts'
import type { AccountFacts } from '../base/model/account.ts'
import { connectLedger } from '../ledger/client.ts'
import { type ChargeOutcome, UNAVAILABLE } from '../ledger/ledger.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { createAccountAdmin } from '../store/accounts/admin.ts'
import { openAccountDatabase } from '../store/sqlite/account-database.ts'
import { superviseLedger } from './supervise-ledger.ts'

const folder = mkdtempSync(join(tmpdir(), 'platbook-process-'))
after(() => rmSync(folder, { recursive: true }))

const CYCLES = repetitions(5)

let files = 0
async function start(accounts: Record<string, Partial<AccountFacts>>) {
  files += 1
  const path = join(folder, `${files}.db`)
  const { db, store } = await makeLedgerDatabase(path, accounts)
  const events: string[] = []
  const supervisor = superviseLedger(path, { report: (line) => events.push(line) })
  await supervisor.started
  const connectClient = async () => {
    const client = connectLedger(supervisor.socketPath)
    await client.ready()
    return client
  }
  return { db, store, path, events, supervisor, connectClient }
}

test('with N tokens left, exactly N of many concurrent charges succeed', async () => {
  const { db, store, supervisor, connectClient } = await start({ acc_a: { includedTokens: 300 } })
  const clients = await Promise.all([connectClient(), connectClient(), connectClient()])
  const outcomes = await Promise.all(
    clients.flatMap((client) =>
      Array.from({ length: 200 }, () => client.charge(makeCharge('acc_a'))),
    ),
  )
  const used = outcomes.flatMap((outcome) => (outcome.kind === 'charged' ? [outcome.used] : []))
  assert.deepEqual(
    used.sort((a, b) => a - b),
    Array.from({ length: 300 }, (_, index) => index + 1),
  )
  assert.equal(outcomes.filter(({ kind }) => kind === 'blocked').length, 300)
  for (const client of clients) await client.close()
  await supervisor.stop()
  assert.equal((await verifyLedger(store)).rows, 300)
  db.close()
})

test(`after ${CYCLES} kills under load each answer has one row; the chain is whole`, async () => {
  const { db, store, events, supervisor, connectClient } = await start({ acc_a: {}, acc_b: {} })
  const client = await connectClient()
  const sent = new Set<string>()
  const charged = new Set<string>()
  let running = true
  const load = Array.from({ length: 24 }, async (_, index) => {
    while (running) {
      const charge = makeCharge(index % 2 === 0 ? 'acc_a' : 'acc_b')
      sent.add(charge.requestId)
      const outcome = await client.charge(charge)
      if (outcome.kind === 'charged') charged.add(charge.requestId)
      else await client.ready()
    }
  })
  for (let cycle = 0; cycle < CYCLES; cycle += 1) {
    const before = charged.size
    await client.ready()
    await until(() => charged.size > before)
    await wait(Math.random() * 40)
    const { length } = events
    process.kill(supervisor.pid() as number, 'SIGKILL')
    await until(() => events.length > length)
  }
  await client.ready()
  running = false
  await Promise.all(load)
  await client.close()
  await supervisor.stop()

  const rows = db
    .prepare('SELECT request_id FROM ledger')
    .all()
    .map((row) => String(row.request_id))
  const written = new Set(rows)
  assert.equal(written.size, rows.length, 'no request is charged twice')
  assert.ok(charged.size > CYCLES)
  assert.deepEqual(charged.difference(written).size, 0, 'an answer without its row')
  assert.deepEqual(written.difference(sent).size, 0, 'a row without its request')
  assert.equal((await verifyLedger(store)).bad, undefined)
  assert.equal(events.filter((line) => line.includes('process died')).length, CYCLES)
  db.close()
})

test('while it is down charges are unavailable at once; it comes back by itself', async () => {
  const { db, supervisor, connectClient } = await start({ acc_a: {} })
  const client = await connectClient()
  process.kill(supervisor.pid() as number, 'SIGKILL')
  let outcome: ChargeOutcome | undefined
  const refuses = async () => {
    outcome = await client.charge(makeCharge('acc_a'))
    return outcome.kind !== 'charged'
  }
  await until(refuses, 0)
  assert.deepEqual(outcome, { kind: 'unavailable', reason: UNAVAILABLE.down })
  await client.ready()
  assert.equal((await client.charge(makeCharge('acc_a'))).kind, 'charged')
  await client.close()
  await supervisor.stop()
  db.close()
})

test('signals of the terminal do not end it, and a stop writes what has arrived', async () => {
  const { db, store, supervisor, connectClient } = await start({ acc_a: {} })
  const pid = supervisor.pid() as number
  process.kill(pid, 'SIGINT')
  process.kill(pid, 'SIGTERM')
  const client = await connectClient()
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, () => client.charge(makeCharge('acc_a'))),
  )
  assert.ok(outcomes.every(({ kind }) => kind === 'charged'))
  assert.equal(supervisor.pid(), pid)
  client.noteUses([{ keyId: 'key_1', at: MAY }])
  await client.close()
  await supervisor.stop()
  assert.equal(supervisor.pid(), undefined)
  assert.equal(existsSync(dirname(supervisor.socketPath)), false)
  assert.equal((await verifyLedger(store)).rows, 50)
  db.close()
})

test('it ends when its primary is killed, and removes the socket', async () => {
  const path = join(folder, 'orphan.db')
  const supervisorUrl = JSON.stringify(import.meta.resolve('./supervise-ledger.ts'))
  const program = `import { superviseLedger } from ${supervisorUrl}
    const supervisor = superviseLedger(${JSON.stringify(path)}, { report: () => undefined })
    await supervisor.started
    console.log(JSON.stringify({ pid: supervisor.pid(), socketPath: supervisor.socketPath }))`
  const primary = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [text] = await once(primary.stdout, 'data')
  const { pid, socketPath } = JSON.parse(String(text)) as { pid: number; socketPath: string }
  primary.kill('SIGKILL')
  await once(primary, 'exit')
  await until(() => !isAlive(pid))
  assert.equal(existsSync(dirname(socketPath)), false)
})

test('a ledger broken at the start refuses charges, and the service gets the reason', async () => {
  const { db, path, supervisor, connectClient } = await start({ acc_a: {} })
  const client = await connectClient()
  await client.charge(makeCharge('acc_a'))
  await client.close()
  await supervisor.stop()
  db.exec('DROP TRIGGER ledger_stays_unchanged; UPDATE ledger SET cost = 0')
  const faults: string[] = []
  const again = superviseLedger(path, {
    report: () => undefined,
    onFault: (text) => faults.push(text),
  })
  await again.started
  const other = connectLedger(again.socketPath)
  await other.ready()
  const refusal = { kind: 'unavailable', reason: UNAVAILABLE.broken }
  assert.deepEqual(await other.charge(makeCharge('acc_a')), refusal)
  assert.equal(faults.length, 1)
  await other.close()
  await again.stop()
  db.close()
})

test('a database that cannot be opened is a sentence, not a stack', async () => {
  const path = join(folder, 'no-such-folder', 'accounts.db')
  await assert.rejects(
    superviseLedger(path, { report: () => undefined }).started,
    (error) => error instanceof CommandError && error.message.includes('cannot be opened'),
  )
})

test('a charge that gets no outcome in its time is given up', async () => {
  const path = join(folder, 'silent.sock')
  const server = createServer((socket) => socket.resume()).listen(path)
  await once(server, 'listening')
  const client = connectLedger(path, 60)
  await client.ready()
  const outcome = await client.charge(makeCharge('acc_a'))
  assert.deepEqual(outcome, { kind: 'unavailable', reason: UNAVAILABLE.late })
  await client.close()
  server.close()
})

test('the ledger process writes uses of keys, rehashed with the newest secret', async () => {
  const { db, supervisor, connectClient } = await start({ acc_a: {} })
  const admin = createAccountAdmin(openAccountDatabase(db))
  const row = { accountId: 'acc_a', label: null, prefix: 'pbk_1234', createdAt: MAY }
  await admin.createKey({ id: 'key_1', hash: Buffer.alloc(32, 1), secretId: 'old', ...row })
  const client = await connectClient()
  const rehash = { hash: Buffer.alloc(32, 2), secretId: 'new' }
  client.noteUses([{ keyId: 'key_1', at: MAY, rehash }])
  await client.close()
  await supervisor.stop()
  assert.equal((await admin.key('key_1'))?.lastUsedAt, MAY)
  const { hash } = db.prepare('SELECT hash FROM key').get() as { hash: Uint8Array }
  assert.deepEqual(Buffer.from(hash), rehash.hash)
  db.close()
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
