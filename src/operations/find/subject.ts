/** Parameters that name one parcel: its property ID, or state, county and parcel ID. */
import { refuse } from '../../base/errors.ts'
import { foldParcelId, stripParcelId } from '../../base/fold.ts'
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
 * given one.
 */
export type Subject =
  | { kind: 'property'; id: PropertyId }
  | { kind: 'parcel'; state: string; fips: number; parcelId: string }
  | { kind: 'no county'; state: string; county: string }
  | { kind: 'none' }

/** Reads the requested parcel; `undefined` when no parameter is given. Throws *bad request*. */
export function readSubject(values: Values<typeof SUBJECT>): Subject | undefined {
  const { propertyId, state, county, parcelId } = values
  const stable = propertyId ?? (county === undefined ? parcelId : undefined)
  const id = stable === undefined ? undefined : readPropertyId(stable)
  if (propertyId !== undefined || id !== undefined) {
    if (propertyId !== undefined && parcelId !== undefined && id !== undefined) {
      checkSame(id, parcelId)
    }
    return id !== undefined && isIn(id, values) ? { kind: 'property', id } : { kind: 'none' }
  }
  if (parcelId === undefined && state === undefined && county === undefined) return undefined
  if (state === undefined) throw refuse.badRequest('state is required')
  if (county === undefined) throw refuse.badRequest('county is required')
  if (parcelId === undefined) throw refuse.badRequest('parcelId is required')
  const fips = findCounty(state, county)?.fips
  if (fips === undefined) return { kind: 'no county', state, county }
  return { kind: 'parcel', state, fips, parcelId }
}

/** Throws *bad request* unless the parcel ID is the property ID, or its part after the county. */
function checkSame(id: PropertyId, parcelId: string): void {
  const given = readPropertyId(parcelId)
  const rest = given?.fips === id.fips ? given.rest : parcelId
  const isSame = listSplits(id.rest).some(
    ([municipality, own]) =>
      (municipality === '' || /\p{L}/u.test(municipality)) && nameSame(own, rest),
  )
  if (!isSame) {
    throw refuse.badRequest('propertyId and parcelId name different parcels: send one of them')
  }
}

/** Reports whether two recorded parcel IDs may be of one parcel: punctuation does not count. */
export function nameSame(one: string, other: string): boolean {
  const stripped = stripParcelId(one)
  if (stripped === '') return foldParcelId(one) === foldParcelId(other)
  return stripped === stripParcelId(other)
}

/** As `readSubject`, for an operation that needs one: `missing` is required otherwise. */
export function needSubject(values: Values<typeof SUBJECT>, missing = 'propertyId'): Subject {
  const subject = readSubject(values)
  if (subject === undefined) throw refuse.badRequest(`${missing} is required`)
  return subject
}

/** Reports whether a property ID is in the given state and county. */
function isIn(id: PropertyId, { state, county }: Pick<Values<typeof SUBJECT>, 'state' | 'county'>) {
  if (state !== undefined && state !== id.state) return false
  return county === undefined || findCounty(id.state, county)?.fips === id.fips
}

/**
 * Finds the requested parcel. Also accepts a property ID as the parcel ID of its own county, if no
 * parcel ID there is the same text. `tried`: receives the hits of each step.
 */
export async function findSubject(
  subject: Subject,
  parcels: ParcelReader,
  tried?: TriedForms,
): Promise<FoundParcel | undefined> {
  if (subject.kind === 'property') return findByPropertyId(parcels, subject.id, tried)
  if (subject.kind !== 'parcel') return undefined
  const { state, fips, parcelId } = subject
  const found = await findByParcelId(parcels, { state, fips }, parcelId, tried)
  if (found !== undefined) return found
  const stable = readPropertyId(parcelId)
  return stable?.fips === fips ? findByPropertyId(parcels, stable) : undefined
}

/** As `findSubject`. Throws *not found*. */
export async function needParcel(subject: Subject, parcels: ParcelReader): Promise<StoredParcel> {
  const found = await findSubject(subject, parcels)
  if (found === undefined) throw refuse.notFound('Property not found')
  return found.parcel
}
