/** A county that gives all parcels other IDs, with and without polygons, over both stores. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { rollsPlace } from '../../../src/store/data-folder.ts'
import { findUndoable } from '../../../src/store/history.ts'
import { openEraser, openHistory } from '../../../src/store/open-rolls.ts'
import { CLUSTER } from '../../citus-cluster.ts'
import { shareServer, whyNoServer } from '../../postgres-server.ts'
import { NOON, startService, type TestService } from '../../service.ts'

const DAY_MS = 86_400_000
const COUNT = 60

type Options = { rename?: (at: number) => string; polygons?: boolean; value?: number }

/** A county of 60 parcels, of which the first ten have neither address nor owner. */
function rollOf(year: number, { rename = String, polygons = true, value = 1000 }: Options) {
  const features = Array.from({ length: COUNT }, (_, at) => {
    const [west, east] = [-89.4 + at * 0.0003, -89.4 + (at + 1) * 0.0003]
    const ring = [
      ...[
        [west, 43.07],
        [east, 43.07],
        [east, 43.0703],
        [west, 43.0703],
        [west, 43.07],
      ],
    ]
    const named = { ownerName1: `OWNER${at}, ANN`, address: `${at + 1} OAK ST` }
    return {
      type: 'Feature',
      geometry: polygons ? { type: 'Polygon', coordinates: [ring] } : null,
      properties: {
        ...{ state: 'WI', county: 'Dane', parcelId: rename(at), nameOrder: 'last-first' },
        ...(at < 5 && polygons ? {} : named),
        ...{ sourceRollYear: year, totalAssessedValue: value },
      },
    }
  })
  return JSON.stringify({ type: 'FeatureCollection', features })
}

const load = (service: TestService, year: number, options: Options, more: object = {}) =>
  service.importRoll(rollOf(year, options), {
    ...{ name: 'roll.geojson', geometry: true, at: NOON + (year - 2000) * DAY_MS },
    ...more,
  })

const renamed = (at: number) => `N-${at + 500}`

async function changesOf(service: TestService, year: number) {
  const { body } = await service.get('/public/changes/', { state: 'WI', limit: 1000 })
  const at = new Date(NOON + (year - 2000) * DAY_MS).toISOString().slice(0, 10)
  type Change = { what: string; loadedAt: string; propertyId: string }
  return (body.changes as Change[]).filter(({ loadedAt }) => loadedAt.startsWith(at))
}

async function look(service: TestService, parcelId: string) {
  const query = { propertyId: `55025-${parcelId}` }
  const { status, headers, body } = await service.get('/public/property/parcelId/', query)
  if (status !== 200) return status
  return [body.property.parcelId, headers.get('x-match'), body.property._id ?? body.property.id]
}

async function tryCounty(service: TestService, polygons: boolean) {
  await load(service, 2020, { polygons })
  const before = await look(service, '7')
  assert.ok(Array.isArray(before))
  const report = await load(service, 2021, { polygons, rename: renamed, value: 2000 })
  assert.deepEqual([report.loaded, report.removed, report.updated], [0, 0, COUNT])
  assert.match(report.doubts.join(), /has renumbered: 60 parcels keep their records/i)
  const changes = await changesOf(service, 2021)
  assert.deepEqual([...new Set(changes.map(({ what }) => what))], ['renumbered'])
  assert.ok(changes.some(({ propertyId }) => propertyId === '55025-N-507'))
  assert.deepEqual(await look(service, 'N-507'), ['N-507', 'exact', before[2]])
  assert.deepEqual(await look(service, '7'), ['N-507', 'successor', before[2]])
  const { body } = await service.get('/public/property/lineage/', { propertyId: '55025-N-507' })
  assert.equal(body.kind, 'renumbered')
  assert.deepEqual(
    body.parents.map(({ propertyId, evidence }: Record<string, unknown>) => [propertyId, evidence]),
    [['55025-7', polygons ? ['overlay', 'address'] : ['address']]],
  )
  const history = await service.get('/public/property/history/', { propertyId: '55025-N-507' })
  assert.equal(history.body.versions.length, 2)
  const values = history.body.changes.filter(({ field }: { field: string }) => field === 'parcelId')
  assert.deepEqual([values[0].from, values[0].to], ['7', 'N-507'])
  // And back again.
  const reader = await openHistory(service.config)
  const newest = findUndoable(await reader.list(), {})
  await reader.close()
  await new Promise(setImmediate)
  const { data: dataDir, databaseUrl } = service.config
  const eraser = await openEraser(rollsPlace({ dataDir, databaseUrl }))
  await eraser.undo(newest, NOON / 1000 + 2e9)
  await eraser.close()
  assert.deepEqual(await look(service, '7'), before)
  assert.equal(await look(service, 'N-507'), 404)
}

async function tryOthers(service: TestService) {
  // Half of the IDs leave, and all of them pair off.
  const half = (at: number) => (at % 2 === 0 ? renamed(at) : String(at))
  const some = await load(service, 2022, { rename: half })
  assert.deepEqual([some.loaded, some.removed, some.updated], [0, 0, COUNT])
  // A tenth leaves: they are removed and added, as ever, and linked.
  const tenth = (at: number) => (at % 10 === 0 ? `X-${at}` : half(at))
  const few = await load(service, 2023, { rename: tenth })
  assert.deepEqual([few.loaded, few.removed], [6, 6])
  assert.deepEqual(((await look(service, half(10))) as unknown[]).slice(0, 2), [
    'X-10',
    'successor',
  ])
  // Refused, the guard sees what leaves; by force it is removed and added.
  const refused = load(service, 2024, { rename: renamed }, { renumbered: false })
  await assert.rejects(refused, /it would remove/)
  const forced = await load(service, 2024, { rename: renamed }, { renumbered: false, force: true })
  assert.ok(forced.removed > 30 && forced.loaded === forced.removed)
  // Other land under other IDs is no renumbering.
  const roll = rollOf(2025, { rename: (at) => `Z-${at}` }).replaceAll('-89.3', '-89.5')
  const other = await service.importRoll(roll.replaceAll(/OWNER|OAK/g, 'ELSE'), {
    ...{ name: 'roll.geojson', geometry: true, force: true, at: NOON + 25 * DAY_MS },
  })
  assert.deepEqual([other.loaded, other.removed], [COUNT, COUNT])
  // What a part of a roll lacks does not leave, also where others are on the same land.
  await load(service, 2026, { rename: (at) => `Q-${at}` }, { force: true })
  const part = await load(service, 2027, { rename: (at) => `P-${at}` }, { partial: true })
  assert.deepEqual([part.loaded, part.removed, part.updated], [COUNT, 0, 0])
  for (const id of ['Q-7', 'P-7']) {
    assert.deepEqual(((await look(service, id)) as unknown[]).slice(0, 2), [id, 'exact'])
  }
}

const service = await startService('')
after(() => service.close())

test('a renumbered county with polygons keeps its records', () => tryCounty(service, true))
test('a part that is renumbered, a few that are, and what only seems so', () => tryOthers(service))

test('a renumbered county without polygons keeps its records', async () => {
  const own = await startService('')
  try {
    await tryCounty(own, false)
  } finally {
    await own.close()
  }
})

const missing = whyNoServer()
test('PostgreSQL does the same', { skip: missing ?? CLUSTER ?? false }, async () => {
  const server = await shareServer()
  const own = await startService('', { databaseUrl: await server.createDatabase('renumbered') })
  try {
    await tryCounty(own, true)
    await tryOthers(own)
  } finally {
    await own.close()
    await server.stop()
  }
})
