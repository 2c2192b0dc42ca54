import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BARE_PARCEL } from '../../../test/parcel.ts'
import { blankTransfer } from '../../record/parcel.ts'
import { encodeParcel } from '../../record/stored.ts'
import type { ParcelReader } from '../../store/store.ts'
import { studyCounty } from './ratio-report.ts'

const SALES = 3000

/** Sales of a county. Parcels 500 and 501, 1000 and 1001, and so on, share a deed. */
function openSales() {
  const ids = Array.from({ length: SALES }, (_, at) => at + 1)
  const recordOf = (id: number) => {
    const price = 200_000 + ((id * 7919) % 100_000)
    const transfer = { ...blankTransfer(), transferDate: '2025-05-05', transferPrice: price }
    const documentNumber = id % 500 < 2 ? `2025-${Math.round(id / 500)}` : `2025-9${id}`
    const transfers = [{ ...transfer, documentNumber }]
    const parcel = { ...BARE_PARCEL, longitude: -89, latitude: 43, totalMarketValue: 250_000 }
    const fieldValues = encodeParcel({ ...parcel, transfers })
    return { id, loadedAt: 0, fieldValues, geometry: null }
  }
  const county = { fips: BARE_PARCEL.fips, rollYear: 2025, bounds: [-90, 42, -88, 44] }
  const reader = {
    coverage: async () => [{ ...county, filled: { salePrice: SALES } }],
    salesIn: async () => ids.map((id) => ({ id, state: 'WI', x: 0, y: 0 })),
    byIds: async (_: string, asked: number[]) => asked.map(recordOf),
    saleTest: async () => null,
  }
  return reader as unknown as ParcelReader
}

test('parcels of one deed are known across slices, and a slice has at most 500 sales', async () => {
  const parcels = openSales()
  const counts = { pauses: 0 }
  const pause = async () => {
    counts.pauses += 1
  }
  const question = { state: 'WI', fips: BARE_PARCEL.fips, basis: 'market' } as const
  const report = await studyCounty(question, { parcels, pause, readMax: 20_000 })
  assert.deepEqual(report.excluded, { 'several-parcels': 10 })
  // Of 50 records each, of the part of the map, of 500 sales three times, and of the statistics.
  const [reads, choices] = [SALES / 50, (3 * SALES) / 500]
  assert.ok(counts.pauses >= reads + choices + 4, `${counts.pauses} pauses`)
})
