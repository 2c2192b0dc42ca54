/** The records nearest to a point, with their distances. */
import { type After, findNearest, type ReadBox } from '../../geo/nearest.ts'
import type { Point } from '../../geo/sphere.ts'
import type { PlaceFilter, PointHit } from '../../store/places.ts'
import type { ParcelReader, StoredParcel } from '../../store/store.ts'
import { readHits } from './place-parameters.ts'

type NearRecord = { parcel: StoredParcel; distanceMiles: number }

type NearQuestion = {
  filter: PlaceFilter
  center: Point
  radiusMiles: number
  /** Continues behind this hit. */
  after: After | undefined
  /** Number of the nearest parcels to leave out, counted from the center or from `after`. */
  skip: number
  limit: number
  /** Whether `next` is wanted, which needs a look at one parcel more. */
  wantsNext: boolean
}

type NearPage = {
  records: NearRecord[]
  /** The last hit of the page when there are more behind it. */
  next: After | undefined
}

/** A page of the parcels nearest to a point, ties by id. `beforeRead` precedes each read. */
export async function pageNearest(
  { filter, center, radiusMiles, after, skip, limit, wantsNext }: NearQuestion,
  parcels: ParcelReader,
  beforeRead: () => Promise<void>,
): Promise<NearPage> {
  const read: ReadBox<PointHit> = async (box, most) => {
    await beforeRead()
    return parcels.pointsIn(filter, box, most)
  }
  const wanted = skip + limit + Number(wantsNext)
  const near = await findNearest(read, { center, radiusMiles, after }, wanted)
  const page = near.slice(skip, skip + limit)
  const found = await readHits(
    parcels,
    page.map(({ hit }) => hit),
  )
  const last = near.length > skip + limit ? page.at(-1) : undefined
  const next = last && { distanceMiles: last.distanceMiles, id: last.hit.id }
  const milesOf = new Map(page.map(({ hit, distanceMiles }) => [hit.id, distanceMiles]))
  const records = found.map((parcel) => ({
    parcel,
    distanceMiles: milesOf.get(parcel.id) as number,
  }))
  return { records, next }
}
