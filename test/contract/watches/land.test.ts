/** What watches hear when land is split, merged and renumbered: the same over both stores. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { CLUSTER, noteDatabase } from '../../citus-cluster.ts'
import { shareServer, whyNoServer } from '../../postgres-server.ts'
import { operate } from '../../processes/operator.ts'
import { NOON, startService, type TestService } from '../../service.ts'

type Lot = { id: string; from: number; to: number; value?: number }
const LOTS: Lot[] = Array.from({ length: 30 }, (_, at) => ({ id: `L-${at}`, from: at, to: at + 1 }))

const without = (...ids: number[]) => LOTS.filter((_, at) => !ids.includes(at))

const NEXT: Lot[] = [
  ...without(1, 3, 10, 11, 12, 13, 14, 20, 21, 25, 28),
  ...[0, 1, 2].map((at) => ({ id: `S-${at}`, from: 1 + at / 3, to: 1 + (at + 1) / 3 })),
  { id: 'L-3', from: 3, to: 3.5 },
  { id: 'T-1', from: 3.5, to: 4 },
  { id: 'M-1', from: 10, to: 15 },
  { id: 'L-20', from: 20, to: 21.2 },
  { id: 'L-21', from: 21.2, to: 22 },
  { id: 'N-25', from: 25, to: 26 },
]
const HIDDEN = ['S-1', 'M-1', 'T-1']

/** Lots along a street; `from` and `to`: thousandths of a degree. */
function rollOf(lots: Lot[], year: number): string {
  const features = lots.map(({ id: parcelId, from, to, value = 1000 }) => {
    const [west, east] = [-89.4 + from / 1000, -89.4 + to / 1000]
    const ring = [
      ...[[west, 43.07] as const, [east, 43.07] as const, [east, 43.071] as const],
      ...[[west, 43.071] as const, [west, 43.07] as const],
    ]
    const owned = { ownerName1: `OWNER${Math.floor(from)}, ANN`, nameOrder: 'last-first' }
    const properties = { state: 'WI', county: 'Dane', parcelId, ...owned, sourceRollYear: year }
    return {
      type: 'Feature',
      geometry: { type: 'Polygon', coordinates: [ring] },
      properties: { ...properties, totalAssessedValue: value },
    }
  })
  return JSON.stringify({ type: 'FeatureCollection', features })
}

const missing = CLUSTER === undefined ? whyNoServer() : 'the cluster has its own turn'
const server = missing === undefined ? await shareServer() : undefined
const databaseUrl = await server?.createDatabase('land')
const services = new Map([['SQLite', await startService('')]])
if (databaseUrl !== undefined) {
  const service = await startService('', { databaseUrl })
  // For the commands of this file.
  noteDatabase(service.config.data, databaseUrl)
  services.set('PostgreSQL', service)
}
for (const [name, service] of services) describe(name, () => testLand(service))
test('a server of PostgreSQL', { skip: missing ?? false }, () => assert.equal(services.size, 2))
after(async () => {
  for (const service of services.values()) await service.close()
  await server?.stop()
})

function testLand(service: TestService): void {
  let year = 2020
  async function load(lots: Lot[]): Promise<void> {
    year += 1
    await service.importRoll(rollOf(lots, year), {
      ...{ name: 'roll.geojson', geometry: true, force: true, at: NOON + year * 86_400_000 },
    })
    await setImmediate()
    while (await service.keeper.find());
    await setImmediate()
  }
  const PATH = '/public/watches/'
  async function watch(...parcelIds: string[]): Promise<string> {
    const propertyIds = parcelIds.map((id) => `55025-${id}`)
    const groups = ['geometry', 'other']
    const body = { kind: 'parcels', propertyIds, groups }
    return (await service.get(PATH, {}, { method: 'POST', body })).body.id
  }
  type Event = { type: string; propertyId: string; children?: string[] }
  async function heard(id: string): Promise<string[]> {
    const { events } = (await service.get(`${PATH}${id}/events/`)).body as { events: Event[] }
    return events
      .map(({ type, propertyId, children }) => [type, propertyId, ...(children ?? []).toSorted()])
      .map((words) => words.join(' ').replaceAll('55025-', ''))
      .toSorted()
  }

  let listed = ''
  before(async () => {
    await load(LOTS)
    listed = await watch('L-1', 'L-3', 'L-10', 'L-12', 'L-20', 'L-25', 'L-28')
  })

  test('land that is split, merged, renumbered or moved is an event of its kind', async () => {
    await load(NEXT)
    assert.deepEqual(await heard(listed), [
      'parcel.changed L-20',
      'parcel.merged L-10 M-1',
      'parcel.merged L-12 M-1',
      'parcel.removed L-28',
      'parcel.renumbered L-25 N-25',
      'parcel.split L-1 S-0 S-1 S-2',
      'parcel.split L-3 T-1',
    ])
  })

  test('a suppressed child is in no event, nor a kind that it alone explains', async () => {
    const add = ['suppress', 'add', '--scope', 'both', '--basis', 'a law', '--property'] as const
    for (const id of HIDDEN) {
      await operate(service.config.data, ...add, `55025-${id}`)
    }
    await setImmediate()
    assert.deepEqual(await heard(listed), [
      'parcel.changed L-20',
      'parcel.changed L-3',
      'parcel.removed L-10',
      'parcel.removed L-12',
      'parcel.removed L-28',
      'parcel.renumbered L-25 N-25',
      'parcel.split L-1 S-0 S-2',
    ])
  })

  test('who watches a parcel hears that a whole county is renumbered', async () => {
    const own = await watch('L-5')
    const shown = NEXT.filter(({ id }) => !HIDDEN.includes(id))
    await load(shown.map((lot) => ({ ...lot, id: `Z-${lot.id}`, value: 2000 })))
    assert.deepEqual(await heard(own), ['parcel.renumbered Z-L-5'])
  })
}
