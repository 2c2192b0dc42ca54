/** Computes a parcel's place in the form that the store indexes. */
import { tileAt } from '../../geo/tile.ts'
import { type Place, toUnits } from '../../store/places.ts'

/** Zoom of the tiles that count points, and the number of such tiles side by side. */
const COUNTED_ZOOM = 14
const COUNTED_SIDE = 2 ** COUNTED_ZOOM

/** Returns the place of a point in degrees; all `null` when the roll has no point. */
export function placeOf(longitude: number | null, latitude: number | null): Place {
  if (longitude === null || latitude === null) return { x: null, y: null, cell: null }
  const tile = tileAt([longitude, latitude], COUNTED_ZOOM)
  return { x: toUnits(longitude), y: toUnits(latitude), cell: tile.x * COUNTED_SIDE + tile.y }
}
