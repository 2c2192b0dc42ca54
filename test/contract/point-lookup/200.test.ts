/** `GET /public/property/point/` answers 200 and 404. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'

const PATH = '/public/property/point/'

/**
 * A square lot whose south-west corner is so many hundred-thousandths of a degree from a corner of
 * the county.
 */
function lot(parcelId: string, east: number, north: number, side: number, hole = false) {
  const at = (x: number, y: number) => [-89.4 + x / 1e5, 43.07 + y / 1e5]
  const ring = (west: number, south: number, size: number) => [
    at(west, south),
    at(west + size, south),
    at(west + size, south + size),
    at(west, south + size),
    at(west, south),
  ]
  const inner = ring(east + side / 4, north + side / 4, side / 2).reverse()
  return {
    type: 'Feature',
    properties: { state: 'WI', county: 'Dane', parcelId },
    geometry: { type: 'Polygon', coordinates: [ring(east, north, side), ...(hole ? [inner] : [])] },
  }
}

const roll = {
  type: 'FeatureCollection',
  features: [
    lot('LOT-A', 0, 0, 100),
    lot('LOT-B', 100, 0, 100),
    lot('UNIT-1', 0, 200, 100),
    lot('UNIT-2', 0, 200, 100),
    lot('PARK', 400, 0, 100, true),
  ],
}

const service = await startService('')
await service.importRoll(JSON.stringify(roll), { name: 'roll.geojson', geometry: true })
after(() => service.close())
const key = await service.keyFor({ responseShape: 'flat' })

async function ask(east: number, north: number, query: Record<string, number> = {}) {
  const asked = { latitude: 43.07 + north / 1e5, longitude: -89.4 + east / 1e5, ...query }
  const { status, body, headers } = await service.get(PATH, asked, { key })
  const found = (body.properties ?? []).map(({ parcelId }: { parcelId: string }) => parcelId)
  return { status, found, match: headers.get('x-match'), error: body.error }
}

test('a point inside a polygon finds its parcel', async () => {
  assert.deepEqual(await ask(50, 50), {
    status: 200,
    found: ['LOT-A'],
    match: 'polygon',
    error: undefined,
  })
})

test('a point on a shared edge finds both neighbours, by ascending id', async () => {
  assert.deepEqual((await ask(100, 50)).found, ['LOT-A', 'LOT-B'])
})

test('units that share a shape are all found, and the limit counts', async () => {
  assert.deepEqual((await ask(50, 250)).found, ['UNIT-1', 'UNIT-2'])
  assert.deepEqual((await ask(50, 250, { limit: 1 })).found, ['UNIT-1'])
})

test('a hole is outside', async () => {
  assert.equal((await ask(450, 50)).status, 404)
  assert.deepEqual((await ask(410, 50)).found, ['PARK'])
})

test('without a polygon the nearest parcel point answers within the tolerance', async () => {
  assert.deepEqual(await ask(-20, 50), {
    status: 404,
    found: [],
    match: null,
    error: 'Property not found',
  })
  const near = await ask(-20, 50, { tolerance: 100 })
  assert.deepEqual([near.found, near.match], [['LOT-A'], 'nearest'])
  assert.equal((await ask(-20, 50, { tolerance: 5 })).status, 404)
})

test('a tolerance above 100 metres is 400', async () => {
  const { status, error } = await ask(0, 0, { tolerance: 101 })
  assert.equal(status, 400)
  assert.match(error, /tolerance/)
})
