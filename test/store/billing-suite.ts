/** What every store of billing must do, as one suite: links, facts, events and lines of overage. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DEFAULT_FACTS } from '../../src/accounts/account-facts.ts'
import { openLedgerWriter } from '../../src/ledger/writer.ts'
import type { OpenAccounts } from '../../src/store/accounts/opened.ts'
import type { BillingEvent, OverageLine } from '../../src/store/billing-store.ts'
import { changesIn } from '../../src/store/operator-log.ts'

const AT = Date.UTC(2026, 4, 10)

/** Registers the suite for a store that holds no accounts yet. */
export function testBilling(name: string, open: () => Promise<OpenAccounts>): void {
  let accounts: OpenAccounts | undefined
  const store = () => {
    assert.ok(accounts)
    return accounts
  }
  before(async () => {
    accounts = await open()
    for (const id of ['acc_a', 'acc_b']) {
      await accounts.admin.createAccount({ id, name: id, facts: DEFAULT_FACTS, createdAt: AT })
    }
  })
  after(() => accounts?.close())

  test(`${name}: an account has one customer, and a customer one account`, async () => {
    const { billing } = store()
    await billing.link('acc_a', 'cus_old', AT)
    await billing.link('acc_a', 'cus_a', AT + 1)
    await billing.link('acc_b', 'cus_b', AT + 2)
    await assert.rejects(billing.link('acc_b', 'cus_a', AT + 3))
    assert.equal((await billing.linkOfCustomer('cus_a'))?.accountId, 'acc_a')
    assert.equal(await billing.linkOfCustomer('cus_old'), undefined)
    const links = await billing.links()
    assert.deepEqual(
      links.map(({ accountId, customer }) => [accountId, customer]),
      [
        ['acc_a', 'cus_a'],
        ['acc_b', 'cus_b'],
      ],
    )
  })

  test(`${name}: accounts are found by part of their name or id, page by page`, async () => {
    const { admin } = store()
    const names = ['Plat Shop', 'shop_100%', 'Orchard', 'SHOPS']
    for (const [at, own] of names.entries()) {
      const id = `acc_found_${at}`
      await admin.createAccount({ id, name: own, facts: DEFAULT_FACTS, createdAt: AT + 10 + at })
    }
    const find = async (text: string, skip = 0, limit = 10) => {
      const { accounts: found, total } = await admin.findAccounts(text, skip, limit)
      return [found.map((one) => one.name), total]
    }
    assert.deepEqual(await find('shop'), [['Plat Shop', 'shop_100%', 'SHOPS'], 3])
    assert.deepEqual(await find('SHOP', 1, 1), [['shop_100%'], 3])
    assert.deepEqual(await find('acc_found_2'), [['Orchard'], 1])
    assert.deepEqual(await find('p_1'), [['shop_100%'], 1])
    assert.deepEqual(await find('0%'), [['shop_100%'], 1])
    assert.deepEqual(await find('%'), [['shop_100%'], 1])
    assert.deepEqual(await find('\\'), [[], 0])
    const [all, total] = await find('')
    assert.equal((all as string[]).length, total)
    assert.deepEqual(await find('shop', 5), [[], 3])
  })

  test(`${name}: what an operator did is in the log, in order and unchanged`, async () => {
    const { admin, ledger } = store()
    const before = (await ledger.operatorEntriesAfter(0, 1000)).length
    await admin.noteAction('mara', '{"action":"price","subject":"tile"}')
    await admin.noteAction('command line', '{"action":"key"}')
    const noted = (await ledger.operatorEntriesAfter(0, 1000)).slice(before)
    assert.deepEqual(
      noted.map(({ kind, subject, state }) => [kind, subject, state]),
      [
        ['action', 'mara', '{"action":"price","subject":"tile"}'],
        ['action', 'command line', '{"action":"key"}'],
      ],
    )
  })

  test(`${name}: keys are found by prefix, changes by subject, charges by request`, async () => {
    const { admin, ledger } = store()
    const key = { accountId: 'acc_a', label: null, secretId: 's1' }
    for (const [at, prefix] of ['pbk_a_12', 'pbk_ab12', 'pbk_ab99'].entries()) {
      const own = {
        id: `key_p${at}`,
        prefix,
        createdAt: AT + at,
        hash: new Uint8Array(32).fill(at),
      }
      await admin.createKey({ ...key, ...own })
    }
    const find = async (prefix: string, limit = 10) =>
      (await admin.keysByPrefix(prefix, limit)).map(({ id }) => id)
    assert.deepEqual(await find('pbk_ab'), ['key_p2', 'key_p1'])
    assert.deepEqual(await find('pbk_a_'), ['key_p0'])
    assert.deepEqual(await find('pbk_a', 1), ['key_p2'])
    assert.deepEqual(await find('%'), [])
    await admin.changeFacts('acc_a', (facts) => ({ ...facts, requestsPerMinute: 60 }))
    await admin.changeFacts('acc_a', (facts) => ({ ...facts, requestsPerMinute: 90 }))
    const [newest, ...older] = changesIn(await ledger.operatorEntriesOf('acc_a', 10), 10)
    assert.deepEqual(newest?.changed, { requests_per_minute: { before: 60, after: 90 } })
    assert.equal(older.at(-1)?.changed.name?.before, null)
    const writer = await openLedgerWriter(ledger, () => AT)
    const asked = { accountId: 'acc_a', keyId: 'key_p0', endpoint: 'ownerSearch', cost: 1 }
    await writer.charge({ ...asked, requestId: 'asked-1' })
    await writer.charge({ ...asked, requestId: 'asked-2' })
    const found = await ledger.entriesOfRequest('asked-1')
    assert.deepEqual(
      found.map(({ requestId, keyId }) => [requestId, keyId]),
      [['asked-1', 'key_p0']],
    )
    assert.deepEqual(await ledger.entriesOfRequest('other'), [])
  })

  test(`${name}: use is summed over billing periods by day and operation`, async () => {
    const { admin, ledger } = store()
    let clock = Date.UTC(2026, 4, 30, 12)
    const writer = await openLedgerWriter(ledger, () => clock)
    const charge = (endpoint: string, cost: number) =>
      writer.charge({
        ...{ accountId: 'acc_b', keyId: 'key_b', requestId: `r-${clock}-${endpoint}-${cost}` },
        ...{ endpoint, cost },
      })
    await charge('ownerSearch', 1)
    clock = Date.UTC(2026, 4, 31, 12)
    await charge('ownerSearch', 1)
    await charge('ownerSearch', 2)
    await charge('comparables', 1)
    clock = Date.UTC(2026, 5, 1, 12)
    await charge('ownerSearch', 1)
    assert.deepEqual(await admin.usageSince('acc_b', '2026-05-31'), [
      { day: '2026-05-31', endpoint: 'comparables', requests: 1, tokens: 1 },
      { day: '2026-05-31', endpoint: 'ownerSearch', requests: 2, tokens: 3 },
      { day: '2026-06-01', endpoint: 'ownerSearch', requests: 1, tokens: 1 },
    ])
    assert.deepEqual(await admin.usageSince('acc_b', '2026-07-01'), [])
  })

  test(`${name}: facts are settled once per revision, with their event`, async () => {
    const { billing, admin } = store()
    const revision = (await billing.linkOfAccount('acc_a'))?.revision ?? -1
    const settle = (suspended: boolean, event: BillingEvent) =>
      billing.settle({
        ...{ accountId: 'acc_a', revision, facts: { suspended: String(suspended) }, event, at: AT },
        problem: suspended ? 'no plan' : null,
        change: (facts) => ({ ...facts, suspended }),
      })
    // Of two concurrent reads of one revision, exactly one is applied.
    const settled = await Promise.all([
      settle(true, eventOf('evt_1')),
      settle(true, eventOf('evt_2')),
    ])
    assert.deepEqual(settled.toSorted(), [false, true])
    assert.equal((await admin.account('acc_a'))?.facts.suspended, true)
    assert.equal((await billing.events(10)).length, 1)
    assert.equal(await settle(false, eventOf('evt_3')), false)
    assert.equal((await admin.account('acc_a'))?.facts.suspended, true)
    assert.equal(await billing.event('evt_3'), undefined)
    const link = await billing.linkOfAccount('acc_a')
    assert.deepEqual([link?.facts, link?.syncedAt], [{ suspended: 'true' }, AT])
    assert.equal(link?.problem, 'no plan')
  })

  test(`${name}: links are due when an invoice has become past due`, async () => {
    const { billing } = store()
    const link = await billing.linkOfAccount('acc_a')
    const facts = { billing: 'ok', nextDue: new Date(AT).toISOString() }
    const change = <Facts>(own: Facts) => own
    const revision = link?.revision ?? -1
    const more = { problem: null, event: undefined, at: AT, change }
    await billing.settle({ accountId: 'acc_a', revision, facts, ...more })
    assert.deepEqual(await billing.linksDue(AT), [])
    const due = await billing.linksDue(AT + 1)
    assert.deepEqual(
      due.map(({ accountId }) => accountId),
      ['acc_a'],
    )
  })

  test(`${name}: an event is kept as it first came`, async () => {
    const { billing } = store()
    await billing.noteEvent(eventOf('evt_9', { customer: null }))
    await billing.noteEvent(eventOf('evt_9', { hash: 'other' }))
    assert.deepEqual(await billing.event('evt_9'), eventOf('evt_9', { customer: null }))
  })

  test(`${name}: a started line changes only its invoice until it is confirmed`, async () => {
    const { billing } = store()
    await billing.beginOverage(lineOf({ tokens: 7, invoice: 'in_1' }))
    await billing.beginOverage(lineOf({ tokens: 9, invoice: 'in_2' }))
    assert.deepEqual(await billing.overages('acc_a'), [lineOf({ tokens: 7, invoice: 'in_2' })])
    await billing.confirmOverage({
      accountId: 'acc_a',
      period: '2026-04-01',
      part: 0,
      item: 'ii_1',
    })
    await billing.beginOverage(lineOf({ tokens: 9, invoice: 'in_3' }))
    const [line] = await billing.overages('acc_a')
    assert.deepEqual([line?.tokens, line?.invoice, line?.item], [7, 'in_2', 'ii_1'])
    assert.deepEqual(await billing.overages('acc_b'), [])
  })

  test(`${name}: a problem stays until facts are settled; the poll has one state`, async () => {
    const { billing } = store()
    await billing.noteProblem('acc_b', 'no such customer')
    assert.equal((await billing.linkOfAccount('acc_b'))?.problem, 'no such customer')
    const revision = (await billing.linkOfAccount('acc_b'))?.revision ?? -1
    const change = <Facts>(facts: Facts) => facts
    await billing.settle({
      accountId: 'acc_b',
      revision,
      facts: {},
      problem: null,
      change,
      event: undefined,
      at: AT,
    })
    assert.equal((await billing.linkOfAccount('acc_b'))?.problem, null)
    assert.deepEqual(await billing.state(), { polledAt: null, polledTo: null })
    await billing.setState({ polledAt: AT, polledTo: AT - 1 })
    assert.deepEqual(await billing.state(), { polledAt: AT, polledTo: AT - 1 })
  })
}

function eventOf(id: string, more: Partial<BillingEvent> = {}): BillingEvent {
  const body = { type: 'invoice.paid', version: '1', hash: `hash of ${id}` }
  return { id, ...body, customer: 'cus_a', created: AT, appliedAt: AT + 5, ...more }
}

function lineOf(more: Partial<OverageLine>): OverageLine {
  return {
    ...{ accountId: 'acc_a', period: '2026-04-01', part: 0, tokens: 7, included: 10 },
    ...{ firstRow: 1, lastRow: 17, head: 'ab', unit: '0.5', currency: 'usd' },
    ...{ item: null, invoice: 'in_1', at: AT, ...more },
  }
}
