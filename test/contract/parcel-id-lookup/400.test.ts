/** `GET /public/property/parcelId/` answers 400: docs/decisions/http-interface.md. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'
import { promiseParameters } from '../promises.ts'
import { PARCELS, PATH } from './roll.ts'

const service = await startService(PARCELS)
after(() => service.close())
const query = { state: 'WI', county: 'Dane', parcelId: '12-34' }

promiseParameters(service, { path: PATH, query, tokenCost: 0 }, [
  ...['state', 'county', 'parcelId', 'propertyId', 'realieParcelId'],
])

for (const name of ['state', 'county', 'parcelId'] as const) {
  for (const [what, value] of [
    ['missing', undefined],
    ['empty', ''],
    ['blank', ' '],
  ] as const) {
    test(`${name} ${what} is 400`, async () => {
      const { [name]: _, ...rest } = query
      const asked = value === undefined ? rest : { ...rest, [name]: value }
      const { status, body } = await service.get(PATH, asked)
      assert.deepEqual([status, body], [400, { error: `${name} is required` }])
    })
  }
}

const pairs: [propertyId: string, parcelId: string, county: string | undefined, status: number][] =
  [
    ['55025-12-34', '12-34', 'Dane', 200],
    ['55025-12-34', '12-34', undefined, 200],
    ['55025-0709-123.a', '0709 123 A', 'Dane', 200],
    ['55025-12-34', '55025-12-34', undefined, 200],
    ['55025-12-34', '77/1', 'Dane', 400],
    ['55025-12-34', '34', undefined, 400],
    ['55025-12-34', '1-234', undefined, 400],
    ['55025-77/1', 'old.7', undefined, 400],
    ['55025-0709-123.a', 'old-7', 'Dane', 200],
    ['55025-88/1', '1000010101', undefined, 200],
    ['55025-12-34', '55079-12-34', undefined, 400],
  ]
for (const [propertyId, parcelId, county, right] of pairs) {
  test(`${propertyId} with the parcel ID ${parcelId} is ${right}`, async () => {
    const { status, body } = await service.get(PATH, {
      ...(county && { county }),
      propertyId,
      parcelId,
    })
    assert.equal(status, right)
    if (right === 400) assert.match(body.error, /^propertyId and parcelId name different parcels/)
    else assert.match(propertyId, new RegExp(body.property.propertyId, 'i'))
  })
}
