/** A generated roll with polygons: each parcel of the sample on a lot of its recorded area. */
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { placeOf, SAMPLE_COLUMNS } from '../../src/sample/columns.ts'
import { generateSample } from '../../src/sample/generate.ts'

const FEET_PER_DEGREE = 364_567
/** Square feet of a lot whose area is not recorded. */
const LOT_SQ_FT = 8000
/** One parcel in `CURVED_EVERY` has a curved outline with `CURVE_CORNERS` more corners. */
const [CURVED_EVERY, CURVE_CORNERS] = [10, 24]

/** Writes the sample as GeoJSON, a feature a line; a parcel without a point has no polygon. */
export async function writeLots(parcels: number, path: string): Promise<void> {
  await pipeline(Readable.from(drawLots(parcels)), createWriteStream(path))
}

function* drawLots(parcels: number): Generator<string> {
  let number = 0
  for (const row of generateSample({ parcels, seed: 1 })) {
    number += 1
    const filled = SAMPLE_COLUMNS.flatMap((name, at) => (row[at] === '' ? [] : [[name, row[at]]]))
    const properties = Object.fromEntries(filled)
    const [latitude, longitude] = [
      Number(row[placeOf('latitude')]),
      Number(row[placeOf('longitude')]),
    ]
    const area = Number(row[placeOf('landArea')]) || LOT_SQ_FT
    const geometry = latitude === 0 ? null : drawLot(longitude, latitude, area, number)
    yield `${JSON.stringify({ type: 'Feature', properties, geometry })}\n`
  }
}

function drawLot(longitude: number, latitude: number, areaSqFt: number, number: number) {
  const half = Math.sqrt(areaSqFt) / 2 / FEET_PER_DEGREE
  const stretch = 1 / Math.cos((latitude * Math.PI) / 180)
  const at = (x: number, y: number) => [
    round(longitude + x * half * stretch),
    round(latitude + y * half),
  ]
  const curve = number % CURVED_EVERY === 0 ? CURVE_CORNERS : 2
  const north = Array.from({ length: curve }, (_, corner) => {
    const x = 1 - (2 * (corner + 1)) / (curve + 1)
    return at(x, 1 + 0.2 * (1 - x * x))
  })
  const ring = [at(-1, -1), at(1, -1), at(1, 1), ...north, at(-1, 1), at(-1, -1)]
  return { type: 'Polygon', coordinates: [ring] }
}

function round(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7
}
