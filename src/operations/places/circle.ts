/** The circle that a property search may be restricted to. */
import { refuse } from '../../base/errors.ts'
import { boxesAround, measureMiles, type Point } from '../../geo/sphere.ts'
import type { Values } from '../parameters.ts'
import type { Area } from './area.ts'
import { LATITUDE, LONGITUDE } from './place-parameters.ts'

/** Default radius in miles. */
const RADIUS = 1

export const CIRCLE = {
  latitude: { ...LATITUDE, about: `${LATITUDE.about} Center of a circle; needs longitude.` },
  longitude: { ...LONGITUDE, about: `${LONGITUDE.about} Center of a circle; needs latitude.` },
  radius: {
    type: 'number',
    minimum: 0,
    above: true,
    maximum: 50,
    about:
      `Miles around latitude and longitude, at most 50; default ${RADIUS}. Parcels without a ` +
      'point are in no circle.',
    example: 0.5,
  },
} as const

export type Circle = Pick<Area, 'boxes' | 'holds'> & { center: Point; radiusMiles: number }

/** Reads the circle; `undefined` for none. Throws *bad request* when a part of it is missing. */
export function readCircle(asked: Values<typeof CIRCLE>): Circle | undefined {
  const { latitude, longitude, radius } = asked
  if (latitude === undefined && longitude === undefined && radius === undefined) return undefined
  if (latitude === undefined) throw refuse.badRequest('latitude is required for a circle')
  if (longitude === undefined) throw refuse.badRequest('longitude is required for a circle')
  const center: Point = [longitude, latitude]
  const radiusMiles = radius ?? RADIUS
  return {
    center,
    radiusMiles,
    boxes: boxesAround(center, radiusMiles),
    holds: (point) => measureMiles(center, point) <= radiusMiles,
  }
}
