/** The range of an estimate: measured by each import against the county's own past sales. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'
import { makeRoll, type Row, times } from '../rolls.ts'
import { CENTER, PATH } from './roll.ts'

/** A noise between 0.85 and 1.15 that is the same each time. */
const noiseOf = (at: number) => 0.85 + 0.3 * ((at * 0.618034) % 1)

const sold = (at: number): Row => ({
  parcelId: `S${at}`,
  address: `${at} OAK ST`,
  latitude: 43.07 + (at % 20) * 0.0005,
  longitude: -89.4 + Math.floor(at / 20) * 0.0005,
  useCode: '1001',
  buildingArea: 1200 + (at % 9) * 100,
  transferDate: `202${at % 2 === 0 ? 4 : 5}-${String(1 + (at % 12)).padStart(2, '0')}-10`,
  transferPrice: Math.round(200 * (1200 + (at % 9) * 100) * noiseOf(at)),
})
const rows = times(400, sold)
const service = await startService(makeRoll(rows))
after(() => service.close())

async function askEstimate() {
  const query = { ...CENTER, propertyId: '55025-S200', estimate: true, timeFrame: 60 }
  const { status, body } = await service.get(PATH, query)
  assert.equal(status, 200)
  return body.metadata.estimate
}

test('low and high follow from past sales of the county, and the test is shown', async () => {
  const { value, low, high, n, backtest, reason } = await askEstimate()
  assert.ok(low < value && value < high, `${low} ${value} ${high}`)
  assert.ok(low > 0.7 * value && high < 1.4 * value, `${low} ${value} ${high}`)
  assert.deepEqual([n, reason], [16, undefined])
  assert.equal(backtest.county, 'DANE')
  assert.ok(backtest.sales >= 200 && backtest.sales <= 400)
  assert.ok(backtest.medianError > 0.01 && backtest.medianError < 0.15)
  assert.ok(backtest.within20Percent > 0.8 && backtest.within20Percent <= 1)
  assert.ok(backtest.coverage > 0.6 && backtest.coverage <= 1)
})

test('a county that keeps fewer than 200 sales has no range', async () => {
  const fewer = rows.map((row, at) => (at % 2 === 0 ? row : { ...row, transferPrice: '' }))
  await service.importRoll(makeRoll(fewer), { force: true })
  const { value, low, high, backtest, reason } = await askEstimate()
  assert.ok(value > 0)
  assert.deepEqual([low, high, backtest], [null, null, null])
  assert.match(reason, /fewer than 200/)
})

test('an outlier is judged by all sales of its county, not only by near ones', async () => {
  const far = { latitude: 43.5, longitude: -89.9, parcelId: 'DEAR', transferPrice: 9_000_000 }
  await service.importRoll(makeRoll([...rows, { ...sold(7), ...far }]))
  const asked = { latitude: 43.5, longitude: -89.9, timeFrame: 60, explain: true }
  const { body } = await service.get(PATH, asked)
  assert.deepEqual(body.metadata.sales[0].flags, ['outlier'])
})
