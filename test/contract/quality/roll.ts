/** A clean invented roll, a grid of lots in Dane County, and faults to plant in it. */
import { areaSqMeters } from '../../../src/geo/shape.ts'
import { ringOf } from '../../../src/geo/sphere.ts'

type Lot = {
  properties: Record<string, string | number | null>
  /** Rings in degrees; `null`: no polygon. */
  rings: [number, number][][] | null
}

const COLUMNS = 12
export const LOTS = 120
const [WIDE, HIGH] = [0.0005, 0.0004]
const SQ_METERS_PER_ACRE = 4046.856

function square(west: number, south: number, wide = WIDE, high = HIGH): [number, number][] {
  return ringOf({ west, south, east: west + wide, north: south + high })
}

function makeLot(number: number): Lot {
  const [column, row] = [(number - 1) % COLUMNS, Math.floor((number - 1) / COLUMNS)]
  const [west, south] = [-89.4 + column * WIDE, 43.07 + row * HIGH]
  const ring = square(west, south)
  const [land, building] = [40_000 + number * 10, 160_000 + number * 130]
  return {
    properties: {
      ...{ state: 'WI', county: 'Dane', parcelId: `P${number}`, sourceRollYear: 2025 },
      ...{ ownerName1: `VAREK, MARA ${number}`, ownerAddressLine1: `${number} ELM ST` },
      ...{ ownerCity: 'MADISON', ownerState: 'WI', ownerZipCode: '53703' },
      ...{ address: `${100 + number} OAK ST`, city: 'MADISON', zipCode: '53703' },
      ...{ latitude: south + HIGH / 2, longitude: west + WIDE / 2 },
      ...{ acres: Number((areaSqMeters([[ring]]) / SQ_METERS_PER_ACRE).toFixed(3)) },
      ...{ totalLandValue: land, totalBuildingValue: building, totalMarketValue: land + building },
      ...{ yearBuilt: 1950 + (number % 50), buildingArea: 1500 + number * 7, totalBathrooms: 2 },
      ...{ transferDate: '2024-05-06', transferPrice: 200_000 + number * 100 },
      ...{ legalDesc: `LOT ${number}`, zoningCode: 'R-1', useCode: '1001' },
    },
    rings: [ring],
  }
}

/** The lots by number, from 1. */
export function makeLots(): Map<number, Lot> {
  return new Map(Array.from({ length: LOTS }, (_, at) => [at + 1, makeLot(at + 1)]))
}

export function toGeoJson(lots: Iterable<Lot>): string {
  const features = [...lots].map(({ properties, rings }) => ({
    ...{ type: 'Feature', properties },
    geometry: rings === null ? null : { type: 'Polygon', coordinates: rings },
  }))
  return JSON.stringify({ type: 'FeatureCollection', features })
}

function moveTo(lot: Lot, east: number, north: number): void {
  lot.rings = (lot.rings ?? []).map((ring) => ring.map(([x, y]) => [x + east, y + north]))
  lot.properties.longitude = Number(lot.properties.longitude) + east
  lot.properties.latitude = Number(lot.properties.latitude) + north
}

const blank = (...names: string[]) => ({
  plant: (lot: Lot) => {
    for (const name of names) lot.properties[name] = null
  },
})
const set = (values: Lot['properties']) => ({
  plant: (lot: Lot) => Object.assign(lot.properties, values),
})

/** Each fault, the lots that it is planted in, and the parts that name those lots. */
export const FAULTS: { lots: number[]; parts: string[]; plant(lot: Lot): unknown }[] = [
  { lots: [1], parts: ['owner'], ...blank('ownerName1') },
  { lots: [2], parts: ['situs'], ...blank('address') },
  {
    ...{ lots: [3], parts: ['mailing'] },
    ...blank('ownerAddressLine1', 'ownerCity', 'ownerState', 'ownerZipCode'),
  },
  {
    ...{ lots: [4], parts: ['value'] },
    ...blank('totalLandValue', 'totalBuildingValue', 'totalMarketValue'),
  },
  { lots: [5], parts: ['sale'], ...blank('transferDate', 'transferPrice') },
  { lots: [6], parts: ['building'], ...blank('yearBuilt', 'buildingArea', 'totalBathrooms') },
  {
    ...{ lots: [7], parts: ['land', 'polygon'] },
    plant: (lot) => Object.assign(lot, { rings: null }, blank('acres').plant(lot)),
  },
  {
    ...{ lots: [8], parts: ['point', 'polygon'] },
    plant: (lot) => Object.assign(lot, { rings: null }, blank('latitude', 'longitude').plant(lot)),
  },
  { lots: [9], parts: ['valueSum'], ...set({ totalLandValue: 90_000 }) },
  { lots: [10], parts: ['builtLater'], ...set({ yearBuilt: 2026, transferDate: '2026-01-05' }) },
  { lots: [11], parts: ['soldBeforeBuilt'], ...set({ transferDate: '1940-03-04' }) },
  { lots: [12], parts: ['halfBaths'], ...set({ totalBathrooms: 0.5 }) },
  { lots: [13], parts: ['area'], ...set({ acres: 0.7 }) },
  { lots: [14], parts: ['pointOutsidePolygon'], ...set({ latitude: 43.09 }) },
  {
    ...{ lots: [15], parts: ['pointOutsideCounty', 'pointOutsidePolygon'] },
    ...set({ latitude: 41.2 }),
  },
  {
    ...{ lots: [16], parts: ['polygonOutsideCounty', 'pointOutsideCounty'] },
    plant: (lot) => moveTo(lot, 0, -2),
  },
  { lots: [17], parts: ['zip'], ...set({ zipCode: '60601' }) },
  { lots: [21], parts: ['zip'], ...set({ zipCode: '54880' }) },
  { lots: [18], parts: ['city'], ...set({ city: 'CHICAGO' }) },
  // A place of Wisconsin, and not of this ZIP code.
  { lots: [24], parts: ['city'], ...set({ city: 'MILWAUKEE' }) },
  { lots: [20], parts: ['repeatedAddress'], ...set({ address: '119 OAK ST' }) },
  { lots: [22, 23], parts: [], ...set({ yearBuilt: 1900 }) },
  // Over the lots on both sides of it.
  { lots: [26], parts: ['overlap'], plant: (lot) => moveTo(lot, WIDE * 0.6, 0) },
  {
    ...{ lots: [40], parts: ['gap'] },
    plant: (lot) => {
      const [west, south] = lot.rings?.[0]?.[0] ?? [0, 0]
      lot.rings?.push(square(west + WIDE / 10, south + HIGH / 10, WIDE / 5, HIGH / 5).reverse())
    },
  },
]
