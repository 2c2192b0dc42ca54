/** Parameters and answers that the operations by place share. */
import { refuse } from '../../base/errors.ts'
import type { Point } from '../../geo/sphere.ts'
import { answerOf, type JsonSchema, json } from '../../record/json-schema.ts'
import type { PlaceFilter } from '../../store/places.ts'
import type { ParcelReader, StoredParcel } from '../../store/store.ts'
import { PARCEL_FILTERS, readFilters } from '../find/filters.ts'
import type { RequestContext } from '../operation.ts'
import type { Values } from '../parameters.ts'
import { param, STATE } from '../shared-parameters.ts'

/** Degrees north, −90 to 90. */
export const LATITUDE = {
  type: 'number',
  minimum: -90,
  maximum: 90,
  aliases: ['lat'],
} as const

/** Degrees east, −180 to 180. */
export const LONGITUDE = {
  type: 'number',
  minimum: -180,
  maximum: 180,
  aliases: ['lng', 'lon', 'long'],
} as const

export const PLACE_FILTERS = {
  state: { ...STATE, required: false },
  ...PARCEL_FILTERS,
  county: param.text,
  includeUnassignedAddress: param.flag,
} as const

/** Returns the filters for the store; `undefined` when nothing can match. Throws *bad request*. */
export function makePlaceFilter(
  values: Values<typeof PLACE_FILTERS>,
  context: Pick<RequestContext, 'now' | 'account'>,
): PlaceFilter | undefined {
  requireStateWithCounty(values)
  const found = readFilters(values, context)
  if (found === undefined) return undefined
  const filter: PlaceFilter = { ...found, assignedOnly: !values.includeUnassignedAddress }
  if (values.state !== undefined) filter.state = values.state
  return filter
}

/** The loaded counties, those of a state, or one. */
export const LOADED = {
  state: { ...STATE, required: false },
  county: param.text,
} as const

/** Requires a state with a county's name. Throws *bad request*. */
export function requireStateWithCounty(values: {
  state: string | undefined
  county: string | undefined
}): void {
  if (values.county === undefined || values.state !== undefined) return
  throw refuse.badRequest('state is required when county is given')
}

export function pointOf({ latitude, longitude }: { latitude: number; longitude: number }): Point {
  return [longitude, latitude]
}

/** Reads the records of some hits in order, without those removed since. */
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

/** Rounds a distance or area for display. */
export function roundTo(value: number, decimals: number): number {
  return Number(value.toFixed(decimals))
}

export const PROPERTIES_SCHEMA: JsonSchema = json.list(
  { $ref: '#/components/schemas/Property' },
  'The records, in the order of the operation.',
)

/** The answer with records; `section`: its metadata in `tables/operations.txt`. */
export function listSchema(section: string, given?: Record<string, JsonSchema>): JsonSchema {
  const { properties, required = [] } = answerOf(section, given)
  const description = 'Parameters as applied, and figures of this page.'
  return json.object({
    properties: PROPERTIES_SCHEMA,
    metadata: { type: 'object', description, properties, required },
  })
}
