/** `GET /public/property/address/`: the parcel at a street address. */
import { type AskedAddress, type Finding, lookUpAddress, readWhole } from '../address/lookup.ts'
import { showUnitKey } from '../address/unit-keys.ts'
import { refuse } from '../base/errors.ts'
import { foldCity } from '../base/fold.ts'
import type { TailReading } from '../base/model/address.ts'
import { openFields } from '../record/stored.ts'
import { countyByFips, findCounty } from '../regions/counties.ts'
import type { ParcelReader, SitusHit, StoredParcel } from '../store/store.ts'
import {
  explainAddress,
  explainUnknownCounty,
  nameParcel,
  showExplained,
} from './explain/explain-address.ts'
import { isNamedBy, readSubject } from './find/subject.ts'
import { markMunicipalities } from './municipalities.ts'
import {
  defineOperation,
  describeMatch,
  type Reply,
  type RequestContext,
  showProperty,
} from './operation.ts'
import { showSubject } from './parcel-id-lookup.ts'
import { FIELDS, param, STATE, UNIT, ZIP_CODE } from './shared-parameters.ts'
import { AS_OF } from './time/as-of.ts'

const NOT_FOUND = 'Address not found'
/** Most units in `X-Match-Units`, and most candidates listed by a 300. */
const UNITS_MAX = 20
const CANDIDATES_MAX = 10

export const addressLookup = defineOperation({
  operationId: 'addressLookup',
  path: '/public/property/address/',
  parameters: {
    state: { ...STATE, required: false },
    address: param.text,
    apn: param.text,
    // A number in a spreadsheet or in JSON has no leading zero.
    fips: { type: 'string', pattern: { is: /^\d{4,5}$/, says: 'must be five digits' } },
    unit: UNIT,
    county: param.text,
    city: param.text,
    zipCode: ZIP_CODE,
    candidates: param.flag,
    fields: FIELDS,
    asOf: AS_OF,
    explain: param.flag,
  },
  answers: 'property',
  refusals: [300, 400, 404, 503],
  check(values) {
    const { unit, city, zipCode, candidates, apn, explain } = values
    const { state, county } = readPlace(values)
    if (values.address === undefined && apn !== undefined) {
      const named = { propertyId: undefined, state, county, parcelId: apn }
      const subject = county === undefined ? undefined : readSubject(named)
      if (subject === undefined)
        throw refuse.badRequest('fips, or state and county, is required when apn is given')
      return { kind: 'apn' as const, subject, explain }
    }
    const { address } = values
    if (address === undefined) throw refuse.badRequest('address is required')
    if (city !== undefined && county === undefined) {
      throw refuse.badRequest(
        "county is required when city is given: send the county's name or FIPS code as " +
          'county, or leave city out and send zipCode',
      )
    }
    const fips = county === undefined ? undefined : findCounty(state, county)?.fips
    const asked = {
      state,
      address,
      unit,
      fips,
      city: city === undefined ? undefined : foldCity(city),
      zip: zipCode?.trim().slice(0, 5),
      apn,
    }
    const unknownCounty = fips === undefined ? county : undefined
    const options = { unknownCounty, candidates, explain }
    return { kind: 'address' as const, asked, whole: readWhole(asked), ...options }
  },
  async find(query, context) {
    if (query.kind === 'apn') return showSubject(query, context, NOT_FOUND)
    const { asked, whole, unknownCounty, candidates, explain } = query
    if (unknownCounty !== undefined) {
      const details = explain ? { explain: explainUnknownCounty(asked.state, unknownCounty) } : {}
      throw refuse.notFound(NOT_FOUND, {}, details)
    }
    if (explain) {
      return context.queueSearch(async () => {
        const explained = await explainAddress(asked, whole, context.parcels)
        return showFinding(asked, explained, candidates, context)
      })
    }
    // A lookup with a unit reads all parcels at its address, which may be thousands.
    const alone = hasUnit(whole) ? undefined : await showAlone(asked, whole, context)
    if (alone !== undefined) return alone
    const search = () => showMatch(asked, whole, candidates, context)
    return context.parcels.advice.queued ? context.queueSearch(search) : search()
  },
})

type Asked = AskedAddress & { apn: string | undefined }

const readFips = openFields(['fips'])

/** Throws *bad request* when `apn` names another parcel than the one at the address. */
async function checkId(
  parcel: StoredParcel,
  { state, apn }: Asked,
  parcels: ParcelReader,
): Promise<void> {
  if (apn === undefined) return
  const { fips } = readFips(parcel.fieldValues)
  if (!(await isNamedBy(apn, { state, fips, parcel }, parcels))) {
    throw refuse.badRequest('address and apn name different parcels: send one of them')
  }
}

type Place = { state: string; county: string | undefined }

/** Reads the state and county; a FIPS code gives both. Throws *bad request*. */
function readPlace(asked: { [Name in 'state' | 'county' | 'fips']: string | undefined }): Place {
  const { state, county, fips } = asked
  const named = fips === undefined ? undefined : countyByFips(Number(fips))
  if (fips !== undefined && named === undefined) {
    throw refuse.badRequest('fips is not the code of a US county')
  }
  const found = state ?? named?.state
  if (found === undefined) throw refuse.badRequest('state is required')
  if (named !== undefined && found !== named.state) {
    throw refuse.badRequest('state and fips name different states')
  }
  const asCounty = county === undefined ? named : findCounty(found, county)
  if (named !== undefined && asCounty?.fips !== named.fips) {
    throw refuse.badRequest(
      asCounty === undefined
        ? `county is not a county of ${found}`
        : 'county and fips name different counties',
    )
  }
  return { state: found, county: county ?? fips?.trim() }
}

async function showMatch(
  asked: Asked,
  whole: TailReading,
  candidates: boolean,
  context: RequestContext,
): Promise<Reply> {
  const { parcels } = context
  const alone = hasUnit(whole) ? await showAlone(asked, whole, context) : undefined
  if (alone !== undefined) return alone
  const finding = await lookUpAddress(asked, markMunicipalities(asked, parcels, whole), whole)
  return showFinding(asked, { finding }, candidates, context)
}

async function showFinding(
  asked: Asked,
  { finding, explain }: { finding: Finding; explain?: object },
  candidates: boolean,
  context: RequestContext,
): Promise<Reply> {
  const { state } = asked
  const { parcels, layout } = context
  const details = explain === undefined ? {} : { explain }
  if (finding.outcome === 'none') throw refuse.notFound(NOT_FOUND, {}, details)
  if (finding.outcome === 'ambiguous') {
    throw await refuseAmbiguous(finding.hits, candidates ? parcels : undefined, state, details)
  }
  const [parcel] = await parcels.byIds(state, [finding.hit.id])
  // The roll was replaced between the two reads.
  if (parcel === undefined) throw refuse.notFound(NOT_FOUND, {}, details)
  await checkId(parcel, asked, parcels)
  const headers = matchHeaders(finding)
  if (explain === undefined) return showProperty(parcel, layout, headers)
  return showExplained(parcel, headers, explain, context)
}

function hasUnit({ address }: TailReading): boolean {
  return address.unitKey !== ''
}

/** First step of `lookUpAddress`: the only parcel at the exact address, else `undefined`. */
async function showAlone(
  asked: Asked,
  { address: { key, unitKey } }: TailReading,
  { parcels, layout }: RequestContext,
): Promise<Reply | undefined> {
  if (key === '') return undefined
  const alone = await parcels.onlyAtSitusKey(asked.state, key, unitKey, asked)
  if (alone === undefined) return undefined
  await checkId(alone, asked, parcels)
  return showProperty(alone, layout, {
    'x-match': alone.unitKey === unitKey ? 'exact' : 'unit-added',
  })
}

function matchHeaders(finding: Extract<Finding, { outcome: 'found' }>): Record<string, string> {
  const { match, count, alike, units } = finding
  const headers = describeMatch(match, count, alike)
  if (units.length > 0) {
    headers['x-match-units'] = units.slice(0, UNITS_MAX).map(showUnitKey).join(', ')
  }
  return headers
}

/** Returns the refusal for several matches; with `parcels` it lists the first of them. */
async function refuseAmbiguous(
  hits: readonly SitusHit[],
  parcels: ParcelReader | undefined,
  state: string,
  details: { explain?: object },
) {
  const headers = { 'x-match': 'ambiguous', 'x-match-count': String(hits.length) }
  if (parcels === undefined) return refuse.notFound(NOT_FOUND, headers, details)
  const ids = hits.slice(0, CANDIDATES_MAX).map(({ id }) => id)
  const found = await parcels.byIds(state, ids)
  const candidates = found.map(nameParcel)
  return refuse.ambiguous('Several addresses match', headers, { candidates, ...details })
}
