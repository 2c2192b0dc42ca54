/**
 * `GET /public/property/address/` with `candidates=true` answers 300 where several parcels could be
 * meant.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'
import { makeRoll } from '../rolls.ts'
import { ADDRESSES, PATH } from './roll.ts'

const service = await startService(ADDRESSES)
after(() => service.close())

const ask = (address: string, more: Record<string, string> = {}) =>
  service.get(PATH, { state: 'WI', address, candidates: 'true', ...more })

test('parcels of two cities are listed with their differences, nothing is charged', async () => {
  const key = await service.keyFor()
  const { status, body, headers } = await service.get(
    PATH,
    { state: 'WI', address: '200 Elm St', candidates: 'true' },
    { key },
  )
  assert.equal(status, 300)
  assert.deepEqual(body, {
    error: 'Several addresses match',
    candidates: ['Madison', 'Stoughton'].map((city) => ({
      propertyId: `55025-ELM-${city[0]}`,
      address: '200 ELM ST',
      city: city.toUpperCase(),
      county: 'DANE',
      zipCode: null,
    })),
  })
  assert.deepEqual([headers.get('x-match'), headers.get('x-match-count')], ['ambiguous', '2'])
  assert.equal(await service.charges(key), 0)
})

test('a propertyId of the list finds its parcel', async () => {
  const { body } = await ask('1500 Cedar St')
  assert.deepEqual(
    body.candidates.map(({ address }: { address: string }) => address),
    ['1500 N CEDAR ST', '1500 S CEDAR ST'],
  )
})

test('with one match or none the answer is the same as without candidates', async () => {
  assert.equal((await ask('100 Main St')).status, 200)
  assert.equal((await ask('9999 Main St')).status, 404)
  assert.equal((await ask('200 Elm St', { candidates: 'false' })).status, 404)
})

test('ten are listed at most, and all are counted', async () => {
  const rows = Array.from({ length: 12 }, (_, index) => ({
    parcelId: `P-${index}`,
    address: '5 PINE ST',
    city: `City ${String.fromCharCode(65 + index)}`,
  }))
  const many = await startService(makeRoll(rows))
  try {
    const query = { state: 'WI', address: '5 Pine St', candidates: 'true' }
    const { status, body, headers } = await many.get(PATH, query)
    assert.deepEqual([status, body.candidates.length], [300, 10])
    assert.equal(headers.get('x-match-count'), '12')
  } finally {
    await many.close()
  }
})
