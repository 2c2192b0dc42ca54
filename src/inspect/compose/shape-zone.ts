/** Guesses the projection of a shapefile without a .prj file from the extent in its header. */
import { isDegrees } from '../../import/readers/shape-extent.ts'
import { type Found, findProjection } from '../sample/projections.ts'
import type { Sample } from '../sample/sample.ts'
import { type Setting, setting } from './settings.ts'

/**
 * Guesses the zone of a shapefile without a .prj file from its extent; `undefined` when the sample
 * has none.
 *
 * `state`: two letters; excludes the zones of other states.
 */
export function guessShapeZone(
  { bareExtent }: Sample,
  state: string | undefined,
): Found | undefined {
  if (bareExtent === undefined) return undefined
  if (isDegrees(bareExtent)) {
    return { epsg: 4326, name: 'WGS84', certainty: 0.8, why: 'the extent can only be degrees' }
  }
  const { west, south, east, north } = bareExtent
  const across = [0, 0.25, 0.5, 0.75, 1].map(
    (share) => [west + (east - west) * share, south + (north - south) * share] as const,
  )
  return findProjection([...across, [west, north], [east, south]], state)
}

/** Returns the sentence that reports the guess. */
export function describeZone({ epsg, name, why }: Found): string {
  return (
    `there is no .prj file; the most likely projection is EPSG:${epsg}, ` +
    `${name}: ${why}. Give --epsg ${epsg}, or the right one`
  )
}

/** Returns the projection of the shapes: from the command line, or guessed from their extent. */
export function epsgSetting(given: number | undefined, zone: Found | undefined): Setting[] {
  if (given !== undefined) return [setting('epsg', given, 1, 'given on the command line')]
  return zone === undefined ? [] : [setting('epsg', zone.epsg, zone.certainty, zone.why)]
}
