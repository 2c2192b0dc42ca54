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
