/** Parameters that name one parcel: its property ID, or state, county and parcel ID. */
import { refuse } from '../../base/errors.ts'
import { foldParcelId, stripParcelId } from '../../base/fold.ts'
import { openFields, propertyIdOf } from '../../record/stored.ts'
import { findCounty } from '../../regions/counties.ts'
import type { ParcelReader, StoredParcel } from '../../store/store.ts'
import type { Values } from '../parameters.ts'
import { param, STATE } from '../shared-parameters.ts'
import {
  type FoundParcel,
  findByParcelId,
  findByPropertyId,
  listSplits,
  type PropertyId,
  readPropertyId,
  type TriedForms,
} from './find-parcel.ts'

export const SUBJECT = {
  propertyId: {
    type: 'string',
    aliases: ['realieParcelId'],
  },
  state: { ...STATE, required: false },
  county: param.text,
  parcelId: param.text,
} as const

/**
 * A requested parcel: by its property ID, or by state, county and parcel ID. `no county`: the
 * county is unknown. `none`: the property ID is invalid, or in another state or county than the
 * given one. `parcelId`: given next to the property ID.
 */
export type Subject =
  | { kind: 'property'; id: PropertyId; parcelId?: string | undefined }
  | { kind: 'parcel'; state: string; fips: number; parcelId: string }
  | { kind: 'no county'; state: string; county: string }
  | { kind: 'none' }

/** Reads the requested parcel; `undefined` when no parameter is given. Throws *bad request*. */
export function readSubject(values: Values<typeof SUBJECT>): Subject | undefined {
  const { propertyId, state, county, parcelId } = values
  const id = readStableId(values)
  if (propertyId !== undefined || id !== undefined) {
    if (id === undefined || !isIn(id, values)) return { kind: 'none' }
    return { kind: 'property', id, parcelId: propertyId === undefined ? undefined : parcelId }
  }
  if (parcelId === undefined && state === undefined && county === undefined) return undefined
  if (state === undefined) throw refuse.badRequest('state is required')
  if (county === undefined) throw refuse.badRequest('county is required')
  if (parcelId === undefined) throw refuse.badRequest('parcelId is required')
  const fips = findCounty(state, county)?.fips
  if (fips === undefined) return { kind: 'no county', state, county }
  return { kind: 'parcel', state, fips, parcelId }
}

/** As `readSubject`, for an operation that needs one: `missing` is required otherwise. */
export function needSubject(values: Values<typeof SUBJECT>, missing = 'propertyId'): Subject {
  const subject = readSubject(values)
  if (subject === undefined) throw refuse.badRequest(`${missing} is required`)
  return subject
}

/** Reads the given property ID. Without a county a parcel ID may be one. */
export function readStableId({ propertyId, county, parcelId }: Partial<Values<typeof SUBJECT>>) {
  return readPropertyId(propertyId ?? (county === undefined ? parcelId : undefined) ?? '')
}

function isIn(id: PropertyId, { state, county }: Values<typeof SUBJECT>) {
  if (state !== undefined && state !== id.state) return false
  return county === undefined || findCounty(id.state, county)?.fips === id.fips
}

/**
 * Finds the requested parcel. Also accepts a property ID as the parcel ID of its own county, if no
 * parcel ID there is the same text. `tried`: receives the hits of each step. Throws *bad request*
 * when a property ID and a parcel ID name different parcels.
 */
export async function findSubject(
  subject: Subject,
  parcels: ParcelReader,
  tried?: TriedForms,
): Promise<FoundParcel | undefined> {
  if (subject.kind === 'property') return findTwiceNamed(subject, parcels, tried)
  if (subject.kind !== 'parcel') return undefined
  const { state, fips, parcelId } = subject
  const found = await findByParcelId(parcels, { state, fips }, parcelId, tried)
  if (found !== undefined) return found
  const stable = readPropertyId(parcelId)
  return stable?.fips === fips ? findByPropertyId(parcels, stable) : undefined
}

async function findTwiceNamed(
  { id, parcelId }: Extract<Subject, { kind: 'property' }>,
  parcels: ParcelReader,
  tried?: TriedForms,
): Promise<FoundParcel | undefined> {
  const found = await findByPropertyId(parcels, id, tried)
  if (parcelId === undefined) return found
  // The record of a retired ID, if there is one, is another parcel's.
  const isOwn = found?.match === 'exact' || found?.match === 'normalized'
  const askedIds = isOwn ? [] : listParcelIds(id)
  if (!(await isNamedBy(parcelId, { ...id, parcel: found?.parcel, askedIds }, parcels))) {
    throw refuse.badRequest('propertyId and parcelId name different parcels: send one of them')
  }
  return found
}

/** Lists the parcel IDs that a property ID may contain; a municipality has a letter. */
function listParcelIds({ rest }: PropertyId): string[] {
  return listSplits(rest).flatMap(([municipality, own]) =>
    municipality === '' || /\p{L}/u.test(municipality) ? [own] : [],
  )
}

/** A parcel, if there is one, its county, and other IDs by which it was requested. */
type NamedParcel = {
  state: string
  fips: number
  parcel: StoredParcel | undefined
  askedIds?: readonly string[]
}

const readIds = openFields(['parcelId', 'alternateParcelIds'])

/** Whether an ID is one of this parcel's, or the lookup by parcel ID finds this property. */
export async function isNamedBy(
  text: string,
  { state, fips, parcel, askedIds = [] }: NamedParcel,
  parcels: ParcelReader,
): Promise<boolean> {
  const stable = readPropertyId(text)
  const given = stable?.fips === fips ? [text, stable.rest] : [text]
  const own = parcel && readIds(parcel.fieldValues)
  const ids = [...askedIds, own?.parcelId ?? '', ...(own?.alternateParcelIds ?? [])]
  const isAny = (isSame: (id: string, one: string) => boolean) =>
    ids.some((id) => given.some((one) => isSame(id, one)))
  if (isAny((id, one) => foldParcelId(id) === foldParcelId(one))) return true
  const found = await findSubject({ kind: 'parcel', state, fips, parcelId: text }, parcels)
  // Several parcels may have the ID without punctuation; the lookup then finds none.
  if (found === undefined) return isAny(nameSame)
  const right = parcel && propertyIdOf(parcel.fieldValues)
  return propertyIdOf(found.parcel.fieldValues) === right
}

/** Reports whether two parcel IDs are equal without punctuation. */
function nameSame(one: string, other: string): boolean {
  const stripped = stripParcelId(one)
  return stripped !== '' && stripped === stripParcelId(other)
}

/** As `findSubject`. Also throws *not found*. */
export async function needParcel(subject: Subject, parcels: ParcelReader): Promise<StoredParcel> {
  const found = await findSubject(subject, parcels)
  if (found === undefined) throw refuse.notFound('Property not found')
  return found.parcel
}
