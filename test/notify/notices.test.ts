/** Notices to the operator's URL: their events, and a receiver that is absent, slow or faulty. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { DEFAULT_FACTS } from '../../src/accounts/account-facts.ts'
import type { AccountFacts } from '../../src/base/model/account.ts'
import { syncCommand } from '../../src/cli/commands/rolls/sync.ts'
import { saveSources } from '../../src/import/sources/catalogue.ts'
import { deliverNotices, waitAfter } from '../../src/notify/deliver.ts'
import { addNotice, listNotices, makeNotice, type Notice } from '../../src/notify/notice.ts'
import { type Watched, watchOnce } from '../../src/notify/watch.ts'
import { readConfig } from '../../src/settings/read-config.ts'
import { openAccounts } from '../../src/store/open.ts'
import { runCommand } from '../command.ts'
import { makeFolder } from '../import/small-roll.ts'
import { startReceiver, type TestReceiver } from './receiver.ts'

const NOW = Date.UTC(2026, 4, 10, 12)
const DAY = 86_400_000
const SECRET = 'an invented secret of many letters'

async function world(t: TestContext) {
  const dataDir = makeFolder(t)
  const receiver = await startReceiver()
  t.after(() => receiver.close())
  const alarms: string[] = []
  const send = (more: { url?: string; timeoutMs?: number; now?: number } = {}) =>
    deliverNotices({
      dataDir,
      url: more.url ?? receiver.url,
      secret: SECRET,
      now: () => more.now ?? NOW,
      timeoutMs: more.timeoutMs ?? 20_000,
      alarm: (text) => alarms.push(text),
    })
  const add = (key: string, at = NOW) =>
    addNotice(dataDir, makeNotice('sync_failed', key, { source: key, error: 'broken' }, at))
  return { dataDir, receiver, alarms, send, add }
}

const sources = ({ taken }: TestReceiver) =>
  taken.map(({ notice }) => (notice as Notice<'sync_failed'>).data.source)

test('a notice is sent once, signed, and then forgotten', async (t) => {
  const { dataDir, receiver, send, add } = await world(t)
  add('a')
  assert.equal(await send(), true)
  assert.equal(await send(), true)
  assert.equal(receiver.taken.length, 1)
  const [{ body = '', signature = '', notice } = {}] = receiver.taken
  const [, seconds, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? []
  assert.equal(Number(seconds), NOW / 1000)
  assert.equal(mac, createHmac('sha256', SECRET).update(`${seconds}.${body}`).digest('hex'))
  assert.deepEqual(notice?.data, { source: 'a', error: 'broken' })
  assert.deepEqual(listNotices(dataDir), [])
})

test('notices wait in order while the receiver is down; repeated ones wait once', async (t) => {
  const { dataDir, receiver, send, add } = await world(t)
  add('b', NOW + 1)
  add('a', NOW)
  add('a', NOW)
  assert.equal(await send({ url: 'http://127.0.0.1:1/hook' }), false)
  assert.equal(listNotices(dataDir).length, 2)
  assert.equal(await send(), true)
  assert.deepEqual(sources(receiver), ['a', 'b'])
})

test('a receiver that answers 500 gets the same notice again; later ones wait', async (t) => {
  const { receiver, send, add } = await world(t)
  add('a', NOW)
  add('b', NOW + 1)
  receiver.answer = () => 500
  assert.equal(await send(), false)
  assert.deepEqual(sources(receiver), ['a'])
  receiver.answer = () => 204
  assert.equal(await send(), true)
  assert.deepEqual(sources(receiver), ['a', 'a', 'b'])
  const [first, again] = receiver.taken
  assert.equal(first?.notice.id, again?.notice.id)
})

test('a receiver that does not answer in time has failed; a redirect has too', async (t) => {
  const { dataDir, receiver, send, add } = await world(t)
  add('a')
  receiver.answer = () => null
  assert.equal(await send({ timeoutMs: 50 }), false)
  receiver.answer = () => 302
  assert.equal(await send(), false)
  assert.equal(listNotices(dataDir).length, 1)
})

test('a refused notice does not delay others and is dropped after 7 days', async (t) => {
  const { dataDir, receiver, alarms, send, add } = await world(t)
  add('a', NOW)
  add('b', NOW + 1)
  receiver.answer = ({ data }) => ('source' in data && data.source === 'a' ? 422 : 200)
  assert.equal(await send(), false)
  assert.deepEqual(sources(receiver), ['a', 'b'])
  assert.equal(listNotices(dataDir).length, 1)
  await send({ now: NOW + 7 * DAY + 1 })
  assert.deepEqual(listNotices(dataDir), [])
  assert.match(alarms[0] ?? '', /sync_failed.*dropped after 7 days.*422/)
})

test('tries are 1 s apart at first and 5 minutes at most', () => {
  assert.deepEqual([1, 2, 3, 10, 1000].map(waitAfter), [1000, 2000, 4000, 300_000, 300_000])
})

/** A store in which these things are true. */
function storeOf(given: {
  used?: number
  facts?: Partial<AccountFacts>
  events?: { id: string; type: string; created: number }[]
  until?: string
}): Watched {
  const facts = { ...DEFAULT_FACTS, includedTokens: 80, overageCap: 20, ...given.facts }
  const use = { period: '2026-05-01', used: given.used ?? 0 }
  return {
    admin: {
      accounts: async () => [{ id: 'acc_a', name: 'A', facts }],
      suppressions: async () =>
        given.until === undefined ? [] : [{ id: 'sup_a', until: given.until, endedAt: null }],
    },
    ledger: { heads: async () => new Map([['acc_a', use]]) },
    billing: {
      events: async () => (given.events ?? []).map((event) => ({ ...event, customer: 'cus_a' })),
      linkOfCustomer: async () => ({ accountId: 'acc_a' }),
    },
  } as unknown as Watched
}

test('a cap is notified at 80 % and 100 %, once each, and again in the next period', async (t) => {
  const { dataDir } = await world(t)
  const at = async (used: number, facts: Partial<AccountFacts> = {}) => {
    await watchOnce(dataDir, storeOf({ used, facts }), NOW)
    return (listNotices(dataDir) as Notice<'cap'>[]).map(({ data }) => data.percent).sort()
  }
  assert.deepEqual(await at(79), [])
  assert.deepEqual(await at(80), [80])
  assert.deepEqual(await at(99), [80])
  assert.deepEqual(await at(100), [100, 80])
  assert.deepEqual(await at(101), [100, 80])
  assert.deepEqual(await at(101, { includedTokens: 'unlimited' }), [100, 80])
  const [{ data } = {}] = listNotices(dataDir) as Notice<'cap'>[]
  assert.deepEqual(data && [data.account, data.period, data.limit], ['acc_a', '2026-05-01', 100])
})

test('refused payments are notified once, and those before the first poll never', async (t) => {
  const { dataDir } = await world(t)
  const failed = (id: string, created: number) => ({ id, type: 'invoice.payment_failed', created })
  const paid = { id: 'evt_c', type: 'invoice.paid', created: NOW + 2 }
  await watchOnce(dataDir, storeOf({ events: [failed('evt_a', NOW - DAY)] }), NOW)
  const events = [failed('evt_a', NOW - DAY), failed('evt_b', NOW + 1), paid]
  for (let time = 0; time < 2; time += 1) {
    await watchOnce(dataDir, storeOf({ events }), NOW + DAY)
  }
  const notices = listNotices(dataDir) as Notice<'payment_refused'>[]
  assert.deepEqual(
    notices.map(({ kind, data }) => [kind, data]),
    [['payment_refused', { account: 'acc_a', event: 'evt_b', type: 'invoice.payment_failed' }]],
  )
})

test('a suppression is notified when its review date has passed', async (t) => {
  const { dataDir } = await world(t)
  await watchOnce(dataDir, storeOf({ until: '2026-05-10' }), NOW)
  assert.deepEqual(listNotices(dataDir), [])
  for (const days of [1, 2]) {
    await watchOnce(dataDir, storeOf({ until: '2026-05-10' }), NOW + days * DAY)
  }
  assert.deepEqual(
    listNotices(dataDir).map(({ data }) => data),
    [{ suppression: 'sup_a', until: '2026-05-10' }],
  )
})

test('a look at a real store finds nothing in it and keeps nothing but its own time', async (t) => {
  const { dataDir } = await world(t)
  const accounts = await openAccounts(readConfig({ PLATBOOK_DATA: dataDir }))
  t.after(() => accounts.close())
  await watchOnce(dataDir, accounts, NOW)
  assert.deepEqual(readdirSync(join(dataDir, 'notices')), ['seen.json'])
})

test('a sync sends a notice of failures, and keeps it while no receiver answers', async (t) => {
  const { dataDir, receiver } = await world(t)
  const url = 'http://127.0.0.1:1/none.csv'
  saveSources(dataDir, [{ id: 'tx-a', state: 'TX', url, mapping: 'platbook', tried: false }])
  const env = { PLATBOOK_NOTIFY_SECRET: SECRET, PLATBOOK_NOTIFY_URL: 'http://127.0.0.1:1/hook' }
  assert.equal((await runCommand(syncCommand, ['--all'], { data: dataDir, now: NOW, env })).code, 1)
  assert.equal(listNotices(dataDir).length, 1)
  const heard = { ...env, PLATBOOK_NOTIFY_URL: receiver.url }
  await runCommand(syncCommand, ['--all'], { data: dataDir, now: NOW + DAY, env: heard })
  assert.deepEqual(sources(receiver), ['tx-a', 'tx-a'])
  assert.deepEqual(listNotices(dataDir), [])
})
