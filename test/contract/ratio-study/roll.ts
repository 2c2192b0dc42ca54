/** The roll of the ratio study: sold houses with their values, and sales that do not count. */
import { makeRoll, type Row, times } from '../rolls.ts'

export const PATH = '/public/ratios/'
export const ASKED = { state: 'WI', county: 'Dane' }

const house = (parcelId: string, at: number, more: Row = {}): Row => ({
  parcelId,
  sourceRollYear: 2025,
  address: `${at} OAK ST`,
  latitude: 43.07 + at * 0.0001,
  longitude: -89.4,
  useCode: '1001',
  jurisdiction: at % 2 === 0 ? 'Evenham' : at === 39 ? 'ODDVILLE' : 'Oddville',
  neighborhood: at <= 10 ? 'N1' : 'N2',
  buildingArea: 1500,
  transferDate: '2025-03-01',
  transferPrice: 200_000 + at * 5000,
  transferDocNum: parcelId,
  totalMarketValue: Math.round((200_000 + at * 5000) * (0.9 + (at % 5) * 0.05)),
  totalAssessedValue: 100_000,
  ...more,
})

/** Ratios of 0.90 to 1.10, the same for each price, so level 1.00. */
export const HOUSES = 40

export const SOLD = makeRoll([
  ...times(HOUSES, (at) => house(`H${at}`, at)),
  house('GIFT', 3, { transferDocType: 'GIFT DEED' }),
  house('NOVALUE', 4, { totalMarketValue: '' }),
  house('WILD', 5, { totalMarketValue: 2_000_000 }),
  house('EARLY', 6, { transferDate: '2022-12-31' }),
  house('UNSOLD', 7, { transferDate: '', transferPrice: '' }),
  ...times(5, (at) => house(`K${at}`, at, { state: 'KS', county: 'Allen', latitude: 37.8 })),
])
