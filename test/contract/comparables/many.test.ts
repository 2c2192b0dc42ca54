/** More sales within the radius than are read: bounds apply before the nearest are counted. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'
import { parcelIds } from '../look.ts'
import { makeRoll, type Row, times } from '../rolls.ts'
import { CENTER, PATH } from './roll.ts'

const sold = (parcelId: string, degrees: number, more: Row = {}): Row => ({
  parcelId,
  address: '5 OAK ST',
  latitude: CENTER.latitude + degrees,
  longitude: CENTER.longitude,
  useCode: '1001',
  buildingArea: 1500,
  transferDate: '2025-12-01',
  transferPrice: 300_000,
  transferDocNum: parcelId,
  ...more,
})

/** 2,100 houses, the last of them half a mile away; then two condominiums. */
const service = await startService(
  makeRoll([
    ...times(2100, (at) => sold(`H${at}`, at * 0.000004)),
    sold('CONDO', 0.004, { useCode: '1004', transferPrice: 200_000 }),
    sold('FAR', 0.01, { useCode: '1004', transferPrice: 250_000 }),
  ]),
)
after(() => service.close())

const ask = (query: object) => service.get(PATH, { ...CENTER, ...query })

test('a bound finds what stands behind the nearest 400 sales', async () => {
  const answer = await ask({ propertyType: 'condo' })
  assert.deepEqual(parcelIds(answer), ['CONDO'])
  assert.equal(answer.body.metadata.total, 1)
})

test('complete tells whether all sales within the radius were looked at', async () => {
  const near = await ask({ radius: 0.02 })
  assert.deepEqual([near.body.metadata.total, near.body.metadata.complete], [72, true])
  const wide = await ask({})
  assert.deepEqual([wide.body.metadata.total, wide.body.metadata.complete], [400, false])
  // The 2,000 nearest are read for it, CONDO among them and FAR not.
  const rare = await ask({ propertyType: 'condo' })
  assert.equal(rare.body.metadata.complete, false)
  const { status, body } = await ask({ priceMin: 1e6 })
  assert.equal(status, 404)
  assert.equal(body.error, 'No comparable properties found among the nearest 2000 sales')
})
