/** `asOf` of a tile answers, on both stores, what a service with that year's roll alone answers. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { tileAt } from '../../../src/geo/tile.ts'
import { noteDatabase } from '../../citus-cluster.ts'
import { shareServer, whyNoServer } from '../../postgres-server.ts'
import { operate } from '../../processes/operator.ts'
import { startService, type TestService } from '../../service.ts'

const [LONGITUDE, LATITUDE] = [-89.4, 43.07]
/** Zooms of polygons alone, of polygons and points, and of a part of them. */
const ZOOMS = [14, 16, 18]

type Lot = { parcelId: string; east: number; side?: number; value?: number; pointOnly?: true }

/** A square lot; `east` and `side` in hundred-thousandths of a degree. */
function featureOf({ parcelId, east, side = 50, value = 1000, pointOnly }: Lot, year: number) {
  const at = (x: number, y: number) => [LONGITUDE + x / 1e5, LATITUDE + y / 1e5]
  const ring = [at(east, 0), at(east + side, 0), at(east + side, 50), at(east, 50), at(east, 0)]
  return {
    type: 'Feature',
    properties: {
      ...{ state: 'WI', county: 'Dane', parcelId, ownerName1: 'QUILLON, MARA' },
      ...{ nameOrder: 'last-first', address: `${east + 1} MAIN ST`, sourceRollYear: year },
      totalMarketValue: value,
    },
    geometry: pointOnly
      ? { type: 'Point', coordinates: at(east, 25) }
      : { type: 'Polygon', coordinates: [ring] },
  }
}

/** A is split, B goes and comes back, C moves and loses its polygon, D only changes its value. */
const YEARS = new Map<number, Lot[]>([
  [
    2022,
    [
      { parcelId: 'A', east: 0, side: 100 },
      { parcelId: 'B', east: 100 },
      { parcelId: 'C', east: 150 },
      { parcelId: 'D', east: 200, value: 1 },
    ],
  ],
  [
    2023,
    [
      { parcelId: 'A-1', east: 0 },
      { parcelId: 'A-2', east: 50 },
      { parcelId: 'C', east: 2000 },
      { parcelId: 'D', east: 200, value: 2 },
    ],
  ],
  [
    2024,
    [
      { parcelId: 'A-1', east: 0 },
      { parcelId: 'A-2', east: 50 },
      { parcelId: 'B', east: 100 },
      { parcelId: 'C', east: 2000, pointOnly: true },
      { parcelId: 'D', east: 200, value: 3 },
    ],
  ],
])

const day = (year: number) => Date.UTC(year, 0, 1) / 86_400_000
const load = (service: TestService, year: number, vintage?: number) =>
  service.importRoll(
    JSON.stringify({
      type: 'FeatureCollection',
      features: (YEARS.get(year) ?? []).map((lot) => featureOf(lot, year)),
    }),
    {
      ...{ name: 'roll.geojson', geometry: true, force: true },
      ...(vintage !== undefined && { versions: { keep: null, vintage } }),
    },
  )

async function ask(service: TestService, zoom: number, asOf?: string, headers = {}) {
  const { x, y } = tileAt([LONGITUDE + 0.0005, LATITUDE + 0.0002], zoom)
  const query = asOf === undefined ? '' : `?asOf=${asOf}`
  return fetch(`${service.address}/public/tiles/${zoom}/${x}/${y}${query}`, {
    headers: { authorization: await keyOf(service), ...headers },
  })
}

const keys = new Map<TestService, Promise<string>>()
function keyOf(service: TestService): Promise<string> {
  const key = keys.get(service) ?? service.keyFor()
  keys.set(service, key)
  return key
}

/** What a tile shows, in an order that record ids do not decide. */
async function read(response: Response): Promise<string[]> {
  if (response.status === 204) return []
  assert.equal(response.status, 200)
  const { layers } = new VectorTile(new PbfReader(await response.bytes()))
  return Object.entries(layers)
    .flatMap(([name, layer]) =>
      Array.from({ length: layer.length }, (_, at) => {
        const feature = layer.feature(at)
        return JSON.stringify([name, feature.properties, feature.loadGeometry()])
      }),
    )
    .toSorted()
}

const missing = whyNoServer()
const stores: { name: string; service: TestService }[] = []
const alone = new Map<number, TestService>()
const server = missing === undefined ? await shareServer() : undefined
before(async () => {
  const urls = [null, ...(server === undefined ? [] : [await server.createDatabase('tiles')])]
  for (const databaseUrl of urls) {
    const service = await startService('', { databaseUrl })
    if (databaseUrl !== null) noteDatabase(service.config.data, databaseUrl)
    stores.push({ name: databaseUrl === null ? 'SQLite' : 'PostgreSQL', service })
    await load(service, 2024)
    await load(service, 2022, day(2022))
    await load(service, 2023, day(2023))
  }
  for (const year of YEARS.keys()) {
    const service = await startService('')
    alone.set(year, service)
    await load(service, year)
  }
})
after(async () => {
  for (const service of [...stores.map((one) => one.service), ...alone.values()]) {
    await service.close()
  }
  await server?.stop()
})

test('a tile of a year is the tile of a store with that roll alone', async () => {
  for (const { name, service } of stores) {
    for (const [year, own] of alone) {
      for (const zoom of ZOOMS) {
        const expected = await read(await ask(own, zoom))
        assert.ok(expected.length > 0)
        for (const asOf of [`${year}`, `${year}-01-01`, `${year}-12-31`]) {
          const found = await read(await ask(service, zoom, asOf))
          assert.deepEqual(found, expected, `${name}, ${asOf}, zoom ${zoom}`)
        }
      }
    }
    // The present is what it was.
    assert.deepEqual(await read(await ask(service, 16)), await read(await ask(service, 16, '2030')))
  }
})

test('a tile before the first roll, and of counts, is empty; a wrong day is refused', async () => {
  for (const { service } of stores) {
    assert.equal((await ask(service, 16, '2021')).status, 204)
    assert.equal((await ask(service, 13, '2023')).status, 204)
    assert.equal((await ask(service, 13)).status, 200)
    for (const wrong of ['23', '2023-02-30', '2023-1-1', 'now', '20233']) {
      assert.equal((await ask(service, 16, wrong)).status, 400, wrong)
    }
  }
})

test('a year has its own validator, and another roll of it another', async () => {
  for (const { service } of stores) {
    const [now, before] = [await ask(service, 16), await ask(service, 16, '2023')]
    const tag = before.headers.get('etag') ?? ''
    assert.notEqual(tag, now.headers.get('etag'))
    const again = await ask(service, 16, '2023', { 'if-none-match': tag })
    assert.equal(again.status, 304)
    assert.equal((await ask(service, 16, '2022', { 'if-none-match': tag })).status, 200)
    await load(service, 2022, day(2023) + 31)
    const later = await ask(service, 16, '2023', { 'if-none-match': tag })
    assert.equal(later.status, 200)
    assert.deepEqual(await read(later), await read(await ask(service, 16, '2022')))
  }
})

test('a suppressed parcel is in no tile of a year, and a suppressed address on none', async () => {
  for (const { name, service } of stores) {
    const hide = (...words: string[]) =>
      operate(service.config.data, 'suppress', 'add', '--basis', 'a law', ...words)
    const all = (await read(await ask(service, 16, '2024'))).join()
    for (const text of ['55025-B', '201 MAIN ST']) assert.ok(all.includes(text), `${name} ${text}`)
    await hide('--property', '55025-B', '--scope', 'both')
    await hide('--address', '201 Main St', '--state', 'WI', '--scope', 'address')
    for (const year of [undefined, '2022', '2023', '2024']) {
      for (const zoom of ZOOMS) {
        const shown = (await read(await ask(service, zoom, year))).join()
        assert.doesNotMatch(shown, /55025-B"|201 MAIN ST/, `${name}, ${year}, zoom ${zoom}`)
      }
    }
    assert.match((await read(await ask(service, 16, '2024'))).join(), /55025-A-1/)
  }
})
