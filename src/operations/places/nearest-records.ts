/** The records nearest to a point, with their distances. */
import {
  type After,
  findNearest,
  gatherNearest,
  type Near,
  type ReadBox,
} from '../../geo/nearest.ts'
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
  asked: NearQuestion,
  parcels: ParcelReader,
  beforeRead: () => Promise<void>,
): Promise<NearPage> {
  return (
    (await pageOfSpots(asked, parcels, beforeRead)) ??
    (await pageOfPoints(asked, parcels, beforeRead))
  )
}

async function pageOfPoints(
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
  return { records: joinDistances(page, found), next }
}

/** Finds a first page by the index alone, filtered by addresses at most; else `undefined`. */
async function pageOfSpots(
  { filter, center, radiusMiles, after, skip, limit, wantsNext }: NearQuestion,
  { pointsIn, recordsOfSpots }: ParcelReader,
  beforeRead: () => Promise<void>,
): Promise<NearPage | undefined> {
  if (recordsOfSpots === undefined) return undefined
  if (after !== undefined || skip > 0 || !isPlain(filter)) return undefined
  const read: ReadBox<PointHit> = async (box, most) => {
    await beforeRead()
    return pointsIn({ assignedOnly: false }, box, most)
  }
  const wanted = limit + Number(wantsNext)
  const { near, isWhole } = await gatherNearest(read, { center, radiusMiles }, wanted + SPARE)
  const records: NearRecord[] = []
  let at = 0
  for (let attempt = 0; attempt < ATTEMPTS && records.length < wanted; attempt += 1) {
    const some = near.slice(at, at + wanted - records.length)
    at += some.length
    const ids = some.map(({ hit }) => hit.id)
    const found = await recordsOfSpots(ids, filter.assignedOnly)
    records.push(...joinDistances(some, found))
  }
  if (records.length < wanted && !(isWhole && at === near.length)) return undefined
  const page = records.slice(0, limit)
  const last = page.at(-1)
  const next = records.length > limit && last !== undefined
  return {
    records: page,
    next: next ? { distanceMiles: last.distanceMiles, id: last.parcel.id } : undefined,
  }
}

/** Spots read beyond those wanted, in case some have no address. */
const SPARE = 3
/** Reads of records, each of as many as are missing. */
const ATTEMPTS = 3

function isPlain(filter: PlaceFilter): boolean {
  const { assignedOnly: _, ...others } = filter
  return Object.values(others).every((value) => value === undefined)
}

/** `found`: some of the records, in the order of the spots. */
function joinDistances(spots: readonly Near<PointHit>[], found: StoredParcel[]): NearRecord[] {
  let at = 0
  const records: NearRecord[] = []
  for (const { hit, distanceMiles } of spots) {
    const parcel = found[at]
    if (parcel?.id !== hit.id) continue
    records.push({ parcel, distanceMiles })
    at += 1
  }
  return records
}
