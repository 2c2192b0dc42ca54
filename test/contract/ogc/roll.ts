/** A roll of invented lots on a grid, with polygons, owners, dates and values. */
import { makeRoll, type Row, times } from '../rolls.ts'

export const [WEST, SOUTH] = [-89.4, 43.07]
export const LOTS = 60

/** Lots are 0.001 degrees apart and 0.0008 wide; every seventh has a point only. */
export function lot(number: number): Row {
  const [x, y] = [number % 10, Math.floor(number / 10)]
  const [west, south] = [WEST + x / 1000, SOUTH + y / 1000]
  const ring = [
    [west, south],
    [west + 0.0008, south],
    [west + 0.0008, south + 0.0008],
    [west, south + 0.0008],
    [west, south],
  ].map((point) => point.map((one) => Number(one.toFixed(6))))
  return {
    parcelId: `LOT/${String(number).padStart(3, '0')}`,
    address: `${number} MAPLE ST`,
    city: number % 2 === 0 ? 'MADISON' : 'Oak Créek',
    zipCode: number % 2 === 0 ? '53703' : '53154',
    ownerName: `QUILLFEATHER ${number}`,
    ownerAddressLine1: `${number} HIDDEN LN`,
    ownerCity: 'ELSEWHERE',
    ownerState: 'IA',
    latitude: (south + 0.0004).toFixed(6),
    longitude: (west + 0.0004).toFixed(6),
    yearBuilt: number % 5 === 0 ? '' : 1900 + number,
    totalMarketValue: number * 1000,
    acres: (number / 10).toFixed(1),
    transferDate: number % 3 === 0 ? '' : `2020-0${1 + (number % 9)}-15`,
    sourceRollYear: 2025,
    geometry: number % 7 === 0 ? '' : JSON.stringify({ type: 'Polygon', coordinates: [ring] }),
  }
}

export const ROLL = makeRoll([
  ...times(LOTS, lot),
  { county: 'Rock', parcelId: 'R-1', address: '1 ELM ST', sourceRollYear: 2019 },
  { state: 'IA', county: 'Adair', parcelId: 'A-1', address: '1 OAK ST' },
])
