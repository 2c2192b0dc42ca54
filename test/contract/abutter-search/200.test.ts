/** `GET /public/property/abutters/` answers 200, 400 and 404, and costs a token. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'

const PATH = '/public/property/abutters/'
const [WEST, SOUTH] = [-89.4, 43.07]
/** Feet in a degree of latitude there, on the ellipsoid. */
const FEET_PER_DEGREE = 364_559

/** A square lot of 0.001 degrees. */
function lot(
  parcelId: string,
  east: number,
  north: number,
  owner: string,
  street: string,
  careOf = '',
) {
  const at = (x: number, y: number) => [WEST + x / 1000, SOUTH + y / 1000]
  const ring = [
    at(east, north),
    at(east + 1, north),
    at(east + 1, north + 1),
    at(east, north + 1),
    at(east, north),
  ]
  return {
    type: 'Feature',
    properties: {
      ...{ state: 'WI', county: 'Dane', parcelId, ownerName1: owner, nameOrder: 'last-first' },
      ...{
        ownerAddressLine1: street,
        ownerCity: 'MADISON',
        ownerState: 'WI',
        ownerZipCode: '53703',
        ownerCareOf: careOf,
      },
    },
    geometry: { type: 'Polygon', coordinates: [ring] },
  }
}

const features = [
  lot('SUBJECT', 0, 0, 'ADAMS, JO', '1 MAIN ST'),
  lot('EAST', 1, 0, 'BAKER, SUE', '2 MAIN ST'),
  lot('CORNER', 1, 1, 'BAKER, SUE', '2 MAIN ST', 'Kim Reed'),
  lot('NORTH', 0, 1.1, 'CLARK, AL', '3 MAIN ST'),
  lot('FAR', 0, 3, 'DUNN, MAY', '4 MAIN ST'),
]
const service = await startService('')
await service.importRoll(JSON.stringify({ type: 'FeatureCollection', features }), {
  name: 'roll.geojson',
  geometry: true,
})
await service.importRoll('state,county,parcelId\nWI,Rock,BARE\n')
after(() => service.close())
const key = await service.keyFor({ responseShape: 'flat', includedTokens: 100 })

async function ask(query: Record<string, string | number>) {
  const asked = { propertyId: '55025-SUBJECT', ...query }
  const { status, body, headers } = await service.get(PATH, asked, { key })
  const found = (body.properties ?? []).map(({ parcelId }: { parcelId: string }) => parcelId)
  return { status, found, body, charged: headers.get('x-tokens-charged') }
}

test('distance 0 finds those that share an edge or a corner, without the subject', async () => {
  const { found, body, charged } = await ask({})
  assert.deepEqual(found, ['EAST', 'CORNER'])
  assert.deepEqual(body.metadata.distancesFeet, [0, 0])
  assert.equal(charged, '1')
})

test('a distance finds those within it, nearest first, with feet', async () => {
  const { found, body } = await ask({ distance: 100 })
  assert.deepEqual(found, ['EAST', 'CORNER', 'NORTH'])
  const gap = FEET_PER_DEGREE * 0.0001
  assert.ok(Math.abs(body.metadata.distancesFeet[2] - gap) < 0.1)
  assert.deepEqual((await ask({ distance: Math.floor(gap) })).found, ['EAST', 'CORNER'])
  assert.deepEqual((await ask({ distance: 1000 })).found, ['EAST', 'CORNER', 'NORTH', 'FAR'])
})

test('labels are one per owner and address', async () => {
  const { body } = await ask({ distance: 100, format: 'labels' })
  assert.deepEqual(
    body.labels.map(({ ownerName, careOf, ownerStreet, ownerZipCode, propertyIds }: never) => [
      ...[ownerName, careOf, ownerStreet, ownerZipCode],
      propertyIds,
    ]),
    [
      ['BAKER, SUE', 'KIM REED', '2 MAIN ST', '53703', ['55025-EAST', '55025-CORNER']],
      ['CLARK, AL', null, '3 MAIN ST', '53703', ['55025-NORTH']],
    ],
  )
})

test('the subject may be named by state, county and parcel ID', async () => {
  const query = { state: 'WI', county: 'Dane', parcelId: 'subject' }
  const { body } = await service.get(PATH, query, { key })
  assert.equal(body.metadata.total, 2)
})

test('neighbours meet across 180 degrees of longitude', async () => {
  const side = (parcelId: string, ...lots: [west: number, east: number][]) => ({
    type: 'Feature',
    properties: { state: 'AK', county: '02016', parcelId },
    geometry: {
      type: 'MultiPolygon',
      coordinates: lots.map(([w, e]) => [
        [
          ...[
            [w, 51.9],
            [e, 51.9],
            [e, 51.901],
            [w, 51.901],
            [w, 51.9],
          ],
        ],
      ]),
    },
  })
  const features = [
    side('WEST', [179.998, 179.999]),
    side('BOTH', [179.999, 180], [-180, -179.999]),
    side('NEAR', [-179.9989, -179.998]),
    side('FAR', [-179.99, -179.989]),
  ]
  const roll = JSON.stringify({ type: 'FeatureCollection', features })
  await service.importRoll(roll, { name: 'aleutians.geojson', geometry: true })
  const both = await ask({ propertyId: '02016-BOTH', distance: 100 })
  assert.deepEqual(both.found, ['WEST', 'NEAR'])
  const west = await ask({ propertyId: '02016-WEST', distance: 600 })
  assert.deepEqual(west.found, ['BOTH', 'NEAR'])
  assert.ok(Math.abs(west.body.metadata.distancesFeet[1] - 474) < 10)
})

test('an unknown parcel is 404, one without a polygon says so; both are free', async () => {
  const before = await service.charges(key)
  const none = await ask({ propertyId: '55025-NONE' })
  assert.deepEqual([none.status, none.body.error], [404, 'Property not found'])
  const bare = await ask({ propertyId: '55105-BARE' })
  assert.deepEqual([bare.status, bare.body.error], [404, 'The property has no polygon'])
  assert.equal(await service.charges(key), before)
})

test('a distance above 1,000 feet, another format, and no subject are 400', async () => {
  assert.equal((await ask({ distance: 1001 })).status, 400)
  assert.equal((await ask({ format: 'csv' })).status, 400)
  assert.equal((await service.get(PATH, {}, { key })).status, 400)
})
