/**
 * The service as it really runs, two workers and a ledger process: docs/operations.md,
 * docs/ledger.md.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { makeRoll, times } from '../contract/rolls.ts'
import { endAll, ROOT, startRunning } from '../ledger/running-service.ts'
import { until } from '../until.ts'
import { ask, askBothWorkers, isRefused, type Reply, workerOf } from './ask.ts'
import { makeCustomer, operate } from './operator.ts'

const data = mkdtempSync(join(tmpdir(), 'platbook-serving-'))
after(async () => {
  await endAll()
  rmSync(data, { recursive: true, force: true })
})

const NAME = 'ZWETSCHKENBAUM'
const roll = join(data, 'roll.csv')
writeFileSync(
  roll,
  makeRoll(times(20, (number) => ({ address: `${number} MAIN ST`, ownerName1: `${NAME}, MARA` }))),
)
await operate(data, 'import', roll, '--mapping', 'platbook')
const customer = await makeCustomer(data)
const service = await startRunning({ data, workers: 2 })
const OWNER = `/public/premium/owner/?state=WI&lastName=${NAME}`
const SEARCH = '/public/property/search/?state=WI'

/** Statuses of both workers for a key. */
async function statuses(key: string, path = SEARCH): Promise<number[]> {
  return (await askBothWorkers(service.address, path, key)).map(({ status }) => status)
}

test('both workers answer at the one port that was printed', async () => {
  assert.match(service.address, /^http:\/\/127\.0\.0\.1:\d+$/)
  assert.equal(service.pids('worker').length, 2)
  assert.equal(service.pids('ledger').length, 1)
  assert.deepEqual(await statuses(customer.key), [200, 200])
})

test('/healthz answers 200 without a key, in both workers', async () => {
  for (const { status, body } of await askBothWorkers(service.address, '/healthz')) {
    assert.deepEqual([status, body], [200, { status: 'ok' }])
  }
})

test('/metrics adds up what both workers answered', async () => {
  const count = async () => {
    const text = await (await fetch(`${service.address}/metrics`)).text()
    const line = /^platbook_requests_total\{operation="parcelIdLookup",status="404"\} (\d+)$/m
    return Number(line.exec(text)?.[1] ?? 0)
  }
  const { headers } = await fetch(`${service.address}/metrics`)
  assert.match(headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
  assert.ok(headers.get('x-request-id'))
  assert.equal(await count(), 0)
  const path = '/public/property/parcelId/?state=WI&county=Dane&parcelId=none'
  assert.deepEqual(await statuses(customer.key, path), [404, 404])
  await until(async () => (await count()) >= 2)
})

test('two workers share a cap exactly: N tokens, 3N requests at once, N answers', async () => {
  const tokens = 30
  const { account, key } = await makeCustomer(data, `includedTokens=${tokens}`)
  const replies = await Promise.all(
    Array.from({ length: tokens * 3 }, () => ask(service.address, OWNER, key)),
  )
  const answered = replies.filter(({ status }) => status === 200)
  assert.equal(answered.length, tokens)
  const refused = replies.filter(({ status }) => status !== 200)
  assert.ok(refused.every(({ body }) => body.code === 'overage_limit_exceeded'))
  assert.equal(new Set(replies.map(workerOf)).size, 2, 'both workers took part')
  const shown = await operate(data, 'ledger', 'show', account)
  assert.equal(shown.used, tokens)
  const charged = shown.entries.map((entry: { requestId: string }) => entry.requestId)
  assert.deepEqual(charged.sort(), answered.map(({ requestId }) => requestId).sort())
})

test('changes of accounts and keys take effect in both workers', async () => {
  const suspended = await makeCustomer(data)
  const flat = await makeCustomer(data)
  const revoked = await makeCustomer(data)
  const rotated = await makeCustomer(data)
  const old = [suspended, flat, revoked, rotated].map(({ key }) => key)
  for (const key of old) assert.deepEqual(await statuses(key), [200, 200])

  await operate(data, 'account', 'set', suspended.account, 'suspended=true')
  await operate(data, 'account', 'set', flat.account, 'responseShape=flat')
  await operate(data, 'key', 'revoke', revoked.keyId)
  const fresh = (await operate(data, 'key', 'rotate', rotated.keyId, '--overlap', '0')).key
  assert.deepEqual(await statuses(fresh), [200, 200], 'a new key works at once')

  // docs/accounts.md: within a second, or later where the machine is busy.
  await wait(1000)
  await until(async () => (await statuses(suspended.key)).every((status) => status === 403))
  for (const { key } of [revoked, rotated])
    await until(async () => (await statuses(key)).every((status) => status === 401))
  await until(async () =>
    (await askBothWorkers(service.address, SEARCH, flat.key)).every(
      ({ body }) => '_id' in body.properties[0],
    ),
  )
  const blocked = await askBothWorkers(service.address, SEARCH, suspended.key)
  assert.deepEqual(
    blocked.map(({ status, body }) => [status, body.code]),
    Array(2).fill([403, 'access_denied']),
  )
  await operate(data, 'account', 'set', suspended.account, 'suspended=false')
  await until(async () => (await statuses(suspended.key)).every((status) => status === 200))
})

test('a rotated key stays valid for the time of the overlap', async () => {
  const { key, keyId } = await makeCustomer(data)
  const fresh = (await operate(data, 'key', 'rotate', keyId, '--overlap', '1h')).key
  await wait(1000)
  assert.deepEqual(await statuses(key), [200, 200])
  assert.deepEqual(await statuses(fresh), [200, 200])
})

test('a roll imported while serving is answered by both workers without a restart', async () => {
  const query = '/public/property/parcelId/?state=IL&county=Cook&parcelId=NEW-1'
  assert.deepEqual(await statuses(customer.key, query), [404, 404])
  writeFileSync(roll, makeRoll([{ state: 'IL', county: 'Cook', parcelId: 'NEW-1' }]))
  await operate(data, 'import', roll, '--mapping', 'platbook')
  assert.deepEqual(await statuses(customer.key, query), [200, 200])
})

test('a port in use is a sentence and exit code 1', () => {
  const other = mkdtempSync(join(tmpdir(), 'platbook-port-'))
  try {
    const port = new URL(service.address).port
    const words = ['serve', '--no-console', '--port', port, '--workers', '2', '--data', other]
    const run = spawnSync(process.execPath, [join(ROOT, 'src/cli/main.ts'), ...words], {
      encoding: 'utf8',
      timeout: 60_000,
    })
    assert.equal(run.status, 1)
    assert.equal(run.stdout, '')
    assert.match(run.stderr, new RegExp(`^platbook: port ${port} .*in use.*\n$`))
  } finally {
    rmSync(other, { recursive: true, force: true })
  }
})

test('/metrics has version, disk, ledger, backup, syncs and the age of each roll', async () => {
  const text = await (await fetch(`${service.address}/metrics`)).text()
  const readValue = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
  assert.match(text, /^platbook_build_info\{version="[^"]+"\} 1$/m)
  assert.ok(readValue('platbook_data_free_bytes') > 0)
  assert.equal(readValue('platbook_ledger_up'), 1)
  assert.equal(readValue('platbook_ledger_faults_total'), 0)
  assert.equal(readValue('platbook_backup_timestamp_seconds'), 0)
  assert.equal(readValue('platbook_sync_failed_sources'), 0)
  const rolls = /^platbook_roll_loaded_timestamp_seconds\{.*state="WI".*\} (\d+)$/m
  const loadedAt = Number(rolls.exec(text)?.[1])
  assert.ok(loadedAt > 1_700_000_000 && loadedAt <= Date.now() / 1000)
})

test('the log and the metrics contain no query and no key', async () => {
  await ask(service.address, OWNER, customer.key)
  const metrics = await (await fetch(`${service.address}/metrics`)).text()
  const logged = service.log() + metrics
  assert.doesNotMatch(logged, new RegExp(NAME, 'i'))
  assert.doesNotMatch(logged, /pbk_/)
})

test('an address without a valid key has one allowance over both workers', async () => {
  const asked = Array.from({ length: 160 }, () => ask(service.address, SEARCH, 'pbk_wrong'))
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  assert.ok(statuses.includes(429), 'each worker let a hundred through by itself')
  // The burst, plus the allowance of twenty a second during 160 requests.
  assert.ok(statuses.filter((status) => status === 401).length >= 100)
  assert.equal((await ask(service.address, SEARCH, customer.key)).status, 200)
})

test('SIGTERM finishes requests in progress, refuses later ones, and exits with 0', async () => {
  const [ledger] = service.pids('ledger')
  assert.ok(ledger !== undefined)
  // While the ledger process is stopped no owner search can be answered: all of them are in
  // progress.
  process.kill(ledger, 'SIGSTOP')
  const flying: Promise<Reply>[] = []
  for (let count = 0; count < 10; count += 1) {
    flying.push(ask(service.address, OWNER, customer.key))
  }
  // When both workers have answered a later request, they have read the earlier ones.
  await askBothWorkers(service.address, SEARCH, customer.key)
  await askBothWorkers(service.address, SEARCH, customer.key)
  const stopped = service.stop()
  await until(() => isRefused(service.address))
  process.kill(ledger, 'SIGCONT')
  const replies = await Promise.all(flying)
  assert.deepEqual(
    replies.map(({ status }) => status),
    Array(10).fill(200),
  )
  assert.equal(await stopped, 0)
  assert.deepEqual([service.pids('worker'), service.pids('ledger')], [[], []])
  assert.equal((await operate(data, 'ledger', 'verify')).ok, true)
})

// One service at a time runs on a data folder, and the test above has stopped the first.
test('after SIGTERM /healthz is 503 first, while requests are still answered', async () => {
  const draining = await startRunning({ data, workers: 1, env: { PLATBOOK_DRAIN_MS: '1500' } })
  assert.equal((await ask(draining.address, '/healthz')).status, 200)
  const stopped = draining.stop()
  await until(async () => (await ask(draining.address, '/healthz')).status === 503)
  const { body } = await ask(draining.address, '/healthz')
  assert.deepEqual(body, { status: 'stopping' })
  assert.equal((await ask(draining.address, SEARCH, customer.key)).status, 200)
  assert.equal(await stopped, 0)
})
