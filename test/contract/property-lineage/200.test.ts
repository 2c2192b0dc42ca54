/** Lineage over both stores, on invented subdivisions of which the truth is known. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { suppressAdd } from '../../../src/cli/commands/rolls/suppress.ts'
import { rollsPlace } from '../../../src/store/data-folder.ts'
import { findUndoable } from '../../../src/store/history.ts'
import { openEraser, openHistory } from '../../../src/store/open-rolls.ts'
import { CLUSTER } from '../../citus-cluster.ts'
import { runCommand } from '../../command.ts'
import { shareServer, whyNoServer } from '../../postgres-server.ts'
import { NOON, startService, type TestService } from '../../service.ts'
import { type InventedLot, inventYear } from '../../store/subdivisions.ts'

const DAY_MS = 86_400_000
const YEAR = inventYear(7, 13)

function rollOf(lots: InventedLot[], year: number): string {
  const features = lots.map(
    ({ ring, parcelId, address, unit, owner, legal, acres, formerIds }) => ({
      type: 'Feature',
      geometry: ring && {
        type: 'Polygon',
        coordinates: [[...ring, ring[0] as [number, number]].map(([x, y]) => [x / 1e7, y / 1e7])],
      },
      properties: {
        ...{ state: 'WI', county: 'Dane', parcelId, nameOrder: 'last-first', ownerName1: owner },
        ...{ address: address.replace(/^(\d+) STREET (\d+)(-\d+)?$/, '$1$3 $2TH ST'), acres },
        ...{ unitNumberStripped: unit, legalDesc: legal, formerParcelIds: formerIds.join(';') },
        sourceRollYear: year,
      },
    }),
  )
  return JSON.stringify({ type: 'FeatureCollection', features })
}

const load = (service: TestService, lots: InventedLot[], year: number, vintage?: number) =>
  service.importRoll(rollOf(lots, year), {
    ...{ name: 'roll.geojson', geometry: true, force: true, at: NOON + year * DAY_MS },
    versions: { keep: null, vintage: vintage ?? null },
  })

type Relative = {
  propertyId: string
  at: string
  kind: string
  shareOfParent: number
  shareOfChild: number
  evidence: string[]
  parents?: Relative[]
  children?: Relative[]
}

async function ask(service: TestService, parcelId: string, generations = 1) {
  const query = { propertyId: `55025-${parcelId}`, generations }
  const { status, body } = await service.get('/public/property/lineage/', query)
  assert.equal(status, 200, `${parcelId} ${JSON.stringify(body)}`)
  return body
}

const short = ({ propertyId }: Relative) => propertyId.replace('55025-', '')

/** Parcels that changed, and every fifth of the others. */
const ASKED = new Set([
  ...YEAR.truth.flatMap(({ parent, child }) => [parent, child]),
  ...[...YEAR.before, ...YEAR.after]
    .map(({ parcelId }) => parcelId)
    .filter((_, at) => at % 5 === 0),
])

/** Every link that the service shows, as the truth writes them. */
async function listLinks(service: TestService): Promise<string[]> {
  const found = new Set<string>()
  for (const id of ASKED) {
    const { children, parents } = await ask(service, id)
    for (const one of children) found.add(`${id} ${short(one)} ${one.kind}`)
    for (const one of parents) found.add(`${short(one)} ${id} ${one.kind}`)
  }
  return [...found].sort()
}

const TRUTH = YEAR.truth.map(({ parent, child, kind }) => `${parent} ${child} ${kind}`).sort()
const service = await startService('')
after(() => service.close())
await load(service, YEAR.before, 2020)
await load(service, YEAR.after, 2021)

test('every link of the invented year is shown from both ends, and no other', async () => {
  assert.deepEqual(await listLinks(service), TRUTH)
})

test('a link has its day, the shares of both areas, and what speaks for it', async () => {
  const link = YEAR.truth.find(({ kind }) => kind === 'merge')
  assert.ok(link)
  const body = await ask(service, link.child)
  assert.equal(body.kind, 'merge')
  assert.equal(body.children.length, 0)
  const parts = body.parents.length
  for (const { at, shareOfParent, shareOfChild, evidence } of body.parents as Relative[]) {
    assert.equal(at, '2021-01-01')
    assert.ok(shareOfParent > 0.99 && Math.abs(shareOfChild - 1 / parts) < 0.01)
    assert.equal(evidence[0], 'overlay')
  }
  assert.deepEqual(body.metadata, { generations: 1, since: '2020-01-01', complete: true })
  const still = YEAR.after.find(({ parcelId }) => !TRUTH.join(' ').includes(parcelId))
  assert.equal((await ask(service, still?.parcelId ?? '')).kind, 'none')
})

test('a retired ID that one parcel covers finds it, and no other retired ID does', async () => {
  const look = async (parcelId: string, asOf?: string) => {
    const query = { propertyId: `55025-${parcelId}`, ...(asOf && { asOf }) }
    const { status, headers, body } = await service.get('/public/property/parcelId/', query)
    return status === 200 ? `${body.property.parcelId} ${headers.get('x-match')}` : status
  }
  for (const { parent, child, kind } of YEAR.truth) {
    if (YEAR.after.some(({ parcelId }) => parcelId === parent)) continue
    const isAlone = kind === 'renumbered' || kind === 'merge'
    const isRoad = kind === 'adjustment'
    assert.equal(await look(parent), isAlone ? `${child} successor` : 404, `${kind} ${isRoad}`)
    assert.equal(await look(parent, '2020-06-01'), `${parent} exact`)
    assert.equal(await look(parent, '2021-06-01'), 404)
  }
})

test('generations go on over further rolls, up to what is asked', async () => {
  const link = YEAR.truth.find(({ kind }) => kind === 'renumbered')
  assert.ok(link)
  const rename = (from: string, to: string) => (lots: InventedLot[]) =>
    lots.map((lot) => (lot.parcelId === from ? { ...lot, parcelId: to } : lot))
  const third = rename(link.child, 'GEN-3')(YEAR.after)
  await load(service, third, 2022)
  const fourth = rename('GEN-3', 'GEN-4')(third)
  await load(service, fourth, 2023)
  const depth = (one: Relative | undefined): string[] =>
    one === undefined ? [] : [short(one), ...depth(one.parents?.[0] ?? one.children?.[0])]
  const [oldest, newest] = [await ask(service, link.parent, 5), await ask(service, 'GEN-4', 2)]
  assert.deepEqual(depth(oldest.children[0]), [link.child, 'GEN-3', 'GEN-4'])
  assert.deepEqual(depth(newest.parents[0]), ['GEN-3', link.child])
  const query = { propertyId: `55025-${link.parent}` }
  const { body, headers } = await service.get('/public/property/parcelId/', query)
  assert.deepEqual([body.property.parcelId, headers.get('x-match')], ['GEN-4', 'successor'])
  const history = await openHistory(service.config)
  const newestEntry = findUndoable(await history.list(), {})
  await history.close()
  await new Promise(setImmediate)
  const { data: dataDir, databaseUrl } = service.config
  const eraser = await openEraser(rollsPlace({ dataDir, databaseUrl }))
  await eraser.undo(newestEntry, NOON / 1000)
  await eraser.close()
  assert.deepEqual((await ask(service, 'GEN-3')).children, [])
  await load(service, YEAR.after, 2023)
})

test('wrong questions are 400 or 404', async () => {
  const status = async (query: Record<string, string>) =>
    (await service.get('/public/property/lineage/', query)).status
  assert.equal(await status({}), 400)
  assert.equal(await status({ propertyId: '55025-NOBODY' }), 404)
  assert.equal(await status({ propertyId: '55025-1', generations: '0' }), 400)
})

test('a suppressed parcel is in no lineage, and finds no successor', async () => {
  const link = YEAR.truth.find(({ kind }) => kind === 'merge')
  assert.ok(link)
  const words = ['--property', `55025-${link.parent}`, '--scope', 'both', '--basis', 'a law']
  const { code, err } = await runCommand(suppressAdd, words, { data: service.config.data })
  assert.equal(code, 0, err)
  const { text } = await service.get('/public/property/lineage/', {
    propertyId: `55025-${link.child}`,
  })
  assert.equal(text.includes(`"55025-${link.parent}"`), false)
  const query = { propertyId: `55025-${link.parent}` }
  for (const path of ['lineage', 'parcelId']) {
    assert.equal((await service.get(`/public/property/${path}/`, query)).status, 404, path)
  }
})

const missing = whyNoServer()
test('PostgreSQL shows the same', { skip: missing ?? CLUSTER ?? false }, async () => {
  const server = await shareServer()
  const own = await startService('', { databaseUrl: await server.createDatabase('lineage') })
  try {
    await load(own, YEAR.before, 2020)
    await load(own, YEAR.after, 2021)
    assert.deepEqual(await listLinks(own), TRUTH)
  } finally {
    await own.close()
    await server.stop()
  }
})

for (const [name, order] of [
  ['between two rolls', [0, 2, 1]],
  ['before all', [1, 2, 0]],
] as const) {
  test(`a roll that is loaded later, ${name}, gives the same links`, async () => {
    const own = await startService('')
    try {
      const rolls = [YEAR.before, YEAR.after, YEAR.after]
      for (const at of order) {
        await load(own, rolls[at] as InventedLot[], 2020 + at, Date.UTC(2020 + at, 0) / DAY_MS)
      }
      assert.deepEqual(await listLinks(own), TRUTH)
    } finally {
      await own.close()
    }
  })
}
