/** `GET /public/property/parcelId/`: a parcel by county and parcel ID. Contract part 4.3, decision D7. */
import { refuse } from '../errors.ts'
import { foldFormerId, foldParcelId, stripParcelId } from '../fold.ts'
import { countyByFips, findCounty } from '../place/counties.ts'
import type { IdentifiedParcel, ParcelReader, StoredParcel } from '../store/store.ts'
import { explainUnknownCounty } from './explain-address.ts'
import { explainParcelId, type TriedIds } from './explain-parcel-id.ts'
import { tellParcel } from './name-parcel.ts'
import { defineOperation, showProperty } from './operation.ts'
import { COUNTY, EXPLAIN, STATE } from './shared-parameters.ts'

export const parcelIdLookup = defineOperation({
  operationId: 'parcelIdLookup',
  path: '/public/property/parcelId/',
  summary: 'Parcel ID lookup',
  description:
    'The parcel with a parcel ID in a county. Case and surrounding blanks do not matter, inner punctuation does; when the exact form finds nothing, the form without punctuation is tried, and must name one parcel. Alternate IDs are searched next, IDs under which the land was recorded before last.',
  parameters: {
    state: STATE,
    county: { ...COUNTY, required: true },
    parcelId: {
      type: 'string',
      required: true,
      about: 'Exact parcel ID.',
      example: '0709-123-0101-4',
    },
    explain: EXPLAIN,
  },
  tokenCost: 0,
  answers: 'property',
  refusals: [400, 404, 503],
  check: ({ state, county, parcelId, explain }) => ({
    state,
    county,
    fips: findCounty(state, county)?.fips,
    parcelId,
    explain,
  }),
  async find({ state, county, fips, parcelId, explain }, { parcels, layout }) {
    if (fips === undefined) {
      const told = explain ? { explain: explainUnknownCounty(state, county) } : {}
      throw refuse.notFound(NOT_FOUND, {}, told)
    }
    const tried: Tried | undefined = explain ? { alike: [] } : undefined
    const found = await findParcel(parcels, state, fips, parcelId, tried)
    const told = tried && { explain: explainTried(fips, parcelId, tried, found) }
    if (found === undefined) throw refuse.notFound(NOT_FOUND, {}, told)
    const headers: Record<string, string> = { 'x-match': found.match }
    if (found.count > 1) headers['x-match-count'] = String(found.count)
    return showProperty(found.parcel, layout, headers, told?.explain)
  },
})

const NOT_FOUND = 'Property not found'

type Found = { parcel: StoredParcel; match: 'exact' | 'normalized' | 'former'; count: number }

/** The exact form first, then the form without punctuation if it names one parcel, alternate IDs, IDs of before last. */
async function findParcel(
  parcels: ParcelReader,
  state: string,
  fips: number,
  parcelId: string,
  tried?: Tried,
): Promise<Found | undefined> {
  const key = foldParcelId(parcelId)
  const stripped = stripParcelId(parcelId)
  const alike = await parcels.byParcelId(state, fips, stripped)
  if (tried !== undefined) tried.alike = alike
  const exact = alike.filter(({ parcelKey }) => parcelKey === key)
  const [first] = exact
  if (first !== undefined) return { parcel: first, match: 'exact', count: exact.length }
  const [only, another] = alike
  if (only !== undefined && stripped !== '') {
    return another === undefined ? { parcel: only, match: 'normalized', count: 1 } : undefined
  }
  const others = await parcels.byAlternateId(state, fips, key)
  if (tried !== undefined) tried.others = others
  const [alternate] = others
  if (alternate !== undefined) return { parcel: alternate, match: 'exact', count: others.length }
  if (stripped === '') return undefined
  const heirs = await parcels.byAlternateId(state, fips, foldFormerId(parcelId))
  if (tried !== undefined) tried.heirs = heirs
  const [heir] = heirs
  return heir && { parcel: heir, match: 'former', count: heirs.length }
}

/** What the steps found, for an explanation. */
type Tried = { alike: IdentifiedParcel[]; others?: StoredParcel[]; heirs?: StoredParcel[] }

function explainTried(
  fips: number,
  asked: string,
  { alike, others, heirs }: Tried,
  found: Found | undefined,
) {
  const tried: TriedIds = {
    asked,
    county: countyByFips(fips)?.name ?? '',
    exact: foldParcelId(asked),
    stripped: stripParcelId(asked),
    alike: alike.map((parcel) => ({ name: tellParcel(parcel), parcelKey: parcel.parcelKey })),
    alternates: others?.map(tellParcel),
    heirs: heirs?.map(tellParcel),
    answer: found && tellParcel(found.parcel),
  }
  return explainParcelId(tried)
}
