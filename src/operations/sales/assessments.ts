/** `comparables` with `basis=assessment`: parcels like the subject, and how they are assessed. */
import { refuse } from '../../base/errors.ts'
import { findNearest } from '../../geo/nearest.ts'
import type { Parcel } from '../../record/parcel.ts'
import { decodeParcel } from '../../record/stored.ts'
import { countyByFips } from '../../regions/counties.ts'
import { readFeatures } from '../../sales/read-sale.ts'
import { median } from '../../sales/sale.ts'
import { type Assessed, compareLikeness, LIKENESS, valuePerSqFt } from '../../sales/similarity.ts'
import type { PointHit } from '../../store/places.ts'
import type { StoredParcel } from '../../store/store.ts'
import type { PausingContext } from '../operation.ts'
import type { Values } from '../parameters.ts'
import { readHits, roundTo } from '../places/place-parameters.ts'
import { type COMPARABLE_PARAMETERS, isWanted } from './comparable-parameters.ts'

/** Nearest parcels that are looked at, and how many the median is of: the most alike ones. */
const READ_MAX = 500
const COMPARED_MAX = 25
const READ_AT_ONCE = 50

type Asked = Values<typeof COMPARABLE_PARAMETERS>
type Like = { parcel: StoredParcel; assessed: Assessed; perSqFt: number } & ReturnType<
  typeof compareLikeness
>

const LIKENESS_RULE = Object.entries(LIKENESS)
  .map(([name, { weight, half, unit }]) => `${name} ${weight} (half at ${half} ${unit})`)
  .join(', ')

/**
 * Finds the parcels of the subject's kind and use that are most like it, and returns the page of
 * them with what the answer says. Throws *not found* without an assessed value or area.
 */
export async function findAssessments(
  subject: StoredParcel,
  values: Asked,
  context: PausingContext,
): Promise<{ page: StoredParcel[]; metadata: Record<string, unknown> }> {
  const record = decodeParcel(subject.fieldValues)
  const about = readAssessed(subject.id, record)
  if (about === undefined) throw refuse.notFound('The property has no assessed value or no point')
  const isBuilt = about.areaSqFt !== null && about.areaSqFt > 0
  const own = valuePerSqFt(about, isBuilt)
  if (own === null) throw refuse.notFound('The property has no area to compare values by')
  const isLike = ({ propertyUseCode, fips }: Parcel) =>
    fips === record.fips && propertyUseCode === record.propertyUseCode
  const { parcels, complete } = await readNear(about, record.fips, values.radius, context)
  const alike = parcels
    .flatMap((parcel): Like[] => {
      const other = decodeParcel(parcel.fieldValues)
      const assessed = isLike(other) ? readAssessed(parcel.id, other) : undefined
      const perSqFt = assessed && valuePerSqFt(assessed, isBuilt)
      if (assessed === undefined || perSqFt == null || parcel.id === subject.id) return []
      const asSale = { ...assessed, price: assessed.value, day: 0 }
      if (!isWanted(asSale, values)) return []
      return [{ parcel, assessed, perSqFt, ...compareLikeness(about, assessed) }]
    })
    .sort((a, b) => b.similarity - a.similarity || a.parcel.id - b.parcel.id)
    .slice(0, COMPARED_MAX)
  if (alike.length === 0) throw refuse.notFound('No comparable properties found')
  const { offset, maxResults: limit, radius } = values
  const page = alike.slice(offset, offset + limit)
  const metadata = {
    ...{ limit, offset, count: page.length, total: alike.length, complete },
    ...{ searchCenter: { longitude: about.point[0], latitude: about.point[1] } },
    ...{ radiusMiles: radius, basis: 'assessment', rule: LIKENESS_RULE },
    searchParams: { ...values, latitude: about.point[1], longitude: about.point[0] },
    subject: describeSubject({ about, own, isBuilt }, alike),
    assessments: page.map(showLike),
  }
  return { page: page.map(({ parcel }) => parcel), metadata }
}

function readAssessed(id: number, record: Parcel): Assessed | undefined {
  const features = readFeatures(record)
  const value = record.totalAssessedValue ?? record.totalMarketValue
  if (features === undefined || value === null || value <= 0) return undefined
  const acres = record.acres ?? record.calculatedAcres
  const landSqFt = record.landArea ?? (acres === null ? null : acres * 43_560)
  return { ...features, id, landSqFt, value }
}

async function readNear(
  { point }: Assessed,
  fips: number,
  radius: number,
  { parcels, pause }: PausingContext,
): Promise<{ parcels: StoredParcel[]; complete: boolean }> {
  const state = countyByFips(fips)?.state ?? ''
  const readBox = async (box: Parameters<typeof parcels.pointsIn>[1], limit: number) => {
    await pause()
    return parcels.pointsIn({ assignedOnly: false, state }, box, limit)
  }
  const near = await findNearest<PointHit>(
    readBox,
    { center: point, radiusMiles: radius },
    READ_MAX + 1,
  )
  const hits = near.slice(0, READ_MAX).map(({ hit }) => hit)
  const found: StoredParcel[] = []
  for (let at = 0; at < hits.length; at += READ_AT_ONCE) {
    await pause()
    found.push(...(await readHits(parcels, hits.slice(at, at + READ_AT_ONCE))))
  }
  return { parcels: found, complete: near.length <= READ_MAX }
}

type About = { about: Assessed; own: number; isBuilt: boolean }

/** `percentile`: share of the like parcels with a lower value per square foot, 0 to 100. */
function describeSubject({ about, own, isBuilt }: About, alike: readonly Like[]) {
  const values = alike.map(({ perSqFt }) => perSqFt)
  const middle = median(values) ?? own
  const lower = values.filter((value) => value < own).length
  const equal = values.filter((value) => value === own).length
  const area = (isBuilt ? about.areaSqFt : about.landSqFt) ?? 0
  return {
    assessedValue: about.value,
    per: isBuilt ? 'building' : 'land',
    valuePerSqFt: roundTo(own, 2),
    medianPerSqFt: roundTo(middle, 2),
    percentile: roundTo((100 * (lower + equal / 2)) / values.length, 1),
    valueAtMedian: Math.round(middle * area),
    n: values.length,
  }
}

export type ShownSubject = ReturnType<typeof describeSubject>

function showLike({ assessed, perSqFt, similarity, differences }: Like) {
  return {
    assessedValue: assessed.value,
    valuePerSqFt: roundTo(perSqFt, 2),
    similarity: roundTo(similarity, 4),
    differences: Object.fromEntries(
      Object.entries(differences).map(([name, value]) => [name, value && roundTo(value, 4)]),
    ),
  }
}

export type ShownLike = ReturnType<typeof showLike>
