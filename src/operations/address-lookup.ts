/** `GET /public/property/address/`: the parcel at a street address. Contract part 4.2, decision D6. */
import { refuse } from '../errors.ts'
import { foldCity } from '../fold.ts'
import { findCounty } from '../place/counties.ts'
import type { ParcelReader } from '../store/store.ts'
import {
  type AskedAddress,
  chooseParcel,
  findAlone,
  matchAddress,
  type Reading,
  readWhole,
} from './address-search.ts'
import { defineEndpoint, type Find, showProperty } from './operation.ts'
import { COUNTY, STATE, UNIT } from './shared-parameters.ts'

const NOT_FOUND = 'Address not found'

export const addressLookup = defineEndpoint({
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
      about: 'City of the property; needs county.',
      example: 'Madison',
    },
  },
  tokenCost: 0,
  quick: 'remote',
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
  async probe({ asked, whole, unknownCounty }, { parcels }) {
    if (unknownCounty) throw refuse.notFound(NOT_FOUND)
    // A unit is looked for among all at its address, which may be thousands.
    return hasUnit(whole) ? undefined : showAlone(asked, whole, parcels)
  },
  async find({ asked, whole }, { parcels }) {
    const alone = hasUnit(whole) ? await showAlone(asked, whole, parcels) : undefined
    if (alone !== undefined) return alone
    const found = await matchAddress(asked, whole, parcels)
    const choice = found === undefined ? undefined : chooseParcel(found)
    if (found === undefined || choice === undefined) throw refuse.notFound(NOT_FOUND)
    if (choice.outcome === 'ambiguous') {
      const headers = { 'x-match': 'ambiguous', 'x-match-count': String(choice.count) }
      throw refuse.notFound(NOT_FOUND, headers)
    }
    const [parcel] = await parcels.byIds(asked.state, [choice.hit.id])
    // A roll was replaced between the two reads.
    if (parcel === undefined) throw refuse.notFound(NOT_FOUND)
    const match = choice.unitDropped ? 'unit-dropped' : found.match
    const headers: Record<string, string> = { 'x-match': match }
    if (choice.count > 1) headers['x-match-count'] = String(choice.count)
    return showProperty(parcel, headers)
  },
})

function hasUnit({ address }: Reading): boolean {
  return address.unitKey !== ''
}

/** The one parcel at exactly what was asked; `undefined`: there is none, or there are several. */
async function showAlone(
  asked: AskedAddress,
  whole: Reading,
  parcels: ParcelReader,
): Promise<Find | undefined> {
  const alone = await findAlone(asked, whole, parcels)
  return alone === undefined ? undefined : showProperty(alone, { 'x-match': 'exact' })
}
