/** The operations of places, sales, changes and coverage answer 401 and 403 like all others. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { startService } from '../service.ts'
import { type Operation, promiseGate, promiseKeys } from './promises.ts'

const [WEST, SOUTH] = [-89.4, 43.07]

/** A square lot of a thousandth of a degree, sold in the year before. */
function lot(parcelId: string, east: number) {
  const at = (x: number, y: number) => [WEST + x / 1000, SOUTH + y / 1000]
  const ring = [at(east, 0), at(east + 1, 0), at(east + 1, 1), at(east, 1), at(east, 0)]
  return {
    type: 'Feature',
    properties: {
      ...{ state: 'WI', county: 'Dane', parcelId, address: `${east + 1} OAK ST` },
      ...{ ownerName1: 'VAREK, MARA', nameOrder: 'last-first', useCode: '1001' },
      ...{ latitude: SOUTH + 0.0005, longitude: WEST + east / 1000 + 0.0005 },
      ...{ buildingArea: 1500, yearBuilt: 1990 },
      ...{ transferDate: '2025-12-01', transferPrice: 300_000 + east * 1000 },
    },
    geometry: { type: 'Polygon', coordinates: [ring] },
  }
}

const features = Array.from({ length: 8 }, (_, at) => lot(`L${at}`, at))
const service = await startService('')
await service.importRoll(JSON.stringify({ type: 'FeatureCollection', features }), {
  name: 'roll.geojson',
  geometry: true,
})
after(() => service.close())

const point = { latitude: SOUTH + 0.0005, longitude: WEST + 0.0005 }
const propertyId = '55025-L0'
const OPERATIONS: Operation[] = [
  { path: '/public/property/location/', query: { ...point, radius: 1 }, tokenCost: 0 },
  { path: '/public/property/point/', query: point, tokenCost: 0 },
  { path: '/public/property/shape/', query: { bbox: '-89.41,43.06,-89.39,43.08' }, tokenCost: 0 },
  { path: '/public/property/abutters/', query: { propertyId }, tokenCost: 1 },
  { path: '/public/premium/comparables/', query: point, tokenCost: 1 },
  { path: '/public/premium/portfolio/', query: { propertyId }, tokenCost: 1 },
  { path: '/public/coverage/', query: {}, tokenCost: 0 },
  { path: '/public/changes/', query: { state: 'WI' }, tokenCost: 0 },
]

for (const operation of OPERATIONS) {
  describe(operation.path, () => {
    test('its query is answered', async () => {
      const { status, body } = await service.get(operation.path, operation.query)
      assert.equal(status, 200, JSON.stringify(body).slice(0, 300))
    })
    promiseKeys(service, operation)
    promiseGate(service, operation)
  })
}
