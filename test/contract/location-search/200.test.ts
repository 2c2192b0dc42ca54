/** `GET /public/property/location/` answers 200. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { measureMiles, type Point } from '../../../src/geo/sphere.ts'
import { startService } from '../../service.ts'

const PATH = '/public/property/location/'
const CENTER = { latitude: 43.07, longitude: -89.4 }

/** A grid of 20 by 20 lots some 300 feet apart, with two on each spot of its diagonal. */
const lots = Array.from({ length: 400 }, (_, at) => ({
  id: `P-${String(at).padStart(3, '0')}`,
  point: [-89.4 + (at % 20) * 0.001, 43.07 + Math.floor(at / 20) * 0.001] as Point,
  use: at % 3 === 0 ? '1001' : '2004',
}))
const rows = lots.flatMap(({ id, point: [x, y], use }, at) => {
  const address = at === 5 ? '' : `${at + 1} OAK ST`
  const kind = use === '1001' ? 'SINGLE FAMILY' : ''
  const city = at === 399 ? 'VERONA' : 'MADISON'
  const rest = `53703,${use},${y},${x},${kind},${city}`
  const line = `WI,Dane,${id},${address},${rest}`
  return at % 21 === 0 ? [line, `WI,Dane,${id}-2,${at + 1} ELM ST,${rest}`] : [line]
})
const HEAD = 'state,county,parcelId,address,zipCode,useCode,latitude,longitude'
const service = await startService([`${HEAD},useDescription,city`, ...rows].join('\n'))
after(() => service.close())
const key = await service.keyFor({ responseShape: 'flat' })

async function ask(query: Record<string, string | number | boolean>) {
  return service.get(PATH, { ...CENTER, ...query }, { key })
}

const idsOf = (answer: { body: { properties: { parcelId: string }[] } }) =>
  answer.body.properties.map(({ parcelId }) => parcelId)

test('nearest first, with the distance of each', async () => {
  const answer = await ask({ limit: 4 })
  assert.equal(answer.status, 200)
  assert.deepEqual(idsOf(answer), ['P-000', 'P-000-2', 'P-001', 'P-020'])
  const { distancesMiles, ...metadata } = answer.body.metadata
  assert.deepEqual(metadata, {
    limit: 4,
    offset: 0,
    count: 4,
    searchCenter: { longitude: -89.4, latitude: 43.07 },
    radiusMiles: 1,
  })
  const there = measureMiles([-89.4, 43.07], [-89.399, 43.07])
  assert.deepEqual(distancesMiles.slice(0, 2), [0, 0])
  assert.ok(Math.abs(distancesMiles[2] - there) < 1e-5)
})

test('a radius of 0 answers what lies at the point, and a little above 0 no more', async () => {
  for (const radius of [0, 0.001]) {
    const { status, body } = await ask({ radius })
    assert.equal(status, 200)
    assert.deepEqual(idsOf({ body }), ['P-000', 'P-000-2'])
    assert.deepEqual([body.metadata.radiusMiles, ...body.metadata.distancesMiles], [radius, 0, 0])
  }
  assert.deepEqual(idsOf(await ask({ radius: 0, longitude: -89.40001 })), [])
})

test('the radius is capped at 2 miles and returned', async () => {
  assert.equal((await ask({ radius: 50 })).body.metadata.radiusMiles, 2)
})

test('pages by cursor hold every parcel of the circle once, nearest first', async () => {
  const seen: string[] = []
  const distances: number[] = []
  let cursor = ''
  for (;;) {
    const { body } = await ask({ radius: 0.5, limit: 7, cursor })
    seen.push(...idsOf({ body }))
    distances.push(...body.metadata.distancesMiles)
    if (body.metadata.nextCursor === null) break
    cursor = body.metadata.nextCursor
  }
  const within = lots
    .filter(({ point }, at) => at !== 5 && measureMiles([-89.4, 43.07], point) <= 0.5)
    .map(({ id }) => id)
  const whole = within.flatMap((id) => (Number(id.slice(2)) % 21 === 0 ? [id, `${id}-2`] : [id]))
  assert.deepEqual([...seen].sort(), whole.sort())
  assert.deepEqual(
    distances,
    [...distances].sort((a, b) => a - b),
  )
})

test('an offset goes on where the page before it ended', async () => {
  const [first, second] = [await ask({ limit: 6 }), await ask({ limit: 3, offset: 3 })]
  assert.deepEqual(idsOf(second), idsOf(first).slice(3))
})

test('filters exclude parcels that do not match', async () => {
  const uses = (await ask({ useCode: '2004', limit: 5 })).body.properties.map(
    ({ useCode }: { useCode: string }) => useCode,
  )
  assert.deepEqual([...new Set(uses)], ['2004'])
  assert.deepEqual(idsOf(await ask({ state: 'IL' })), [])
  assert.deepEqual(idsOf(await ask({ state: 'WI', county: 'Nowhere' })), [])
  assert.deepEqual(idsOf(await ask({ zipCode: '53704' })), [])
})

test('a parcel without an address is shown only when asked for', async () => {
  const near = { latitude: 43.07, longitude: -89.395, limit: 1 }
  assert.notDeepEqual(idsOf(await ask(near)), ['P-005'])
  assert.deepEqual(idsOf(await ask({ ...near, includeUnassignedAddress: true })), ['P-005'])
})

test('nothing there is an empty list', async () => {
  const { status, body } = await ask({ latitude: -33, longitude: 151 })
  assert.equal(status, 200)
  assert.deepEqual(body.properties, [])
})

const placeCursor = (distance: string) =>
  Buffer.from(`{"lastId":"${'0'.repeat(24)}","lastDistance":${distance}}`).toString('base64url')

test('a cursor of any distance in the circle goes on after it', async () => {
  for (const distance of ['0', '0.1', '1e-7', '2']) {
    const { status } = await ask({ cursor: placeCursor(distance) })
    assert.equal(status, 200, distance)
  }
})

test('parameters out of range are 400 and named', async () => {
  const cases: [Record<string, string | number>, RegExp][] = [
    [{ latitude: 91 }, /latitude/],
    [{ longitude: -181 }, /longitude/],
    [{ latitude: 'north' }, /latitude must be a number/],
    [{ radius: -1 }, /radius/],
    [{ limit: 0 }, /limit/],
    [{ cursor: 'e30' }, /Invalid cursor/],
    ...['-1', '1e2', '0.10', '00', '01.5', '.5', '1e-7.', '-0', '1.', '2.5', '1e309', '0.1e0'].map(
      (distance): [Record<string, string>, RegExp] => [
        { cursor: placeCursor(distance) },
        /Invalid cursor/,
      ],
    ),
    [{ county: 'Dane' }, /state is required/],
  ]
  for (const [query, text] of cases) {
    const { status, body } = await ask(query)
    assert.equal(status, 400)
    assert.match(body.error, text)
  }
  assert.equal((await service.get(PATH, { latitude: 43 }, { key })).status, 400)
})

test('kinds and cities of property search filter here too', async () => {
  for (const query of [
    { propertyType: 'house' },
    { property_type: 'SFR' },
    { useStandardCode: '1001' },
  ]) {
    const { body } = await ask({ radius: 2, limit: 100, ...query })
    assert.ok(body.metadata.count > 0, JSON.stringify(query))
    const uses = body.properties.map((one: { useStandardCode: string }) => one.useStandardCode)
    assert.deepEqual([...new Set(uses)], ['1001'], JSON.stringify(query))
  }
  assert.deepEqual(idsOf(await ask({ city: 'Verona', radius: 2, limit: 3 })), ['P-399', 'P-399-2'])
  for (const query of [{ foreclosure: true }, { zip: '53704' }, { propertyType: 'MOBILE' }]) {
    assert.deepEqual(idsOf(await ask(query)), [], JSON.stringify(query))
  }
})

test('an unsupported filter is 400 and named', async () => {
  for (const name of [
    'beds',
    'minBeds',
    'price_max',
    'absenteeOwner',
    'address',
    'query',
    'bbox',
  ]) {
    const { status, body } = await ask({ [name]: '3' })
    assert.equal(status, 400, name)
    assert.equal(body.error, `${name} is not a filter of this operation; leave it out`)
  }
})
