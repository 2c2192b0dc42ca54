/** The roll of the comparable sales: a street of sold houses, and sales without a market price. */
import { makeRoll, type Row, times } from '../rolls.ts'

export const PATH = '/public/premium/comparables/'
export const CENTER = { latitude: 43.07, longitude: -89.4 }

const house = (parcelId: string, at: number, more: Row = {}): Row => ({
  parcelId,
  address: `${at} OAK ST`,
  latitude: 43.07 + at * 0.0001,
  longitude: -89.4,
  useCode: '1001',
  buildingArea: 1500,
  totalBedrooms: 3,
  totalBathrooms: 2,
  yearBuilt: 1990,
  transferDate: '2025-12-01',
  transferPrice: 300_000 + at * 1000,
  ...more,
})

/** Sold at 301,000 to 324,000 dollars, at growing distances from the center. */
const HOUSES = times(24, (at) => house(`H${at}`, at))

export const SOLD = makeRoll([
  ...HOUSES,
  house('SUBJECT', 0, { transferPrice: 555_000, ownerName1: 'VAREK, MARA' }),
  house('CONDO', 1, { useCode: '1004', buildingArea: 800, transferPrice: 200_000 }),
  house('LARGE', 2, {
    buildingArea: 3000,
    totalBedrooms: 6,
    totalBathrooms: 4.5,
    transferPrice: 600_000,
  }),
  house('GIFT', 3, { transferDocType: 'GIFT DEED' }),
  house('CHEAP', 3, { transferPrice: 10 }),
  house('KIN', 3, { grantor: 'HOLLIN, PETRA', grantee: 'HOLLIN, MARCUS' }),
  house('PAIR1', 4, { transferDocNum: '77', transferPrice: 400_000 }),
  house('PAIR2', 4, { transferDocNum: '77', transferPrice: 400_000 }),
  house('DEAR', 5, { transferPrice: 9_000_000 }),
  house('OLD', 1, { transferDate: '2022-01-01' }),
  house('FAR', 400, { transferPrice: 320_000 }),
  house('UNSOLD', 1, { transferDate: '', transferPrice: '' }),
  { parcelId: 'QUIET', state: 'KS', county: 'Allen', latitude: 37.8, longitude: -95.3 },
  // Few sales of such a state are known.
  {
    ...{ parcelId: 'TOLD', state: 'KS', county: 'Anderson', latitude: 38.2, longitude: -95.2 },
    ...{ transferDate: '2001-03-01', transferPrice: 90_000 },
  },
  { parcelId: 'NONE', state: 'IL', county: 'Cook', latitude: 41.8, longitude: -87.6 },
  { parcelId: 'NORTH', county: 'Ashland', latitude: 46.3, longitude: -90.6 },
])
