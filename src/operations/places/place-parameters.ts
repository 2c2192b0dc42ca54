/** What operations by place declare and answer alike. */
import { refuse } from '../../errors.ts'
import { foldUseCode } from '../../fold.ts'
import type { Point } from '../../geo/sphere.ts'
import { findCounty } from '../../place/counties.ts'
import type { JsonSchema } from '../../record/schema.ts'
import type { PlaceFilter } from '../../store/places.ts'
import type { ParcelReader, StoredParcel } from '../../store/store.ts'
import type { RequestContext } from '../operation.ts'
import type { Values } from '../parameters.ts'
import { COUNTY, STATE } from '../shared-parameters.ts'

const DAY_MS = 86_400_000

/** Degrees north, −90 to 90. */
export const LATITUDE = {
  type: 'number',
  minimum: -90,
  maximum: 90,
  aliases: ['lat'],
  about: 'Latitude in WGS 84 decimal degrees.',
  example: 43.0747,
} as const

/** Degrees east, −180 to 180. */
export const LONGITUDE = {
  type: 'number',
  minimum: -180,
  maximum: 180,
  aliases: ['lng', 'lon', 'long'],
  about: 'Longitude in WGS 84 decimal degrees; west is negative.',
  example: -89.3841,
} as const

/** The filters of a search by place; none is required. */
export const PLACE_FILTERS = {
  state: { ...STATE, required: false },
  county: {
    ...COUNTY,
    about: `${COUNTY.about} Needs state. An unrecognized county finds nothing.`,
  },
  zipCode: {
    type: 'string',
    pattern: { is: /^\d{5}(?:-?\d{4})?$/, says: 'must be five digits, or nine as ZIP+4' },
    about: 'ZIP code of the property; of ZIP+4 the first five digits count.',
    example: '53703',
  },
  useCode: {
    type: 'string',
    about: 'Use code as recorded; leading zeros do not count.',
    example: '1',
  },
  residential: {
    type: 'boolean',
    about: 'Only residential, or only other, property.',
    example: true,
  },
  transferedSince: {
    type: 'integer',
    minimum: 1,
    maximum: 36_500,
    aliases: ['transferredSince'],
    about: 'Newest transfer at most so many days ago.',
    example: 365,
  },
  includeUnassignedAddress: {
    type: 'boolean',
    default: false,
    about: 'Also parcels without a street number and name.',
    example: false,
  },
} as const

/** The filters as the store asks them; `undefined` when nothing can match. Throws *bad request*. */
export function makePlaceFilter(
  values: Values<typeof PLACE_FILTERS>,
  { now }: Pick<RequestContext, 'now'>,
): PlaceFilter | undefined {
  const { state, county, zipCode, useCode, residential, transferedSince } = values
  requireStateWithCounty(values)
  const filter: PlaceFilter = { assignedOnly: !values.includeUnassignedAddress }
  if (state !== undefined) filter.state = state
  if (county !== undefined && state !== undefined) {
    const found = findCounty(state, county)
    if (found === undefined) return undefined
    filter.fips = found.fips
  }
  if (zipCode !== undefined) filter.zip = zipCode.trim().slice(0, 5)
  if (useCode !== undefined) filter.useCode = foldUseCode(useCode)
  if (residential !== undefined) filter.residential = residential
  if (transferedSince !== undefined) {
    filter.transferredFrom = Math.floor(now / DAY_MS) - transferedSince
  }
  return filter.useCode === '' ? undefined : filter
}

/** A county's name means nothing without its state. Throws *bad request*. */
export function requireStateWithCounty(values: {
  state: string | undefined
  county: string | undefined
}): void {
  if (values.county === undefined || values.state !== undefined) return
  throw refuse.badRequest('state is required when county is given')
}

/** The point asked for. */
export function pointOf({ latitude, longitude }: { latitude: number; longitude: number }): Point {
  return [longitude, latitude]
}

/** The records of some hits, in their order. One that is gone since is left out. */
export async function readHits(
  parcels: Pick<ParcelReader, 'byIds'>,
  hits: readonly { id: number; state: string }[],
): Promise<StoredParcel[]> {
  const byState = Map.groupBy(hits, ({ state }) => state)
  const found = new Map<number, StoredParcel>()
  for (const [state, own] of byState) {
    const ids = own.map(({ id }) => id)
    for (const parcel of await parcels.byIds(state, ids)) found.set(parcel.id, parcel)
  }
  return hits.flatMap(({ id }) => found.get(id) ?? [])
}

/** A number rounded for showing: distances to a hundredth of a foot and areas alike. */
export function roundTo(value: number, decimals: number): number {
  return Number(value.toFixed(decimals))
}

/** The schema of a list answer whose metadata has these properties. */
export function listSchema(
  metadata: Record<string, JsonSchema>,
  required: readonly string[],
): JsonSchema {
  return {
    type: 'object',
    properties: {
      properties: { type: 'array', items: { $ref: '#/components/schemas/Property' } },
      metadata: { type: 'object', properties: metadata, required: [...required] },
    },
    required: ['properties', 'metadata'],
  }
}
