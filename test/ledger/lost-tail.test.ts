/**
 * Real crashes that lose the end of accounts.db: kill -9 of the whole service, then its write-ahead
 * file is deleted or damaged.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ledgerAccept, ledgerVerify } from '../../src/cli/commands/accounts/ledger.ts'
import { runCommand } from '../command.ts'
import { makeCustomer, operate } from '../processes/operator.ts'
import { until } from '../until.ts'
import { QUERY } from './promises.ts'
import { endAll, startRunning } from './running-service.ts'

after(endAll)
const URL_PATH = `/public/premium/owner/?${QUERY}`
/** Longer than heads wait to be noted. */
const NOTED_MS = 700

type Anchor = { place: string; hasNoted(row: number): boolean }

/** The files of a service that was killed after ten charged searches, and what they noted. */
type Crash = { folder: string; customer: Awaited<ReturnType<typeof makeCustomer>> }

let crashed: Promise<Crash> | undefined
after(async () => {
  if (crashed !== undefined) rmSync((await crashed).folder, { recursive: true })
})

/** A copy of the files of one killed service; `damage` is applied to its write-ahead file. */
async function copyCrash(t: TestContext, damage: (wal: string) => void) {
  crashed ??= crash()
  const { folder: original, customer } = await crashed
  const folder = mkdtempSync(join(tmpdir(), 'platbook-tail-'))
  t.after(() => rmSync(folder, { recursive: true }))
  cpSync(original, folder, { recursive: true })
  const data = join(folder, 'data')
  damage(join(data, 'accounts.db-wal'))
  return { data, env: { PLATBOOK_ANCHOR_URL: join(folder, 'elsewhere.heads') }, customer }
}

async function crash(anchor?: Anchor): Promise<Crash> {
  const folder = mkdtempSync(join(tmpdir(), 'platbook-tail-'))
  const data = join(folder, 'data')
  const env = { PLATBOOK_ANCHOR_URL: anchor?.place ?? join(folder, 'elsewhere.heads') }
  await operate(data, 'sample', '--parcels', '300')
  const customer = await makeCustomer(data)
  const service = await startRunning({ data, workers: 1, env })
  for (let n = 0; n < 10; n += 1) {
    const response = await fetch(`${service.address}${URL_PATH}`, {
      headers: { authorization: customer.key },
    })
    assert.equal(response.status, 200)
  }
  await sleep(NOTED_MS)
  await until(() => anchor === undefined || anchor.hasNoted(10))
  await service.killAll()
  assert.ok(existsSync(join(data, 'accounts.db-wal')))
  return { folder, customer }
}

const damages: [string, (wal: string) => void][] = [
  ['deleted', (wal) => rmSync(wal)],
  ['cut short', (wal) => truncateSync(wal, 32)],
  [
    'damaged from its first page on',
    (wal) => {
      const bytes = readFileSync(wal)
      bytes.fill(0x5a, 64)
      writeFileSync(wal, bytes)
    },
  ],
  [
    'damaged in its last third',
    (wal) => {
      const bytes = readFileSync(wal)
      bytes.fill(0x5a, Math.ceil((bytes.length * 2) / 3))
      writeFileSync(wal, bytes)
    },
  ],
]

for (const [how, damage] of damages) {
  test(`a write-ahead file ${how} after a kill is reported, and charges stop`, async (t) => {
    const { data, env, customer } = await copyCrash(t, damage)
    const verdict = await runCommand(ledgerVerify, ['--json'], { data, env })
    assert.equal(verdict.code, 1)
    const { problem } = verdict.json().bad as { problem: string }
    assert.match(problem, /accounts\.heads noted row 10 of the ledger/)

    const headers = { authorization: customer.key }
    // The service opens the ledger in the same way each time, and starts take long.
    const isServed = how === 'deleted'
    if (isServed) {
      const service = await startRunning({ data, workers: 1, env })
      assert.equal((await fetch(`${service.address}${URL_PATH}`, { headers })).status, 503)
      assert.match(service.log(), /rows of the ledger are missing/)
      await service.stop()
    }
    // Serving on did not wipe the evidence, in either place.
    assert.equal((await runCommand(ledgerVerify, [], { data, env })).code, 1)
    rmSync(join(data, 'accounts.heads'))
    const other = await runCommand(ledgerVerify, ['--json'], { data, env })
    assert.match((other.json().bad as { problem: string }).problem, /elsewhere\.heads noted row 10/)

    const accepted = await runCommand(ledgerAccept, ['--reason', 'a test', '--json'], { data, env })
    assert.equal((accepted.json().accepted as string[]).length, 1)
    assert.equal((await runCommand(ledgerVerify, [], { data, env })).code, 0)
    if (!isServed) return
    const again = await startRunning({ data, workers: 1, env })
    assert.equal((await fetch(`${again.address}${URL_PATH}`, { headers })).status, 200)
    await again.stop()
  })
}

test('a removed or emptied accounts.db is not created again', async (t) => {
  const { data, customer } = await copyCrash(t, () => undefined)
  for (const name of ['accounts.db-wal', 'accounts.db-shm'])
    rmSync(join(data, name), { force: true })
  for (const empty of [
    () => rmSync(join(data, 'accounts.db')),
    () => writeFileSync(join(data, 'accounts.db'), ''),
  ]) {
    empty()
    await assert.rejects(startRunning({ data, workers: 1 }), /accounts\.db/)
    await assert.rejects(operate(data, 'key', 'create', customer.account), /accounts\.heads says/)
  }
})

test('an address for PUT and GET keeps chain heads when the data folder lost them', async (t) => {
  const kept = new Map<string, string>()
  const anchor = createServer(async (request, response) => {
    const path = request.url ?? ''
    if (request.method === 'PUT') kept.set(path, await text(request))
    const found = kept.get(path)
    response.writeHead(found === undefined ? 404 : 200).end(found)
  })
  t.after(() => anchor.close())
  anchor.listen(0, '127.0.0.1')
  await once(anchor, 'listening')
  const { port } = anchor.address() as AddressInfo
  const place = `http://127.0.0.1:${port}/heads?token=secret-token`
  const hasNoted = (row: number) =>
    JSON.parse(kept.get('/heads?token=secret-token') ?? '{}').ledger?.id === row
  const { folder } = await crash({ place, hasNoted })
  t.after(() => rmSync(folder, { recursive: true }))
  const data = join(folder, 'data')
  const env = { PLATBOOK_ANCHOR_URL: place }
  rmSync(join(data, 'accounts.db-wal'))
  rmSync(join(data, 'accounts.heads'))
  const verdict = await runCommand(ledgerVerify, ['--json'], { data, env })
  assert.equal(verdict.code, 1)
  const { problem } = verdict.json().bad as { problem: string }
  assert.match(problem, /PLATBOOK_ANCHOR_URL noted row 10 of the ledger/)
  assert.ok(!problem.includes('secret-token'))
})

test('a service whose anchor does not answer continues, with a log line', async (t) => {
  const { data, customer } = await copyCrash(t, () => undefined)
  const env = { PLATBOOK_ANCHOR_URL: ' HTTP://127.0.0.1:9/heads?token=secret-token' }
  const service = await startRunning({ data, workers: 1, env })
  const headers = { authorization: customer.key }
  assert.equal((await fetch(`${service.address}${URL_PATH}`, { headers })).status, 200)
  await until(() => service.log().includes('newest hashes to PLATBOOK_ANCHOR_URL'))
  await service.stop()
  assert.ok(!service.log().includes('secret-token'))
  await assert.rejects(
    runCommand(ledgerVerify, [], { data, env }),
    /PLATBOOK_ANCHOR_URL cannot be read: (?!.*secret-token)/,
  )
})
