/**
 * `GET /public/tiles/{z}/{x}/{y}` answers 200, 204, 304 and 400; `/public/tiles.json` describes the
 * tiles.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { tileAt } from '../../../src/geo/tile.ts'
import { startService } from '../../service.ts'

const [LONGITUDE, LATITUDE] = [-89.4, 43.07]

/** A square lot, so many hundred-thousandths of a degree east of a corner of the county. */
function lot(parcelId: string, east: number, value: number) {
  const at = (x: number, y: number) => [LONGITUDE + x / 1e5, LATITUDE + y / 1e5]
  const ring = [at(east, 0), at(east + 50, 0), at(east + 50, 50), at(east, 50), at(east, 0)]
  return {
    type: 'Feature',
    properties: {
      state: 'WI',
      county: 'Dane',
      parcelId,
      address: '123 Main St',
      ownerName1: 'QUILLON, MARA',
      nameOrder: 'last-first',
      totalMarketValue: value,
    },
    geometry: { type: 'Polygon', coordinates: [ring] },
  }
}

const features = [lot('LOT-A', 0, 100_000), lot('LOT-B', 50, 200_000), lot('UNIT', 50, 0)]
const service = await startService('')
const roll = JSON.stringify({ type: 'FeatureCollection', features })
await service.importRoll(roll, { name: 'roll.geojson', geometry: true })
after(() => service.close())
const key = await service.keyFor()

async function ask(z: number, [longitude, latitude] = [LONGITUDE + 0.0005, LATITUDE + 0.0002]) {
  const { x, y } = tileAt([longitude as number, latitude as number], z)
  return fetch(`${service.address}/public/tiles/${z}/${x}/${y}`, {
    headers: { authorization: key },
  })
}

async function layersAt(z: number) {
  const response = await ask(z)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'application/vnd.mapbox-vector-tile')
  const bytes = await response.bytes()
  assert.equal(Buffer.from(bytes).includes('QUILLON'), false)
  const { layers } = new VectorTile(new PbfReader(bytes))
  return Object.fromEntries(
    Object.entries(layers).map(([name, layer]) => [
      name,
      Array.from({ length: layer.length }, (_, at) => layer.feature(at)),
    ]),
  )
}

test('zoom 14 has polygons, and those that share one show it once', async () => {
  const layers = await layersAt(14)
  assert.deepEqual(Object.keys(layers), ['parcels'])
  assert.deepEqual(
    layers.parcels?.map(({ properties }) => ({ ...properties })),
    [
      { propertyId: '55025-LOT-A', address: '123 MAIN ST', value: 100_000 },
      { propertyId: '55025-LOT-B', address: '123 MAIN ST', value: 200_000 },
    ],
  )
})

test('zoom 16 names every parcel too, where its point is', async () => {
  const layers = await layersAt(16)
  assert.equal(layers.parcels?.length, 2)
  assert.equal(layers.labels?.length, 3)
  const { x, y } = tileAt([LONGITUDE, LATITUDE], 16)
  const place = layers.labels?.[0]?.toGeoJSON(x, y, 16).geometry
  assert.ok(place?.type === 'Point')
  assert.ok(Math.abs((place.coordinates[0] ?? 0) - LONGITUDE - 0.00025) < 1e-5)
  assert.ok(Math.abs((place.coordinates[1] ?? 0) - LATITUDE - 0.00025) < 1e-5)
})

test('low zooms have a count, whatever the zoom', async () => {
  for (const z of [0, 7, 8, 13]) {
    const { density } = await layersAt(z)
    const counts = density?.map(({ properties }) => Number(properties.parcels)) ?? []
    assert.equal(
      counts.reduce((sum, one) => sum + one, 0),
      3,
      `zoom ${z}`,
    )
  }
})

test('where there is nothing, and above zoom 18, the answer is 204', async () => {
  for (const z of [3, 13, 14, 17]) {
    const response = await ask(z, [10, 50])
    assert.deepEqual([response.status, await response.text()], [204, ''], `zoom ${z}`)
  }
  assert.equal((await ask(19)).status, 204)
})

test('the ETag holds until the next import', async () => {
  const first = await ask(14)
  const etag = first.headers.get('etag') ?? ''
  await first.bytes()
  const again = () => fetch(first.url, { headers: { authorization: key, 'if-none-match': etag } })
  assert.equal((await again()).status, 304)
  await service.importRoll(roll.replace('100000', '100001'), {
    name: 'roll.geojson',
    geometry: true,
  })
  assert.equal((await again()).status, 200)
})

test('numbers that are not a tile are 400, and a key is needed', async () => {
  for (const path of ['1/2/0', '23/0/0', '1/a/0', '-1/0/0', '1/0/1.5']) {
    assert.equal((await service.get(`/public/tiles/${path}`)).status, 400, path)
  }
  assert.equal((await service.get('/public/tiles/1/0/0', {}, { key: null })).status, 401)
})

test('tiles.json gives the address, the content and the bounds of the tiles', async () => {
  const { status, body } = await service.get('/public/tiles.json')
  assert.equal(status, 200)
  assert.deepEqual(body.tiles, ['/public/tiles/{z}/{x}/{y}'])
  assert.deepEqual(
    body.vector_layers.map(({ id }: { id: string }) => id),
    ['parcels', 'labels', 'density'],
  )
  const [west, , east] = body.bounds
  assert.ok(west < east && west > LONGITUDE)
})

test('tiles.json begins in the county with the most parcels, not between counties', async (t) => {
  const header = 'state,county,parcelId,latitude,longitude'
  const row = (place: string, number: number, x: number) => `${place},${number},43,${x + number}`
  const few = row('IL,Cook', 1, -88)
  const many = [1, 2, 3].map((number) => row('NE,Lancaster', number, -98))
  const two = await startService([header, few, ...many].join('\n'))
  t.after(() => two.close())
  const { body } = await two.get('/public/tiles.json')
  assert.deepEqual(body.center, [-96, 43, 11])
})

test('many tiles at once are all answered', async () => {
  const answers = await Promise.all(Array.from({ length: 40 }, () => ask(14)))
  assert.ok(answers.every(({ status }) => status === 200))
})
