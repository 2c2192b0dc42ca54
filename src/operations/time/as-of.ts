/** `asOf`: a question about the rolls of an earlier day. */
import { dayOf } from '../../base/days.ts'
import { refuse } from '../../base/errors.ts'
import { foldCity } from '../../base/fold.ts'
import type { SeenParcel } from '../../privacy/audit.ts'
import { openFields } from '../../record/stored.ts'
import { countyByFips, findCounty } from '../../regions/counties.ts'
import type { ParcelReader } from '../../store/store.ts'
import { showDay, type Vintage } from '../../store/versions/versions.ts'
import { readStableId } from '../find/subject.ts'
import { openPast } from './past-reader.ts'

/** The record as the newest roll on or before a day had it. */
export const AS_OF = {
  type: 'string',
  pattern: { is: /^\d{4}-\d{2}-\d{2}$/, says: 'must be a day such as 2024-06-30' },
} as const

/** Of a tile: also a year, whose last roll counts. */
export const AS_OF_YEAR = {
  ...AS_OF,
  pattern: { is: /^\d{4}(-\d{2}-\d{2})?$/, says: 'must be a year or a day such as 2024-06-30' },
} as const

const readPlace = openFields(['fips', 'municipality'])

/** The values of parameters that may name a place. */
type Named = {
  asOf?: string
  state?: string
  county?: string
  fips?: string
  propertyId?: string
  parcelId?: string
  latitude?: number
  longitude?: number
}

type Answered = {
  seen?: readonly SeenParcel[]
  headers: Record<string, string>
}

/**
 * Answers a question by a reader of an earlier day. Throws *bad request* for a day that does not
 * exist, and *not found* where no roll of the asked place is so old.
 */
export async function answerAsOf<Answer extends Answered>(
  values: Named,
  parcels: ParcelReader,
  find: (past: ParcelReader) => Promise<Answer>,
): Promise<Answer> {
  const day = readDay(values.asOf ?? '')
  const vintages = await listVintages(values, parcels)
  const days = vintages.map((one) => one.day)
  if (days.length > 0 && !days.some((one) => one <= day)) {
    const first = showDay(Math.min(...days))
    throw refuse.notFound(`There is data from ${first} on`)
  }
  const reply = await find(openPast(parcels, day))
  const of = await vintageOf(reply, parcels, vintages, day)
  if (of === undefined) return reply
  return { ...reply, headers: { ...reply.headers, 'x-as-of': showDay(of) } }
}

/** Returns a reader of what the newest rolls on or before a year or day had, if one is given. */
export function openAsOf(parcels: ParcelReader, text: string | undefined): ParcelReader {
  return text === undefined ? parcels : openPast(parcels, readDay(text))
}

function readDay(text: string): number {
  const day = dayOf(text.length === 4 ? `${text}-12-31` : text)
  if (day === undefined) throw refuse.badRequest('asOf must be a day such as 2024-06-30')
  return day
}

/** The rolls of the named place, or of the counties around the point. */
async function listVintages(values: Named, parcels: ParcelReader): Promise<Vintage[]> {
  const named = readNamed(values)
  if (named !== undefined) return parcels.vintages(named.state, named.fips)
  const { longitude: x, latitude: y } = values
  if (x === undefined || y === undefined) return []
  const counties = await parcels.coverage({ boxes: [{ west: x, south: y, east: x, north: y }] })
  const found = counties.map(({ state, fips }) => parcels.vintages(state, fips))
  return (await Promise.all(found)).flat()
}

function readNamed(values: Named) {
  const { state, county } = values
  const code = values.fips ?? readStableId(values)?.fips
  const named = code === undefined ? undefined : countyByFips(Number(code))
  const own = state ?? named?.state
  if (own === undefined) return undefined
  const found = county === undefined ? named?.fips : findCounty(own, county)?.fips
  return { state: own, fips: found === undefined ? undefined : Number(found) }
}

/** The day of the roll that the answer is from: that of its first parcel, or of the asked place. */
async function vintageOf(
  { seen }: Answered,
  parcels: ParcelReader,
  vintages: Vintage[],
  day: number,
): Promise<number | undefined> {
  const newest = (all: Vintage[]) => all.map((one) => one.day).filter((one) => one <= day)
  const [first] = seen ?? []
  if (first === undefined || 'propertyId' in first) {
    return vintages.length === 0 ? undefined : Math.max(...newest(vintages))
  }
  const { fips, municipality } = readPlace(first.fieldValues)
  const all = await parcels.vintages(countyByFips(fips)?.state ?? '', fips)
  const own = all.filter((one) => one.municipality === foldCity(municipality ?? ''))
  return Math.max(...newest(own))
}
