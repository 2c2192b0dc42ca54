/** Fills in the places of parcels that an earlier version loaded without them. */
import type { RollsPlace } from '../base/model/state-databases.ts'
import { openPlaceFiller } from '../store/open-rolls.ts'
import { placeOfRecord } from './rows/place.ts'

/**
 * Fills a data folder, or databases, until every parcel has its place.
 *
 * `pause` runs after each slice. When it returns `false`, the rest is left for a later call. Throws
 * what the store throws; slices already written stay.
 */
export async function fillPlaces(
  place: RollsPlace,
  pause: () => Promise<boolean> = async () => true,
): Promise<void> {
  const filler = await openPlaceFiller(place)
  try {
    while (await filler.fillSlice(placeOfRecord)) if (!(await pause())) return
  } finally {
    await filler.close()
  }
}
