/** `GET /public/property/parcelId/`: a parcel by county and parcel ID. Contract part 4.3, decision D7. */
import { refuse } from '../errors.ts'
import { foldParcelId, stripParcelId } from '../fold.ts'
import { findCounty } from '../place/counties.ts'
import type { ParcelReader, StoredParcel } from '../store/store.ts'
import { defineOperation, showProperty } from './operation.ts'
import { COUNTY, STATE } from './shared-parameters.ts'

export const parcelIdLookup = defineOperation({
  operationId: 'parcelIdLookup',
  path: '/public/property/parcelId/',
  summary: 'Parcel ID lookup',
  description:
    'The parcel with a parcel ID in a county. Case and surrounding blanks do not matter, inner punctuation does; when the exact form finds nothing, the form without punctuation is tried, and must name one parcel.',
  parameters: {
    state: STATE,
    county: { ...COUNTY, required: true },
    parcelId: {
      type: 'string',
      required: true,
      about: 'Exact parcel ID.',
      example: '0709-123-0101-4',
    },
  },
  tokenCost: 0,
  answers: 'property',
  refusals: [400, 404, 503],
  check: ({ state, county, parcelId }) => ({
    state,
    fips: findCounty(state, county)?.fips,
    parcelId,
  }),
  async find({ state, fips, parcelId }, { parcels, layout }) {
    const found = fips === undefined ? undefined : await findParcel(parcels, state, fips, parcelId)
    if (found === undefined) throw refuse.notFound('Property not found')
    const headers: Record<string, string> = { 'x-match': found.match }
    if (found.count > 1) headers['x-match-count'] = String(found.count)
    return showProperty(found.parcel, layout, headers)
  },
})

type Found = { parcel: StoredParcel; match: 'exact' | 'normalized'; count: number }

/** The exact form first, then the form without punctuation if it names one parcel, alternate IDs last. */
async function findParcel(
  parcels: ParcelReader,
  state: string,
  fips: number,
  parcelId: string,
): Promise<Found | undefined> {
  const key = foldParcelId(parcelId)
  const stripped = stripParcelId(parcelId)
  const alike = await parcels.byParcelId(state, fips, stripped)
  const exact = alike.filter(({ parcelKey }) => parcelKey === key)
  const [first] = exact
  if (first !== undefined) return { parcel: first, match: 'exact', count: exact.length }
  const [only, another] = alike
  if (only !== undefined && stripped !== '') {
    return another === undefined ? { parcel: only, match: 'normalized', count: 1 } : undefined
  }
  const others = await parcels.byAlternateId(state, fips, key)
  const [alternate] = others
  return alternate && { parcel: alternate, match: 'exact', count: others.length }
}
