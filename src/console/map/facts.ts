/**
 * Facts about the parcels in a box that tiles do not contain, for the map's colours. Tiles contain
 * no more than callers may have. Owner names are not included either.
 */
import { decodeParcel, propertyIdOf } from '../../record/stored.ts'
import { boxInUnits, type UnitBox } from '../../store/places.ts'
import type { ParcelReader, StoredParcel } from '../../store/store.ts'

/** Most parcels per answer; a larger view gets a part. */
const FACTS_MAX = 6000
/** Records read before other requests get their turn. */
const CHUNK = 200

type MapFacts = {
  propertyId: string
  use: string | null
  valuePerAcre: number | null
  saleYear: number | null
  yearBuilt: number | null
  ownerKind: string | null
}

/** `box`: degrees. Finds parcels by polygon, or by point when they have none. */
export async function readMapFacts(parcels: ParcelReader, box: UnitBox): Promise<MapFacts[]> {
  const wide = boxInUnits(box)
  const [shapes, points] = await Promise.all([
    parcels.shapesIn(wide, FACTS_MAX),
    parcels.pointsIn({ assignedOnly: false }, wide, FACTS_MAX),
  ])
  const states = new Map([...shapes, ...points].map(({ id, state }) => [id, state]))
  const hits = [...states].sort(([one], [other]) => one - other).slice(0, FACTS_MAX)
  const facts: MapFacts[] = []
  for (const [state, own] of Map.groupBy(hits, ([, name]) => name)) {
    for (let at = 0; at < own.length; at += CHUNK) {
      const ids = own.slice(at, at + CHUNK).map(([id]) => id)
      facts.push(...(await parcels.byIds(state, ids)).map(readFacts))
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return facts
}

function readFacts({ fieldValues }: StoredParcel): MapFacts {
  const parcel = decodeParcel(fieldValues)
  const [sale] = parcel.transfers
  const sold = sale?.transferDate ?? sale?.recordingDate
  const acres = parcel.acres ?? parcel.calculatedAcres
  const value = parcel.totalMarketValue ?? parcel.totalAssessedValue
  return {
    propertyId: propertyIdOf(fieldValues),
    use: parcel.useStandardDescription ?? parcel.propertyUseDescription,
    valuePerAcre: value === null || !acres ? null : Math.round(value / acres),
    saleYear: sold ? Number(sold.slice(0, 4)) : null,
    yearBuilt: parcel.buildings[0]?.actualYearBuilt ?? null,
    ownerKind: parcel.ownerType,
  }
}
