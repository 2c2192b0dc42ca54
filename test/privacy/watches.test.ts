/** A suppression reaches watches: what they find, keep and send. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { startEventReceiver } from '../contract/watches/receiver.ts'
import { operate } from '../processes/operator.ts'
import { NOON, startService } from '../service.ts'

const HEAD = 'state,county,parcelId,ownerName1,nameOrder,address,totalAssessedValue\n'
type Row = [id: string, owner: string, value?: number]
const roll = (...rows: Row[]) =>
  HEAD +
  rows
    .map(([id, owner, value = 1000]) => `WI,Dane,${id},"${owner}",last-first,1 A ST,${value}`)
    .join('\n')
const PATH = '/public/watches/'
const DAY = 86_400_000

const service = await startService(
  roll(['1', 'DOE, JANE'], ['2', 'DOE, JANE'], ['3', 'ROE, JO'], ['4', 'ROE, JO']),
  { watchPrivate: 'all' },
)
const receiver = await startEventReceiver()
after(async () => {
  await service.close()
  await receiver.close()
})
let now = NOON
async function find(): Promise<void> {
  await setImmediate()
  while (await service.keeper.find());
  await setImmediate()
}
async function load(...rows: Row[]): Promise<void> {
  now += DAY
  service.setClock(now)
  await service.importRoll(roll(...rows), { force: true, at: now })
  await find()
}
async function make(body: object): Promise<string> {
  const answer = await service.get(PATH, {}, { method: 'POST', body })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.id
}
const eventsOf = async (id: string) => (await service.get(`${PATH}${id}/events/`)).body.events
/** What a watch says, without what differs between two watches of two parcels. */
const said = async (id: string) =>
  (await eventsOf(id)).map((one: { type: string; groups: string[] }) => [one.type, one.groups])
const suppress = (...words: string[]) =>
  operate(service.config.data, 'suppress', 'add', ...words, '--state', 'WI', '--basis', 'a law')

const watches = {
  parcel: await make({ kind: 'parcels', propertyIds: ['55025-1'] }),
  owner: await make({ kind: 'owner', owner: 'ZYXWELL' }),
  search: await make({ kind: 'search', search: 'state=WI', url: receiver.url }),
  hidden: await make({ kind: 'parcels', propertyIds: ['55025-3'] }),
  same: await make({ kind: 'parcels', propertyIds: ['55025-2'] }),
}

test('kept and waiting events do not name a person after the suppression', async () => {
  await load(['1', 'ZYXWELL, QAZMER'], ['2', 'DOE, JANE'], ['3', 'ROE, JO', 7], ['4', 'ROE, JO'])
  // The canary: without a suppression all of it is said.
  assert.match(JSON.stringify(await eventsOf(watches.parcel)), /ZYXWELL/)
  assert.deepEqual(await said(watches.owner), [['parcel.changed', ['owner']]])
  receiver.status = 500
  await service.keeper.send()
  await service.keeper.idle()
  assert.match(receiver.taken.at(-1)?.body ?? '', /ZYXWELL/)
  const repeated = receiver.taken.at(-1)?.headers['webhook-id']

  await suppress('--owner', 'ZYXWELL QAZMER')
  await find()
  for (const id of Object.values(watches)) {
    assert.doesNotMatch(JSON.stringify(await eventsOf(id)), /ZYXWELL|QAZMER/)
  }
  assert.deepEqual(await said(watches.owner), [], 'the watch of the name finds nothing')
  assert.deepEqual(await said(watches.parcel), await said(watches.same))
  receiver.status = 200
  service.setClock(now + 10_000)
  await service.keeper.send()
  await service.keeper.idle()
  const last = receiver.taken.at(-1)
  assert.equal(last?.headers['webhook-id'], repeated)
  assert.doesNotMatch(last?.body ?? '', /ZYXWELL|QAZMER/)
  assert.match(last?.body ?? '', /55025-3/, 'other events are sent')
})

test('a hidden owner who changes again is no event', async () => {
  await load(['1', 'ZYXWELL, QAZMER'], ['2', 'DOE, JANE'], ['3', 'ROE, JO', 7], ['4', 'ROE, JO'])
  assert.deepEqual(await said(watches.parcel), await said(watches.same))
  await load(['1', 'ZYXWELL, QAZMER', 9], ['2', 'DOE, JANE', 9], ['3', 'ROE, JO'], ['4', 'ROE, JO'])
  const [own, other] = [await said(watches.parcel), await said(watches.same)]
  assert.deepEqual(own, [['parcel.changed', ['value']]], 'what is not hidden is said')
  assert.deepEqual(own, other)
})

test('a parcel that is hidden completely was never heard of, and says nothing', async () => {
  assert.equal((await said(watches.hidden)).length, 2)
  const { older } = await suppress('--property', '55025-3', '--scope', 'both')
  const named = (older as string[]).filter((one) => one.startsWith('the watch'))
  assert.equal(named.length, 1)
  assert.ok(named[0]?.startsWith(`the watch ${watches.hidden} of `), 'who lists it is named')
  await find()
  assert.deepEqual(await eventsOf(watches.hidden), [])
  assert.doesNotMatch(JSON.stringify(await eventsOf(watches.search)), /55025-3/)
  await load(
    ['1', 'ZYXWELL, QAZMER', 9],
    ['2', 'DOE, JANE', 9],
    ['3', 'DOE, ANN'],
    ['4', 'ROE, JO'],
  )
  assert.deepEqual(await eventsOf(watches.hidden), [])
})

test('a watch of a hidden parcel is as one that never heard of anything', async () => {
  const trace = async (id: string) => {
    const { deliveries, status } = (await service.get(`${PATH}${id}/`)).body
    const { events, metadata } = (await service.get(`${PATH}${id}/events/`)).body
    return { deliveries, status, events, metadata }
  }
  const body = (id: string) => ({ kind: 'parcels', propertyIds: [id], url: receiver.url })
  const [own, other] = [await make(body('55025-4')), await make(body('55025-NEVER'))]
  await load(['1', 'ZYXWELL, QAZMER', 9], ['2', 'DOE, JANE', 9], ['4', 'ROE, JO', 4])
  receiver.status = 500
  await service.keeper.send()
  await service.keeper.idle()
  assert.equal((await trace(own)).deliveries.length, 1, 'the canary: it has heard')
  await suppress('--property', '55025-4', '--scope', 'both')
  receiver.status = 200
  service.setClock(now + 400_000)
  await service.keeper.send()
  await service.keeper.idle()
  await load(['1', 'ZYXWELL, QAZMER', 9], ['2', 'DOE, JANE', 9], ['4', 'ROE, JO', 5])
  await service.keeper.send()
  await service.keeper.idle()
  assert.deepEqual(await trace(own), await trace(other))
  assert.equal((await trace(own)).metadata.nextCursor, '0')
})

test('while a suppression waits, nothing is found, shown or sent; then it follows', async () => {
  const { admin } = service.accounts
  await admin.markSuppressions(
    (await admin.suppressions()).map(({ id }) => id),
    'pending',
  )
  const count = receiver.taken.length
  await load(['1', 'ZYXWELL, QAZMER', 9], ['2', 'DOE, ANN', 9], ['4', 'ROE, ANN'])
  await admin.markSuppressions(
    (await admin.suppressions()).map(({ id }) => id),
    'pending',
  )
  await service.keeper.send()
  await service.keeper.idle()
  assert.equal(receiver.taken.length, count)
  assert.deepEqual(await eventsOf(watches.same), [])
  await admin.markSuppressions(
    (await admin.suppressions()).map(({ id }) => id),
    'settled',
  )
  await find()
  assert.equal((await said(watches.same)).length, 2)
  await service.keeper.send()
  await service.keeper.idle()
  assert.equal(receiver.taken.length, count + 1)
})

test('only the last page is short, whatever is hidden between events', async () => {
  const id = await make({ kind: 'search', search: 'state=WI' })
  const rows = (value: number) => ['1', '2', '5', '6'].map((one): Row => [one, 'DOE, ANN', value])
  for (const value of [1, 2, 3]) await load(...rows(value))
  await suppress('--property', '55025-5', '--scope', 'both')
  await find()
  const all = (await eventsOf(id)).map((one: { id: string }) => one.id)
  assert.ok(all.length > 4, String(all.length))
  for (const limit of [1, 2]) {
    const read: string[] = []
    for (let cursor = '', isShort = false; !isShort; ) {
      const { events, metadata } = (await service.get(`${PATH}${id}/events/`, { limit, cursor }))
        .body
      read.push(...events.map((one: { id: string }) => one.id))
      cursor = metadata.nextCursor
      isShort = events.length < limit
    }
    assert.deepEqual(read, all, `pages of ${limit}`)
  }
})
