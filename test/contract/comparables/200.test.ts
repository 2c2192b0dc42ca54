/** `GET /public/premium/comparables/` answers 200. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Query, startService } from '../../service.ts'
import { parcelIds } from '../look.ts'
import { CENTER, PATH, SOLD } from './roll.ts'

const service = await startService(SOLD)
after(() => service.close())

const ask = (query: Exclude<Query, string>) => service.get(PATH, { ...CENTER, ...query })
const found = async (query: Exclude<Query, string>) => parcelIds(await ask(query))

test('qualified sales, most similar first; the same records under both names', async () => {
  const answer = await ask({ limit: 3, sqftMin: 1400, sqftMax: 1600 })
  assert.equal(answer.status, 200)
  assert.deepEqual(Object.keys(answer.body), ['comparables', 'properties', 'metadata'])
  assert.deepEqual(answer.body.comparables, answer.body.properties)
  assert.deepEqual(parcelIds(answer), ['H1', 'H2', 'H3'])
  const { sales, ...metadata } = answer.body.metadata
  assert.deepEqual(metadata, {
    limit: 3,
    offset: 0,
    count: 3,
    total: 24,
    complete: true,
    searchCenter: CENTER,
    radiusMiles: 1,
    timeFrame: 18,
    searchParams: {
      latitude: CENTER.latitude,
      longitude: CENTER.longitude,
      ...{ radius: 1, timeFrame: 18, maxResults: 3, offset: 0, sqftMin: 1400, sqftMax: 1600 },
      ...{ propertyType: 'any', explain: false, estimate: false },
    },
  })
  const [first] = sales
  assert.equal(first.date, '2025-12-01')
  assert.equal(first.price, 301_000)
  assert.equal(first.pricePerSqFt, 200.67)
  assert.deepEqual([first.qualified, first.flags], [true, []])
  assert.ok(first.distanceMiles > 0.006 && first.distanceMiles < 0.008)
  const falling = sales.map((one: { similarity: number }) => one.similarity)
  assert.deepEqual(
    falling,
    [...falling].sort((a, b) => b - a),
  )
})

test('a subject gives its features, is left out itself, and its point may be another', async () => {
  const propertyId = '55025-SUBJECT'
  const answer = await service.get(PATH, { propertyId, limit: 50 })
  assert.equal(answer.body.metadata.total, 26)
  assert.ok(!parcelIds(answer).includes('SUBJECT'))
  assert.equal(answer.body.metadata.sales[0].differences.bedrooms, 0)
  const byId = { state: 'WI', county: 'Dane', parcelId: 'SUBJECT', limit: 50 }
  assert.deepEqual(parcelIds(await service.get(PATH, byId)), parcelIds(answer))
  const elsewhere = await service.get(PATH, { propertyId, latitude: 43.11, longitude: -89.4 })
  assert.deepEqual(parcelIds(elsewhere), ['FAR'])
})

test('filters restrict the result, and pages follow each other', async () => {
  assert.deepEqual(await found({ sqftMin: 2000 }), ['LARGE'])
  assert.deepEqual(await found({ bedsMin: 4 }), ['LARGE'])
  assert.deepEqual(await found({ bathsMin: 2.5, bathsMax: 5 }), ['LARGE'])
  assert.deepEqual(await found({ propertyType: 'condo' }), ['CONDO'])
  assert.deepEqual(await found({ property_type: 'condo' }), ['CONDO'])
  assert.deepEqual(await found({ priceMax: 250_000 }), ['CONDO'])
  assert.deepEqual(await found({ time_frame: 60, priceMin: 301_000, priceMax: 301_000 }), [
    ...['H1', 'OLD'],
  ])
  const all = await found({ maxResults: 50 })
  const pages = [await found({ limit: 20 }), await found({ limit: 20, offset: 20 })]
  assert.deepEqual(pages.flat(), all)
})

test('explain shows and counts sales without a market price, each with its flags', async () => {
  const { body } = await ask({ explain: true, maxResults: 50 })
  const flags = new Map<string, string[]>(
    body.properties.map((one: { propertyIdentification: { parcelId: string } }, at: number) => [
      one.propertyIdentification.parcelId,
      body.metadata.sales[at].flags,
    ]),
  )
  assert.deepEqual(flags.get('GIFT'), ['deed'])
  assert.deepEqual(flags.get('CHEAP'), ['price', 'outlier'])
  assert.deepEqual(flags.get('KIN'), ['family'])
  assert.deepEqual(flags.get('PAIR1'), ['several-parcels', 'outlier'])
  assert.deepEqual(flags.get('DEAR'), ['outlier'])
  assert.deepEqual(flags.get('H1'), [])
  assert.equal(body.metadata.excluded['several-parcels'], 2)
  assert.equal(body.metadata.excluded.deed, 1)
})

test('a value is estimated only on request, with the reason for a missing range', async () => {
  const propertyId = '55025-SUBJECT'
  const plain = await service.get(PATH, { propertyId })
  assert.equal(plain.body.metadata.estimate, undefined)
  const { estimate } = (await service.get(PATH, { propertyId, estimate: true })).body.metadata
  assert.ok(estimate.value > 300_000 && estimate.value < 325_000)
  assert.deepEqual([estimate.n, estimate.low, estimate.backtest], [16, null, null])
  assert.match(estimate.reason, /fewer than 200 of the county's past sales could be tested/)
  const bare = (await ask({ estimate: true })).body.metadata.estimate
  assert.equal(bare.value, null)
  assert.match(bare.reason, /area/)
})

test('one token for each 200, none for a 404', async () => {
  const key = await service.keyFor({})
  await service.get(PATH, CENTER, { key })
  await service.get(PATH, { ...CENTER, priceMin: 99_000_000 }, { key })
  assert.equal(await service.charges(key), 1)
})

test('a removed sale is no longer found, a moved one is found at its new place', async () => {
  const others = SOLD.split('\n').filter((line) => !line.includes('"LARGE"'))
  await service.importRoll(others.join('\n').replace('"FAR"', '"NEAR"'), { force: true })
  const { status } = await ask({ sqftMin: 2000 })
  assert.equal(status, 404)
})
