/** `GET /public/property/address/`: the parcel at a street address. Contract part 4.2, decision D6. */
import { type AskedAddress, lookUpAddress, type Reading, readWhole } from '../address/lookup.ts'
import { refuse } from '../errors.ts'
import { foldCity } from '../fold.ts'
import { findCounty } from '../place/counties.ts'
import { tellMunicipalities } from './municipalities.ts'
import { defineOperation, type Reply, type RequestContext, showProperty } from './operation.ts'
import { COUNTY, STATE, UNIT } from './shared-parameters.ts'

const NOT_FOUND = 'Address not found'

export const addressLookup = defineOperation({
  operationId: 'addressLookup',
  path: '/public/property/address/',
  summary: 'Address lookup',
  description:
    'The parcel at a street address. The header X-Match tells how it was matched; when parcels in several cities match and nobody can know which one was meant, the answer is 404 with `X-Match: ambiguous`.',
  parameters: {
    state: STATE,
    address: {
      type: 'string',
      required: true,
      about: 'Street address line 1 only; no city, state or ZIP.',
      example: '123 Main St',
    },
    unit: UNIT,
    county: { ...COUNTY, about: `${COUNTY.about} Required when city is given.` },
    city: {
      type: 'string',
      about: 'City of the property, or the municipality that taxes it; needs county.',
      example: 'Madison',
    },
  },
  tokenCost: 0,
  answers: 'property',
  refusals: [400, 404, 503],
  check({ state, address, unit, county, city }) {
    if (city !== undefined && county === undefined) {
      throw refuse.badRequest('county is required when city is given')
    }
    const fips = county === undefined ? undefined : findCounty(state, county)?.fips
    const asked = {
      state,
      address,
      unit,
      fips,
      city: city === undefined ? undefined : foldCity(city),
    }
    return { asked, whole: readWhole(asked), unknownCounty: county !== undefined && !fips }
  },
  async find({ asked, whole, unknownCounty }, context) {
    if (unknownCounty) throw refuse.notFound(NOT_FOUND)
    // A unit is looked for among all parcels at its address, which may be thousands: not quick.
    const alone = hasUnit(whole) ? undefined : await showAlone(asked, whole, context)
    if (alone !== undefined) return alone
    const search = () => showMatch(asked, whole, context)
    // Over PostgreSQL the search runs in another process and does not hold up this one.
    return context.parcels.isRemote ? search() : context.queueSearch(search)
  },
})

async function showMatch(
  asked: AskedAddress,
  whole: Reading,
  context: RequestContext,
): Promise<Reply> {
  const { parcels, layout } = context
  const alone = hasUnit(whole) ? await showAlone(asked, whole, context) : undefined
  if (alone !== undefined) return alone
  const finding = await lookUpAddress(asked, tellMunicipalities(asked, parcels), whole)
  if (finding.outcome === 'none') throw refuse.notFound(NOT_FOUND)
  if (finding.outcome === 'ambiguous') {
    const headers = { 'x-match': 'ambiguous', 'x-match-count': String(finding.count) }
    throw refuse.notFound(NOT_FOUND, headers)
  }
  const [parcel] = await parcels.byIds(asked.state, [finding.hit.id])
  // A roll was replaced between the two reads.
  if (parcel === undefined) throw refuse.notFound(NOT_FOUND)
  const headers: Record<string, string> = { 'x-match': finding.match }
  if (finding.count > 1) headers['x-match-count'] = String(finding.count)
  return showProperty(parcel, layout, headers)
}

function hasUnit({ address }: Reading): boolean {
  return address.unitKey !== ''
}

/**
 * The parcel that stands alone at exactly what was asked: what `lookUpAddress` finds by its first step, in one question
 * to the store. `undefined`: there is none, or there are several.
 */
async function showAlone(
  asked: AskedAddress,
  { address: { key, unitKey } }: Reading,
  { parcels, layout }: RequestContext,
): Promise<Reply | undefined> {
  if (key === '') return undefined
  const alone = await parcels.onlyAtSitusKey(asked.state, key, unitKey, asked)
  return alone === undefined ? undefined : showProperty(alone, layout, { 'x-match': 'exact' })
}
