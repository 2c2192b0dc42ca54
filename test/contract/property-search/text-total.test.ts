/** The total of a free text of which only the first 200 parcels are found. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'
import { makeRoll } from '../rolls.ts'

const own = (count: number, ownerName1: string) =>
  Array.from({ length: count }, (_, at) => ({
    ...{ parcelId: `${ownerName1.slice(0, 2)}${at}`, address: `${at + 1} ELM ST`, ownerName1 },
  }))

const service = await startService(makeRoll([...own(202, 'HARLOW, ANN'), ...own(200, 'TRENT, BO')]))
after(() => service.close())

for (const [query, totals] of [
  ['Harlow', { total: 201, totalIs: 'atLeast' }],
  ['Trent', { total: 200, totalIs: 'exact' }],
] as const) {
  test(`the total of ${query} is ${totals.totalIs}`, async () => {
    const asked = { state: 'WI', query, countOnly: 'true' }
    const { body } = await service.get('/public/property/search/', asked)
    assert.deepEqual(body.metadata, totals)
  })
}
