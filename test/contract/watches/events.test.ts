/** Which watches hear of which imports, and what they hear. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { rollsPlace } from '../../../src/store/data-folder.ts'
import { openEraser, openHistory } from '../../../src/store/open-rolls.ts'
import { NOON, startService } from '../../service.ts'

const HEAD =
  'state,county,parcelId,ownerName1,nameOrder,address,latitude,longitude,acres,' +
  'totalAssessedValue\n'
type Row = { id: string; owner?: string; at?: [number, number]; acres?: number; value?: number }
const roll = (rows: Row[], county = 'Dane') =>
  HEAD +
  rows
    .map(({ id, owner = 'DOE, JANE', at = [43.07, -89.4], acres = 1, value = 1000 }) =>
      [`WI,${county},${id},"${owner}",last-first,${id.length} MAIN ST`, ...at, acres, value].join(),
    )
    .join('\n')
const DAY = 86_400_000
const PATH = '/public/watches/'

const START: Row[] = [
  { id: '1', owner: 'QUILLON, MARA' },
  { id: '2', owner: 'ROE, JO', at: [43.2, -89.2] },
  { id: '3', acres: 9 },
  { id: '0709-4' },
  { id: '5' },
]
const service = await startService(roll(START))
after(() => service.close())

type Event = {
  id: string
  type: string
  propertyId: string
  groups: string[]
  changes: { field: string; from: unknown; to: unknown }[]
}
async function make(body: object): Promise<string> {
  const answer = await service.get(PATH, {}, { method: 'POST', body })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.id
}
async function eventsOf(id: string): Promise<Event[]> {
  const { status, body } = await service.get(`${PATH}${id}/events/`)
  assert.equal(status, 200)
  return body.events
}
const named = (events: Event[]) => events.map(({ type, propertyId }) => `${type} ${propertyId}`)
const find = async () => {
  // Reads of one turn share a snapshot.
  await setImmediate()
  while (await service.keeper.find());
  await setImmediate()
}
const PLACE = rollsPlace({
  dataDir: service.config.data,
  databaseUrl: service.config.databaseUrl,
})
let day = 0
async function load(rows: Row[], county?: string) {
  day += 1
  await service.importRoll(roll(rows, county), { force: true, at: NOON + day * DAY })
  await find()
}

const watches = {
  parcels: await make({ kind: 'parcels', propertyIds: ['55025-1', '55025-07094', '55025-9'] }),
  owned: await make({ kind: 'owner', owner: 'QUILLON' }),
  buyer: await make({ kind: 'owner', owner: 'ROE, ANN', state: 'WI', county: 'Dane' }),
  elsewhere: await make({ kind: 'owner', owner: 'QUILLON', state: 'TX' }),
  shape: await make({ kind: 'shape', shape: '-89.3,43.1,-89.1,43.3' }),
  search: await make({ kind: 'search', search: 'state=WI&acresMin=5' }),
  sales: await make({ kind: 'parcels', propertyIds: ['55025-1'], groups: ['value'] }),
}

test('nothing is heard of what was loaded before', async () => {
  await find()
  for (const id of Object.values(watches)) assert.deepEqual(await eventsOf(id), [])
})

test('who meant a parcel before or means it afterwards hears of it', async () => {
  await load([
    { id: '1', owner: 'ROE, ANN' },
    { id: '2', owner: 'ROE, JO', at: [43.5, -89.2] },
    { id: '3', acres: 2 },
    { id: '0709-4', value: 1500 },
    { id: '5', at: [43.2, -89.2], acres: 7 },
    { id: '9' },
  ])
  const heard = Object.fromEntries(
    await Promise.all(
      Object.entries(watches).map(async ([name, id]) => [name, named(await eventsOf(id))]),
    ),
  )
  assert.deepEqual(heard, {
    parcels: ['parcel.changed 55025-1', 'parcel.changed 55025-0709-4', 'parcel.added 55025-9'],
    owned: ['parcel.changed 55025-1'],
    buyer: ['parcel.changed 55025-1'],
    elsewhere: [],
    shape: ['parcel.changed 55025-2', 'parcel.changed 55025-5'],
    search: ['parcel.changed 55025-3', 'parcel.changed 55025-5'],
    sales: [],
  })
})

test('an event has the fields that changed, with both values', async () => {
  const [event] = await eventsOf(watches.owned)
  assert.deepEqual(event?.groups, ['owner'])
  const owner = event?.changes.find(({ field }) => field === 'ownerName')
  assert.deepEqual(owner, { field: 'ownerName', from: 'QUILLON, MARA', to: 'ROE, ANN' })
  const [, value] = await eventsOf(watches.parcels)
  assert.deepEqual(
    value?.changes.find(({ field }) => field === 'totalAssessedValue'),
    { field: 'totalAssessedValue', from: 1000, to: 1500 },
  )
})

test('a roll that changes nothing is no event, and reading again gives the same ids', async () => {
  const before = await eventsOf(watches.parcels)
  await find()
  assert.deepEqual(await eventsOf(watches.parcels), before)
  const page = await service.get(`${PATH}${watches.parcels}/events/`, { limit: 2 })
  assert.equal(page.body.events.length, 2)
  const { nextCursor: cursor } = page.body.metadata
  const rest = await service.get(`${PATH}${watches.parcels}/events/`, { cursor })
  assert.deepEqual([...page.body.events, ...rest.body.events], before)
  const last = rest.body.metadata.nextCursor
  const end = await service.get(`${PATH}${watches.parcels}/events/`, { cursor: last })
  assert.deepEqual([end.body.events, end.body.metadata.nextCursor], [[], last])
})

test('removed parcels, and counties loaded and unloaded, are events', async () => {
  const elsewhere = await make({ kind: 'parcels', propertyIds: ['55027-1', '55025-9'] })
  await load([
    { id: '1', owner: 'ROE, ANN' },
    { id: '2' },
    { id: '3' },
    { id: '0709-4' },
    { id: '5' },
  ])
  assert.deepEqual(named(await eventsOf(elsewhere)), ['parcel.removed 55025-9'])
  await load([{ id: '1' }, { id: '2' }], 'Dodge')
  assert.deepEqual(named(await eventsOf(elsewhere)).slice(1), ['county.loaded null'])
  const eraser = await openEraser(PLACE)
  await eraser.unload(
    [{ state: 'WI', fips: 55027, municipality: '' }],
    Math.floor(NOON / 1000) + 40 * 86_400,
  )
  await eraser.close()
  await find()
  assert.deepEqual(named(await eventsOf(elsewhere)).slice(2), ['county.unloaded null'])
})

test('who heard of an import hears that it was undone', async () => {
  const id = await make({ kind: 'owner', owner: 'VALDEZ' })
  await load([
    { id: '1', owner: 'VALDEZ, IDA' },
    { id: '2' },
    { id: '3' },
    { id: '0709-4' },
    { id: '5' },
  ])
  const history = await openHistory(service.config)
  const [newest] = await history.list()
  await history.close()
  const eraser = await openEraser(PLACE)
  assert.ok(newest !== undefined)
  await eraser.undo(newest, Math.floor(NOON / 1000) + 50 * 86_400)
  await eraser.close()
  await find()
  const events = await eventsOf(id)
  assert.deepEqual(named(events), ['parcel.changed 55025-1', 'parcel.changed 55025-1'])
  assert.equal(new Set(events.map((one) => one.id)).size, 2)
})

test('events are forgotten after 90 days', async () => {
  assert.ok((await eventsOf(watches.parcels)).length > 0)
  service.setClock(NOON + 200 * DAY)
  await service.keeper.tidy()
  assert.deepEqual(await eventsOf(watches.parcels), [])
  service.setClock(NOON)
})
