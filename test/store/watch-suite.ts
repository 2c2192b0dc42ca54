/** What every store of watches must do, as one suite: limits, events once, deliveries, claims. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DEFAULT_FACTS } from '../../src/accounts/account-facts.ts'
import type { OpenAccounts } from '../../src/store/accounts/opened.ts'
import type { StoredEvent, Watch, WatchStore } from '../../src/store/accounts/watch-store.ts'

const AT = Date.UTC(2026, 4, 10)
const LIMITS = { watches: 10, parcels: 1500 }
const NOBODY = { hosts: [], accounts: [] }
const host = () => ({ id: `msg_${Math.random()}`, host: 'example.org' })

/** Registers the suite for a store without watches, whose accounts are given. */
export function testWatches(name: string, open: () => Promise<OpenAccounts>): void {
  let accounts: OpenAccounts | undefined
  before(async () => {
    accounts = await open()
    await accounts.admin.createAccount({
      ...{ id: 'acc_watches', name: 'Watches', facts: DEFAULT_FACTS, createdAt: AT },
    })
  })
  after(() => accounts?.close())
  const store = (): WatchStore => {
    assert.ok(accounts)
    return accounts.watches
  }
  const watch = (id: string, more: Partial<Watch> = {}): Watch => ({
    ...{ id, accountId: 'acc_watches', name: id, kind: 'parcels', condition: null, groups: 255 },
    ...{ url: 'https://example.org/h', secret: 'sealed', oldSecret: null, oldSecretUntil: null },
    ...{ status: 'active', createdAt: AT, starts: { WI: 4 }, parcels: 0, ...more },
  })
  const event = (watchId: string, parcel: number, more: Partial<StoredEvent> = {}) => ({
    ...{ id: `evt_${watchId}_${parcel}`, watchId, state: 'WI', parcel, import: 2, what: 'changed' },
    ...{ propertyId: `55025-${parcel}`, fips: 55025, groups: 1, at: AT, ...more },
  })
  const parcels = (count: number, from = 0) =>
    Array.from({ length: count }, (_, at) => ({
      key: `55025-${at + from}`,
      propertyId: `55025-0-${at + from}`,
    }))

  test(`${name}: watches are kept with their parcels, within the limits`, async () => {
    assert.equal(await store().version(), 0)
    assert.equal(await store().add(watch('wat_a'), parcels(1200), LIMITS), 'stored')
    assert.equal(await store().add(watch('wat_a', { name: 'again' }), [], LIMITS), 'stored')
    assert.equal((await store().byId('wat_a'))?.name, 'wat_a')
    assert.equal(await store().add(watch('wat_b'), parcels(301), LIMITS), 'parcels')
    const few = { ...LIMITS, watches: 1 }
    assert.equal(await store().add(watch('wat_b'), [], few), 'watches')
    const owner = watch('wat_b', { kind: 'owner', condition: '{"owner":"ROE"}', url: null })
    assert.equal(await store().add(owner, [], LIMITS), 'stored')
    assert.deepEqual(
      (await store().list('acc_watches')).map((one) => [one.id, one.parcels]),
      [
        ['wat_a', 1200],
        ['wat_b', 0],
      ],
    )
    assert.deepEqual(
      (await store().conditions()).map((one) => one.id),
      ['wat_b'],
    )
    assert.equal((await store().propertyIds('wat_a')).length, 1200)
    assert.deepEqual(await store().watchersOf(['55025-7', '55025-9999']), [
      { key: '55025-7', propertyId: '55025-0-7', watchId: 'wat_a' },
    ])
    assert.deepEqual(await store().watchersIn(55025), ['wat_a'])
    assert.deepEqual(await store().watchersIn(55027), [])
    const before = await store().version()
    const found = (await store().byId('wat_a')) as Watch
    assert.equal(await store().change(found, { parcels: parcels(3), name: 'A' }, LIMITS), 'stored')
    assert.ok((await store().version()) > before)
    const changed = (await store().byId('wat_a')) as Watch
    assert.deepEqual([changed.name, changed.parcels, changed.groups], ['A', 3, 255])
  })

  test(`${name}: the first watch begins at the newest changes; a range is kept once`, async () => {
    assert.deepEqual(await store().positions(), new Map([['WI', 4]]))
    const range = { state: 'WI', from: 4, to: 9 }
    const events = [event('wat_a', 1), event('wat_b', 1), event('wat_a', 2), event('wat_gone', 1)]
    assert.equal(await store().addEvents(range, events), true)
    assert.equal(await store().addEvents(range, events), false, 'another process was there')
    const again = [event('wat_a', 2), event('wat_a', 3)]
    assert.equal(await store().addEvents({ ...range, from: 9, to: 12 }, again), true)
    const own = await store().eventsOf('wat_a', 0, 10)
    assert.deepEqual(
      own.map(({ number, parcel }) => [number, parcel]),
      [
        [1, 1],
        [3, 2],
        [4, 3],
      ],
    )
    assert.equal((await store().eventsOf('wat_a', 1, 1))[0]?.parcel, 2)
    assert.equal(await store().addEvents({ state: 'TX', from: 0, to: 3 }, []), true)
    assert.deepEqual(
      await store().positions(),
      new Map([
        ['WI', 12],
        ['TX', 3],
      ]),
    )
    const heard = await store().eventsOfImport('WI', 2, [1, 3])
    assert.deepEqual(heard.map(({ id }) => id).sort(), [
      'evt_wat_a_1',
      'evt_wat_a_3',
      'evt_wat_b_1',
    ])
  })

  test(`${name}: processes at once store a range once`, async () => {
    const range = { state: 'WI', from: 12, to: 20 }
    const tries = await Promise.all(
      [1, 2, 3].map(() => store().addEvents(range, [event('wat_b', 50), event('wat_b', 51)])),
    )
    assert.deepEqual(tries.filter((one) => one).length, 1)
    assert.equal((await store().eventsOf('wat_b', 2, 10)).length, 2)
  })

  test(`${name}: a delivery is begun once, claimed once, and settled`, async () => {
    const begun = await Promise.all([1, 2].map(() => store().beginDeliveries(AT, host)))
    assert.equal(
      begun.reduce((sum, one) => sum + one, 0),
      1,
      'the watch without a url has none',
    )
    const [delivery, ...others] = await store().due(AT, 10, NOBODY)
    assert.ok(delivery !== undefined && others.length === 0)
    assert.deepEqual([delivery.events, delivery.lastEvent], [3, 4])
    for (const busy of [{ hosts: ['example.org'] }, { accounts: ['acc_watches'] }]) {
      assert.deepEqual(await store().due(AT, 10, { ...NOBODY, ...busy }), [])
    }
    const claims = await Promise.all([1, 2, 3].map(() => store().claim(delivery, AT + 30_000)))
    assert.equal(claims.filter((one) => one).length, 1)
    assert.deepEqual(await store().due(AT, 10, NOBODY), [])
    const [again] = await store().due(AT + 30_000, 10, NOBODY)
    assert.equal(again?.id, delivery.id, 'of a process that died')
    const result = { isDelivered: false, answer: '500', at: AT, retryAt: AT + 5000 } as const
    await store().settleDelivery(delivery, result)
    const [second] = await store().due(AT + 5000, 10, NOBODY)
    assert.deepEqual([second?.id, second?.attempts, second?.answer], [delivery.id, 1, '500'])
    await store().settleDelivery(delivery, { ...result, retryAt: null })
    assert.equal((await store().byId('wat_a'))?.status, 'failing')
    assert.equal(await store().beginDeliveries(AT + 9000, host), 0)
    const failing = (await store().byId('wat_a')) as Watch
    await store().change(failing, { status: 'active' }, LIMITS)
    const [third] = await store().due(AT + 9000, 10, NOBODY)
    assert.deepEqual([third?.id, third?.attempts], [delivery.id, 0])
    await store().settleDelivery(delivery, { isDelivered: true, events: 3, answer: '200', at: AT })
    assert.equal(await store().deliveredTo('wat_a'), 4)
    assert.equal(await store().beginDeliveries(AT + 9000, host), 0)
    assert.deepEqual(
      (await store().deliveriesOf('wat_a', 5)).map((one) => one.status),
      ['delivered'],
    )
  })

  test(`${name}: what is old is forgotten, and a removed watch leaves nothing`, async () => {
    await store().addEvents({ state: 'WI', from: 20, to: 21 }, [
      event('wat_a', 60, { at: AT + 1000 }),
    ])
    await store().forget(AT + 500)
    assert.deepEqual(
      (await store().eventsOf('wat_a', 0, 10)).map(({ parcel }) => parcel),
      [60],
    )
    await store().remove('wat_a')
    assert.equal(await store().byId('wat_a'), undefined)
    assert.deepEqual(await store().eventsOf('wat_a', 0, 10), [])
    assert.deepEqual(await store().watchersOf(['55025-1']), [])
    assert.equal(await store().suppressedAt(), 0)
  })
}
