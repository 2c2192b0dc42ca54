/**
 * Kills processes of the running service at random moments under load.
 *
 * docs/accounts.md: answers delivered ≤ charges ≤ requests sent, over any crash.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { verifyLedger } from '../../src/ledger/verify.ts'
import { openDatabase } from '../../src/store/sqlite/connection.ts'
import { createLedgerStore } from '../../src/store/sqlite/ledger.ts'
import { makeCustomer, operate } from '../processes/operator.ts'
import { IS_LONG, repetitions } from '../repetitions.ts'
import { until } from '../until.ts'
import {
  endAll,
  type ProcessKind,
  type RunningService,
  startLoad,
  startRunning,
} from './running-service.ts'

const CYCLES = repetitions(3)
/** Shares of the tokens that are used when the ledger is killed. */
const CAP_KILLS = IS_LONG ? [0.2, 0.5, 0.8] : [0.5]
const CONNECTIONS = 12
const data = mkdtempSync(join(tmpdir(), 'platbook-crash-'))
/** All tests kill processes of this one. */
let service: RunningService
before(async () => {
  await operate(data, 'sample', '--parcels', '300')
  service = await startRunning({ data })
})
after(endAll)
after(() => rmSync(data, { recursive: true }))

/** The group takes longest to come back, so its turn comes less often. */
const TURNS = ['ledger', 'worker', 'group', 'ledger', 'ledger'] as const

test(`${CYCLES} kills of ledger, workers and group: answers ≤ charges ≤ requests`, async () => {
  const { account, key } = await makeCustomer(data)
  const load = startLoad(() => service.address, key, CONNECTIONS)
  const killed = new Set<number>()
  /**
   * One that was not killed before: answers already on their way can arrive before its successor is
   * there.
   */
  async function killOne(kind: ProcessKind, turn: number): Promise<void> {
    let pids: number[] = []
    await until(() => {
      pids = service.pids(kind).filter((pid) => !killed.has(pid))
      return pids.length > 0
    })
    const pid = pids[turn % pids.length] as number
    killed.add(pid)
    process.kill(pid, 'SIGKILL')
  }

  for (let cycle = 0; cycle < CYCLES; cycle += 1) {
    await until(() => load.answered.size > 0 && service.pids('ledger').length === 1)
    const before = load.answered.size
    await until(() => load.answered.size > before + 5)
    await pause(Math.random() * 60)
    const victim = TURNS[cycle % TURNS.length]
    if (victim === 'group') {
      await service.killAll()
      service = await startRunning({ data })
    } else {
      await killOne(victim as ProcessKind, cycle)
    }
  }
  const last = load.answered.size
  await until(() => load.answered.size > last + 5)
  await load.stop()

  const { rows, unique, missing, bad } = await audit(account, load.answered)
  assert.equal(missing, 0, 'an answer without its charge')
  assert.equal(unique, rows, 'a request charged twice')
  assert.ok(rows <= load.sent, `${rows} charges for ${load.sent} requests`)
  assert.equal(bad, undefined, 'the chain is whole')
  const odd = [...load.statuses.keys()].filter((status) => !/^(200|503|lost)$/.test(status))
  assert.deepEqual(odd, [], 'nothing but answers, 503 and lost connections')
})

test('a cap that is reached while processes are killed is exact', async () => {
  const tokens = IS_LONG ? 400 : 150
  const { account, key } = await makeCustomer(data, `includedTokens=${tokens}`)
  const load = startLoad(() => service.address, key, CONNECTIONS)
  for (const share of CAP_KILLS) {
    await until(() => load.answered.size > tokens * share || (load.statuses.get('403') ?? 0) > 0)
    process.kill(service.pids('ledger')[0] as number, 'SIGKILL')
    await until(() => service.pids('ledger').length === 1)
  }
  await until(() => (load.statuses.get('403') ?? 0) >= CONNECTIONS)
  await load.stop()
  const { rows, missing, bad } = await audit(account, load.answered)
  assert.equal(rows, tokens)
  assert.ok(load.answered.size <= tokens)
  assert.equal(missing, 0)
  assert.equal(bad, undefined)
})

test('100 repeats with one Idempotency-Key charge once while the ledger is killed', async () => {
  const { account, key } = await makeCustomer(data)
  const url = `${service.address}/public/premium/owner/?state=TX&lastName=SMITH&limit=1`
  const headers = { authorization: key, 'idempotency-key': '' }
  const askOnce = async (): Promise<number> => {
    try {
      const response = await fetch(url, { headers })
      await response.arrayBuffer()
      return response.status
    } catch {
      return 0
    }
  }
  const rounds = IS_LONG ? 16 : 3
  let lost = 0
  for (let round = 1; round <= rounds; round += 1) {
    headers['idempotency-key'] = `round-${round}`
    await until(() => service.pids('ledger').length === 1)
    const [ledger] = service.pids('ledger')
    const asked = Array.from({ length: 100 }, askOnce)
    // Some rounds before the first charge, others between charge and answer or after it.
    await pause(((round - 1) % 8) * 6)
    process.kill(ledger as number, 'SIGKILL')
    const statuses = await Promise.all(asked)
    assert.deepEqual(
      statuses.filter((status) => ![0, 200, 503].includes(status)),
      [],
    )
    lost += statuses.filter((status) => status !== 200).length
    await until(async () => (await askOnce()) === 200)
    const { rows } = await audit(account, new Set())
    assert.equal(rows, round, `round ${round}: ${statuses.join(' ')}`)
  }
  assert.ok(lost > 0, 'no kill came between')
  assert.equal(await service.stop(), 0)
  assert.equal((await audit(account, new Set())).bad, undefined)
})

async function audit(account: string, answered: Set<string>) {
  const db = openDatabase(join(data, 'accounts.db'), {
    kind: 'accounts',
    synchronous: 'FULL',
  })
  const ids = db.prepare('SELECT request_id FROM ledger WHERE account_id = ?').all(account)
  const written = new Set(ids.map((row) => String(row.request_id)))
  const { bad } = await verifyLedger(createLedgerStore(db))
  db.close()
  return {
    rows: ids.length,
    unique: written.size,
    missing: answered.difference(written).size,
    bad,
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
