/** The likeliest projection of a shapefile that has no .prj file, by the extent in its head. */
import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { HEAD_BYTES, isDegrees, readShapeExtent } from '../../import/readers/shape-extent.ts'
import { type Found, findProjection } from '../sample/projections.ts'
import { type Setting, setting } from './settings.ts'

/**
 * Guesses the zone of a bare `.shp` file; `undefined` where a .prj file tells it, or the file is another.
 *
 * `state`: two letters, which leaves out the zones of other states.
 */
export function guessShapeZone(path: string, state: string | undefined): Found | undefined {
  if (!/\.shp$/i.test(path) || !existsSync(path)) return undefined
  const stem = path.slice(0, -'.shp'.length)
  if (existsSync(`${stem}.prj`) || existsSync(`${stem}.PRJ`)) return undefined
  const extent = readShapeExtent(readHead(path))
  if (extent === undefined) return undefined
  if (isDegrees(extent)) {
    return { epsg: 4326, name: 'WGS84', certainty: 0.8, why: 'the extent can only be degrees' }
  }
  const { west, south, east, north } = extent
  const across = [0, 0.25, 0.5, 0.75, 1].map(
    (share) => [west + (east - west) * share, south + (north - south) * share] as const,
  )
  return findProjection([...across, [west, north], [east, south]], state)
}

function readHead(path: string): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  const file = openSync(path, 'r')
  try {
    return head.subarray(0, readSync(file, head, 0, HEAD_BYTES, 0))
  } finally {
    closeSync(file)
  }
}

/** The sentence with which inspect tells what it guesses. */
export function describeZone({ epsg, name, why }: Found): string {
  return `no .prj file tells the projection of the shapes; the likeliest is EPSG:${epsg}, ${name}: ${why}. Give --epsg ${epsg}, or the right one`
}

/** The projection of the shapes: told on the command line, or guessed by their extent. */
export function epsgSetting(told: number | undefined, zone: Found | undefined): Setting[] {
  if (told !== undefined) return [setting('epsg', told, 1, 'told on the command line')]
  return zone === undefined ? [] : [setting('epsg', zone.epsg, zone.certainty, zone.why)]
}
