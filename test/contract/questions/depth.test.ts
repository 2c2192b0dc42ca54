/** Pages deep in an order, and medians of more numbers than are sorted at once. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'
import { makeRoll, times } from '../rolls.ts'

const PARCELS = 34_000
/** All values from 1 on, in no order. */
const marketOf = (number: number) => ((number * 7919) % PARCELS) + 1

const service = await startService(
  makeRoll(
    times(PARCELS, (number) => ({
      ...{ parcelId: `P${number}`, city: number % 2 === 0 ? 'MADISON' : 'VERONA' },
      ...{ totalMarketValue: marketOf(number), totalAssessedValue: 1 + (number % 3) },
    })),
  ),
)
after(() => service.close())
const key = await service.keyFor({ responseShape: 'flat' })
const ALL = { state: 'WI', includeUnassignedAddress: true, limit: 3 }

for (const [sort, offset, values] of [
  ['marketValue', 0, [1, 2, 3]],
  ['marketValue', 5000, [5001, 5002, 5003]],
  ['-marketValue', 4999, [PARCELS - 4999, PARCELS - 5000, PARCELS - 5001]],
] as const) {
  test(`the page after ${offset} parcels by ${sort} begins with the next one`, async () => {
    const { body } = await service.get(
      '/public/property/search/',
      { ...ALL, sort, offset },
      { key },
    )
    const shown = body.properties.map((one: { totalMarketValue: number }) => one.totalMarketValue)
    assert.deepEqual(shown, values)
  })
}

test('a page deeper in an order by offset is 400, by id or in cursor mode it is not', async () => {
  const ask = (query: object) =>
    service.get('/public/property/search/', { ...ALL, offset: 5001, ...query }, { key })
  const refused = await ask({ sort: '-marketValue' })
  assert.deepEqual(
    [refused.status, refused.body.error],
    [400, 'offset must be 5000 or less with sort; use cursor'],
  )
  for (const query of [{ sort: 'id' }, { includeTotal: true }, { sort: 'acres', cursor: '' }]) {
    assert.equal((await ask(query)).status, 200, JSON.stringify(query))
  }
  const { body } = await ask({ includeTotal: true, offset: PARCELS - 2 })
  assert.deepEqual([body.metadata.count, body.metadata.total], [2, PARCELS])
})

test('medians of many numbers are exact', async () => {
  const measure = 'medianMarketValue,medianAssessedValue,sumMarketValue'
  const query = { state: 'WI', groupBy: 'county', measure }
  const { body } = await service.get('/public/property/summary/', query, { key })
  assert.deepEqual(body.groups, [
    {
      ...{ key: { county: 'DANE' }, count: PARCELS },
      sumMarketValue: (PARCELS * (PARCELS + 1)) / 2,
      medianMarketValue: (PARCELS + 1) / 2,
      medianAssessedValue: 2,
    },
  ])
})
