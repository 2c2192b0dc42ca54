/** Notices of the running service: with an unreachable receiver, and over a restart. */
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Notice } from '../../src/notify/notice.ts'
import { endAll, startRunning } from '../ledger/running-service.ts'
import { makeCustomer, operate } from '../processes/operator.ts'
import { until } from '../until.ts'
import { startReceiver, type Taken, type TestReceiver } from './receiver.ts'

const SEARCH = '/public/property/owner/?state=WI&lastName=Testerman'
const data = mkdtempSync(join(tmpdir(), 'platbook-notices-'))
let receiver: TestReceiver | undefined

after(async () => {
  await endAll()
  await receiver?.close()
  rmSync(data, { recursive: true, force: true })
})

test('a reached cap is notified when the receiver is back, even after a restart', async () => {
  const { account, key } = await makeCustomer(data)
  await operate(data, 'account', 'set', account, 'includedTokens=2', 'overageCap=0')
  const roll = join(data, 'roll.csv')
  const row = 'WI,Dane,99-1,"TESTERMAN, IRIS",12 SAMPLE ST,MADISON'
  writeFileSync(roll, `state,county,parcelId,ownerName1,address,city\n${row}\n`)
  await operate(data, 'import', roll, '--mapping', 'platbook')
  const first = await startReceiver()
  const port = Number(new URL(first.url).port)
  await first.close()
  const env = {
    PLATBOOK_NOTIFY_URL: `http://127.0.0.1:${port}/hook`,
    PLATBOOK_NOTIFY_SECRET: 'an invented secret of many letters',
  }
  const before = await startRunning({ data, workers: 1 })
  const statuses: number[] = []
  for (let time = 0; time < 3; time += 1) {
    const url = `${before.address}${SEARCH}`
    statuses.push((await fetch(url, { headers: { authorization: key } })).status)
  }
  assert.deepEqual(statuses, [200, 200, 403])
  assert.equal(await before.stop(), 0)

  const away = await startRunning({ data, workers: 1, env })
  await until(() => listWaiting().length === 1)
  // No request waits for an unreachable receiver.
  assert.equal((await fetch(`${away.address}/healthz`)).status, 200)
  await away.killAll()
  assert.equal(listWaiting().length, 1)

  receiver = await startReceiver(port)
  const again = await startRunning({ data, workers: 1, env })
  await until(() => (receiver?.taken.length ?? 0) > 0)
  await until(() => listWaiting().length === 0)
  const { kind, data: notified } = (receiver.taken[0] as Taken).notice as Notice<'cap'>
  assert.deepEqual(
    [kind, notified.account, notified.percent, notified.used],
    ['cap', account, 100, 2],
  )
  assert.equal(await again.stop(), 0)
})

test('an address without a secret is wrong use', async () => {
  const env = { PLATBOOK_NOTIFY_URL: 'http://127.0.0.1:1/hook' }
  await assert.rejects(startRunning({ data, workers: 1, env }), /PLATBOOK_NOTIFY_SECRET/)
})

function listWaiting(): string[] {
  try {
    return readdirSync(join(data, 'notices')).filter((name) => /^ntc_.+\.json$/.test(name))
  } catch {
    return []
  }
}
