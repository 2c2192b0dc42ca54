/** `GET /public/coverage/` answers 200, 304 and 400. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'

const PATH = '/public/coverage/'

const ROLL = `state,county,parcelId,ownerName1,nameOrder,latitude,longitude
WI,Dane,1,"QUILLON, MARA",last-first,43.07,-89.4
WI,Dane,2,,last-first,43.1,-89.3
WI,Dane,3,"ADAMS, JO",last-first,,
WI,Rock,1,"ADAMS, JO",last-first,42.7,-89.1
TX,Travis,1,"ADAMS, JO",last-first,,
`

const service = await startService(ROLL)
after(() => service.close())

test('each loaded county has its parcels, bounds and shares, and totals add them up', async () => {
  const { status, body } = await service.get(PATH)
  assert.equal(status, 200)
  const [travis, dane, rock] = body.counties
  assert.deepEqual(
    [travis, dane, rock].map(({ state, fips, parcels, bounds }) => [state, fips, parcels, bounds]),
    [
      ['TX', '48453', 1, null],
      ['WI', '55025', 3, [-89.4, 43.07, -89.3, 43.1]],
      ['WI', '55105', 1, [-89.1, 42.7, -89.1, 42.7]],
    ],
  )
  assert.deepEqual([dane.county, dane.scope, dane.share.owner], ['DANE', 'county', 0.6667])
  assert.equal(dane.loadedAt, '2026-03-10T12:00:00.000Z')
  const { states, counties, parcels, share } = body.totals
  assert.deepEqual([states, counties, parcels, share.coordinates], [2, 3, 5, 0.6])
})

test('building, value and sale count parcels with any of their fields', async () => {
  const valueColumns = 'totalMarketValue,totalAssessedValue,transferDate'
  const other = await startService(`state,county,parcelId,yearBuilt,buildingArea,${valueColumns}
WI,Dane,1,1990,,100000,,20200101
WI,Dane,2,,1500,,90000,
WI,Dane,3,1980,900,5,5,
WI,Dane,4,,,,,
`)
  try {
    const [{ share }] = (await other.get(PATH)).body.counties
    assert.deepEqual([share.building, share.value, share.sale], [0.75, 0.75, 0.25])
    assert.deepEqual([share.yearBuilt, share.marketValue, share.salePrice], [0.5, 0.5, 0])
  } finally {
    await other.close()
  }
})

test('state and county narrow it; a county that is not loaded is an empty list', async () => {
  const list = async (query: Record<string, string>) => {
    const { body } = await service.get(PATH, query)
    return body.counties.map(({ fips }: { fips: string }) => fips)
  }
  assert.deepEqual(await list({ state: 'WI' }), ['55025', '55105'])
  assert.deepEqual(await list({ state: 'WI', county: 'Rock' }), ['55105'])
  assert.deepEqual(await list({ state: 'WI', county: 'Nowhere' }), [])
  assert.deepEqual(await list({ state: 'OH' }), [])
})

test('a county without its state is 400', async () => {
  const { status, body } = await service.get(PATH, { county: 'Dane' })
  assert.deepEqual([status, body.error], [400, 'state is required when county is given'])
})

test('the ETag holds until the next import', async () => {
  const first = await service.get(PATH)
  const etag = first.headers.get('etag') ?? ''
  const again = await service.get(PATH, {}, { headers: { 'if-none-match': etag } })
  assert.deepEqual([again.status, again.text], [304, ''])
  await service.importRoll(ROLL.replace('43.07', '43.05'), { force: true })
  const changed = await service.get(PATH, {}, { headers: { 'if-none-match': etag } })
  assert.equal(changed.status, 200)
  assert.equal(changed.body.counties[1].bounds[1], 43.05)
})

test('costs nothing, and needs a key', async () => {
  const key = await service.keyFor({ includedTokens: 0 })
  assert.equal((await service.get(PATH, {}, { key })).status, 200)
  assert.equal(await service.charges(key), 0)
  assert.equal((await service.get(PATH, {}, { key: null })).status, 401)
})
