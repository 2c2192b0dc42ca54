import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'

const ROLL = `state,county,parcelId,address,city
WI,Dane,1,12 N MILL POND RD,MADISON
WI,Dane,2,40 RIDGEVIEW DR,MADISON
WI,Dane,3,7 N MAIN ST,MADISON
WI,Dane,4,7 S MAIN ST,MADISON
WI,Dane,5,1616-22 QUARRY ST,MADISON
WI,Dane,6,500 US HIGHWAY 12,MADISON
WI,Dane,7,600 US HIGHWAY 12,MADISON
WI,Dane,8,600 STATE HIGHWAY 12,MADISON
WI,Dane,9,30 ELM ST,MADISON
`

const service = await startService(ROLL)
after(() => service.close())

async function look(address: string, more: Record<string, string> = {}) {
  const query = { state: 'WI', address, ...more }
  const { status, body, headers } = await service.get('/public/property/address/', query)
  const parcelId = body.property?.propertyIdentification.parcelId ?? status
  return [parcelId, headers.get('x-match')]
}

test('each thing that is missing on one side is forgiven alone, and X-Match names it', async () => {
  assert.deepEqual(await look('12 n. mill pond road'), ['1', 'exact'])
  assert.deepEqual(await look('12 mill pond rd'), ['1', 'directional'])
  assert.deepEqual(await look('12 n mill pond'), ['1', 'suffix'])
  assert.deepEqual(await look('40 ridge view dr'), ['2', 'spacing'])
  assert.deepEqual(await look('1618 quarry st'), ['5', 'range'])
  assert.deepEqual(await look('500 hwy 12'), ['6', 'highway'])
  assert.deepEqual(await look('30 elm st apt 2'), ['9', 'unit-dropped'])
})

test('two things missing at once are not forgiven', async () => {
  assert.deepEqual(await look('12 mill pond'), [404, null])
  assert.deepEqual(await look('30 elm apt 2'), [404, null])
  assert.deepEqual(await look('40 ridge view dr', { unit: '2' }), [404, null])
})

test('a forgiven match must be one address on one road', async () => {
  assert.deepEqual(await look('7 main st'), [404, 'ambiguous'])
  assert.deepEqual(await look('600 hwy 12'), [404, 'ambiguous'])
})

test('a wrong number, suffix or directional never matches', async () => {
  for (const address of [
    '13 N MILL POND RD',
    '12 S MILL POND RD',
    '12 N MILL POND CT',
    '1617 QUARRY ST',
    '500 STATE HIGHWAY 12',
  ]) {
    assert.deepEqual(await look(address), [404, null], address)
  }
})

test('a city, state or ZIP after the street line must match the record', async () => {
  assert.deepEqual(await look('30 ELM ST, Madison, WI'), ['9', 'exact'])
  assert.deepEqual(await look('30 ELM ST MADISON'), ['9', 'exact'])
  assert.deepEqual(await look('30 ELM ST, Monona, WI'), [404, null])
})
